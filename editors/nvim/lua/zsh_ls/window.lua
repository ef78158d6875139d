--- The plugin's windows: one for output, floats for answers.
local settings = require('zsh_ls.settings')

local M = {}

---@type integer?
local shown

--- Close a window with `q`, as usual for read-only windows.
---@param bufnr integer
local function closes_by_q(bufnr)
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = bufnr, nowait = true, desc = 'close' })
end

---@param bufnr integer
---@return integer window
local function split(bufnr)
  local height = settings.get().output.height
  return vim.api.nvim_open_win(bufnr, false, { split = 'below', win = -1, height = height })
end

---@param bufnr integer
---@return integer window
local function float(bufnr)
  local width, height = math.floor(vim.o.columns * 0.8), math.floor(vim.o.lines * 0.7)
  return vim.api.nvim_open_win(bufnr, false, {
    relative = 'editor',
    width = width,
    height = height,
    col = math.floor((vim.o.columns - width) / 2),
    row = math.floor((vim.o.lines - height) / 2) - 1,
    border = 'rounded',
    title = ' zsh-ls ',
  })
end

--- The window that shows output, if any: the user may have put another buffer into it.
---@return integer?
function M.output_window()
  if shown and vim.api.nvim_win_is_valid(shown) then
    return vim.b[vim.api.nvim_win_get_buf(shown)].zsh_ls_task and shown or nil
  end
end

--- The size of a terminal in that window, existing or not.
---@return integer cols
---@return integer rows
function M.terminal_size()
  local shows = M.output_window()
  if shows then
    local info = vim.fn.getwininfo(shows)[1]
    return info.width - info.textoff, vim.fn.winheight(shows)
  end
  return vim.o.columns, math.max(settings.get().output.height - 1, 1) -- the bar above it
end

---@type integer? of the output window, before it was enlarged
local usual_height

--- Give the output window nearly all the height there is, or what it had.
---@param is_full boolean
function M.enlarge(is_full)
  local shows = M.output_window()
  if not shows then
    return
  end
  if is_full then
    usual_height = usual_height or vim.api.nvim_win_get_height(shows)
    vim.api.nvim_win_set_height(shows, math.max(vim.o.lines - 5, usual_height))
  elseif usual_height then
    vim.api.nvim_win_set_height(shows, usual_height)
    usual_height = nil
  end
end

--- Show output in the output window; the cursor stays where it is.
---@param bufnr integer
---@param winbar string what stands above it
---@return integer window
function M.show_output(bufnr, winbar)
  shown = M.output_window()
  if shown then
    vim.api.nvim_win_set_buf(shown, bufnr)
  else
    shown = settings.get().output.window == 'float' and float(bufnr) or split(bufnr)
  end
  -- For this buffer only: another one opened in the window keeps the user's options.
  local options = vim.wo[shown][0]
  options.number, options.relativenumber, options.signcolumn = false, false, 'no'
  options.wrap, options.winbar = true, winbar
  closes_by_q(bufnr)
  return shown
end

--- Show an answer in a float at the cursor, and enter it. It holds nothing else: a file that is opened from
--- there would stand in it.
---@param lines string[]
---@return integer bufnr
function M.show_answer(lines)
  local bufnr, window = vim.lsp.util.open_floating_preview(lines, 'markdown', {
    border = 'rounded',
    focus = false,
    max_width = math.min(100, vim.o.columns - 4),
    close_events = {},
  })
  vim.api.nvim_set_current_win(window)
  -- Of this window alone: others that are opened later have the person's own.
  local options = vim.wo[window][0]
  options.concealcursor = 'n' -- Markdown's marks stay hidden on the cursor's line as well
  if vim.fn.has('nvim-0.11') == 1 then -- 0.10 goes on to refuse buffers in other windows
    options.winfixbuf = true
  end
  closes_by_q(bufnr)
  vim.keymap.set('n', '<Esc>', '<Cmd>close<CR>', { buffer = bufnr, nowait = true, desc = 'close' })
  return bufnr
end

return M

--- Moves the hints behind the lines of a buffer to one column, so that results can be read down the page.
---
--- Neovim draws the hints themselves, in its own group (`LspInlayHint`); this is the gap before them.
local M = {}

local NAMESPACE = vim.api.nvim_create_namespace('zsh_ls_alignment')
-- Behind longer lines a hint stands where the line ends; the others are not moved out of sight for them.
local MOST_COLUMNS = 80
-- Drawn before the hints of the same place, which have 4096.
local PRIORITY = 1

--- The widths of the lines that have a hint at their end, by line from 0.
---@param bufnr integer
---@param hints lsp.InlayHint[]
---@return table<integer, integer>
local function widths(bufnr, hints)
  local found = {}
  for _, hint in ipairs(hints) do
    local row = hint.position.line
    local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1]
    if line and not found[row] then
      found[row] = vim.api.nvim_buf_call(bufnr, function() return vim.fn.strdisplaywidth(line) end)
    end
  end
  return found
end

--- The columns before a hint that leave it room in each window that shows the buffer: one that does not fit
--- would stand on a line of its own, which moves the text.
---@param bufnr integer
---@param hints lsp.InlayHint[]
---@return integer
local function room(bufnr, hints)
  local longest, least = 0, MOST_COLUMNS
  for _, hint in ipairs(hints) do
    local label = hint.label
    local text = type(label) == 'string' and label
      or table.concat(vim.tbl_map(function(part) return part.value end, label))
    longest = math.max(longest, vim.fn.strdisplaywidth(text))
  end
  for _, shows in ipairs(vim.fn.win_findbuf(bufnr)) do
    local info = vim.fn.getwininfo(shows)[1]
    least = math.min(least, info.width - info.textoff - longest - 1)
  end
  return least
end

--- Align the hints of a buffer, as they came from the server.
---@param bufnr integer
---@param hints? lsp.InlayHint[]
function M.align(bufnr, hints)
  if not vim.api.nvim_buf_is_loaded(bufnr) then
    return
  end
  vim.api.nvim_buf_clear_namespace(bufnr, NAMESPACE, 0, -1)
  if not vim.lsp.inlay_hint.is_enabled({ bufnr = bufnr }) then
    return
  end
  local of_lines, column, most = widths(bufnr, hints or {}), 0, room(bufnr, hints or {})
  for _, width in pairs(of_lines) do
    column = width <= most and math.max(column, width) or column
  end
  for row, width in pairs(of_lines) do
    local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1]
    vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, row, #line, {
      virt_text = { { (' '):rep(math.max(column - width, 0) + 1) } },
      virt_text_pos = 'inline',
      priority = PRIORITY,
      right_gravity = true,
    })
  end
end

vim.api.nvim_create_autocmd('WinResized', {
  group = vim.api.nvim_create_augroup('zsh_ls_alignment', {}),
  callback = function()
    for _, shows in ipairs(vim.v.event.windows or vim.api.nvim_list_wins()) do
      local bufnr = vim.api.nvim_win_is_valid(shows) and vim.api.nvim_win_get_buf(shows)
      if bufnr and vim.lsp.get_clients({ name = 'zsh_ls', bufnr = bufnr })[1] then
        local found = vim.lsp.inlay_hint.get({ bufnr = bufnr })
        M.align(bufnr, vim.tbl_map(function(one) return one.inlay_hint end, found))
      end
    end
  end,
})

return M

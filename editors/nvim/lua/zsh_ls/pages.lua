--- The whole output of a task as text to read and search, brought page by page.
local rpc = require('zsh_ls.rpc')

local M = {}

local LINES_A_PAGE = 20000
-- More than anybody reads; the rest is named at the end.
local MOST_LINES = 1000000

---@param id string
---@return integer bufnr
local function buffer_of(id)
  local name = ('zsh-ls://%s/output'):format(id)
  local bufnr = vim.fn.bufnr('^' .. vim.fn.escape(name, '/[]*?') .. '$')
  if bufnr < 0 then
    bufnr = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(bufnr, name)
    vim.bo[bufnr].bufhidden = 'wipe'
    vim.bo[bufnr].undolevels = -1
  end
  return bufnr
end

---@param bufnr integer
---@param first boolean whether it replaces what is there
---@param lines string[]
local function put(bufnr, first, lines)
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, first and 0 or -1, -1, false, lines)
  vim.bo[bufnr].modifiable, vim.bo[bufnr].modified = false, false
end

---@param bufnr integer
---@param id string
---@param from integer
---@param total integer
local function bring(bufnr, id, from, total)
  local to = math.min(from + LINES_A_PAGE - 1, total)
  rpc.ask('output', { task_id = id, from_line = from, to_line = to }, function(page)
    if not vim.api.nvim_buf_is_valid(bufnr) then
      return -- nobody reads it any more
    end
    local last = page.to_line or to
    put(bufnr, from == 1, vim.split((page.output:gsub('\n$', '')), '\n'))
    if last >= MOST_LINES and last < total then
      put(bufnr, false, { ('… %d lines more …'):format(total - last) })
    elseif last < total and last >= from then
      bring(bufnr, id, last + 1, total)
    end
  end)
end

--- Show all output of a task, or of the one that was shown last.
---@param id? string
function M.open(id)
  local asked = { task_id = id or require('zsh_ls.output').shown_task(), from_line = 1, to_line = 1 }
  rpc.ask('output', asked, function(page)
    local bufnr = buffer_of(page.task_id)
    vim.api.nvim_open_win(bufnr, true, { split = 'below', win = -1 })
    vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = bufnr, nowait = true, desc = 'close' })
    put(bufnr, true, {})
    if page.total_lines > 0 then
      bring(bufnr, page.task_id, 1, page.total_lines)
    end
  end)
end

return M

--- <Plug> mappings, for the user's own keys. No key is mapped.
local M = {}

--- The line of the lenses that a row means: its own, those of the block around it, else the file's.
---@param row integer from 0
---@return integer
local function line_of_lenses(row)
  local has_switch = vim.lsp.codelens.enable ~= nil -- before 0.12 others are given
  local line = 0
  for _, found in ipairs(vim.lsp.codelens.get(has_switch and { bufnr = 0 } or 0)) do
    local lens = found.lens or found
    local first = lens.range.start.line
    local block = vim.tbl_get(lens, 'command', 'arguments', 1, 'document', 'range')
    if first <= row and row <= (block and block['end'].line or first) then
      line = first
    end
  end
  return line
end

--- Offer the lenses of the cursor's line or block; where it has none those of the file.
local function run_lens()
  local cursor = vim.api.nvim_win_get_cursor(0)
  vim.api.nvim_win_set_cursor(0, { line_of_lenses(cursor[1] - 1) + 1, 0 })
  vim.lsp.codelens.run()
  vim.api.nvim_win_set_cursor(0, cursor)
end

---@type [string, string, string, (fun(): string?)|string][] mode, name, what it does
local MAPPINGS = {
  { 'n', 'run', 'run what a motion covers', function() return require('zsh_ls.run').operator() end },
  { 'n', 'run-line', 'run the line', function() return require('zsh_ls.run').operator('_') end },
  { 'n', 'run-statement', 'run the statement under the cursor', '<Cmd>ZshRun<CR>' },
  { 'n', 'rerun', 'run the last one again', '<Cmd>ZshRerun<CR>' },
  { 'x', 'run', 'run the selection', function() require('zsh_ls.run').selection() end },
  { 'n', 'run-script', 'run the script', '<Cmd>ZshRunScript<CR>' },
  { 'n', 'trace', 'run the script and trace it', '<Cmd>ZshTrace<CR>' },
  { 'n', 'lens', 'run a lens of the line or block, else of the file', run_lens },
  { 'n', 'output', 'show the output', '<Cmd>ZshOutput<CR>' },
  { 'n', 'tasks', 'list the tasks', '<Cmd>ZshTasks<CR>' },
  { 'n', 'stop', 'stop the latest task', '<Cmd>ZshStop<CR>' },
  { 'n', 'explain', 'explain the command under the cursor', '<Cmd>ZshExplain<CR>' },
  { 'n', 'failures', 'list the commands that fail unnoticed', '<Cmd>ZshFailures<CR>' },
}

---@type table<string, true> those whose function gives the keys to type
local OPERATORS = { ['nrun'] = true, ['nrun-line'] = true }

--- Define them all.
function M.define()
  for _, mapping in ipairs(MAPPINGS) do
    local mode, name, what, action = unpack(mapping)
    local options = { desc = 'zsh-ls: ' .. what, expr = OPERATORS[mode .. name] }
    vim.keymap.set(mode, ('<Plug>(zsh-ls-%s)'):format(name), action, options)
  end
end

return M

--- <Plug> mappings, for the user's own keys. No key is mapped.
local M = {}

--- Offer the lenses of the cursor's line; where it has none those of the first line, which are the file's.
local function run_lens()
  local has_switch = vim.lsp.codelens.enable ~= nil -- before 0.12 others are given
  local cursor = vim.api.nvim_win_get_cursor(0)
  local here = vim.iter(vim.lsp.codelens.get(has_switch and { bufnr = 0 } or 0)):any(function(found)
    return (found.lens or found).range.start.line == cursor[1] - 1
  end)
  vim.api.nvim_win_set_cursor(0, here and cursor or { 1, 0 })
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
  { 'n', 'lens', 'run a lens of the line, else of the file', run_lens },
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

--- <Plug> mappings, for the user's own keys. No key is mapped.
local M = {}

---@type [string, string, string, fun()|string][] mode, name, what it does
local MAPPINGS = {
  { 'n', 'run', 'run the statement under the cursor', '<Cmd>ZshRun<CR>' },
  { 'x', 'run', 'run the selection', function() require('zsh_ls.run').selection() end },
  { 'n', 'run-script', 'run the script', '<Cmd>ZshRunScript<CR>' },
  { 'n', 'trace', 'run the script and trace it', '<Cmd>ZshTrace<CR>' },
  { 'n', 'lens', 'run a lens of the line', function() vim.lsp.codelens.run() end },
  { 'n', 'output', 'show the output', '<Cmd>ZshOutput<CR>' },
  { 'n', 'tasks', 'list the tasks', '<Cmd>ZshTasks<CR>' },
  { 'n', 'stop', 'stop the latest task', '<Cmd>ZshStop<CR>' },
  { 'n', 'explain', 'explain the command under the cursor', '<Cmd>ZshExplain<CR>' },
  { 'n', 'failures', 'list the commands that fail unnoticed', '<Cmd>ZshFailures<CR>' },
}

--- Define them all.
function M.define()
  for _, mapping in ipairs(MAPPINGS) do
    local mode, name, what, action = unpack(mapping)
    vim.keymap.set(mode, ('<Plug>(zsh-ls-%s)'):format(name), action, { desc = 'zsh-ls: ' .. what })
  end
end

return M

--- Questions and their answers, in a float; a proposed command runs only when the user chooses it.
local rpc = require('zsh_ls.rpc')
local window = require('zsh_ls.window')

local M = {}

--- Run the command under the cursor, if the answer proposes one there.
---@param commands zsh_ls.ProposedCommand[]
local function choose(commands)
  local line = vim.api.nvim_get_current_line()
  for _, proposed in ipairs(commands) do
    if line:find(proposed.command, 1, true) then
      vim.cmd.close()
      return require('zsh_ls.run').text(proposed.command, { pty = proposed.privilege == 'root' })
    end
  end
end

---@param answer zsh_ls.Answer
local function show(answer)
  local text = answer.markdown:gsub('`zsh%-ls output (%x+)`', '`:ZshOutput %1`')
  local bufnr = window.show_answer(vim.split(text, '\n', { trimempty = true }))
  local commands = answer.commands
  if commands then
    local options = { buffer = bufnr, desc = 'run the proposed command' }
    vim.keymap.set('n', '<CR>', function() choose(commands) end, options)
  end
end

--- Ask a question in free text.
---@param query string
function M.ask(query)
  rpc.ask('ask', { query = query }, show, { bufnr = vim.api.nvim_get_current_buf() })
end

--- Explain a command or a place.
---@param params zsh_ls.ExplainParams
---@param bufnr? integer
function M.explain(params, bufnr)
  rpc.ask('explain', params, show, { bufnr = bufnr })
end

--- Tell why a run failed.
---@param params zsh_ls.WhyParams
---@param bufnr? integer
function M.why(params, bufnr)
  rpc.ask('why', params, show, { bufnr = bufnr })
end

--- Explain the command under the cursor.
function M.explain_here()
  local bufnr = vim.api.nvim_get_current_buf()
  if not rpc.served(bufnr) then
    return
  end
  local place = vim.lsp.util.make_position_params(0, rpc.encoding(bufnr))
  M.explain({ textDocument = place.textDocument, position = place.position }, bufnr)
end

return M

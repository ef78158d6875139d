--- The end of a server, wanted or not, and a new one in its place.
local client = require('zsh_ls.client')
local status = require('zsh_ls.status')
local tasks = require('zsh_ls.tasks')

local M = {}

--- A server has ended: where nobody asked for it, that is said, with what can be done.
---@param code integer
---@param signal integer
---@param id integer the client's
---@param was_asked boolean
function M.ended(code, signal, id, was_asked)
  tasks.lost(id)
  local is_well = was_asked or vim.v.exiting ~= vim.NIL or (code == 0 and signal == 0)
  if not is_well then
    local how = signal ~= 0 and ('signal %d'):format(signal) or ('exit %d'):format(code)
    status.problem = ('the server ended (%s)'):format(how)
    local text = 'zsh-ls: %s. :ZshRestart starts it again; its log is in %s'
    vim.notify(text:format(status.problem, vim.lsp.log.get_filename()), vim.log.levels.ERROR)
  end
  vim.cmd.redrawstatus({ bang = true })
end

--- End every server of ours, and start anew for the shell buffers that are open.
function M.restart()
  for _, server in ipairs(client.all()) do
    client.stop(server)
  end
  status.problem = nil
  for _, bufnr in ipairs(client.shell_buffers()) do
    client.attach(bufnr)
  end
end

return M

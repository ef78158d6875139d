--- The end of a server, wanted or not, and a new one in its place.
local client = require('zsh_ls.client')
local status = require('zsh_ls.status')
local tasks = require('zsh_ls.tasks')

local M = {}

---@type table<integer, true> servers that were asked to end
local asked_to_end = {}

--- A server has ended: where nobody asked for it, that is said, with what can be done.
---@param code integer
---@param signal integer
---@param id integer the client's
function M.ended(code, signal, id)
  tasks.lost()
  if asked_to_end[id] or code == 0 and signal == 0 or vim.v.exiting ~= vim.NIL then
    asked_to_end[id] = nil
  else
    local how = signal ~= 0 and ('signal %d'):format(signal) or ('exit %d'):format(code)
    status.problem = ('the server ended (%s)'):format(how)
    local text = 'zsh-ls: %s. :ZshRestart starts it again; its log is in %s'
    vim.notify(text:format(status.problem, vim.lsp.log.get_filename()), vim.log.levels.ERROR)
  end
  vim.cmd.redrawstatus({ bang = true })
end

---@param server vim.lsp.Client
local function stop(server)
  asked_to_end[server.id] = true
  -- 0.10 has functions where later versions have methods.
  if vim.fn.has('nvim-0.11') == 1 then
    server:stop()
  else
    server.stop()
  end
end

--- End every server of ours, and start anew for the shell buffers that are open.
function M.restart()
  for _, server in ipairs(client.all()) do
    stop(server)
  end
  status.problem = nil
  for _, bufnr in ipairs(client.shell_buffers()) do
    client.attach(bufnr)
  end
end

return M

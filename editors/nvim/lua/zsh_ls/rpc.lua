--- Requests to the server, and messages about those it refuses.
local client = require('zsh_ls.client')
local protocol = require('zsh_ls.protocol')
local tasks = require('zsh_ls.tasks')

local M = {}

--- Show a message with the plugin's name.
---@param text string
---@param level? integer of vim.log.levels
function M.say(text, level)
  vim.notify('zsh-ls: ' .. text, level or vim.log.levels.INFO)
end

--- Show how far something is, in the place of what was shown before; no history has it. More than a line
--- would wait for Enter.
---@param text string
function M.echo(text)
  vim.api.nvim_echo({ { vim.fn.strcharpart('zsh-ls: ' .. text, 0, vim.v.echospace) } }, false, {})
end

-- What the server advises, as it is done here.
local HERE = {
  ['Begin the session of this document anew.'] = ':ZshSession! begins it anew.',
  ['run it with `pty` or `interactive` to type into it.'] = 'run it with :ZshRun! to type into it.',
}

--- A refusal without the name of the parameter, which is for programmers.
---@param message string
function M.say_refusal(message)
  message = message:gsub('^params%.[%w_.]+: ', '')
  for words, instead in pairs(HERE) do
    local first, last = message:find(words, 1, true)
    if first then
      message = message:sub(1, first - 1) .. instead .. message:sub(last + 1)
    end
  end
  M.say(message, vim.log.levels.WARN)
end

--- The server of a buffer, which may still be starting; a message if there is none.
---@param bufnr integer
---@return vim.lsp.Client?
function M.served(bufnr)
  client.attach_now(bufnr)
  local server = client.all(bufnr)[1]
  if not server then
    local text = 'this buffer has no server: is it a shell script? :checkhealth zsh_ls'
    if vim.bo[bufnr].buftype ~= '' then
      text = 'no script in this window'
    elseif client.is_unnamed(bufnr) then
      text = 'give this buffer a name: the server knows one without'
    end
    M.say(text, vim.log.levels.WARN)
  end
  return server
end

--- One request to one server, in every version of Neovim.
---@param to vim.lsp.Client
---@param method string
---@param params table
---@param handler? fun(err?: lsp.ResponseError, result: any) without it the method's own
---@param bufnr? integer
function M.request(to, method, params, handler, bufnr)
  if vim.fn.has('nvim-0.11') == 1 then
    to:request(method, params, handler, bufnr)
  else
    to.request(method, params, handler, bufnr)
  end
end

--- One notification to one server, in every version of Neovim.
---@param to vim.lsp.Client
---@param method string
---@param params table
function M.notify(to, method, params)
  if vim.fn.has('nvim-0.11') == 1 then
    to:notify(method, params)
  else
    to.notify(method, params)
  end
end

--- The encoding in which a buffer's server counts columns.
---@param bufnr integer
---@return "utf-8"|"utf-16"|"utf-32"
function M.encoding(bufnr)
  local server = client.all(bufnr)[1]
  return server and server.offset_encoding or 'utf-16'
end

--- A value without `vim.NIL` (JSON's `null`) at its first level.
---@generic T: table
---@param value T
---@return T
function M.without_null(value)
  return vim.tbl_map(function(part)
    if part ~= vim.NIL then
      return part
    end
  end, value)
end

---@class zsh_ls.Asking
---@field bufnr? integer
---@field client_id? integer
---@field on_sent? fun(to: vim.lsp.Client)
---@field on_refusal? fun(message: string, data?: table)

--- Send a `zsh/*` request; one about a task goes to the server that runs it.
---@param name string a key of protocol.methods
---@param params table
---@param on_result fun(result: any, client_id: integer)
---@param how? zsh_ls.Asking
---whose server is asked; without `on_refusal` a refusal is shown as a message
function M.ask(name, params, on_result, how)
  how = how or {}
  local function answered(err, result, context)
    if err then
      return (how.on_refusal or M.say_refusal)(err.message, err.data)
    end
    on_result(M.without_null(result), context.client_id)
  end
  local holder = how.client_id or params.task_id and tasks.holder(params.task_id)
  client.with({ bufnr = how.bufnr, client_id = holder }, function(to)
    M.request(to, protocol.methods[name], params, answered, how.bufnr)
    if how.on_sent then
      how.on_sent(to)
    end
  end)
end

return M

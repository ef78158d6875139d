--- Runs a text, the command at a position, a selection or a script: for commands, lenses, code actions.
local client = require('zsh_ls.client')
local rpc = require('zsh_ls.rpc')
local tasks = require('zsh_ls.tasks')
local window = require('zsh_ls.window')

local M = {}

local tokens = 0

--- With this token the server sends progress from the task's first byte, however short it is.
---@return string
local function new_token()
  tokens = tokens + 1
  return ('zsh-ls-%d'):format(tokens)
end

--- Give a task with a terminal the size of the window that shows it.
---@param params zsh_ls.RunParams|zsh_ls.RunScriptParams
local function give_terminal(params)
  params.pty = true
  params.cols, params.rows = window.terminal_size()
end

--- Show why a script was not traced, when it has ended.
---@param result zsh_ls.TaskResult
local function tell_untraced(result)
  if result.status == 'running' then
    rpc.ask('poll', { task_id = result.task_id, ['until'] = 'end', listen = 300 }, tell_untraced)
  elseif result.message then
    rpc.say(result.message, vim.log.levels.WARN)
  end
end

local FIRST, ALONE, NOT = 'Run what gives them first', 'Run the line alone', 'Do not run it'

--- Ask what to do about a line whose names only lines above it give.
---@param message string
---@param data zsh_ls.FaultData
---@param on_answer fun(missing: "first"|"run")
local function ask_about(message, data, on_answer)
  local choices = { FIRST, ALONE, NOT }
  if #data.offer.ranges == 0 then
    table.remove(choices, 1)
  end
  vim.ui.select(choices, { prompt = message .. ' What now?' }, function(choice)
    if choice == FIRST or choice == ALONE then
      on_answer(choice == FIRST and 'first' or 'run')
    end
  end)
end

--- Request a run. It is answered when it has started; its output and its end follow as progress.
---@param method "run"|"runScript"
---@param params zsh_ls.RunParams|zsh_ls.RunScriptParams
---@param command string by which the person knows it until it has started
---@param bufnr? integer
local function ask_for(method, params, command, bufnr)
  params = vim.tbl_extend('force', { workDoneToken = new_token(), yield_after = 0 }, params)
  local function answered() end
  rpc.ask(method, params, function(result, client_id)
    answered()
    if result.status == 'running' then -- of one that has ended the news tell everything
      require('zsh_ls.output').started(tasks.started(result, client_id))
    end
    if params.trace and not result.traced then
      tell_untraced(result)
    end
  end, {
    bufnr = bufnr,
    on_sent = function() answered = tasks.ask(command) end,
    on_refusal = function(message, data)
      answered()
      if not (data and data.missing) then
        return rpc.say_refusal(message)
      end
      ask_about(message, data, function(missing)
        local again = { missing = missing, workDoneToken = new_token() }
        ask_for(method, vim.tbl_extend('force', params, again), command, bufnr)
      end)
    end,
  })
end

--- Run a command as `zsh/run` takes it. A person asked for it: the same once more is no retry.
---@param params zsh_ls.RunParams
---@param bufnr? integer
function M.run(params, bufnr)
  ask_for('run', vim.tbl_extend('force', params, { rerun = true }), params.command, bufnr)
end

--- Run a text.
---@param text string
---@param pty? boolean whether it gets a terminal
function M.text(text, pty)
  local params = { command = text }
  local folder = vim.fn.expand('%:p:h')
  if vim.bo.buftype == '' and vim.fn.isdirectory(folder) == 1 then
    params.cwd = folder
  end
  if pty then
    give_terminal(params)
  end
  M.run(params, vim.api.nvim_get_current_buf())
end

--- Run the whole buffer as a script, saved or not, on a terminal, as it may prompt.
---@param params zsh_ls.RunScriptParams
---@param bufnr? integer
local function run_script(params, bufnr)
  params = vim.deepcopy(params)
  give_terminal(params)
  ask_for('runScript', params, vim.fs.basename(vim.uri_to_fname(params.textDocument.uri)), bufnr)
end

--- The server of a buffer; a message if there is none, or if the buffer is not on this machine.
---@param bufnr integer
---@return vim.lsp.Client?
local function server_of(bufnr)
  local uri = vim.uri_from_bufnr(bufnr)
  if not vim.startswith(uri, 'file:') then
    -- Any server refuses it and says where it is.
    run_script({ textDocument = { uri = uri } })
    return nil
  end
  local server = client.all(bufnr)[1]
  if not server then
    local text = client.is_unnamed(bufnr) and 'give this buffer a name: the server knows one without'
      or 'this buffer has no server: is it a shell script? :checkhealth zsh_ls'
    rpc.say(text, vim.log.levels.WARN)
  end
  return server
end

--- Run the command that the server finds at a position: the whole list, with continued lines and
--- here-documents, or exactly the selection.
---@param bufnr integer
---@param range lsp.Range
---@param pty? boolean
local function at(bufnr, range, pty)
  local server = server_of(bufnr)
  if not server then
    return
  end
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(bufnr) },
    range = range,
    context = { diagnostics = {}, only = { 'zsh-ls.run' }, triggerKind = 1 },
  }
  rpc.request(server, 'textDocument/codeAction', params, function(err, actions)
    local action = not err and actions and actions[1]
    if not action then
      return rpc.say(err and err.message or 'there is nothing to run here', vim.log.levels.WARN)
    end
    local found = action.command.arguments[1]
    if pty then
      give_terminal(found)
    end
    M.run(found, bufnr)
  end, bufnr)
end

--- Columns for the server, in units of its encoding.
---@param bufnr integer
---@param row integer from 0
---@param column integer bytes from 0
---@return lsp.Position
local function position(bufnr, row, column)
  local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1] or ''
  local before = line:sub(1, column)
  local encoding, units = rpc.encoding(bufnr), #before
  if encoding ~= 'utf-8' then
    local in_32, in_16 = vim.str_utfindex(before)
    units = encoding == 'utf-16' and in_16 or in_32
  end
  return { line = row, character = units }
end

--- Run the statement at a position; before the first word of a line, its first statement.
---@param row integer from 0
---@param column integer bytes from 0
---@param pty? boolean
function M.statement(row, column, pty)
  local bufnr = vim.api.nvim_get_current_buf()
  local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1] or ''
  local place = position(bufnr, row, math.max(column, #line:match('^%s*')))
  at(bufnr, { start = place, ['end'] = place }, pty)
end

--- Run lines as they stand.
---@param first integer from 0
---@param last integer from 0, inclusive
---@param pty? boolean
function M.lines(first, last, pty)
  if first == last then
    return M.statement(first, 0, pty)
  end
  local bufnr = vim.api.nvim_get_current_buf()
  local line = vim.api.nvim_buf_get_lines(bufnr, last, last + 1, false)[1] or ''
  at(bufnr, { start = position(bufnr, first, 0), ['end'] = position(bufnr, last, #line) }, pty)
end

--- Run the current selection, exact to the character.
function M.selection()
  local bufnr = vim.api.nvim_get_current_buf()
  local mode = vim.fn.mode()
  local from, to = vim.fn.getpos('v'), vim.fn.getpos('.')
  if from[2] > to[2] or from[2] == to[2] and from[3] > to[3] then
    from, to = to, from
  end
  vim.api.nvim_feedkeys(vim.keycode('<Esc>'), 'nx', false)
  if mode == 'V' then
    return M.lines(from[2] - 1, to[2] - 1)
  end
  local line = vim.fn.getline(to[2])
  local last = to[3] + math.max(#vim.fn.matchstr(line, '.', to[3] - 1), 1) - 1
  local begin = position(bufnr, from[2] - 1, from[3] - 1)
  at(bufnr, { start = begin, ['end'] = position(bufnr, to[2] - 1, last) })
end

--- Run the current buffer; with `trace`, show the status of every list on its line.
---@param args string[]
---@param trace boolean
function M.script(args, trace)
  local bufnr = vim.api.nvim_get_current_buf()
  if server_of(bufnr) then
    local document = { uri = vim.uri_from_bufnr(bufnr) }
    run_script({ textDocument = document, args = args, trace = trace }, bufnr)
  end
end

--- Run the command of a lens or a code action, on a terminal, as a lens has no `!` to ask for one.
---@param params zsh_ls.RunParams
---@param bufnr? integer
local function run_carried(params, bufnr)
  params = vim.deepcopy(params)
  if params.origin == 'lens' then
    give_terminal(params)
  end
  M.run(params, bufnr)
end

--- The handlers of lenses and code actions, instead of a plain `workspace/executeCommand`.
---@type table<string, fun(command: lsp.Command, context: { bufnr?: integer })>
M.COMMANDS = {
  ['zsh.run'] = function(command, context) run_carried(command.arguments[1], context.bufnr) end,
  ['zsh.runScript'] = function(command, context) run_script(command.arguments[1], context.bufnr) end,
  ['zsh.explain'] = function(command, context)
    require('zsh_ls.answers').explain(command.arguments[1], context.bufnr)
  end,
  ['zsh.failures'] = function(command)
    local bufnr = vim.uri_to_bufnr(command.arguments[1].textDocument.uri)
    require('zsh_ls.failures').list(bufnr, false)
  end,
}

return M

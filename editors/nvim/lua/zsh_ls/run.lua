--- Runs a text, the command at a position, a selection or a script: for commands, lenses, code actions.
local client = require('zsh_ls.client')
local questions = require('zsh_ls.questions')
local rpc = require('zsh_ls.rpc')
local tasks = require('zsh_ls.tasks')
local window = require('zsh_ls.window')

local M = {}

---@class zsh_ls.Asked
---@field method "run"|"runScript"
---@field params zsh_ls.RunParams|zsh_ls.RunScriptParams
---@field command string
---@field bufnr? integer

--- How a text is run, where it is not as usual.
---@class zsh_ls.Manner
---@field pty? boolean whether it gets a terminal
---@field detached? boolean whether it outlives this editor (`:help zsh-ls-detached`)

---@type zsh_ls.Asked? what was run last
local latest
---@type table<string, zsh_ls.Asked> by task
local of_tasks = {}
---@type vim.fn.winsaveview.ret? of the person, before a motion moves the cursor
local view

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

--- Have a command run in a manner.
---@param params zsh_ls.RunParams
---@param manner? zsh_ls.Manner
local function give_manner(params, manner)
  if manner and manner.pty or require('zsh_ls.fullscreen').wants_terminal(params.command) then
    give_terminal(params)
  end
  params.detached = manner and manner.detached
end

--- When a script has ended: note the lines that failed, or show why it was not traced.
---@param result zsh_ls.TaskResult
---@param bufnr? integer
local function tell_trace(result, bufnr)
  if result.status == 'running' then
    local poll = { task_id = result.task_id, ['until'] = 'end', listen = 300 }
    rpc.ask('poll', poll, function(later) tell_trace(later, bufnr) end)
  elseif result.lines and bufnr then
    require('zsh_ls.places').traced(bufnr, result)
  elseif result.message then
    rpc.say(result.message, vim.log.levels.WARN)
  end
end

local FIRST, ALONE, NOT = 'Run what gives them first', 'Run the line alone', 'Do not run it'

--- The commands that would run first, to be seen before they do.
---@param bufnr integer
---@param ranges lsp.Range[]
---@return string
local function offered_text(bufnr, ranges)
  local status = require('zsh_ls.status')
  local texts = {}
  for _, range in ipairs(ranges) do
    local lines = vim.api.nvim_buf_get_lines(bufnr, range.start.line, range['end'].line + 1, false)
    table.insert(texts, status.first_line(table.concat(lines, '\n')))
  end
  return status.shortened(table.concat(texts, '; '), math.max(vim.o.columns - 36, 20))
end

--- Ask what to do about a line whose names only lines above it give.
---@param message string
---@param data zsh_ls.FaultData
---@param bufnr? integer where the line stands
---@param on_answer fun(missing: "first"|"run")
local function ask_about(message, data, bufnr, on_answer)
  local choices = { FIRST, ALONE, NOT }
  if #data.offer.ranges == 0 then
    table.remove(choices, 1)
  end
  local function format_item(choice)
    local offered = choice == FIRST and bufnr and offered_text(bufnr, data.offer.ranges) or ''
    return offered == '' and choice or ('%s: %s'):format(choice, offered)
  end
  local options = { prompt = message .. ' What now?', format_item = format_item }
  vim.ui.select(choices, options, function(choice)
    if choice == FIRST or choice == ALONE then
      on_answer(choice == FIRST and 'first' or 'run')
    end
  end)
end

--- Close what hangs over the text, as a hover does: it would lie on what the run shows.
local function clear_view()
  local float = vim.b.lsp_floating_preview
  if float and vim.api.nvim_win_is_valid(float) and float ~= vim.api.nvim_get_current_win() then
    vim.api.nvim_win_close(float, true)
  end
end

--- Request a run. It is answered when it has started; its output and its end follow as progress.
---@param method "run"|"runScript"
---@param params zsh_ls.RunParams|zsh_ls.RunScriptParams
---@param command string by which the person knows it until it has started
---@param bufnr? integer
local function ask_for(method, params, command, bufnr)
  local asked = { method = method, params = params, command = command, bufnr = bufnr }
  latest = asked
  clear_view()
  params = vim.tbl_extend('force', { workDoneToken = new_token(), yield_after = 0 }, params)
  local function answered() end
  rpc.ask(method, params, function(result, client_id)
    answered()
    of_tasks[result.task_id] = asked
    for id in pairs(of_tasks) do
      of_tasks[id] = (id == result.task_id or tasks.get(id)) and of_tasks[id] or nil
    end
    if result.status == 'running' then -- of one that has ended the news tell everything
      require('zsh_ls.output').started(tasks.started(result, client_id, params.detached))
    end
    tasks.answered(result)
    vim.cmd.redrawstatus({ bang = true }) -- its end may have been shown before its folder was known
    if params.trace then
      tell_trace(result, bufnr)
    end
  end, {
    bufnr = bufnr,
    on_sent = function() answered = tasks.ask(command) end,
    on_refusal = function(message, data)
      answered()
      if not (data and data.missing) then
        return rpc.say_refusal(message)
      end
      ask_about(message, data, bufnr, function(missing)
        local again = vim.tbl_extend('force', params, { missing = missing, workDoneToken = new_token() })
        local offered = missing == 'first' and data.offer.ranges or {}
        if not offered[1] then
          return ask_for(method, again, command, bufnr)
        end
        local range = { start = offered[1].start, ['end'] = offered[#offered]['end'] }
        questions.of_line(again, bufnr, function(args)
          again.args = args
          ask_for(method, again, command, bufnr)
        end, range)
      end)
    end,
  })
end

--- Run a command as `zsh/run` takes it. A person asked for it: the same once more is no retry.
---@param params zsh_ls.RunParams
---@param bufnr? integer
function M.run(params, bufnr)
  questions.of_line(params, bufnr, function(args)
    local asked = vim.tbl_extend('force', params, { rerun = true, args = args })
    ask_for('run', asked, params.command, bufnr)
  end)
end

--- Run a text.
---@param text string
---@param manner? zsh_ls.Manner
function M.text(text, manner)
  local params = { command = text }
  local folder = vim.fn.expand('%:p:h')
  if vim.bo.buftype == '' and vim.fn.isdirectory(folder) == 1 then
    params.cwd = folder
  end
  give_manner(params, manner)
  M.run(params, vim.api.nvim_get_current_buf())
end

--- Run the whole buffer as a script, saved or not, on a terminal, as it may prompt.
---@param params zsh_ls.RunScriptParams
---@param bufnr? integer
---@param typed? string its arguments
local function run_script(params, bufnr, typed)
  params = vim.deepcopy(params)
  local name = vim.fs.basename(vim.uri_to_fname(params.textDocument.uri))
  questions.of_script(params, typed or '', bufnr, function(args)
    params.args = args
    give_terminal(params)
    ask_for('runScript', params, name, bufnr)
  end)
end

--- The server of a buffer, which may still be starting; a message if so, if there is none, or if the buffer
--- is not on this machine.
---@param bufnr integer
---@return vim.lsp.Client?
local function server_of(bufnr)
  local uri = vim.uri_from_bufnr(bufnr)
  local is_ours = vim.startswith(uri, 'zsh-ls:') -- output of a task
  if not is_ours and not vim.startswith(uri, 'file:') then
    -- Any server refuses it and says where it is.
    run_script({ textDocument = { uri = uri } })
    return nil
  end
  local server = rpc.served(bufnr)
  if server and not server.initialized then
    rpc.say('the server is starting; then it runs')
  end
  return server
end

--- The command that the server finds at a position: the whole list, with continued lines and
--- here-documents, or exactly the selection.
---@param bufnr integer
---@param range lsp.Range
---@param on_found fun(found: zsh_ls.RunParams)
---@param on_none? fun() instead of a message
local function found_at(bufnr, range, on_found, on_none)
  if not server_of(bufnr) then
    return
  end
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(bufnr) },
    range = range,
    context = { diagnostics = {}, only = { 'zsh-ls.run' }, triggerKind = 1 },
  }
  local function answered(err, actions)
    local action = not err and actions and actions[1]
    if action then
      return on_found(action.command.arguments[1])
    elseif on_none then
      return on_none()
    end
    rpc.say(err and err.message or 'there is nothing to run here', vim.log.levels.WARN)
  end
  client.with({ bufnr = bufnr }, function(server)
    rpc.request(server, 'textDocument/codeAction', params, answered, bufnr)
  end)
end

---@param found zsh_ls.RunParams
---@param bufnr integer
---@param manner? zsh_ls.Manner
local function run_found(found, bufnr, manner)
  give_manner(found, manner)
  M.run(found, bufnr)
end

--- Run what the server finds at a position.
---@param bufnr integer
---@param range lsp.Range
---@param manner? zsh_ls.Manner
local function at(bufnr, range, manner)
  found_at(bufnr, range, function(found) run_found(found, bufnr, manner) end)
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
---@param manner? zsh_ls.Manner
function M.statement(row, column, manner)
  local bufnr = vim.api.nvim_get_current_buf()
  local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1] or ''
  local place = position(bufnr, row, math.max(column, #line:match('^%s*')))
  at(bufnr, { start = place, ['end'] = place }, manner)
end

--- Run all commands of a line, where both its first and its last are on it alone; else the first, whole.
---@param row integer from 0
---@param manner? zsh_ls.Manner
local function whole_line(row, manner)
  local bufnr = vim.api.nvim_get_current_buf()
  local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1] or ''
  local first = position(bufnr, row, #line:match('^%s*'))
  local final = position(bufnr, row, #line)
  found_at(bufnr, { start = first, ['end'] = first }, function(from)
    found_at(bufnr, { start = final, ['end'] = final }, function(to)
      local a, b = from.document.range, to and to.document.range
      local is_line = b and vim.iter({ a.start, a['end'], b.start, b['end'] }):all(function(place)
        return place.line == row
      end)
      if not is_line or a.start.character >= b.start.character then
        return run_found(from, bufnr, manner)
      end
      at(bufnr, { start = a.start, ['end'] = b['end'] }, manner)
    end, function() run_found(from, bufnr, manner) end)
  end)
end

--- Run lines as they stand.
---@param first integer from 0
---@param last integer from 0, inclusive
---@param manner? zsh_ls.Manner
function M.lines(first, last, manner)
  if first == last then
    return whole_line(first, manner)
  end
  local bufnr = vim.api.nvim_get_current_buf()
  local line = vim.api.nvim_buf_get_lines(bufnr, last, last + 1, false)[1] or ''
  at(bufnr, { start = position(bufnr, first, 0), ['end'] = position(bufnr, last, #line) }, manner)
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

--- Begin the operator that runs what a motion covers; the keys of an `expr` mapping.
---@param motion? string that is given at once
---@return string
function M.operator(motion)
  view = vim.fn.winsaveview()
  vim.go.operatorfunc = "v:lua.require'zsh_ls.run'.over"
  return 'g@' .. (motion or '')
end

--- Run what a motion has covered, to the character or in whole lines; called by `g@` and by dot.
---@param kind "line"|"char"|"block"
function M.over(kind)
  local bufnr = vim.api.nvim_get_current_buf()
  local from, to = vim.api.nvim_buf_get_mark(bufnr, '['), vim.api.nvim_buf_get_mark(bufnr, ']')
  if view then
    vim.fn.winrestview(view)
    view = nil
  end
  if kind == 'line' then
    return M.lines(from[1] - 1, to[1] - 1)
  end
  local line = vim.api.nvim_buf_get_lines(bufnr, to[1] - 1, to[1], false)[1] or ''
  local past = to[2] + math.max(#vim.fn.matchstr(line, '.', to[2]), 1)
  local begin = position(bufnr, from[1] - 1, from[2])
  at(bufnr, { start = begin, ['end'] = position(bufnr, to[1] - 1, past) })
end

--- Whether a command still stands on the lines it was run from.
---@param params zsh_ls.RunParams
---@param bufnr integer
---@return boolean
local function stands(params, bufnr)
  local range = params.document.range
  local lines = vim.api.nvim_buf_get_lines(bufnr, range.start.line, range['end'].line + 1, false)
  return table.concat(lines, '\n'):find(params.command, 1, true) ~= nil
end

--- Run once more what ran last, or what a task ran. A line that has changed runs as it was.
---@param id? string
function M.again(id)
  local asked = latest
  if id then
    asked = of_tasks[id]
  end
  if not asked then
    local text = id and 'what task %s ran was not started from here' or 'nothing was run from here yet'
    return rpc.say(text:format(id), vim.log.levels.WARN)
  end
  local params, bufnr = vim.deepcopy(asked.params), asked.bufnr
  if bufnr and not vim.api.nvim_buf_is_valid(bufnr) then
    bufnr = nil
  end
  if params.document and not (bufnr and vim.api.nvim_buf_is_loaded(bufnr) and stands(params, bufnr)) then
    local path = vim.uri_to_fname(params.document.uri)
    params.session = params.session or params.document.uri
    params.cwd = params.cwd or vim.fs.dirname(path)
    params.document = nil
  end
  ask_for(asked.method, params, asked.command, bufnr)
end

--- Run the current buffer; with `trace`, show the status of every list on its line.
---@param typed string its arguments
---@param trace boolean
function M.script(typed, trace)
  local bufnr = vim.api.nvim_get_current_buf()
  if server_of(bufnr) then
    run_script({ textDocument = { uri = vim.uri_from_bufnr(bufnr) }, trace = trace }, bufnr, typed)
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
  ['zsh.why'] = function(command, context)
    require('zsh_ls.answers').why(command.arguments[1], context.bufnr)
  end,
  ['zsh.startup'] = function(command, context)
    require('zsh_ls.startup').measure(command.arguments[1], context.bufnr)
  end,
  ['zsh.rehearse'] = function(command, context)
    require('zsh_ls.rehearsal').rehearse(command.arguments[1], context.bufnr or 0)
  end,
  ['zsh.failures'] = function(command)
    local bufnr = vim.uri_to_bufnr(command.arguments[1].textDocument.uri)
    require('zsh_ls.failures').list(bufnr, false)
  end,
}

return M

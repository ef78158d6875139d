--- Tasks that run: typing into them, ending them, finding them again; and what completes the commands.
local H = ...
local it, eq, has = H.it, H.eq, H.has

---@param command string
---@return zsh_ls.Task
local function start(command)
  vim.cmd.ZshRun({ args = { command }, bang = true })
  return H.running(command)
end

it('what is sent is typed into the task that runs', function()
  start('read line; print got $line')
  vim.cmd.ZshSend('some words')
  H.output('got some words')
end)

it('a task that is named gets what is sent', function()
  local one = start('read line; print first $line')
  start('read line; print second $line')
  vim.cmd('ZshSend ' .. one.id .. ' hello')
  H.wait('the first to end', function() return one.status == 'completed' end)
  vim.cmd.ZshOutput(one.id)
  H.output('first hello')
  vim.cmd.ZshStop()
end)

it('a task is ended with all it started', function()
  local task = start('sleep 300 & sleep 300')
  vim.cmd.ZshStop()
  H.told('killed')
  H.wait('its end', function() return task.status == 'killed' end)
end)

it('a task is ended where it runs, from a script of another workspace', function()
  local task = start('sleep 301')
  vim.fn.mkdir(vim.fs.normalize('~/second/.git'), 'p')
  local _, client = H.script('true', '~/second/it.zsh')
  assert(client.id ~= task.client_id)
  vim.cmd.ZshStop()
  H.wait('its end', function() return task.status == 'killed' end)
end)

it('what is run detached outlives its server, and is found again and ended', function()
  H.script('true')
  local command = 'print kept on; sleep 302'
  vim.cmd.ZshDetach({ args = { command }, bang = true })
  local task = H.running(command)
  H.output('kept on')
  H.wait('the answer, after news of it', function() return task.is_detached end)
  eq({}, require('zsh_ls.tasks').unfinished())
  vim.cmd.ZshRestart()
  H.client()
  eq('running', task.status)
  local select, offered, chosen = vim.ui.select, nil, nil
  vim.ui.select = function(items, options, on_choice)
    chosen = vim.iter(items):find(function(item) return item.task_id == task.id end)
    offered = options.format_item(chosen)
    on_choice(chosen)
  end
  -- Who keeps it is left out of a list until it answers, which takes a while on a busy machine.
  local lists, before = 0, #H.said()
  H.wait('the list', function()
    if #H.said() - before == lists then
      lists = lists + 1
      vim.cmd.ZshTasks()
    end
    return offered
  end)
  vim.ui.select = select
  assert(offered:find(vim.pesc(task.id) .. '  running %d+%.%ds · detached  '), offered)
  vim.cmd.ZshStop(task.id)
  H.told('killed')
end)

it('a line is run detached', function()
  H.script('print first\nprint second; sleep 303')
  vim.cmd('2ZshDetach')
  local task = H.running('print second; sleep 303')
  H.wait('the answer, after news of it', function() return task.is_detached end)
  vim.cmd.ZshStop(task.id)
  H.wait('its end', function() return task.status == 'killed' end)
end)

it('what an agent runs is listed, shown when asked for, and opens no window', function()
  H.script('true')
  local command = 'print by an agent; read -t 60'
  require('zsh_ls.run').run({ command = command, origin = 'agent', pty = true })
  local task = H.running(command)
  eq(nil, require('zsh_ls.window').output_window())
  vim.cmd.ZshOutput(task.id)
  H.output('by an agent')
  vim.cmd.ZshStop(task.id)
  H.output('[KILLED')
end)

it('where nothing runs, that is said', function()
  H.script('true')
  vim.cmd.ZshStop()
  H.told('no task is running')
  vim.cmd.ZshTasks()
  H.wait('a second message', function()
    local told = vim.tbl_filter(function(text) return text:find('no task is running', 1, true) end, H.said())
    return #told == 2
  end)
end)

it('a task is chosen from the list, and its output shown', function()
  -- It asks nothing: a question takes the focus, whose window `:only` would leave.
  local task = start('print chosen; sleep 60')
  H.output('chosen')
  vim.cmd('silent! only!')
  eq(nil, require('zsh_ls.window').output_window())
  local select, offered = vim.ui.select, nil
  vim.ui.select = function(items, options, on_choice)
    offered = options.format_item(items[1])
    on_choice(items[1])
  end
  vim.cmd.ZshTasks()
  H.output('chosen')
  vim.ui.select = select
  has(offered, task.id)
  has(offered, 'running')
  vim.cmd.ZshStop(task.id)
  H.ended(task.command)
end)

it('a script that lies deep is known by its name wherever its run is shown', function()
  vim.o.columns = 80
  local folder = '~/' .. ('a-rather-long-folder/'):rep(8)
  H.script('#!/bin/zsh\nprint deep; sleep 60', folder .. 'deploy.zsh')
  vim.cmd.ZshRunScript()
  H.output('deep')
  local task = require('zsh_ls.tasks').running()[1]
  assert(task.command:find(('a-rather-long-folder/'):rep(8) .. 'deploy.zsh', 1, true), task.command)
  has(require('zsh_ls.status').line(), 'zsh …/deploy.zsh running')
  has(require('zsh_ls.output').winbar(), 'zsh …/deploy.zsh · running')
  local select, offered = vim.ui.select, nil
  vim.ui.select = function(items, options) offered = options.format_item(items[1]) end
  vim.cmd.ZshTasks()
  H.wait('the list', function() return offered end)
  vim.ui.select = select
  has(offered, 'zsh …/deploy.zsh')
  eq(true, vim.fn.strchars(offered) < 80)
  require('zsh_ls.lifetime').leaving()
  has(H.told('1 task is running'), 'running: zsh …/deploy.zsh (:qa! ends it)')
  vim.cmd.ZshStop(task.id)
  H.wait('its end', function() return task.status == 'killed' end)
  H.told('zsh …/deploy.zsh')
end)

it('the list says how each task ended in the words of the status line', function()
  H.script('true')
  vim.cmd.ZshRun('print listed; (exit 4)')
  local task = H.ended('print listed; (exit 4)')
  local offered
  local select = vim.ui.select
  vim.ui.select = function(items, options, _) offered = vim.tbl_map(options.format_item, items) end
  vim.cmd('ZshTasks!')
  H.wait('the list', function() return offered end)
  vim.ui.select = select
  has(table.concat(offered, '\n'), task.id .. '  ✗ 4 · ')
end)

it('the list says what the end of a task meant, whoever ran it', function()
  H.script('true')
  for _, command in ipairs({ 'print a | grep -q z-normal', 'ls /none-masked | cat' }) do
    local done = vim.system({ 'zsh-ls', 'run', command }, { cwd = vim.fn.expand('~/project') }):wait()
    eq('', done.stderr:match('Traceback') or '')
  end
  local offered = {}
  local select = vim.ui.select
  vim.ui.select = function(items, options, _)
    offered = vim.tbl_map(options.format_item, items)
  end
  vim.cmd('ZshTasks!')
  H.wait('the list', function() return #offered > 0 end)
  vim.ui.select = select
  local text = table.concat(offered, '\n')
  assert(text:find('○ 1 · %d+%.%ds  print a | grep %-q z%-normal'), text)
  assert(text:find('! %d+%.%ds  ls /none%-masked | cat'), text)
end)

it('commands are shown by their names, as the server shows them', function()
  local cases = vim.fs.dirname(_G.arg[1]) .. '/../../../data/shown_commands/cases.json'
  for _, case in ipairs(vim.json.decode(table.concat(vim.fn.readfile(cases), '\n'))) do
    local shortened = require('zsh_ls.status').shortened
    local shown = shortened(case.command, case.most, '/home/ada/work/project', '/home/ada')
    eq(case.why .. ': ' .. case.shown, case.why .. ': ' .. shown)
  end
end)

it('the output of a task this editor never heard of is asked of the server', function()
  vim.cmd.ZshRun('print kept by the server')
  local task = H.ended('print kept by the server')
  package.loaded['zsh_ls.output'], package.loaded['zsh_ls.news'] = nil, nil
  vim.cmd('silent! only! | bwipeout! ' .. vim.fn.bufnr('zsh-ls://' .. task.id))
  vim.cmd.ZshOutput(task.id)
  H.output('kept by the server')
end)

it('a task that does not exist is said to be unknown', function()
  H.script('true')
  vim.cmd.ZshOutput('ffffffff')
  H.told('Unknown task: ffffffff')
end)

---@param line string
---@return string[]
local function completed(line)
  return vim.fn.getcompletion(line, 'cmdline')
end

it('every command completes what it takes', function()
  vim.fn.writefile({ 'true' }, 'an-argument')
  local task = start('print completing; read -t 60')
  H.output('completing')
  eq({ task.id }, completed('ZshStop ' .. task.id:sub(1, 2)))
  eq({ task.id }, completed('ZshSend ' .. task.id:sub(1, 2)))
  eq({ task.id }, completed('ZshOutput ' .. task.id:sub(1, 4)))
  eq({ 'an-argument' }, completed('ZshRunScript an-'))
  eq({ 'an-argument' }, completed('ZshTrace an-'))
  eq({ 'grep' }, vim.tbl_filter(function(word) return word == 'grep' end, completed('ZshRun gre')))
  eq({ 'grep' }, vim.tbl_filter(function(word) return word == 'grep' end, completed('ZshExplain gre')))
  eq({ 'an-argument' }, completed('ZshRun cat an-'))
  has(completed('ZshRun print compl')[1], 'completing;')
  eq({ 'failed last?' }, completed('ZshAsk what fai'))
  vim.cmd.ZshStop()
end)

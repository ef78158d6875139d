--- Scripts that ask: they have a terminal wherever a person starts them.
local H = ...
local it, eq, has = H.it, H.eq, H.has

--- The task of a script, once it waits to be typed into.
---@return zsh_ls.Task
local function asking()
  H.output('Continue?')
  return H.wait('a script that waits for input', function()
    local task = require('zsh_ls.tasks').running()[1]
    return task and task.is_waiting and task
  end)
end

--- Run the lens of a title at the first line.
---@param bufnr integer
---@param client vim.lsp.Client
---@param title string
local function lens(bufnr, client, title)
  local rpc, found = require('zsh_ls.rpc'), nil
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  rpc.request(client, 'textDocument/codeLens', params, function(_, lenses) found = lenses end, bufnr)
  H.wait('lenses', function() return found end)
  local wanted = vim.iter(found):find(function(one) return vim.startswith(one.command.title, title) end)
  client.commands[wanted.command.command](wanted.command, { bufnr = bufnr, client_id = client.id })
end

local SCRIPT = {
  bash = '#!/bin/bash\nread -p "Continue? " a\necho "got <$a>"',
  zsh = '#!/bin/zsh\nread "a?Continue? "\necho "got <$a>"',
}

--- Start it, answer it, and see the answer arrive.
---@param text string
---@param start fun(bufnr: integer, client: vim.lsp.Client)
local function is_answered(text, start)
  local bufnr, client = H.script(text)
  start(bufnr, client)
  local task = asking()
  has(require('zsh_ls').status(), 'waits for input (:ZshSend)')
  vim.cmd.ZshSend('yes please')
  H.output('got <yes please>')
  H.wait('its end', function() return task.status == 'completed' end)
end

it('a bash script that is run asks and is answered', function()
  is_answered(SCRIPT.bash, function() vim.cmd.ZshRunScript() end)
end)

it('a zsh script that is run asks and is answered', function()
  is_answered(SCRIPT.zsh, function() vim.cmd.ZshRunScript() end)
end)

it('a bash script that is traced asks and is answered', function()
  is_answered(SCRIPT.bash, function() vim.cmd.ZshTrace() end)
end)

it('a zsh script that is traced asks and is answered', function()
  is_answered(SCRIPT.zsh, function() vim.cmd.ZshTrace() end)
end)

it('a script that the lens runs asks and is answered', function()
  is_answered(SCRIPT.bash, function(bufnr, client) lens(bufnr, client, '▷ run') end)
end)

it('a script that the lens traces asks and is answered', function()
  is_answered(SCRIPT.zsh, function(bufnr, client) lens(bufnr, client, '▷ trace') end)
end)

it('the terminal of a script is as large as its window, and stays so', function()
  H.script("#!/bin/bash\ntrap 'stty size' WINCH\nstty size\nwhile ! read -t 0.1; do :; done")
  vim.cmd.ZshRunScript()
  local function sized()
    local shows = require('zsh_ls.window').output_window()
    return shows and ('%d %d'):format(vim.fn.winheight(shows), vim.api.nvim_win_get_width(shows))
  end
  H.wait('its window', sized)
  H.output(sized())
  local before = sized()
  vim.api.nvim_win_set_height(require('zsh_ls.window').output_window(), 7)
  vim.api.nvim_exec_autocmds('WinResized', {}) -- told at the next redraw, of which there is none here
  H.output(sized())
  assert(before ~= sized())
  vim.cmd.ZshStop()
end)

it('why a script that runs long was not traced is said with its end, and nothing before', function()
  H.script('#!/bin/sh\nprintf "Continue? "; read a; echo "got $a"')
  vim.cmd.ZshTrace()
  asking()
  eq({}, vim.tbl_filter(function(text) return text:find('poll', 1, true) end, H.said()))
  vim.cmd.ZshSend('yes')
  H.told('Not traced: sh has nothing to trace lists with')
end)

it('what there is to do is said as it is done in this editor', function()
  local bufnr = H.script('#!/bin/zsh\necho *.nosuch\nsleep 300')
  vim.cmd('2ZshRun')
  local said = H.wait('what zsh refused', function()
    local found = vim.diagnostic.get(bufnr, { lnum = 1 })[1]
    return found and found.message
  end)
  eq(nil, said:find('shell=', 1, true))
  H.has(said, '#!/bin/bash as the first line')
  vim.cmd('3ZshRun')
  H.wait('the task', function()
    return vim.iter(require('zsh_ls.tasks').all()):any(function(task)
      return task.command == 'sleep 300' and task.status == 'running'
    end)
  end)
  vim.cmd.ZshSend('text')
  H.told('run it with :ZshRun! to type into it.')
  vim.cmd.ZshStop()
  H.ended('sleep 300')
  vim.api.nvim_buf_set_lines(bufnr, 0, 1, false, { '#!/bin/bash' })
  vim.cmd('2ZshRun')
  H.told(':ZshSession! begins it anew.')
  vim.cmd('ZshSession!')
  vim.cmd('2ZshRun')
  H.output('*.nosuch')
end)

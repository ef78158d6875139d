--- Full-screen programs in the output window, and questions that take the focus.
local H = ...
local it, eq, has = H.it, H.eq, H.has

--- The screen as it is now, one string.
---@return string
local function screen()
  local bufnr = H.output_buffer()
  return bufnr and table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n') or ''
end

---@param part string
local function shows(part)
  return H.wait(('%q on the screen'):format(part), function() return screen():find(part, 1, true) end)
end

--- Keys for the task that is shown, as typing in its window sends them.
---@param keys string
local function typed(keys)
  local task = require('zsh_ls.tasks').get(require('zsh_ls.output').shown_task())
  require('zsh_ls.rpc').ask('send', { task_id = task.id, input = keys, newline = false }, function() end)
end

it('a program that draws on the whole screen has a terminal, room and the keyboard', function()
  local lines = vim.fn.map(vim.fn.range(1, 300), '"line " . v:val')
  vim.fn.writefile(lines, vim.env.HOME .. '/project/long.txt')
  local bufnr = H.script('#!/bin/zsh\nless long.txt')
  local script = vim.api.nvim_get_current_win()
  vim.cmd('2ZshRun')
  shows('line 2')
  local output = require('zsh_ls.window').output_window()
  eq(output, vim.api.nvim_get_current_win())
  assert(vim.api.nvim_win_get_height(output) > vim.o.lines / 2, 'it has no room')
  H.wait('the task to know its size', function()
    return screen():find('line ' .. (vim.api.nvim_win_get_height(output) - 2), 1, true)
  end)
  typed('G')
  shows('line 300')
  local task = require('zsh_ls.tasks').get(require('zsh_ls.output').shown_task())
  task.is_waiting = true -- as a pager does; it has the keyboard
  eq(nil, require('zsh_ls.status').of(task):find('waits', 1, true))
  H.wait('a screen without scrollback', function() return not screen():find('line 1\n', 1, true) end)
  typed('/line 77$\r')
  typed('g')
  shows('line 1\n')
  typed('q')
  eq(0, H.ended('less long.txt').exit)
  H.wait('the way back', function() return vim.api.nvim_get_current_win() == script end)
  H.wait('its usual height', function()
    return vim.api.nvim_win_get_height(output) == require('zsh_ls.settings').get().output.height
  end)
  has(H.output('[COMPLETED'), '[COMPLETED')
  eq(bufnr, vim.api.nvim_get_current_buf())
end)

it('a file is edited in vim and written', function()
  H.script('#!/bin/zsh\nvim -u NONE -n note.txt')
  vim.cmd('2ZshRun')
  shows('\n~') -- the name is gone where the window grew after it was said
  typed('iwritten in vim\27')
  shows('written in vim')
  typed(':wq\r')
  eq(0, H.ended('vim -u NONE -n note.txt').exit)
  eq({ 'written in vim' }, vim.fn.readfile(vim.env.HOME .. '/project/note.txt'))
end)

it('a program that is killed leaves a screen that can be read', function()
  H.script('#!/bin/zsh\nless long.txt')
  vim.cmd('2ZshRun')
  shows('line 2')
  vim.cmd.ZshStop()
  eq('killed', H.ended('less long.txt').status)
  H.output('[KILLED')
end)

it('a command that asks has the focus until it has ended', function()
  H.script('#!/bin/zsh\nread "name?Who? "; print "hello $name"')
  local script = vim.api.nvim_get_current_win()
  vim.cmd('ZshRunScript')
  H.wait('the focus', function()
    return vim.api.nvim_get_current_win() == require('zsh_ls.window').output_window()
  end)
  typed('Ada\r')
  H.output('hello Ada')
  H.wait('the way back', function() return vim.api.nvim_get_current_win() == script end)
end)

it('programs that need a terminal are known where they stand', function()
  local wants = require('zsh_ls.fullscreen').wants_terminal
  local of_screen = { 'vim x', 'git log | less', 'EDITOR=vi sudo -e x', 'cd a && htop', '/usr/bin/less x' }
  for _, command in ipairs(of_screen) do
    assert(wants(command), command)
  end
  local others = { 'print less', 'echo "a; vim"', 'grep -r vim .', 'git commit -m "less | more"' }
  for _, command in ipairs(others) do
    assert(not wants(command), command)
  end
end)

--- Running by motions, again, and reading all of an output.
local H = ...
local it, eq, has = H.it, H.eq, H.has

--- How often a command has ended.
---@param command string
---@return integer
local function times(command)
  return #vim.tbl_filter(function(task)
    return task.command == command and task.status ~= 'running'
  end, require('zsh_ls.tasks').all())
end

---@param command string
---@param count integer
local function ran(command, count)
  H.wait(('%q to run %d times'):format(command, count), function() return times(command) == count end)
end

local TEXT = '#!/bin/zsh\nprint op-a\nprint op-b\n\nprint op-c; print op-d\nprint op-e | cat; print op-f'

it('an operator runs what a motion covers in whole lines, and dot repeats it', function()
  H.script(TEXT)
  vim.api.nvim_win_set_cursor(0, { 2, 3 })
  H.type('\\rj')
  ran('print op-a\nprint op-b', 1)
  eq({ 2, 3 }, vim.api.nvim_win_get_cursor(0))
  H.type('.')
  ran('print op-a\nprint op-b', 2)
end)

it('an operator runs what a motion covers to the character', function()
  H.script(TEXT)
  vim.api.nvim_win_set_cursor(0, { 6, 0 })
  H.type('\\rt;')
  ran('print op-e | cat', 1)
  vim.api.nvim_win_set_cursor(0, { 6, 0 })
  H.type('.')
  ran('print op-e | cat', 2)
end)

it('a line is run with all its commands, and a count runs so many lines', function()
  H.script((TEXT:gsub('op%-', 'line-')))
  vim.api.nvim_win_set_cursor(0, { 5, 8 })
  H.type('\\rr')
  ran('print line-c; print line-d', 1)
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  H.type('2\\rr')
  ran('print line-a\nprint line-b', 1)
end)

it('what was run is run again, also where its line has changed since', function()
  local bufnr = H.script('#!/bin/zsh\nprint again-$((40 + 2))\n')
  vim.cmd('2ZshRun')
  ran('print again-$((40 + 2))', 1)
  vim.cmd.ZshRerun()
  ran('print again-$((40 + 2))', 2)
  vim.api.nvim_buf_set_lines(bufnr, 1, 2, false, { 'print other' })
  vim.cmd.ZshRerun()
  ran('print again-$((40 + 2))', 3)
  eq(0, times('print other'))
  local task = H.ended('print again-$((40 + 2))')
  vim.cmd.ZshRun('print in between')
  ran('print in between', 1)
  vim.cmd.ZshRerun(task.id)
  ran('print again-$((40 + 2))', 4)
  vim.cmd.ZshRerun('00000000')
  H.told('was not started from here')
  vim.bo[bufnr].modified = false
end)

it('all lines of a very long output can be read as text', function()
  vim.cmd.ZshRun('print -rl -- paged-{1..100000}')
  H.output('[COMPLETED')
  vim.cmd('ZshOutput!')
  local name
  H.wait('all lines', function()
    name = vim.api.nvim_buf_get_name(0)
    return vim.api.nvim_buf_line_count(0) == 100000
  end)
  has(name, '/output')
  eq('paged-1', vim.api.nvim_buf_get_lines(0, 0, 1, false)[1])
  eq('paged-100000', vim.api.nvim_buf_get_lines(0, -2, -1, false)[1])
  eq(false, vim.bo.modifiable)
  vim.cmd.close()
end)

it('a list is run with all it joins, however many lines that takes', function()
  H.script('#!/bin/zsh\nf() {\n  false || {\n    print fallback\n  }\n}\n')
  vim.api.nvim_win_set_cursor(0, { 3, 2 })
  H.type('\\rr')
  ran('false || {\n    print fallback\n  }', 1)
  H.output('fallback')
end)

--- `:ZshRun`, `:ZshRunScript` and `:ZshTrace`, and what is seen of them.
local H = ...
local it, eq, has = H.it, H.eq, H.has

it('a text is run where there is no script at all', function()
  vim.cmd.ZshRun('print without a script')
  H.output('without a script')
end)

it('a text is run in the folder of the script', function()
  H.script('true', '~/project/below/it.zsh')
  vim.cmd.ZshRun('pwd')
  H.output('/project/below')
end)

it('a text reaches the shell unchanged', function()
  H.script('true')
  vim.cmd([[ZshRun print -r -- "a|b % # <cword>" \\n '$HOME' | cat]])
  H.output([[a|b % # <cword> \n $HOME]])
end)

it('the statement under the cursor is run', function()
  H.script('print first\nprint second; print third\nprint fourth')
  vim.api.nvim_win_set_cursor(0, { 2, 16 })
  vim.cmd.ZshRun()
  local text = H.output('third')
  eq(nil, text:find('second'))
  eq(nil, text:find('fourth'))
end)

it('a statement of several lines is run whole, from whichever line', function()
  H.script('print one \\\n  two \\\n  three')
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  vim.cmd.ZshRun()
  H.output('one two three')
end)

it('a here-document is run with its lines, from its command and from inside', function()
  H.script('cat <<END | tr a-z A-Z\nsome text\nEND\n')
  for _, row in ipairs({ 1, 2 }) do
    vim.cmd(row .. 'ZshRun')
    H.output('SOME TEXT')
    vim.cmd('silent! only!')
  end
end)

it('a range is run as it stands', function()
  H.script('print one\nprint two\nprint three')
  vim.cmd('1,2ZshRun')
  local text = H.output('two')
  has(text, 'one')
  eq(nil, text:find('three'))
end)

it('a selection is run to the character', function()
  H.script('print ä😀 | cat; print tail')
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  H.type('vf;h\\r')
  local text = H.output('ä😀')
  eq(nil, text:find('tail'))
end)

it('selected lines are run, however the selection was made', function()
  H.script('print one\nprint two\nprint three')
  vim.api.nvim_win_set_cursor(0, { 2, 2 })
  H.type('Vk\\r')
  local text = H.output('two')
  has(text, 'one')
end)

it('where nothing can be run that is said', function()
  H.script('# only words')
  vim.cmd.ZshRun()
  H.told('nothing to run here')
end)

it('a buffer without a server says so', function()
  H.edit('words', '~/project/notes.txt')
  vim.cmd.ZshRun()
  H.told('is it a shell script?')
end)

it('a window without a script says so, whatever is asked of it', function()
  H.script('true')
  vim.cmd.copen()
  for _, command in ipairs({ 'ZshRun', 'ZshRunScript', 'ZshTrace', 'ZshFailures', 'ZshRehearse', 'ZshExplain',
    'ZshSession', 'ZshSession!', 'ZshDetach' }) do
    local before = #H.said()
    vim.cmd(command)
    H.wait('an answer to ' .. command, function() return #H.said() > before end)
    has(H.said()[before + 1], 'no script in this window')
  end
  vim.cmd.cclose()
end)

it('what runs has nothing of the variables that Neovim sets for itself', function()
  H.script('true')
  vim.cmd.ZshRun('print "<${VIMRUNTIME-none} ${MYVIMRC-none} ${VIM-none}>"')
  H.output('<none none none>')
end)

it('edits count before they are saved', function()
  local bufnr = H.script('print old')
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, { 'print new' })
  vim.cmd.ZshRun()
  H.output('new')
  vim.bo[bufnr].modified = false
end)

it('a script is run with its arguments, saved or not', function()
  local bufnr = H.script('print old')
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, { 'print got $1 and $2' })
  vim.cmd('ZshRunScript one two')
  H.output('got one and two')
  vim.bo[bufnr].modified = false
end)

it('output comes while the command still runs, and the window follows it', function()
  local command = 'for i in {1..40}; do print line $i; done; read -t 30'
  vim.cmd.ZshRun({ args = { command }, bang = true })
  H.output('line 40')
  eq('running', H.running(command).status)
  local window = require('zsh_ls.window').output_window()
  H.wait('the last line in sight', function()
    local last = vim.fn.line('w$', window)
    return last == vim.api.nvim_buf_line_count(vim.api.nvim_win_get_buf(window))
  end)
  vim.cmd.ZshStop()
  H.ended(command)
end)

it('the end is told with its status, and what it meant is shown', function()
  H.script('true')
  vim.cmd.ZshRun('print a; exit 3')
  H.told('✗ 3 · ')
  vim.cmd.ZshRun('print a | grep b')
  H.told('○ 1 · ') -- a known normal exit is no failure
  has(H.output('[FAILED'), 'no match (normal)')
  has(require('zsh_ls').status(), '○ 1 · ')
  vim.cmd.ZshRun('ls /none | cat')
  H.told('! ') -- a hidden failure is no success
end)

it('output is shown in a float where that is wanted, and the cursor stays', function()
  vim.g.zsh_ls = { output = { window = 'float' } }
  H.script('true')
  local here = vim.api.nvim_get_current_win()
  vim.cmd.ZshRun('print floating')
  H.output('floating')
  local window = require('zsh_ls.window').output_window()
  eq('editor', vim.api.nvim_win_get_config(window).relative)
  eq(here, vim.api.nvim_get_current_win())
  vim.g.zsh_ls = nil
end)

it('there is one window for output, which shows the latest', function()
  H.script('true')
  vim.cmd.ZshRun('print first')
  H.output('first')
  vim.cmd.ZshRun('print second')
  H.output('second')
  eq(2, #vim.api.nvim_tabpage_list_wins(0))
end)

it('what runs is told of by progress, and by the component of the status line', function()
  H.script('true')
  local kinds = {}
  vim.api.nvim_create_autocmd('LspProgress', {
    callback = function(event) table.insert(kinds, event.data.params.value.kind) end,
  })
  vim.cmd.ZshRun({ args = { 'print hello; read -t 30' }, bang = true })
  H.output('hello')
  has(require('zsh_ls').status(), 'running')
  vim.cmd.ZshSend('go')
  H.ended('print hello; read -t 30')
  has(require('zsh_ls').status(), '✓')
  H.wait('the end of the progress', function() return kinds[#kinds] == 'end' end)
  eq('begin', kinds[1])
end)

it('nothing is run where the workspace is not trusted, and that is said', function()
  vim.g.zsh_ls = { settings = { trusted = false } }
  vim.fn.mkdir(vim.fs.normalize('~/untrusted/.git'), 'p')
  H.script('print no', '~/untrusted/it.zsh')
  vim.cmd.ZshRun('print no')
  H.told('not trusted')
  vim.cmd.ZshRunScript()
  eq(nil, require('zsh_ls.window').output_window())
  vim.g.zsh_ls = nil
end)

it('nothing of a buffer of another machine is run, and where it lies is said', function()
  local ran = vim.fs.normalize('~/ran')
  -- Files behind a network are often of another type; then they have no server of ours.
  for number, type in ipairs({ '', 'acwrite' }) do
    local host = ('host%d'):format(number)
    local bufnr = vim.api.nvim_create_buf(true, false)
    vim.api.nvim_buf_set_name(bufnr, ('scp://%s/etc/it.zsh'):format(host))
    vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, { 'touch ' .. ran, 'true' })
    vim.api.nvim_win_set_buf(0, bufnr)
    vim.bo.buftype = type
    vim.bo.filetype = 'zsh'
    local where = ('scp://%s/etc/it.zsh lies on `%s` by scp, not on this machine'):format(host, host)
    local function times()
      return #vim.tbl_filter(function(text) return text:find(where, 1, true) end, H.said())
    end
    for count, command in ipairs({ 'ZshRun', '1,2ZshRun', 'ZshRunScript', 'ZshTrace' }) do
      vim.cmd(command)
      H.wait(command .. ' to be refused', function() return times() == count end)
    end
    vim.bo.modified = false
  end
  eq(0, vim.fn.filereadable(ran))
  eq(nil, require('zsh_ls.window').output_window())
end)

--- Whether a run in a new workspace is refused, with what the person has set by now.
local function is_refused(name)
  vim.fn.mkdir(vim.fs.normalize('~/' .. name .. '/.git'), 'p')
  H.script('print no', '~/' .. name .. '/it.zsh')
  local function refusals()
    return #vim.tbl_filter(function(text) return text:find('not trusted', 1, true) end, H.said())
  end
  local before = refusals()
  vim.cmd.ZshRun('print no')
  H.wait('the refusal', function() return refusals() > before end)
end

it('no trust is no trust beside a setting that is wrong', function()
  vim.g.zsh_ls = { settings = { trusted = false }, inlay_hints = 'yes' }
  is_refused('untrusted-beside')
  vim.g.zsh_ls = nil
end)

it('no trust given as init_options is heard (0.11)', function()
  vim.lsp.config('zsh_ls', { init_options = { trusted = false } })
  is_refused('untrusted-by-options')
  vim.lsp.config('zsh_ls', { init_options = { trusted = true } })
end)

it('a line begins with what the lines run before it have left', function()
  H.script('name=kept\nprint "<$name>"\n')
  vim.cmd('1ZshRun')
  H.ended('name=kept')
  vim.cmd('2ZshRun')
  H.output('<kept>')
end)

---@param choice string
---@param shown string
local function answered(choice, shown)
  H.script('name=given\nother=not-needed\nprint "<$name>"\n')
  local asked
  local select = vim.ui.select
  vim.ui.select = function(choices, options, on_choice)
    asked = options.prompt
    eq({
      'Run what gives them first: name=given', -- what would run can be read
      'Run the line alone',
      'Do not run it',
    }, vim.tbl_map(options.format_item, choices))
    on_choice(choice)
  end
  vim.cmd('3ZshRun')
  H.output(shown)
  vim.ui.select = select
  has(asked, 'name given on line 1')
end

it('a line without its names runs after what gives them, if that is chosen', function()
  answered('Run what gives them first', '<given>')
end)

it('a line without its names runs alone, if that is chosen', function()
  answered('Run the line alone', '<>')
end)

it('a line of a test runs that test, by its runner', function()
  local text = '#!/usr/bin/env bats\n@test "first" {\n  false\n}\n@test "second" {\n  true\n}\n'
  H.script(text, '~/project/two.bats')
  vim.cmd('silent write!')
  vim.cmd('6ZshRun')
  H.output('ok 1 second')
  vim.cmd('1ZshRun')
  H.told('nothing to run here')
end)

it('what hangs over the text goes when the next line runs', function()
  H.script('a=1\nprint $a')
  vim.cmd.ZshRun()
  H.ended('a=1')
  vim.cmd.ZshSession()
  local float = H.float('a = 1')
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd.ZshRun('print over')
  H.ended('print over')
  eq(false, vim.api.nvim_win_is_valid(float))
end)

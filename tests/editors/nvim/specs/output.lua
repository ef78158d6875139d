--- What a task writes, however much and whatever it is, on its screen.
local H = ...
local it, eq, has = H.it, H.eq, H.has
local escapes = require('zsh_ls.escapes')

it('colours are shown, and what would command the terminal is not', function()
  local shown = {
    ['\27[1;31mred\27[0m'] = '\27[1;31mred\27[0m',
    ['\27(B\27[mplain'] = '\27[mplain',
    ['\27[2J\27[3;4Hmoved\27[?1049h'] = 'moved',
    ['\27]0;a title\7text'] = 'text',
    ['\27]8;;http://x\27\\link\27]8;;\27\\'] = 'link',
    ['\27P+q544e\27\\\27[6nasked'] = 'asked',
    ['\27cde\27\ne\27'] = 'de\ne',
    ['90%\r100%\27[K\7\8'] = '90%\r100%\27[K\7\8',
    ['\27[>4;2mä\0\14'] = 'ä',
    ['a\27[12;éb'] = 'a12;éb',
  }
  for written, expected in pairs(shown) do
    eq(expected, escapes.harmless(written))
  end
end)

it('what is left out joins nothing to a command', function()
  eq('[2J', escapes.harmless('\27\27[2J[2J'))
  eq('[31m', escapes.harmless('\27\27]0;t\7[31m'))
  eq('c', escapes.harmless('\27\27[Hc'))
end)

it('of a sequence that has only begun nothing is shown', function()
  for _, begun in ipairs({ '\27', '\27[', '\27[1;3', '\27]0;a ti', '\27]0;title\27', '\27(' }) do
    eq('text', escapes.whole('text' .. begun))
  end
  eq('\27[1mtext\27]0;t\7', escapes.whole('\27[1mtext\27]0;t\7'))
end)

it('resetting a terminal as tput does leaves no letters', function()
  vim.cmd.ZshRun([[print '\e(B\e[mplain']])
  has(H.output('[COMPLETED'), 'plain\n')
  eq('plain', vim.api.nvim_buf_get_lines(H.output_buffer(), 0, 1, false)[1])
end)

it('very many lines are followed to the last', function()
  vim.cmd.ZshRun('print -rl -- {1..60000}')
  has(H.output('[COMPLETED'), '\n60000\n')
end)

it('of a very long line the end is shown', function()
  vim.cmd.ZshRun([[print -r -- ${(l:2000000::x:)}end]])
  has(H.output('[COMPLETED'), 'xend\n')
  has(H.output(' bytes …'), 'xend\n')
end)

it('a line that grows on and on is given up, and what follows is shown', function()
  local command = [[repeat 12 print -rn -- ${(l:1000000::y:)}; read it; print; print after]]
  vim.cmd.ZshRun({ args = { command }, bang = true })
  H.output('… a line of more than ')
  vim.cmd.ZshSend()
  H.output('\nafter\n')
end)

it('output that was wiped while the task runs comes again when it is asked for', function()
  local command = 'print one; read it; print got $it; read it'
  vim.cmd.ZshRun({ args = { command }, bang = true })
  H.output('one')
  vim.api.nvim_buf_delete(H.output_buffer(), { force = true })
  vim.cmd.ZshSend('more')
  vim.cmd.ZshOutput()
  has(H.output('got more'), 'one\n')
  vim.cmd.ZshStop()
  H.ended(command)
end)

it('a script that was wiped while its task runs changes nothing for the task', function()
  local bufnr = H.script('read it; print still here')
  vim.cmd('1ZshRun!')
  H.running('read it; print still here')
  vim.api.nvim_buf_delete(bufnr, { force = true })
  vim.cmd.ZshSend('go')
  eq('completed', H.ended('read it; print still here').status)
end)

it('a run key over the output says that there is no script', function()
  H.script('true')
  vim.cmd.ZshRun('print shown as text')
  H.ended('print shown as text')
  vim.cmd('ZshOutput!')
  H.wait('the page', function() return vim.api.nvim_buf_get_name(0):find('/output', 1, true) end)
  vim.cmd.ZshRun()
  H.told('no script in this window')
  vim.cmd.ZshRunScript()
  eq({}, vim.tbl_filter(function(text) return text:find('not on this machine', 1, true) end, H.said()))
end)

it('another buffer in the window of the output looks as the person has it', function()
  vim.o.number = true
  H.script('true')
  vim.cmd.ZshRun('print some')
  H.output('some')
  local window = require('zsh_ls.window').output_window()
  eq(false, vim.wo[window].number)
  vim.api.nvim_set_current_win(window)
  vim.cmd.enew()
  eq(true, vim.wo[window].number)
  eq('', vim.wo[window].winbar)
  vim.o.number = false
end)

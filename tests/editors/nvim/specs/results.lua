--- What a run leaves: on its line, when the file is opened again, after a trace, in the folder that is set.
local H = ...
local it, eq, has = H.it, H.eq, H.has

--- The hints of a buffer by line, from 0.
---@param bufnr integer
---@return table<integer, string>
local function hints(bufnr)
  local found = {}
  for _, hint in ipairs(vim.lsp.inlay_hint.get({ bufnr = bufnr })) do
    found[hint.inlay_hint.position.line] = hint.inlay_hint.label
  end
  return found
end

it('results are there again when the file is opened again by another server', function()
  local path = '~/project/kept.zsh'
  local bufnr = H.script('#!/bin/zsh\nprint kept-output\n(exit 3)', path)
  vim.cmd('2ZshRun')
  H.ended('print kept-output')
  vim.cmd('3ZshRun')
  local id = H.ended('(exit 3)').id
  H.wait('the results', function() return hints(bufnr)[1] and hints(bufnr)[2] end)
  vim.cmd('bwipeout!')
  vim.cmd.ZshRestart()
  vim.cmd.edit(vim.fn.fnameescape(vim.fs.normalize(path)))
  bufnr = vim.api.nvim_get_current_buf()
  local found = H.wait('the results again', function()
    local now = hints(bufnr)
    return now[1] and now[2] and now
  end)
  eq('✓', found[1]:match('^✓'))
  eq('✗ 3', found[2]:match('^✗ 3'))
  vim.cmd.ZshOutput(id)
  H.output('[FAILED')
end)

it('the run of a script leaves its result on its first line until any of it changes', function()
  local bufnr = H.script('#!/bin/zsh\nprint of-a-script\nexit 3')
  vim.cmd.ZshRunScript()
  H.output('of-a-script')
  local found = H.wait('the result', function() return hints(bufnr)[0] end)
  eq(found, found:match('^✗ 3 · %d+%.%ds$'))
  vim.api.nvim_buf_set_lines(bufnr, 1, 2, false, { 'print changed' })
  H.wait('no result', function() return hints(bufnr)[0] == nil end)
end)

it('in a narrow window results stay on the lines they are of', function()
  local long = ': a line that is wider than half of the screen, but not than all of it'
  local bufnr = H.script('#!/bin/zsh\nprint short\n' .. long)
  vim.cmd('2ZshRun')
  H.ended('print short')
  vim.cmd('3ZshRun')
  H.ended(long)
  H.wait('the results', function() return hints(bufnr)[1] and hints(bufnr)[2] end)
  --- The gap before the result of the short line.
  local function gap()
    local namespace = vim.api.nvim_get_namespaces().zsh_ls_alignment
    local marks = vim.api.nvim_buf_get_extmarks(bufnr, namespace, { 1, 0 }, { 1, -1 }, { details = true })
    return marks[1] and #marks[1][4].virt_text[1][1]
  end
  H.wait('one column', function() return gap() == #long - #'print short' + 1 end)
  vim.cmd('silent! only! | vsplit | vertical resize 40')
  vim.api.nvim_exec_autocmds('WinResized', {}) -- told at the next redraw, of which there is none here
  H.wait('room for it', function() return gap() <= 40 - #'print short' - #'✓ 0.0s' end)
end)

it('a trace says where errexit ended the script', function()
  local bufnr = H.script('#!/bin/zsh\nset -e\nprint begun\nprint one | grep -q two\nprint never')
  vim.cmd.ZshTrace()
  local said = H.wait('what a trace says', function()
    local all = vim.tbl_map(function(one) return one.message end, vim.diagnostic.get(bufnr, { lnum = 3 }))
    local text = table.concat(all, '\n')
    return text:find('errexit ended the script here', 1, true) and text
  end)
  eq(nil, said:find('(normal)', 1, true))
end)

it('a line runs in the folder that is set, and says so', function()
  local function header()
    return require('zsh_ls.output').winbar()
  end
  vim.fn.mkdir(vim.env.HOME .. '/project/deep', 'p')
  H.script('#!/bin/zsh\npwd', '~/project/deep/where.zsh')
  vim.cmd('2ZshRun')
  H.output('/project/deep')
  H.wait('the folder', function() return header():find('pwd · ✓ .* · in ~/project/deep $') end)
  for setting, command in pairs({ workspace = 'pwd -P', project = 'print -r - $PWD' }) do
    vim.g.zsh_ls = { settings = { run = { cwd = setting } } }
    vim.cmd.ZshRestart()
    H.script('#!/bin/zsh\n' .. command, ('~/project/deep/%s.zsh'):format(setting))
    vim.cmd('2ZshRun')
    H.ended(command)
    has(H.output('[COMPLETED'), '/project\n')
    H.wait('the folder', function() return header():find(' · in ~/project $') end)
  end
  vim.g.zsh_ls = nil
end)

--- What is asked before a script runs: its arguments, in one line, with what stands in for those left out.
local H = ...
local it, eq, has = H.it, H.eq, H.has

--- Answer the next question for a line; gives what was asked.
---@param answer? string
---@return table asked
local function answering(answer)
  local asked = {}
  local own = vim.ui.input
  vim.ui.input = function(options, on_answer)
    vim.ui.input = own
    asked.prompt, asked.default = options.prompt, options.default
    on_answer(answer)
  end
  return asked
end

it('the arguments that a script reads are asked for, and known the next time', function()
  H.script('#!/bin/zsh\nprint "<$1>" "<${2:-friend}>" $# ${3-}', '~/project/greet.zsh')
  local asked = answering("'Ada Lovelace'")
  vim.cmd.ZshRunScript()
  H.output('<Ada Lovelace> <friend> 1')
  eq('Arguments of greet.zsh ($1, $2 = friend, [$3]): ', asked.prompt)
  local again = answering(nil)
  vim.cmd.ZshTrace()
  H.wait('the question', function() return again.prompt end)
  eq("'Ada Lovelace'", again.default)
  eq({}, vim.tbl_filter(function(task) return task.origin == 'trace' end, require('zsh_ls.tasks').all()))
end)

it('a line that reads arguments, or needs one that does, asks for them too', function()
  H.script('#!/bin/zsh\nprefix=${1%/}\nprint "in $prefix/bin"', '~/project/install.zsh')
  local asked = answering('/opt/')
  local select = vim.ui.select
  vim.ui.select = function(items, _, on_choice) on_choice(items[1]) end
  vim.cmd('3ZshRun')
  H.output('in /opt/bin')
  eq('Arguments of install.zsh ($1): ', asked.prompt)
  vim.ui.select = select
  local again = answering('/srv')
  vim.cmd('2ZshRun')
  H.ended('prefix=${1%/}')
  eq('/opt/', again.default)
  vim.cmd('3ZshRun')
  H.output('in /srv/bin')
end)

it('arguments that are given, and a script that reads none, are not asked about', function()
  local own = vim.ui.input
  vim.ui.input = function() error('asked') end
  H.script('#!/bin/zsh\nprint got $1', '~/project/given.zsh')
  vim.cmd.ZshRunScript('this')
  H.output('got this')
  H.script('#!/bin/zsh\nf() { print inner $1; }; f one', '~/project/none.zsh')
  vim.cmd.ZshRunScript()
  H.output('inner one')
  vim.ui.input = own
end)

it('arguments mean what they mean at a prompt', function()
  H.script("#!/bin/zsh\nprint -rl -- '<'$^@'>'", '~/project/typed/all.zsh')
  for _, name in ipairs({ 'one.log', 'two.log' }) do
    vim.fn.writefile({}, vim.fs.normalize('~/project/typed/' .. name))
  end
  local typed = [[*.log '*.log' ~/x "$LANG" $(touch no)]]
  local expected = { '<one.log>', '<two.log>', '<*.log>', '<' .. vim.env.HOME .. '/x>', '<C.UTF-8>' }
  answering(typed)
  vim.cmd.ZshRunScript()
  for _, word in ipairs(expected) do
    H.output(word)
  end
  vim.cmd('silent! only!')
  vim.cmd('ZshTrace ' .. typed)
  for _, word in ipairs(expected) do
    H.output(word)
  end
  eq(0, vim.fn.filereadable(vim.fs.normalize('~/project/typed/no')))
end)

it('where the shell of a script is missing, that is asked before another one runs it', function()
  -- A server whose PATH has no zsh.
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p')
  for _, name in ipairs({ 'bash', 'sh', 'env', 'cat', 'stty', 'python3' }) do
    vim.uv.fs_symlink(vim.fn.exepath(name), folder .. '/' .. name)
  end
  local program = vim.fn.exepath('zsh-ls')
  local path = vim.env.PATH
  vim.env.PATH = folder .. ':' .. vim.fs.dirname(program)
  vim.cmd.ZshRestart()
  local _, client = H.script('#!/bin/zsh\necho by ${BASH_VERSION:+bash}', '~/project/stand.zsh')
  H.wait('a server without zsh', function()
    client = vim.lsp.get_clients({ name = 'zsh_ls', bufnr = 0 })[1]
    local said = client and client.initialized and client.server_capabilities.experimental
    return said and not said.zshLs.shells.zsh
  end)
  local own, prompts = vim.ui.select, {}
  vim.ui.select = function(items, options, on_choice)
    table.insert(prompts, options.prompt)
    on_choice(#prompts == 1 and items[2] or items[1])
  end
  vim.cmd.ZshRunScript()
  H.wait('the question', function() return #prompts == 1 end)
  has(prompts[1], 'zsh is not installed here')
  vim.cmd.ZshRunScript()
  H.output('by bash')
  vim.cmd('2ZshRun')
  H.ended('echo by ${BASH_VERSION:+bash}')
  eq(2, #prompts)
  vim.ui.select, vim.env.PATH = own, path
  vim.cmd.ZshRestart()
end)

--- A server that is missing, dies, or is started again; and what the health check says.
local H = ...
local it, eq, has = H.it, H.eq, H.has

---@return string
local function health()
  vim.cmd('silent checkhealth zsh_ls')
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  vim.cmd('silent! bwipeout!')
  return text
end

it('without a server the person is told what to do, once, and editing goes on', function()
  local path = vim.env.PATH
  vim.env.PATH = '/bin'
  for _ = 1, 2 do
    H.edit('true')
    H.told('pipx install zsh-ls')
  end
  eq(1, #H.said())
  eq(true, #H.said()[1] <= 80)
  local found = health()
  has(found, 'not found')
  has(found, 'pipx install zsh-ls')
  vim.env.PATH = path
end)

it('a server that is somewhere else can be named', function()
  vim.g.zsh_ls = { cmd = { vim.fs.normalize('~/bin/zsh-ls'), 'serve' } }
  H.script('true')
  has(health(), 'bin/zsh-ls serve')
  vim.g.zsh_ls = nil
end)

it('the health of a running server is told', function()
  H.script('true')
  local text = health()
  -- On a busy machine a server that was just started may take longer than a health check waits.
  for _ = 1, 10 do
    if text:find('it does not answer', 1, true) then
      text = health()
    end
  end
  has(text, 'is healthy')
  has(text, 'zsh 5')
  has(text, 'alan.db')
end)

it('settings that are wrong are named by the health check, and the defaults hold', function()
  vim.g.zsh_ls = { code_lenses = 'yes', colour = true }
  local text = health()
  has(text, 'vim.g.zsh_ls.code_lenses must be true or false')
  has(text, 'vim.g.zsh_ls.colour is no setting')
  eq(true, require('zsh_ls.settings').get().code_lenses)
  vim.g.zsh_ls = nil
end)

--- Kill the processes of the server that a task's shell belongs to.
local function crash()
  vim.cmd.ZshRun({ args = { 'print pid $PPID; read -t 60' }, bang = true })
  local pid = H.output('pid '):match('pid (%d+)')
  vim.uv.kill(tonumber(pid), 'sigkill')
end

it('after a server died the next run starts another, for the scripts that are open too', function()
  local bufnr, client = H.script('print served')
  crash()
  H.told('the server ended')
  vim.cmd('silent! only!')
  vim.cmd.ZshRun({ args = { 'print next' } })
  H.output('next')
  H.wait('a server of the script', function()
    local found = vim.lsp.get_clients({ name = 'zsh_ls', bufnr = bufnr })[1]
    return found and found.initialized and found.id ~= client.id
  end)
  eq(1, #vim.lsp.get_clients({ name = 'zsh_ls' }))
  eq(nil, require('zsh_ls').status():find('ended'))
end)

it('a server that dies is told of, with what can be done, and can be started again', function()
  local bufnr, client = H.script('print again')
  crash()
  has(H.told('the server ended'), ':ZshRestart')
  has(require('zsh_ls').status(), 'the server ended')
  eq({}, require('zsh_ls.tasks').running())
  vim.cmd('silent! only!')
  vim.cmd.ZshRestart()
  H.wait('another server', function()
    local found = vim.lsp.get_clients({ name = 'zsh_ls', bufnr = bufnr })[1]
    return found and found.initialized and found.id ~= client.id
  end)
  eq(nil, require('zsh_ls').status():find('ended'))
  vim.cmd.ZshRun()
  H.output('again')
  H.told('print again')
end)

it('what ran when its server was killed is in the list as killed', function()
  H.script('true')
  local command = 'print pid $PPID; read -t 62'
  vim.cmd.ZshRun({ args = { command }, bang = true })
  local task = H.running(command)
  local pid = H.output('pid '):match('pid (%d+)')
  -- Who looks at the list of a server that was killed reads what it has written down before.
  H.wait('the note', function()
    local everywhere = { path = vim.env.HOME, type = 'file', limit = math.huge }
    return vim.iter(vim.fs.find('begun.json', everywhere)):any(function(path)
      return path:find(task.id, 1, true)
    end)
  end)
  vim.uv.kill(tonumber(pid), 'sigkill')
  H.told('the server ended')
  vim.cmd.ZshRestart()
  H.client()
  local select, offered = vim.ui.select, nil
  vim.ui.select = function(items, options, _) offered = vim.tbl_map(options.format_item, items) end
  vim.cmd('ZshTasks!')
  H.wait('the list', function() return offered end)
  vim.ui.select = select
  has(table.concat(offered, '\n'), task.id .. '  ✗ killed · ')
  vim.cmd.ZshOutput(task.id)
  H.output('pid ' .. pid)
end)

it('starting a healthy server again says nothing of a crash', function()
  local bufnr, client = H.script('true')
  vim.g.zsh_ls = { messages = false }
  vim.cmd.ZshRun('print well')
  H.ended('print well')
  vim.cmd.ZshRestart()
  H.wait('another server', function()
    local found = vim.lsp.get_clients({ name = 'zsh_ls', bufnr = bufnr })[1]
    return found and found.initialized and found.id ~= client.id
  end)
  H.wait('the end of the first', function() return not vim.lsp.get_client_by_id(client.id) end)
  eq({}, H.said())
  vim.g.zsh_ls = nil
end)

--- Scripts of two workspaces in one editor, each with a server of its own.
---@return integer one
---@return integer other
local function two_workspaces()
  local one = H.script('print of-one $PPID; read -t 0', '~/project/one.zsh')
  vim.fn.mkdir(vim.fs.normalize('~/second/.git'), 'p')
  local other = H.script('print of-other', '~/second/other.zsh')
  assert(H.client(one).id ~= H.client(other).id)
  return one, other
end

it('with two workspaces the list has the tasks of both', function()
  local one, other = two_workspaces()
  local ids = {}
  for bufnr, command in pairs({ [one] = 'print here-one; (exit 5)', [other] = 'print here-other' }) do
    vim.api.nvim_set_current_buf(bufnr)
    vim.cmd.ZshRun(command)
    table.insert(ids, H.ended(command).id)
  end
  local select, offered, chosen = vim.ui.select, {}, nil
  vim.ui.select = function(items, options, on_choice)
    offered = vim.tbl_map(options.format_item, items)
    chosen = function(id)
      on_choice(vim.iter(items):find(function(item) return item.task_id == id end))
    end
  end
  vim.cmd('ZshTasks!')
  H.wait('the list', function() return #offered > 0 end)
  vim.ui.select = select
  for _, id in ipairs(ids) do
    has(table.concat(offered, '\n'), id)
  end
  has(table.concat(offered, '\n'), '✗ 5 · ')
  vim.cmd('silent! only!')
  chosen(ids[1])
  H.wait('its output', function() return require('zsh_ls.output').shown_task() == ids[1] end)
end)

it('where one of two servers died its scripts run with another, and the status says so until then', function()
  local one, other = two_workspaces()
  vim.api.nvim_set_current_buf(one)
  local client = H.client(one)
  crash()
  H.told('the server ended')
  vim.api.nvim_set_current_buf(other)
  has(require('zsh_ls').status(), 'print pid')
  vim.api.nvim_set_current_buf(one)
  has(require('zsh_ls').status(), 'the server ended')
  vim.cmd.ZshRun()
  H.output('of-one')
  eq(true, H.client(one).id ~= client.id)
  eq(nil, require('zsh_ls').status():find('ended'))
end)

it('a server that ends at its start says why', function()
  local program = vim.fs.normalize('~/bin/falls')
  local script = '#!/bin/sh\necho "Traceback:" >&2\necho "NoModule: no attrs here" >&2\nexit 3'
  vim.fn.writefile(vim.split(script, '\n'), program)
  vim.fn.setfperm(program, 'rwxr-xr-x')
  vim.g.zsh_ls = { cmd = { program } }
  vim.fn.mkdir(vim.fs.normalize('~/third/.git'), 'p')
  H.edit('true', '~/third/it.zsh')
  local told = H.told('zsh-ls ended (exit 3): NoModule: no attrs here')
  has(require('zsh_ls').status(), 'the server ended (exit 3)')
  eq(true, #told <= vim.o.columns)
  local text = health()
  has(text, 'Traceback:')
  has(text, require('vim.lsp.log').get_filename())
  vim.g.zsh_ls = nil
end)

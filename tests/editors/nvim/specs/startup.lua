--- Where the time goes when the shell starts: the lens, a progress, hints, the dearest as a list (START-4).
local H = ...
local it, eq, has = H.it, H.eq, H.has

local SLOW = 'slow() {\n  sleep 0.2\n}\nslow\nsleep 4321 &!'

it('the lens measures, with a progress; dear lines have their times, and are listed', function()
  local rc = vim.fs.normalize(vim.env.HOME .. '/.zshrc')
  local bufnr, client = H.script(SLOW, rc)
  local lens = H.wait('the lens', function()
    local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
    local answer = (vim.lsp.buf_request_sync(bufnr, 'textDocument/codeLens', params, 20000) or {})[client.id]
    return vim.iter(answer and answer.result or {}):find(function(found)
      return found.command.title == 'measure start'
    end)
  end)
  local progress = {} ---@type table[]
  local group = vim.api.nvim_create_augroup('startup_spec', {})
  vim.api.nvim_create_autocmd('LspProgress', {
    group = group,
    callback = function(event)
      table.insert(progress, vim.deepcopy(event.data.params.value))
    end,
  })
  vim.fn.setqflist({}, 'f')
  local columns = vim.o.columns
  vim.o.columns = 250
  local command = lens.command
  command.arguments[1].runs = 1
  require('zsh_ls.startup').measure(command.arguments[1], bufnr)
  has(H.told('zsh: first prompt after'), '. Left running, and ended: sleep 4321')
  vim.api.nvim_del_augroup_by_id(group)
  eq({ 'begin', 'Measuring the start' }, { progress[1].kind, progress[1].title })
  eq('end', progress[#progress].kind)
  has(progress[#progress].message, 'zsh: first prompt after')
  local dearest = vim.iter(vim.fn.getqflist()):find(function(item)
    return item.bufnr == bufnr and item.lnum == 2
  end)
  has(dearest.text, 'ms sleep  sleep 0.2')
  vim.cmd.enew()
  local lines = vim.tbl_map(function(item) return item.lnum end, vim.fn.getqflist())
  vim.cmd.cc({ count = vim.fn.index(lines, 2) + 1 })
  eq({ bufnr, 2 }, { vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)[1] })
  local hint = H.wait('the hint', function()
    return vim.iter(vim.lsp.inlay_hint.get({ bufnr = bufnr })):filter(function(found)
      return found.inlay_hint.position.line == 1
    end):totable()[1]
  end)
  has(vim.inspect(hint), 'ms · sleep')

  vim.fn.writefile(vim.split(SLOW:gsub('sleep 0.2', 'sleep 2') .. '\nno_such_program', '\n'), rc)
  vim.cmd('checktime')
  require('zsh_ls.startup').measure(command.arguments[1], bufnr)
  local today = vim.fn.trim(vim.fn.strftime('%e %b'))
  local told = H.told('slower since ' .. today)
  has(told, '~/.zshrc:2')
  has(told, '. ~/.zshrc:6: command not found: no_such_program. ')
  eq({ 6, 'E' }, { vim.fn.getqflist()[1].lnum, vim.fn.getqflist()[1].type })
  has(vim.inspect(vim.fn.getqflist()), 'ms sleep, slower since ' .. today .. ': +')
  vim.o.columns = columns
end)

it(':ZshStartup measures from any line, and what a line saves', function()
  local rc = vim.fs.normalize(vim.env.HOME .. '/.zshrc')
  local bufnr = H.script('x=1\n# a comment\nsleep 0.2\ny=1', rc)
  local startup = require('zsh_ls.startup')
  local measure, asked = startup.measure, nil
  startup.measure = function(params, of)
    asked = { params, of }
    params.runs = 1
    measure(params, of)
  end
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  vim.cmd('ZshStartup!')
  H.told('no command of a start-up file stands here')
  vim.api.nvim_win_set_cursor(0, { 3, 2 })
  local columns = vim.o.columns
  vim.o.columns = 250
  vim.cmd('ZshStartup!')
  local told = H.told('zsh: first prompt after')
  assert(told:find('%. without ~/%.zshrc:3: %d+ ms less %(± %d+%)'), told)
  eq({ { shell = 'zsh', runs = 1, without = { rc .. ':3' } }, bufnr }, { asked[1], asked[2] })
  local listed = vim.fn.getqflist()[1]
  eq({ bufnr, 3, 'I' }, { listed.bufnr, listed.lnum, listed.type })
  local hint = H.wait('the hint', function()
    return vim.iter(vim.lsp.inlay_hint.get({ bufnr = bufnr })):find(function(found)
      return found.inlay_hint.position.line == 2
    end)
  end)
  assert(vim.inspect(hint):find('without it: %d+ ms less'), vim.inspect(hint))
  asked = nil
  vim.cmd('ZshStartup')
  H.wait('the start that reads the buffer', function() return asked end)
  eq({ shell = 'zsh', runs = 1 }, asked[1])
  H.wait('its end', function() return not startup.status() end)
  vim.cmd('1,3ZshStartup')
  has(H.told('without ~/.zshrc:1-3: '), ' ms less')
  vim.api.nvim_buf_set_lines(bufnr, 0, 0, false, { 'z=1' })
  vim.cmd('ZshStartup!')
  H.told('write the buffer first: a start reads the file')
  vim.cmd('edit!')
  startup.measure = measure
  vim.o.columns = columns
end)

it('lists have times as hints have them, without what tracing took', function()
  local startup, rpc = require('zsh_ls.startup'), require('zsh_ls.rpc')
  local ask = rpc.ask
  local function row(line, own, tracing)
    return {
      file = '/rc', line = line, own_ms = own, total_ms = own, count = 1, programs = {}, tracing_ms = tracing,
    }
  end
  rpc.ask = function(_, _, on_result)
    on_result({
      shell = 'zsh', first_prompt_ms = { median = 100 }, files = {}, causes = {}, without = {},
      lines = { row(0, 100.0, 90.0), row(1, 80.0, 0.1) },
    })
  end
  startup.measure({})
  rpc.ask = ask
  local texts = vim.tbl_map(function(item) return vim.trim(item.text) end, vim.fn.getqflist())
  eq({ '79.9 ms', '10.0 ms' }, texts)
end)

it('what noise hides is told with its spread, and that the machine is busy', function()
  local rpc = require('zsh_ls.rpc')
  local ask, columns = rpc.ask, vim.o.columns
  vim.o.columns = 250
  rpc.ask = function(_, _, on_result)
    on_result({
      shell = 'zsh', first_prompt_ms = { median = 100 }, files = {}, causes = {}, lines = {},
      without = { { range = '/rc:4', saves_ms = 3, spread_ms = 41.6, certain = false } },
      busy = { load = 12.4, processors = 2 },
    })
  end
  require('zsh_ls.startup').measure({})
  rpc.ask, vim.o.columns = ask, columns
  local told = H.told('zsh: first prompt after')
  has(told, '. without /rc:4: cannot be told from noise (± 42 ms). The machine is busy (load 12), so times')
  has(vim.inspect(vim.fn.getqflist()), 'The machine is busy (load 12), so times are uncertain')
end)

it('the dearest line is named, wherever it is', function()
  local rpc = require('zsh_ls.rpc')
  local ask, columns = rpc.ask, vim.o.columns
  vim.o.columns = 250
  local function row(file, line, own)
    return { file = file, line = line, own_ms = own, total_ms = own, count = 1, programs = {} }
  end
  rpc.ask = function(_, _, on_result)
    on_result({
      shell = 'zsh', first_prompt_ms = { median = 4814 }, files = {}, causes = {}, without = {},
      lines = { row('(zsh)', vim.NIL, 4000), row('/rc', 3, 500), row('/plugin/gitstatus.zsh', 671, 3226.2) },
    })
  end
  require('zsh_ls.startup').measure({})
  rpc.ask, vim.o.columns = ask, columns
  has(H.told('zsh: first prompt after'), 'zsh: first prompt after 4814 ms. gitstatus.zsh:672: 3226 ms')
end)

it('what does not fit on a line is in the list, and no key has to be pressed', function()
  local rc = vim.fs.normalize(vim.env.HOME .. '/.zshrc')
  local bufnr = H.script('no_such_program_with_a_long_name\nsleep 4321 &!', rc)
  require('zsh_ls.startup').measure({ shell = 'zsh', runs = 1 }, bufnr)
  local told = H.told('zsh: first prompt after')
  assert(vim.fn.strwidth(told) <= vim.v.echospace, told)
  has(told, '. :copen lists the rest')
  local listed = vim.fn.getqflist()
  has(listed[1].text, 'no_such_program_with_a_long_name')
  has(listed[#listed].text, 'Left running, and ended: sleep 4321')
end)

it('the status line shows how far it is, and :ZshStop ends it', function()
  local rc = vim.fs.normalize(vim.env.HOME .. '/.zshrc')
  local bufnr = H.script('sleep 0.3', rc)
  local measure = require('zsh_ls.startup').measure
  local status = require('zsh_ls').status
  local rpc = require('zsh_ls.rpc')
  local echoed, echo = '', rpc.echo
  rpc.echo = function(text)
    echoed = text
    echo(text)
  end
  measure({ shell = 'zsh', runs = 100 }, bufnr)
  H.told('measuring the start, which takes a while; :ZshStop ends it')
  H.wait('progress in the status line', function()
    return status():find('^zsh%-ls: measuring the start [1-9]%d*%%$')
  end)
  H.wait('progress below it', function()
    return echoed:find('^measuring the start, [1-9]%d*%%; :ZshStop ends it; start %d+ of 100')
  end)
  rpc.echo = echo
  measure({ shell = 'zsh' }, bufnr)
  H.told('the start is being measured; :ZshStop ends that')
  vim.cmd('ZshStop')
  H.told('the start is no longer measured')
  eq('zsh-ls', status())
  -- On a busy machine lines may be slower than they were, which takes the room of the rest.
  measure({ shell = 'zsh', runs = 1 }, bufnr)
  H.told('zsh: first prompt after')
end)

it('the key of lenses offers those of the file from any line', function()
  local bufnr = H.script('sleep 0.1\n:\n:', vim.fs.normalize(vim.env.HOME .. '/.zshrc'))
  local own, offered = vim.ui.select, nil
  vim.ui.select = function(items, options) offered = vim.tbl_map(options.format_item, items) end
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  H.wait('the lenses', function()
    vim.api.nvim_feedkeys(vim.keycode('<Plug>(zsh-ls-lens)'), 'mx', false)
    return offered
  end)
  vim.ui.select = own
  has(vim.inspect(offered), 'measure start')
  eq({ bufnr, 3 }, { vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)[1] })
end)

it('a plugin is listed by its folder and name, and known causes are', function()
  local rc = vim.fs.normalize(vim.env.HOME .. '/.zshrc')
  local plugins = vim.env.HOME .. '/.framework/custom/plugins'
  vim.fn.mkdir(plugins .. '/suggestions', 'p')
  vim.fn.writefile({ 'sleep 0.1' }, plugins .. '/suggestions/init.zsh')
  local script = 'sleep 0.1; source ~/.framework/custom/plugins/suggestions/init.zsh\n'
  local bufnr = H.script(script .. 'eval "$(rbenv init - $(sleep 0.1))"', rc)
  require('zsh_ls.startup').measure({ shell = 'zsh', runs = 1 }, bufnr)
  H.told('zsh: first prompt after')
  local names = vim.tbl_map(function(item) return item.module end, vim.fn.getqflist())
  eq(true, vim.list_contains(names, '~/.zshrc'))
  eq(true, vim.list_contains(names, '~/.f/c/p/suggestions/init.zsh'))
  local cause = vim.iter(vim.fn.getqflist()):find(function(item)
    return item.text:find(' ms version-manager  eval "$(rbenv init -', 1, true) ~= nil
  end)
  eq({ 2, 'W' }, { cause.lnum, cause.type })
end)

it('a file that a start reads is a script, whatever it is called', function()
  local rc = vim.fs.normalize(vim.env.HOME .. '/.zshrc')
  local prompt = vim.fs.normalize(vim.env.HOME .. '/prompt_setup')
  local settings = vim.fs.normalize(vim.env.HOME .. '/.frameworkrc')
  vim.fn.writefile({ 'sleep 0.1' }, prompt)
  vim.fn.writefile({ '# What is loaded.', 'sleep 0.1' }, settings)
  vim.cmd.edit(settings)
  eq('conf', vim.bo.filetype)
  local bufnr = H.script('source ~/prompt_setup\nsource ~/.frameworkrc', rc)
  require('zsh_ls.startup').measure({ shell = 'zsh', runs = 1 }, bufnr)
  H.told('zsh: first prompt after')
  eq('zsh', vim.bo[vim.fn.bufnr(settings)].filetype)
  vim.cmd.edit(prompt)
  eq('zsh', vim.bo.filetype)
  local hint = H.wait('the hint', function() return vim.lsp.inlay_hint.get({ bufnr = 0 })[1] end)
  has(vim.inspect(hint), 'ms · sleep')
end)

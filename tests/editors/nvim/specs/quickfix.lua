--- The places that outputs name: diagnostics and the quickfix list (PLACE-2).
local H = ...
local it, eq = H.it, H.eq

local SCRIPT = "print 'one.c:2:5: error: bad é'; print 'one.c:3:1: warning: old'; print 'gone.c:1: no'"

---@param name string
---@param text string
---@return string path
local function file(name, text)
  local path = vim.fs.normalize(vim.env.HOME .. '/project/' .. name)
  vim.fn.writefile(vim.split(text, '\n'), path)
  return path
end

---@param bufnr integer
---@return table[]
local function shown(bufnr)
  return vim.tbl_map(
    function(found) return { found.lnum, found.col, found.severity, found.message, found.source } end,
    vim.diagnostic.get(bufnr)
  )
end

---@param path string
---@param count integer
---@return table[]
local function diagnostics(path, count)
  return H.wait(count .. ' diagnostics', function()
    local found = shown(vim.fn.bufadd(path))
    return #found == count and found
  end)
end

it('what an output names is a diagnostic of its file, and a list', function()
  local path = file('one.c', 'a\nb\nc')
  H.script('true')
  vim.cmd.ZshRun(SCRIPT)
  local E, W = vim.diagnostic.severity.ERROR, vim.diagnostic.severity.WARN
  eq({ { 1, 4, E, 'bad é', 'gcc' }, { 2, 0, W, 'old', 'gcc' } }, diagnostics(path, 2))
  H.ended(SCRIPT)
  vim.cmd.ZshPlaces()
  local list = vim.fn.getqflist({ items = 0, title = 0 })
  eq(SCRIPT, list.title)
  eq({ { 2, 5, 'E', 'gcc: bad é' }, { 3, 1, 'W', 'gcc: old' } },
    vim.tbl_map(function(item) return { item.lnum, item.col, item.type, item.text } end, list.items))
  vim.cmd.cfirst()
  eq(path, vim.api.nvim_buf_get_name(0))
  vim.cmd.cclose()
end)

it('the sign of a line is that of the worst it has', function()
  local path = file('worst.c', 'a\nb\nc')
  H.script('true')
  vim.cmd.edit(path)
  vim.cmd.ZshRun("print 'worst.c:2:1: error: bad'; print 'worst.c:2:1: note: how so'")
  diagnostics(path, 2)
  local signs = {}
  for _, one in pairs(vim.api.nvim_get_namespaces()) do
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, one, 0, -1, { details = true })) do
      if mark[4].sign_text then
        table.insert(signs, { mark[4].priority, vim.trim(mark[4].sign_text) })
      end
    end
  end
  table.sort(signs, function(a, b) return a[1] > b[1] end)
  eq('E', signs[1][2])
  assert(not signs[2] or signs[1][1] > signs[2][1], vim.inspect(signs))
  vim.cmd('bwipeout!')
end)

it('a place is gone when its line changes, and moves with the lines above', function()
  local path = file('two.c', 'a\nb\nc\nd')
  H.script('true')
  vim.cmd.edit(path)
  local bufnr = vim.api.nvim_get_current_buf()
  vim.cmd.ZshRun("print 'two.c:2:1: error: x'; print 'two.c:4:1: error: y'")
  diagnostics(path, 2)
  vim.api.nvim_buf_set_lines(bufnr, 0, 0, false, { 'new' })
  H.wait('the move', function() return shown(bufnr)[1][1] == 2 and shown(bufnr)[2][1] == 4 end)
  vim.api.nvim_buf_set_lines(bufnr, 2, 3, false, { 'B' })
  eq('y', diagnostics(path, 1)[1][4])
  vim.cmd('bwipeout!')
end)

it('the same command takes away what it named before', function()
  local path = file('three.c', 'a\nb')
  H.script('true')
  local command = 'cat messages'
  file('messages', 'three.c:1:1: error: first')
  vim.cmd.ZshRun(command)
  diagnostics(path, 1)
  H.ended(command)
  file('messages', 'fine')
  vim.cmd.ZshRun(command)
  diagnostics(path, 0)
end)

it('what a search found is in the list and no diagnostic', function()
  local path = file('four.c', 'int needle;')
  H.script('true')
  vim.cmd.ZshRun('grep -n needle four.c /dev/null')
  H.ended('grep -n needle four.c /dev/null')
  vim.cmd.ZshPlaces()
  eq('grep: int needle;', vim.fn.getqflist()[1].text)
  eq({}, shown(vim.fn.bufadd(path)))
  vim.cmd.cclose()
end)

it('a failure within nested braces is in the list once, and where it was called', function()
  local called = 'f() {\n  {\n    {\n      false\n    }\n  }\n}\n'
  local bufnr = H.script(called .. 'if true; then\n  {\n    f\n  }\nfi\n{ { ls /nonexistent-place; } }')
  vim.cmd.ZshTrace()
  H.wait('the list', function()
    vim.fn.setqflist({}, 'f')
    vim.cmd.ZshPlaces()
    return #vim.fn.getqflist() == 3
  end)
  eq({
    { bufnr, 4, 'exit 1: false' },
    { bufnr, 10, 'exit 1: f' },
    { bufnr, 13, 'exit 2: { { ls /nonexistent-place; } }' },
  },
    vim.tbl_map(function(item) return { item.bufnr, item.lnum, item.text } end, vim.fn.getqflist()))
  vim.cmd.cclose()
end)

it('the lines of a trace that failed are in the list', function()
  local bufnr = H.script('true\nfalse\nls /nonexistent-place')
  vim.cmd.ZshTrace()
  H.wait('the list', function()
    vim.fn.setqflist({}, 'f')
    vim.cmd.ZshPlaces()
    return #vim.fn.getqflist() == 2
  end)
  eq({ { bufnr, 2, 'exit 1: false' }, { bufnr, 3, 'exit 2: ls /nonexistent-place' } },
    vim.tbl_map(function(item) return { item.bufnr, item.lnum, item.text } end, vim.fn.getqflist()))
  vim.cmd.cclose()
end)

it('a test that fails now and then is named on its line', function()
  local red = vim.env.HOME .. '/red'
  local text = 'import pathlib\ndef test_login(): assert not pathlib.Path(%q).exists()\n'
  file('test_flaky.py', text:format(red))
  local python = vim.env.HOME .. '/src/zsh-ls/.venv/bin/python'
  local runner = python .. ' -m pytest -q -p no:cacheprovider -p no:xdist test_flaky.py'
  local bufnr = H.script(runner)
  local tasks = require('zsh_ls.tasks')
  for _, fails in ipairs({ false, true, false }) do
    local before = vim.tbl_get(tasks.all(), 1, 'id')
    if fails then
      vim.fn.writefile({}, red)
    else
      vim.fn.delete(red)
    end
    vim.cmd.ZshRun()
    H.wait('the end', function()
      local task = tasks.all()[1]
      return task and task.id ~= before and task.status ~= 'running'
    end)
    eq(fails and 1 or 0, tasks.all()[1].exit)
  end
  local said = 'test_flaky.py::test_login failed 1 of the last 3 runs, and passed when run again unchanged'
  H.wait('what is known of the test', function() return vim.tbl_contains(H.insights(bufnr), said) end)
end)

--- Insights, hints and lenses on the lines they speak of.
local H = ...
local it, eq, has = H.it, H.eq, H.has

local MASKED = 'f() {\n  local a=$(false) || return\n}\nf'

it('what is wrong with a line is written out beside it', function()
  local bufnr = H.script(MASKED)
  H.insights(bufnr)
  has(H.wait('text', function()
    local text = H.beside(bufnr, 2)
    return text ~= '' and text
  end), 'local')
end)

it('insights are not written out where the person does not want that', function()
  vim.g.zsh_ls = { insights = false }
  local quiet = vim.diagnostic.config().virtual_text
  vim.diagnostic.config({ virtual_text = false })
  local bufnr = H.script(MASKED)
  H.insights(bufnr)
  eq('', H.beside(bufnr, 2))
  vim.g.zsh_ls = nil
  vim.diagnostic.config({ virtual_text = quiet })
end)

it('who shows diagnostics in a way of their own sees ours that way', function()
  local before = vim.diagnostic.config().virtual_text
  vim.diagnostic.config({ virtual_text = { prefix = '<<' } })
  local bufnr = H.script(MASKED)
  H.insights(bufnr)
  has(H.wait('text', function()
    local text = H.beside(bufnr, 2)
    return text ~= '' and text
  end), '<<')
  vim.diagnostic.config({ virtual_text = before })
end)

it('who shows virtual lines is shown nothing twice (0.11)', function()
  vim.diagnostic.config({ virtual_lines = true })
  local bufnr = H.script(MASKED)
  H.insights(bufnr)
  eq('', H.beside(bufnr, 2))
  vim.diagnostic.config({ virtual_lines = false })
end)

it('what a run found out stands on its line without an edit', function()
  local bufnr = H.script('print one | grep -q two')
  vim.cmd.ZshRun()
  has(H.insights(bufnr)[1], 'no match (normal)')
  H.wait('text', function() return H.beside(bufnr, 1):find('no match', 1, true) end)
end)

it('who calls a function, and what it calls, are quickfix lists', function()
  local bufnr = H.script('log() { print $1 }\nbuild() { log a }\nbuild')
  H.client(bufnr)
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  for ask, text in pairs({ incoming_calls = '.zsh', outgoing_calls = 'log' }) do
    vim.lsp.buf[ask]()
    local list = H.wait(ask, function()
      local items = vim.fn.getqflist()
      return #items == 1 and items
    end)
    has(list[1].text, text)
    vim.fn.setqflist({})
    vim.cmd.cclose()
    vim.api.nvim_win_set_cursor(0, { 2, 0 })
  end
end)

it('a fix of ours can be applied', function()
  local bufnr = H.script(MASKED)
  H.insights(bufnr)
  vim.api.nvim_win_set_cursor(0, { 2, 3 })
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action) return action.isPreferred end,
  })
  H.wait('the fix', function()
    return not vim.api.nvim_buf_get_lines(bufnr, 1, 2, false)[1]:find('local a=$(', 1, true)
  end)
end)

it('what is said of a line can be ignored there', function()
  local bufnr = H.script(MASKED)
  H.insights(bufnr)
  vim.api.nvim_win_set_cursor(0, { 2, 3 })
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action) return vim.startswith(action.title, 'Ignore') end,
  })
  H.wait('the comment', function()
    local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
    return text:find('# zsh-ls: ignore=', 1, true)
  end)
  H.wait('silence', function() return #vim.diagnostic.get(bufnr) == 0 end)
end)

--- A script whose line has failed three times, once its hint says so.
---@param command string
---@return integer
local function failed_three_times(command)
  local bufnr = H.script('#!/bin/zsh\n' .. command)
  for _ = 1, 3 do
    vim.cmd('2ZshRun')
    H.ended(command)
    require('zsh_ls.tasks').all()[1].command = 'heard'
  end
  H.wait('the hint', function()
    return vim.iter(vim.lsp.inlay_hint.get({ bufnr = bufnr })):any(function(hint)
      return hint.inlay_hint.label == '0% of 3'
    end)
  end)
  return bufnr
end

it('a hint tells how often a line succeeds', function() failed_three_times('false hint') end)

it('what history warns of stands on its line where that is wanted', function()
  local bufnr = failed_three_times('false streak')
  local function warnings()
    return vim.tbl_filter(
      function(one) return one.code == 'failing-streak' end,
      vim.diagnostic.get(bufnr)
    )
  end
  eq({}, warnings())
  vim.g.zsh_ls = { settings = { ['history.warnings'] = true } }
  vim.cmd.ZshRestart()
  eq(1, H.wait('the warning', function() return warnings()[1] end).lnum)
  vim.g.zsh_ls = nil
  vim.cmd.ZshRestart()
  H.wait('no warning', function() return #warnings() == 0 end)
end)

it('a trace tells of every line how it went', function()
  local bufnr = H.script('#!/bin/zsh\ntrue\nfalse\ntrue')
  vim.cmd.ZshTrace()
  local labels = H.wait('hints', function()
    local found = {}
    for _, hint in ipairs(vim.lsp.inlay_hint.get({ bufnr = bufnr })) do
      found[hint.inlay_hint.position.line] = hint.inlay_hint.label
    end
    return found[3] and found
  end)
  has(labels[1], '✓')
  has(labels[2], '✗ 1')
end)

---@param bufnr integer
---@return lsp.CodeLens[]
local function lenses(bufnr)
  if not vim.lsp.codelens.enable then
    return vim.lsp.codelens.get(bufnr)
  end
  return vim.tbl_map(function(found) return found.lens end, vim.lsp.codelens.get({ bufnr = bufnr }))
end

it('a run leaves its result on its line, and no lens', function()
  local bufnr = H.script('#!/bin/zsh\ntrue\n(exit 2)')
  H.wait('three lenses', function() return #lenses(bufnr) == 3 end)
  vim.cmd('2ZshRun')
  H.ended('true')
  vim.cmd('3ZshRun')
  H.ended('(exit 2)')
  local labels = H.wait('the results', function()
    local found = {}
    for _, hint in ipairs(vim.lsp.inlay_hint.get({ bufnr = bufnr })) do
      found[hint.inlay_hint.position.line] = hint.inlay_hint.label
    end
    return found[1] and found[2] and found
  end)
  eq(labels[1], labels[1]:match('^✓ %d+%.%ds$'))
  eq(labels[2], labels[2]:match('^✗ 2 · %d+%.%ds$'))
  eq(3, #lenses(bufnr))
end)

it('results stand below each other, behind the longest line', function()
  local long = 'true ' .. ('x'):rep(90)
  local bufnr = H.script('#!/bin/zsh\ntrue\nprint a longer line than that | cat\n' .. long)
  for _, row in ipairs({ 2, 3, 4 }) do
    vim.cmd(row .. 'ZshRun')
    H.ended(vim.trim(vim.fn.getline(row)))
  end
  H.wait('three results', function() return #vim.lsp.inlay_hint.get({ bufnr = bufnr }) == 3 end)
  local namespace = vim.api.nvim_get_namespaces().zsh_ls_alignment
  local gaps = H.wait('the gaps', function()
    local marks = vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, -1, { details = true })
    return #marks == 3 and vim.tbl_map(function(mark) return #mark[4].virt_text[1][1] end, marks)
  end)
  eq({ 1 + #'print a longer line than that | cat' - #'true', 1, 1 }, gaps)
end)

it('the code action that runs a line shows its output', function()
  H.script('print by-action')
  vim.lsp.buf.code_action({
    apply = true,
    context = { diagnostics = {}, only = { 'zsh-ls.run' } },
  })
  H.output('by-action')
end)

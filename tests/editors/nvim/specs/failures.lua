--- What becomes of a script when its commands fail (FATE-8).
local H = ...
local it, eq, has = H.it, H.eq, H.has

local SCRIPT = '#!/bin/bash\nset -e\nif é x; then make | tee log; fi\nsync &\nls'

---@param bang? boolean
---@return table[] items, string title
local function listed(bang)
  vim.fn.setqflist({}, 'f')
  vim.cmd.ZshFailures({ bang = bang or false })
  H.wait('the list', function() return vim.bo.buftype == 'quickfix' end)
  local found = vim.fn.getqflist({ items = 0, title = 0 })
  return found.items, found.title
end

it('the commands that fail unnoticed are a list, and each leads to its place', function()
  local bufnr = H.script(SCRIPT)
  local items, title = listed()
  eq('2 of 6 can fail unnoticed', title)
  eq(
    {
      { bufnr, 3, 15, "unnoticed: make: only the last segment's exit counts (no pipefail)" },
      { bufnr, 4, 1, 'unnoticed: sync: nobody waits for it' },
    },
    vim.tbl_map(function(item) return { item.bufnr, item.lnum, item.col, item.text } end, items)
  )
  vim.cmd.cfirst()
  eq({ 3, 14 }, vim.api.nvim_win_get_cursor(0))
  vim.cmd.cclose()
end)

it('with ! all commands are listed', function()
  H.script(SCRIPT)
  local items = listed(true)
  eq(6, #items)
  eq('stops: set -e: errexit is on', items[1].text)
  vim.cmd.cclose()
end)

it('a script in which nothing fails unnoticed has a message instead', function()
  H.script('#!/bin/bash\nset -e\nls')
  vim.cmd.ZshFailures()
  H.told('0 of 2 can fail unnoticed')
end)

it('the lens on the first line opens the list', function()
  local bufnr, client = H.script(SCRIPT)
  local rpc, found = require('zsh_ls.rpc'), nil
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  rpc.request(client, 'textDocument/codeLens', params, function(_, lenses) found = lenses end, bufnr)
  H.wait('lenses', function() return found end)
  local lens = found[#found]
  eq('2 of 6 can fail unnoticed', lens.command.title)
  eq(0, lens.range.start.line)
  client.commands[lens.command.command](lens.command, { bufnr = bufnr, client_id = client.id })
  H.wait('the list', function() return vim.bo.buftype == 'quickfix' end)
  eq(2, #vim.fn.getqflist())
  vim.cmd.cclose()
end)

it('a hover on a command says what follows if it fails', function()
  local bufnr, client = H.script(SCRIPT)
  local rpc, found = require('zsh_ls.rpc'), nil
  local position = { line = 3, character = 1 }
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) }, position = position }
  rpc.request(client, 'textDocument/hover', params, function(_, hover) found = hover end, bufnr)
  H.wait('the hover', function() return found end)
  has(found.contents.value, 'If this fails, nothing notices, line 5 runs next: nobody waits for it.')
end)

it('a buffer that was opened a moment ago is asked about once the server has it', function()
  local path = vim.fn.tempname() .. '.sh'
  vim.fn.writefile(vim.split(SCRIPT, '\n'), path)
  vim.cmd.edit(path)
  local items, title = listed()
  eq('2 of 6 can fail unnoticed', title)
  eq(2, #items)
  vim.cmd.cclose()
end)

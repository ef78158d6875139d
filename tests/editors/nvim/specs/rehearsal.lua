--- What a script would do: hints, and a quickfix list (REH-2, REH-3).
local H = ...
local it, eq, has = H.it, H.eq, H.has

local SCRIPT = '#!/bin/bash\nls\npython3 b.py || exit 4\ngit push origin "$1"'

---@return table[] items, string title
local function listed()
  local title = H.wait('the list', function()
    local found = vim.fn.getqflist({ title = 0 }).title
    return vim.startswith(found, 'rehearsed: ') and found
  end)
  return vim.fn.getqflist(), title
end

-- What such a script is asked for first; nothing is given.
vim.ui.input = function(_, on_answer) on_answer('') end

it('what matters of a script is listed, and said behind its lines', function()
  local bufnr = H.script(SCRIPT)
  vim.fn.setqflist({}, 'f')
  vim.cmd.ZshRehearse('app')
  local items, title = listed()
  eq('rehearsed: 2 commands would run, exit 0', title)
  eq(
    {
      { bufnr, 3, 'I', 'would run python3 b.py' },
      { bufnr, 4, 'W', 'publishes, network: would run git push origin app' },
    },
    vim.tbl_map(function(item) return { item.bufnr, item.lnum, item.type, item.text } end, items)
  )
  local hints = H.wait('the hints', function()
    local found = vim.lsp.inlay_hint.get({ bufnr = bufnr })
    return #found >= 2 and found
  end)
  has(vim.inspect(hints), 'would run git')
end)

it('while a script is rehearsed the status line says so', function()
  H.script(SCRIPT, '~/project/slow.sh')
  vim.fn.setqflist({}, 'f')
  vim.cmd.ZshRehearse('app')
  H.wait('the word', function()
    return require('zsh_ls').status() == 'zsh-ls: rehearsing slow.sh'
  end)
  listed()
  eq(nil, require('zsh_ls').status():find('rehearsing'))
end)

it('with ! the line of the cursor fails', function()
  local bufnr = H.script(SCRIPT)
  vim.fn.setqflist({}, 'f')
  vim.api.nvim_win_set_cursor(0, { 3, 0 })
  vim.cmd.ZshRehearse({ bang = true })
  local _, title = listed()
  eq('rehearsed: 0 commands would run, exit 4', title)
  local hint = H.wait('the hint', function()
    local found = vim.lsp.inlay_hint.get({ bufnr = bufnr })
    return vim.inspect(found):find('if it fails: stops', 1, true)
  end)
  eq(true, hint > 0)
end)

it('a program that is not there, and a question without an answer, are said behind their lines', function()
  local bufnr = H.script('#!/bin/bash\nread -r answer\nnosuchprogram "$answer" now')
  vim.fn.setqflist({}, 'f')
  vim.cmd.ZshRehearse()
  local items = listed()
  eq('would run nosuchprogram  now (not found here)', items[1].text)
  local hints = H.wait('the hints', function()
    local found = vim.lsp.inlay_hint.get({ bufnr = bufnr })
    return #found >= 2 and vim.inspect(found)
  end)
  has(hints, 'asked for input, had none')
  has(hints, 'nosuchprogram is not found here')
end)

--- `:ZshAsk`, `:ZshExplain` and hovers.
local H = ...
local it, eq, has = H.it, H.eq, H.has

---@param window integer
---@return string
local function text_of(window)
  local bufnr = vim.api.nvim_win_get_buf(window)
  return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
end

---@return integer window
local function answered()
  H.script('true')
  vim.cmd.ZshAsk('how much memory is free?')
  return H.float('SUMMARY')
end

it('a question is answered in a float, which can be read and closed', function()
  local window = answered()
  has(text_of(window):lower(), 'memory')
  eq(window, vim.api.nvim_get_current_win())
  H.type('q')
  eq(false, vim.api.nvim_win_is_valid(window))
end)

it('Escape closes an answer', function()
  local window = answered()
  H.type('<Esc>')
  eq(false, vim.api.nvim_win_is_valid(window))
end)

it('no file is opened in the place of an answer (0.11)', function()
  local window = answered()
  eq(false, (pcall(vim.cmd.edit, 'other.zsh')))
  has(text_of(window):lower(), 'memory')
end)

it('a question about the memory knows what was run here', function()
  H.script('true')
  vim.cmd.ZshRun('ls /does-not-exist-at-all')
  H.ended('ls /does-not-exist-at-all')
  H.wait('the memory', function()
    vim.cmd('silent! fclose!')
    vim.cmd.ZshAsk('what failed last?')
    return text_of(H.float('SUMMARY')):find('does-not-exist', 1, true)
  end)
end)

it('a question is asked for where none is given', function()
  H.script('true')
  local input = vim.ui.input
  vim.ui.input = function(_, on_confirm) on_confirm('how full is the disk?') end
  vim.cmd.ZshAsk()
  vim.ui.input = input
  H.float('SUMMARY')
end)

it('a proposed command runs when it is chosen, and not before', function()
  H.script('true')
  vim.cmd.ZshAsk('check swap configuration')
  local window = H.float('swapon --show')
  eq({}, require('zsh_ls.tasks').running())
  vim.api.nvim_set_current_win(window)
  vim.fn.search('swapon --show')
  H.type('<CR>')
  H.wait('the command', function()
    return require('zsh_ls.tasks').all()[1].command == 'swapon --show'
  end)
end)

it('a command is explained', function()
  H.script('true')
  vim.cmd.ZshExplain('grep -v x')
  H.float('grep')
end)

it('the command under the cursor is explained', function()
  H.script('true\nls -l | wc -c')
  vim.api.nvim_win_set_cursor(0, { 2, 9 })
  vim.cmd.ZshExplain()
  H.float('wc')
end)

it('an explanation is offered as a code action', function()
  H.script('sort -u')
  vim.lsp.buf.code_action({
    apply = true,
    context = { diagnostics = {}, only = { 'zsh-ls.explain' } },
  })
  H.float('sort')
end)

it('a hover is an answer', function()
  H.script('ls -l')
  vim.lsp.buf.hover()
  H.float('[SUMMARY]')
end)

it('why a run failed is told in the words of this editor', function()
  H.script('cat /none-such; false')
  vim.cmd('1ZshRun')
  local id = H.ended('cat /none-such; false').id
  require('zsh_ls.answers').why({ task_id = id })
  local text = text_of(H.float('All that it printed'))
  has(text, ':ZshOutput ' .. id)
  eq(nil, text:find('zsh-ls output', 1, true))
end)

--- Buffers in odd places, or in none: names with spaces and other scripts, no name, several of no name.
local H = ...
local it, eq, has = H.it, H.eq, H.has

local ODD = "~/project/a dir ü 漢/it's 100%20 #1.zsh"

it('a script in a folder of any name is run, traced, and told of on its lines', function()
  local bufnr = H.script('print $PWD:t\nprint a | grep -q b', ODD)
  vim.cmd('1ZshRun')
  H.output('a dir ü 漢')
  vim.cmd.ZshTrace()
  has(H.insights(bufnr)[2], 'no match (normal)')
  has(H.output('[FAILED'), 'a dir ü 漢')
end)

---@param text string
---@return integer bufnr
local function unnamed(text)
  vim.cmd.enew()
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { text })
  vim.bo.filetype = 'zsh'
  return vim.api.nvim_get_current_buf()
end

it('a buffer without a name is run and traced as it stands', function()
  H.client(unnamed('print nameless | tr a-z A-Z'))
  vim.cmd.ZshTrace()
  H.output('NAMELESS')
end)

it('of several buffers without a name one is served, the others once they have a name', function()
  vim.o.hidden = true
  H.client(unnamed('print the first'))
  local bufnr = unnamed('print the second')
  vim.cmd.ZshRun()
  H.told('give this buffer a name')
  vim.cmd('silent write! ' .. vim.fs.normalize('~/project/named.zsh'))
  H.client(bufnr)
  vim.cmd.ZshRun()
  H.output('the second')
end)

it('a buffer that gets a name is still served', function()
  local bufnr = unnamed('print named')
  H.client(bufnr)
  vim.cmd('silent write! ' .. vim.fs.normalize('~/project/renamed.zsh'))
  vim.cmd.ZshRun()
  H.output('named')
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, { 'print a | grep b' })
  vim.cmd.ZshRun()
  has(H.insights(bufnr)[1], 'no match (normal)')
  vim.bo[bufnr].modified = false
end)

it('a name of the script is changed everywhere in it', function()
  local bufnr = H.script('total=1\nprint $total ${total}')
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.lsp.buf.rename('sum')
  H.wait('the new name', function()
    return vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)[2] == 'print $sum ${sum}'
  end)
  eq('sum=1', vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)[1])
  vim.bo[bufnr].modified = false
end)

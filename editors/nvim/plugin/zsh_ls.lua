-- Commands, <Plug> mappings, and the server for every shell buffer. Nothing needs to be called.
if vim.g.loaded_zsh_ls then
  return
end
vim.g.loaded_zsh_ls = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.notify('zsh-ls needs Neovim 0.10 or newer', vim.log.levels.ERROR)
  return
end

require('zsh_ls.commands').define()
require('zsh_ls.mappings').define()
require('zsh_ls.client').enable()
require('zsh_ls.terminals').enable()
vim.schedule(function() require('zsh_ls.help').tag() end)

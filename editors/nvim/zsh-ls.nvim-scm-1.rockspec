-- For rocks.nvim and luarocks: `luarocks make` here installs the plugin of this folder.
rockspec_format = '3.0'
package = 'zsh-ls.nvim'
version = 'scm-1'
source = { url = 'git+https://github.com/zsh-ls/zsh-ls.nvim', branch = 'main' }
description = {
  summary = 'Run shell lines where they stand, and see what their exits meant.',
  homepage = 'https://github.com/zsh-ls/zsh-ls',
  license = 'MIT',
  labels = { 'neovim' },
}
dependencies = { 'lua >= 5.1' }
-- Without a list of modules luarocks takes all of `lua`.
build = { type = 'builtin', copy_directories = { 'doc', 'lsp', 'plugin' } }

-- zsh-ls: nothing has to be called. With a plugin manager the first line is its business.
vim.opt.runtimepath:prepend(vim.fn.expand('~/src/zsh-ls/editors/nvim'))

-- Keys of your own: the plugin takes none.
vim.keymap.set({ 'n', 'x' }, '<Leader>r', '<Plug>(zsh-ls-run)') -- with a motion: \rip, \r}
vim.keymap.set('n', '<Leader>rr', '<Plug>(zsh-ls-run-line)')
vim.keymap.set('n', '<Leader>t', '<Plug>(zsh-ls-trace)')
vim.keymap.set('n', '<Leader>l', '<Plug>(zsh-ls-lens)')
vim.keymap.set('n', '<Leader>o', '<Plug>(zsh-ls-output)')
vim.keymap.set('n', '<Leader>e', '<Plug>(zsh-ls-explain)')

-- What runs, for how long, and how the last one ended.
vim.o.statusline = "%f %m%=%{v:lua.require'zsh_ls'.status()} "

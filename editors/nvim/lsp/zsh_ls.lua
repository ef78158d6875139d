-- What `vim.lsp.enable('zsh_ls')` starts, in 0.11 and newer; lua/zsh_ls/client.lua gives 0.10 the same.
return require('zsh_ls.client').config()

-- What `vim.lsp.enable('zsh_ls')` starts (Neovim 0.11 and newer); 0.10 gets the same from lua/zsh_ls/client.lua.
return require('zsh_ls.client').config()

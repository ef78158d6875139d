--- zsh-ls for Neovim: the public functions, none of which has to be called.
local M = {}

--- Settings for those who like a call, and for plugin managers that make one; `vim.g.zsh_ls` is the same.
---@param opts? table what `:help zsh-ls-settings` lists; what it leaves out stays as it is
function M.setup(opts)
  local given = type(vim.g.zsh_ls) == 'table' and vim.g.zsh_ls or {}
  vim.g.zsh_ls = vim.tbl_deep_extend('force', given, opts or {})
end

--- A component for 'statusline': `%{v:lua.require'zsh_ls'.status()}`.
---@return string
function M.status()
  return require('zsh_ls.status').line()
end

--- Run a text as `:ZshRun {text}` does.
---@param text string
function M.run(text)
  require('zsh_ls.run').text(text)
end

return M

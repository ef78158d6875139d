--- zsh-ls for Neovim: the public functions, none of which has to be called.
local M = {}

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

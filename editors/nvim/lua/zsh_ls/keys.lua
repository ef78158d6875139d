--- When the person last typed: a task that asks takes the keyboard from nobody who uses it.
local M = {}

local last_at = 0

vim.on_key(function(_, typed)
  if typed ~= '' then
    last_at = vim.uv.hrtime()
  end
end, vim.api.nvim_create_namespace('zsh_ls_keys'))

--- Whether nothing has been typed since.
---@param moment integer in nanoseconds of a steady clock
---@return boolean
function M.rest_since(moment)
  return last_at <= moment
end

return M

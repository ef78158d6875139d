--- Tags for `:help zsh-ls` where whoever installed the plugin made none.
local M = {}

--- The folder of the plugin.
---@return string
local function root()
  return vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2))))
end

--- Make them beside the help, or of a copy in the cache where that folder cannot be written.
function M.tag()
  local doc = root() .. '/doc'
  if vim.uv.fs_stat(doc .. '/tags') or not vim.uv.fs_stat(doc .. '/zsh-ls.txt') then
    return
  elseif pcall(vim.cmd.helptags, vim.fn.fnameescape(doc)) then
    return
  end
  local copy = vim.fn.stdpath('cache') .. '/zsh-ls'
  local ok = pcall(vim.fn.mkdir, copy .. '/doc', 'p')
  if ok and vim.uv.fs_copyfile(doc .. '/zsh-ls.txt', copy .. '/doc/zsh-ls.txt') then
    if pcall(vim.cmd.helptags, vim.fn.fnameescape(copy .. '/doc')) then
      vim.opt.runtimepath:append(copy)
    end
  end
end

return M

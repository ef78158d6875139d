--- The session of a buffer: what its lines have left so far, and how to begin anew.
local rpc = require('zsh_ls.rpc')

local M = {}

--- Show what a buffer's session holds in a window of its own.
---@param bufnr integer
function M.show(bufnr)
  if not rpc.served(bufnr) then
    return
  end
  local uri = vim.uri_from_bufnr(bufnr)
  rpc.ask('session', { action = 'show', session = uri }, function(found)
    local lines = {}
    for _, item in ipairs(found.held or {}) do
      local text, kind = item.value, item.kind
      if kind == 'directory' then
        kind = item.name
      elseif kind ~= 'function' then
        text = ('%s = %s'):format(item.name, item.value)
      end
      vim.list_extend(lines, vim.split(('%-9s  %s'):format(kind, text), '\n'))
    end
    vim.lsp.util.open_floating_preview(#lines > 0 and lines or { 'nothing yet' }, 'sh', {
      border = 'rounded',
      title = (' %s '):format(vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':t')),
    })
  end, {
    bufnr = bufnr,
    on_refusal = function() rpc.say('no line of this buffer has been run yet') end,
  })
end

--- Forget what the lines of a buffer have left.
---@param bufnr integer
function M.reset(bufnr)
  if not rpc.served(bufnr) then
    return
  end
  local begun_anew = function() rpc.say('the session of this buffer begins anew') end
  rpc.ask('session', { action = 'reset', session = vim.uri_from_bufnr(bufnr) }, begun_anew, {
    bufnr = bufnr,
    on_refusal = begun_anew,
  })
end

return M

--- What becomes of a script when its commands fail, as a quickfix list.
local rpc = require('zsh_ls.rpc')

local M = {}

---@type table<string, string> type of a quickfix item by fate; those without one are listed with `!` alone
local MARKED = { unnoticed = 'W', ['stops-silently'] = 'W', unknown = 'I' }

---@param counts zsh_ls.FateCounts
---@return string
local function title(counts)
  local total = 0
  for _, count in pairs(counts) do
    total = total + count
  end
  return ('%d of %d can fail unnoticed'):format(counts.unnoticed, total)
end

---@param found zsh_ls.ScriptFailures
---@param bufnr integer
---@param all boolean
---@return vim.quickfix.entry[]
local function items(found, bufnr, all)
  local uri, encoding = vim.uri_from_bufnr(bufnr), rpc.encoding(bufnr)
  local listed = {}
  for _, command in ipairs(found.commands) do
    if all or MARKED[command.fate] then
      local item = vim.lsp.util.locations_to_items({ { uri = uri, range = command.range } }, encoding)[1]
      item.type = MARKED[command.fate] or ''
      item.text = ('%s: %s: %s'):format(command.fate, vim.split(command.command, '\n')[1], command.because)
      listed[#listed + 1] = item
    end
  end
  return listed
end

--- List the commands of a buffer that fail unnoticed, or all of them.
---@param bufnr integer
---@param all boolean
function M.list(bufnr, all)
  if not rpc.served(bufnr) then
    return
  end
  local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
  rpc.ask('failures', params, function(found)
    local listed = items(found, bufnr, all)
    vim.fn.setqflist({}, ' ', { title = title(found.counts), items = listed })
    if #listed > 0 then
      vim.cmd('botright copen')
    else
      rpc.say(title(found.counts))
    end
  end, { bufnr = bufnr })
end

return M

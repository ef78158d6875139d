--- Where the time goes when the shell starts: hints on lines, and the dearest as a quickfix list.
local rpc = require('zsh_ls.rpc')

local M = {}

---@type integer the dearest lines that are listed
local LISTED = 20

---@param found zsh_ls.Startup
---@return string
local function title(found)
  if found.stuck then
    return ('%s came to no prompt: %s'):format(found.shell, found.stuck.command)
  end
  return ('%s: first prompt after %.0f ms'):format(found.shell, found.first_prompt_ms.median)
end

--- The title, and what starts left running, which was ended.
---@param found zsh_ls.Startup
---@return string
local function told(found)
  local commands = vim.tbl_map(function(left) return left.command end, found.left or {})
  if #commands == 0 then
    return title(found)
  end
  return ('%s. Left running, and ended: %s'):format(title(found), table.concat(commands, ', '))
end

---@param found zsh_ls.Startup
---@return vim.quickfix.entry[]
local function items(found)
  local listed = {}
  if found.stuck and type(found.stuck.line) == 'number' then
    listed[1] = { filename = found.stuck.file, lnum = found.stuck.line + 1, text = title(found), type = 'E' }
  end
  for _, line in ipairs(found.lines) do
    if type(line.line) == 'number' and #listed < LISTED then
      local text = ('%.1f ms %s'):format(line.own_ms, table.concat(line.programs, ' '))
      listed[#listed + 1] = { filename = line.file, lnum = line.line + 1, text = vim.trim(text) }
    end
  end
  return listed
end

--- Measure the start of a shell; the server shows its progress, and hints on the lines when it is done.
---@param params zsh_ls.StartupParams
---@param bufnr? integer
function M.measure(params, bufnr)
  rpc.ask('startup', params, function(found)
    vim.fn.setqflist({}, ' ', { title = title(found), items = items(found) })
    rpc.say(told(found))
  end, { bufnr = bufnr })
end

return M

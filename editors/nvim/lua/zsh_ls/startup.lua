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

--- Since when a line is slower, and by how much: `slower since 12 Nov: +82 ms`.
---@param slower zsh_ls.Slower
---@return string
local function since(slower)
  local year, month, day, hour, min, sec = slower.at:match('^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)')
  local utc = { year = year, month = month, day = day, hour = hour, min = min, sec = sec, isdst = false }
  local ahead = os.difftime(os.time(), os.time(os.date('!*t') --[[@as osdateparam]]))
  local date = vim.trim(vim.fn.strftime('%e %b', os.time(utc) + ahead))
  return ('slower since %s: %+.0f ms'):format(date, slower.more_ms)
end

--- The title, what has become slower, and what starts left running, which was ended.
---@param found zsh_ls.Startup
---@return string
local function told(found)
  local sentences = { title(found) }
  for _, slower in ipairs(found.since or {}) do
    local line = type(slower.line) == 'number' and ':' .. (slower.line + 1) or ''
    sentences[#sentences + 1] = since(slower) .. ', ' .. vim.fn.fnamemodify(slower.file, ':~') .. line
  end
  local commands = vim.tbl_map(function(left) return left.command end, found.left or {})
  if #commands > 0 then
    sentences[#sentences + 1] = 'Left running, and ended: ' .. table.concat(commands, ', ')
  end
  return table.concat(sentences, '. ')
end

---@param found zsh_ls.Startup
---@return vim.quickfix.entry[]
local function items(found)
  local listed = {}
  if found.stuck and type(found.stuck.line) == 'number' then
    listed[1] = { filename = found.stuck.file, lnum = found.stuck.line + 1, text = title(found), type = 'E' }
  end
  local slower = {} ---@type table<string, string>
  for _, it in ipairs(found.since or {}) do
    slower[('%s:%s'):format(it.file, it.line)] = since(it)
  end
  for _, line in ipairs(found.lines) do
    if type(line.line) == 'number' and #listed < LISTED then
      local text = vim.trim(('%.1f ms %s'):format(line.own_ms, table.concat(line.programs, ' ')))
      local more = slower[('%s:%s'):format(line.file, line.line)]
      text = more and ('%s, %s'):format(text, more) or text
      listed[#listed + 1] = { filename = line.file, lnum = line.line + 1, text = text }
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

--- The status line component, and the short status of a task.
local client = require('zsh_ls.client')
local tasks = require('zsh_ls.tasks')

local M = {}

---@type string? why there is no server any more
M.problem = nil

---@param seconds number
---@return string
local function duration(seconds)
  if seconds < 60 then
    return ('%.1fs'):format(seconds)
  end
  return ('%dm%02ds'):format(math.floor(seconds / 60), math.floor(seconds % 60))
end

--- The time a task has taken by now; progress of a quiet one comes only every two seconds.
---@param task zsh_ls.Task
---@return number
local function elapsed(task)
  if task.status ~= 'running' then
    return task.elapsed_s
  end
  return task.elapsed_s + (vim.uv.hrtime() - task.last_at) / 1e9
end

---@type table<string, string>
local WORDS = { timeout = 'timed out', killed = 'killed', error = 'error', lost = 'lost with the server' }

--- The status of a task: `running 3.2s 34%`, `✓ 0.3s`, `✗ 1 · 0.3s`.
---@param task zsh_ls.Task
---@return string
function M.of(task)
  local time = duration(elapsed(task))
  if task.status == 'running' then
    local probable = task.percentage and (' %d%%'):format(task.percentage) or ''
    local waits = task.is_waiting and not task.is_full
    return 'running ' .. time .. probable .. (waits and ' · waits for input (:ZshSend)' or '')
  elseif task.status == 'completed' then
    return task.exit == 0 and '✓ ' .. time or ('✗ %d · %s'):format(task.exit or -1, time)
  end
  return ('✗ %s · %s'):format(WORDS[task.status], time)
end

--- A text on one line.
---@param text string
---@param most integer characters
---@return string
function M.shortened(text, most)
  text = text:gsub('%s+', ' ')
  return vim.fn.strchars(text) <= most and text or vim.fn.strcharpart(text, 0, most - 1) .. '…'
end

--- For 'statusline': `%{v:lua.require'zsh_ls'.status()}`; empty if there is nothing to show.
---@return string
function M.line()
  if M.problem then
    return 'zsh-ls: ' .. M.problem
  end
  local running = tasks.running()
  local latest = running[1] or tasks.all()[1]
  if latest then
    local more = #running > 1 and (' (+%d)'):format(#running - 1) or ''
    return ('zsh-ls: %s %s%s'):format(M.shortened(latest.command, 30), M.of(latest), more)
  end
  return client.all()[1] and 'zsh-ls' or ''
end

return M

--- The status line component, and the short status of a task.
local client = require('zsh_ls.client')
local tasks = require('zsh_ls.tasks')

local M = {}

---@class zsh_ls.Problem
---@field text string how a server ended
---@field said string[] its last words

---@type table<string, zsh_ls.Problem> why there is no server any more, by its root
local problems = {}

--- Note that a server ended by itself.
---@param root? string
---@param text string
---@param said string[]
function M.ended(root, text, said)
  problems[root or ''] = { text = text, said = said }
end

--- Note that there is a server again.
---@param root? string
function M.begun(root)
  problems[root or ''] = nil
end

function M.forget_problems()
  problems = {}
end

---@return zsh_ls.Problem[]
function M.problems()
  return vim.tbl_values(problems)
end

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

---@param status zsh_ls.Status|"lost"
---@param exit? integer
---@param time string
---@return string
local function how(status, exit, time)
  if status == 'running' then
    return 'running ' .. time
  elseif status == 'completed' then
    return exit == 0 and '✓ ' .. time or ('✗ %d · %s'):format(exit or -1, time)
  end
  return ('✗ %s · %s'):format(WORDS[status], time)
end

---@alias zsh_ls.Verdict "normal"|"masked" a normal exit is no failure, a hidden failure is no success

--- With the sign of what an end meant: `○ 1 · 0.1s` for a normal exit, `! 0.2s` for a hidden failure.
---@param said string
---@param verdict? zsh_ls.Verdict|""
---@return string
local function with_sign(said, verdict)
  local sign = ({ normal = '○', masked = '!' })[verdict]
  return sign and sign .. vim.fn.strcharpart(said, 1) or said
end

--- The status of a task: `running 3.2s 34%`, `✓ 0.3s`, `✗ 1 · 0.3s`, `○ 1 · 0.1s`, `! 0.2s`.
---@param task zsh_ls.Task
---@return string
function M.of(task)
  local said = how(task.status, task.exit, duration(elapsed(task)))
  if task.status ~= 'running' then
    return with_sign(said, task.verdict)
  end
  local probable = task.percentage and (' %d%%'):format(task.percentage) or ''
  local waits = task.is_waiting and not task.is_full
  return said .. probable .. (waits and ' · waits for input (:ZshSend)' or '')
end

--- What an end meant beyond its exit.
---@param result { exit?: integer, insights?: table<string, string[]> }
---@return zsh_ls.Verdict?
function M.verdict(result)
  local insights = type(result.insights) == 'table' and result.insights or {}
  local warnings = insights.warning or {}
  local function any(said, pattern)
    return vim.iter(said):any(function(text) return text:find(pattern) ~= nil end)
  end
  if result.exit == 0 then
    return any(warnings, '%(masked by downstream%)') and 'masked' or nil
  end
  return #warnings == 0 and any(insights.info or {}, ' exit %d+ = .*%(normal%)$') and 'normal' or nil
end

--- The status of a line of the server's list.
---@param summary zsh_ls.TaskSummary
---@param verdict? zsh_ls.Verdict|""
---@return string
function M.of_summary(summary, verdict)
  return with_sign(how(summary.status, summary.exit, duration(summary.elapsed_seconds)), verdict)
end

--- A path without its folders; nil for what is none.
---@param word string
---@return string?
local function without_folders(word)
  local quote, name = word:match('^(["\']?).*/([^/]+/?)$')
  return name and not word:find('://', 1, true) and ('%s…/%s'):format(quote, name) or nil
end

---@param text string
---@param folder string
---@param instead string
---@return string
local function seen_from(text, folder, instead)
  folder = folder:gsub('/+$', '')
  if folder == '' then
    return text
  end
  local pattern = '%f[%S](["\']?)' .. vim.pesc(folder) .. '/'
  return (text:gsub(pattern, function(quote) return quote .. instead end))
end

--- What the server puts between what gives a line its names and the line, which alone is shown.
local STOP_AT_FAILURE = '\ncase $? in (0) ;; (*) exit ;; esac\n'

--- The first line of a command that is no comment, continued ones joined, and `…` where more follows: all
--- behind each other would be another command, or none.
---@param command string
---@return string
function M.first_line(command)
  local parts = vim.split(command, STOP_AT_FAILURE, { plain = true })
  command = parts[#parts]
  local lines = {}
  for line in vim.gsplit((command:gsub('\\\n', ' ')), '\n', { plain = true }) do
    line = vim.trim((line:gsub('%s+', ' ')))
    if line ~= '' then
      table.insert(lines, line)
    end
  end
  local told = 1
  while lines[told] and vim.startswith(lines[told], '#') do
    told = told + 1
  end
  told = lines[told] and told or 1
  return (parts[2] and '… ' or '') .. (lines[told] or '') .. (lines[told + 1] and ' …' or '')
end

--- A command on one line, shortened by the folders of its paths first, so that a script's name stays,
--- then in its middle. What lies below the current folder, or the home, is as seen from there. The
--- server's words are shortened alike (`tests/data/shown_commands`).
---@param text string
---@param most integer characters
---@param folder? string instead of the current one
---@param home? string
---@return string
function M.shortened(text, most, folder, home)
  text = M.first_line(text)
  text = seen_from(text, folder or vim.fn.getcwd(), '')
  text = seen_from(text, home or vim.env.HOME or '', '~/')
  local words = vim.split(text, ' ', { plain = true })
  while vim.fn.strchars(text) > most do
    local saved, at, name = 0, 0, ''
    for index, word in ipairs(words) do
      local short = without_folders(word)
      local less = short and vim.fn.strchars(word) - vim.fn.strchars(short) or 0
      if short and less > saved then
        saved, at, name = less, index, short
      end
    end
    if saved == 0 then
      local head = math.ceil((most - 1) * 2 / 3)
      local tail = vim.fn.strcharpart(text, vim.fn.strchars(text) - (most - 1 - head))
      return vim.fn.strcharpart(text, 0, head) .. '…' .. tail
    end
    words[at] = name
    text = table.concat(words, ' ')
  end
  return text
end

--- For 'statusline': `%{v:lua.require'zsh_ls'.status()}`; empty if there is nothing to show.
---@return string
function M.line()
  local problem = M.problems()[1]
  if problem and not client.all(vim.api.nvim_get_current_buf())[1] then
    return 'zsh-ls: ' .. problem.text
  end
  local measuring = require('zsh_ls.startup').status()
  local busy = measuring or require('zsh_ls.rehearsal').status()
  if busy then
    return 'zsh-ls: ' .. busy
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

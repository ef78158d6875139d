--- The tasks known to this editor: its own, and those of agents at the same server.
local M = {}

require('zsh_ls.keys') -- listens from before the first run on

---@class zsh_ls.Task
---@field id string
---@field client_id integer whose server it runs at
---@field command string
---@field origin zsh_ls.Origin
---@field status zsh_ls.Status|"lost" `lost` where the server ended before it
---@field elapsed_s number
---@field cwd? string where it runs, if this editor asked for it
---@field exit? integer
---@field verdict? zsh_ls.Verdict what its end meant beyond the exit
---@field percentage? integer how probably it is over by now, in percent
---@field is_pty? boolean whether it has a terminal
---@field is_detached? boolean whether it outlives its server and this editor
---@field is_waiting? boolean whether it waits to be typed into
---@field is_full? boolean whether it has the whole screen: it is typed into there
---@field asked_at integer when this editor last asked for a run before it was heard of, in nanoseconds of
---  a steady clock
---@field last_at integer when it was last heard of, likewise

local KEPT = 50

---@type table<string, zsh_ls.Task>
local known = {}
---@type table<string, integer> the servers whose lists have tasks, by task
local holders = {}
---@type table<string, string> where runs are of which nothing has been heard yet, by task
local folders = {}
---@type table<integer, string> commands that were asked for and are not answered yet
local asked = {}
local questions = 0
local last_asked_at = 0

--- Whether this editor started it.
---@param task zsh_ls.Task
---@return boolean
function M.is_ours(task)
  return task.origin == 'editor' or task.origin == 'lens' or task.origin == 'trace'
end

---@return zsh_ls.Task[] the latest first
function M.all()
  local tasks = vim.tbl_values(known)
  table.sort(tasks, function(a, b) return a.last_at > b.last_at end)
  return tasks
end

---@return zsh_ls.Task[] the latest first
function M.running()
  return vim.tbl_filter(function(task) return task.status == 'running' end, M.all())
end

---@param id string
---@return zsh_ls.Task?
function M.get(id)
  return known[id]
end

--- Note that a server's list has a task.
---@param id string
---@param client_id integer
function M.listed(id, client_id)
  holders[id] = client_id
end

--- The server to ask about a task, where that is known.
---@param id string
---@return integer?
function M.holder(id)
  return known[id] and known[id].client_id or holders[id]
end

local function forget_oldest()
  local tasks = M.all()
  for index = KEPT + 1, #tasks do
    known[tasks[index].id] = nil
  end
end

---@param news zsh_ls.Progress|zsh_ls.TaskResult
---@return integer?
local function percentage(news)
  local estimate = vim.tbl_get(news, 'poll_meta', 'alan_estimate', 'completion_probability')
  return type(estimate) == 'number' and math.floor(estimate * 100 + 0.5) or nil
end

--- Note the request of a run, which counts as running until `answered` is called.
---@param command string
---@return fun() answered
function M.ask(command)
  questions = questions + 1
  local question = questions
  asked[question] = command
  last_asked_at = vim.uv.hrtime()
  return function() asked[question] = nil end
end

--- What would end with the editor: tasks of its servers, including agents', and requested runs, but no
--- detached ones.
---@return string[] commands, the latest first
function M.unfinished()
  local commands = vim.tbl_values(asked)
  for _, task in ipairs(M.running()) do
    if not task.is_detached then
      table.insert(commands, task.command)
    end
  end
  return commands
end

--- Note the answer to a run of this editor; progress may have come before it.
---@param result zsh_ls.TaskResult
---@param client_id integer
---@param is_detached? boolean
---@return zsh_ls.Task
function M.started(result, client_id, is_detached)
  local task = known[result.task_id] or M.heard(result, client_id)
  task.is_pty = result.is_pty
  task.is_detached = is_detached
  return task
end

--- Note where a run of this editor is, once it has been answered; progress may come before or after.
---@param result zsh_ls.TaskResult
function M.answered(result)
  local task = known[result.task_id]
  if task then
    task.cwd = result.cwd
  else
    folders[result.task_id] = result.cwd
  end
end

--- Note progress of a task.
---@param news zsh_ls.Progress|zsh_ls.TaskResult
---@param client_id integer
---@return zsh_ls.Task
function M.heard(news, client_id)
  local task = known[news.task_id]
    or { id = news.task_id, command = news.command, origin = news.origin, asked_at = last_asked_at }
  task.cwd, folders[task.id] = task.cwd or folders[task.id], nil
  task.client_id = client_id
  task.status = news.status
  task.elapsed_s = news.elapsed_seconds
  task.exit = news.exit
  task.verdict = news.status == 'completed' and require('zsh_ls.status').verdict(news) or nil
  task.percentage = percentage(news)
  task.is_waiting = vim.tbl_get(news, 'poll_meta', 'waiting_for_input') == true
  task.last_at = vim.uv.hrtime()
  known[task.id] = task
  forget_oldest()
  return task
end

--- Note that a task was killed: nobody tells of a detached one that another server has begun.
---@param id string
function M.killed(id)
  local task = known[id]
  if task and task.status == 'running' then
    task.status = 'killed'
  end
end

--- Note that a server has ended, and its tasks with it.
---@param client_id integer
function M.lost(client_id)
  asked = {}
  for _, task in pairs(known) do
    if task.status == 'running' and task.client_id == client_id and not task.is_detached then
      task.status = 'lost'
    end
  end
end

return M

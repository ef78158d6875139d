--- Lists tasks, types into them and stops them.
local client = require('zsh_ls.client')
local rpc = require('zsh_ls.rpc')
local tasks = require('zsh_ls.tasks')

local M = {}

local MOST_JUDGED = 60
-- How long a list waits for what its ends meant, and for one of several servers.
local PATIENCE_MS, SERVER_PATIENCE_MS = 2000, 10000

---@type table<string, zsh_ls.Verdict|""> what the ends of tasks meant, by their ids, once that was asked
local verdicts = {}

---@param summary zsh_ls.TaskSummary
---@return string
local function line_of(summary)
  local origin = tasks.is_ours({ origin = summary.origin }) and '' or (' (%s)'):format(summary.origin)
  local words = require('zsh_ls.status')
  local detached = summary.detached and ' · detached' or ''
  local ended = words.of_summary(summary, verdicts[summary.task_id])
  local facts = ('%s  %s%s  '):format(summary.task_id, ended, detached)
  -- The list numbers its lines, and one that is wider than the screen would ask for Enter.
  local room = math.max(vim.o.columns - vim.fn.strchars(facts .. origin) - 6, 20)
  return facts .. words.shortened(summary.command, room) .. origin
end

--- Ask several questions, and go on when all are answered.
---@param patience_ms? integer after which it goes on in any case
---@param ask_all fun(ask: fun(): fun()) calls `ask` for each, and what that gives at its answer
---@param on_done fun() called once
local function gather(patience_ms, ask_all, on_done)
  local open, told = 1, false
  local function done()
    open = open - 1
    if open == 0 and not told then
      told = true
      on_done()
    end
  end
  ask_all(function()
    open = open + 1
    return done
  end)
  if patience_ms then
    vim.defer_fn(function()
      open = 1
      done()
    end, patience_ms)
  end
  done()
end

--- Ask what the ends of the latest tasks meant, each once: the server's list has their exits alone.
---@param summaries zsh_ls.TaskSummary[] the oldest first
---@param ask fun(): fun()
local function judge(summaries, ask)
  for index = math.max(1, #summaries - MOST_JUDGED + 1), #summaries do
    local summary = summaries[index]
    if summary.status == 'completed' and not verdicts[summary.task_id] then
      local done = ask()
      rpc.ask('poll', { task_id = summary.task_id, listen = 0 }, function(result)
        verdicts[summary.task_id] = require('zsh_ls.status').verdict(result) or ''
        done()
      end, { bufnr = vim.api.nvim_get_current_buf(), on_refusal = done })
    end
  end
end

--- The tasks of all servers, each workspace having its own: the buffer's come last, where the latest are.
---@param with_ended boolean
---@param on_found fun(summaries: zsh_ls.TaskSummary[]) the oldest of each first
local function all_tasks(with_ended, on_found)
  local bufnr, lists = vim.api.nvim_get_current_buf(), {}
  client.attach_now(bufnr)
  local ids = vim.tbl_map(function(server) return server.id end, client.all())
  local own = client.all(bufnr)[1]
  table.sort(ids, function(a, b) return own ~= nil and b == own.id and a ~= b end)
  gather(ids[2] and SERVER_PATIENCE_MS, function(ask)
    for index = 1, math.max(#ids, 1) do
      local done = ask()
      rpc.ask('tasks', { all = with_ended }, function(list, client_id)
        lists[index] = list.tasks
        for _, summary in ipairs(list.tasks) do
          tasks.listed(summary.task_id, client_id)
        end
        done()
      end, { bufnr = bufnr, client_id = ids[index], on_refusal = done })
    end
  end, function()
    local summaries = {}
    for index = 1, math.max(#ids, 1) do
      vim.list_extend(summaries, lists[index] or {})
    end
    on_found(summaries)
  end)
end

--- Choose a task to see its output.
---@param with_ended boolean
function M.list(with_ended)
  all_tasks(with_ended, function(summaries)
    if #summaries == 0 then
      return rpc.say(with_ended and 'no tasks are kept' or 'no task is running')
    end
    gather(PATIENCE_MS, function(ask) judge(summaries, ask) end, function()
      local options = { prompt = 'Tasks:', kind = 'zsh_ls_task', format_item = line_of }
      vim.ui.select(summaries, options, function(chosen)
        if chosen then
          require('zsh_ls.output').open(chosen.task_id)
        end
      end)
    end)
  end)
end

--- The task to act on if none is named: the visible one if it runs, else the latest.
---@return string?
local function meant()
  local shown = require('zsh_ls.output').shown_task()
  local task = shown and tasks.get(shown)
  if task and task.status == 'running' then
    return shown
  end
  return vim.tbl_get(tasks.running(), 1, 'id')
end

---@param id? string
---@param action fun(id: string)
local function with_task(id, action)
  id = id or meant()
  if id then
    action(id)
  else
    rpc.say('no task is running', vim.log.levels.WARN)
  end
end

--- Type a line into a task.
---@param text string
---@param id? string
---@param newline boolean whether Enter follows
function M.send(text, id, newline)
  with_task(id, function(task_id)
    rpc.ask('send', { task_id = task_id, input = text, newline = newline }, function() end)
  end)
end

--- Kill a task and all its processes; where none is named nor runs, end a measurement of the start.
---@param id? string
function M.stop(id)
  if not id and not meant() and require('zsh_ls.startup').cancel() then
    return
  end
  with_task(id, function(task_id)
    rpc.ask('kill', { task_id = task_id }, function(result)
      tasks.killed(task_id)
      rpc.say(result.message)
    end)
  end)
end

return M

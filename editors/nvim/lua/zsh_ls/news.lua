--- Passes progress of tasks (`zsh/progress`) on to the task list, the output, the status line and the user.
local tasks = require('zsh_ls.tasks')

local M = {}

--- At most one line: a longer message would need a key press.
---@param task zsh_ls.Task
local function tell_end(task)
  local status = require('zsh_ls.status')
  local words = status.of(task)
  local room = vim.o.columns - 24 - vim.fn.strchars(words)
  local text = ('%s  %s'):format(words, status.shortened(task.command, math.max(room, 20)))
  local is_well = task.verdict == 'normal' or task.exit == 0 and task.verdict ~= 'masked'
  require('zsh_ls.rpc').say(text, is_well and vim.log.levels.INFO or vim.log.levels.WARN)
end

--- Progress of a task, this editor's or an agent's: output, its end, or only that it still runs.
---@param news zsh_ls.Progress
---@param client_id integer
function M.heard(news, client_id)
  news = require('zsh_ls.rpc').without_null(news)
  local task = tasks.heard(news, client_id)
  require('zsh_ls.output').heard(task, news)
  require('zsh_ls.places').heard(news)
  if task.status ~= 'running' then
    require('zsh_ls.buffers').run_ended()
    if tasks.is_ours(task) and require('zsh_ls.settings').get().messages then
      tell_end(task)
    end
  end
  vim.cmd.redrawstatus({ bang = true })
end

return M

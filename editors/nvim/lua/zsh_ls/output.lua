--- The output of tasks, live and in colour: a screen for each, and one window that follows the latest.
local keys = require('zsh_ls.keys')
local rpc = require('zsh_ls.rpc')
local screens = require('zsh_ls.screen')
local tasks = require('zsh_ls.tasks')
local window = require('zsh_ls.window')

local M = {}

---@type table<string, zsh_ls.Screen>
local known = {}
---@type string?
local shown_id
---@type table<string, boolean> the tasks whose question has taken the focus
local asking = {}
---@type table<string, string> the size that each task's terminal was last given
local sizes = {}

---@param id string
---@return zsh_ls.Screen
local function screen_of(id)
  local screen = known[id]
  if not screen or not vim.api.nvim_buf_is_valid(screen.bufnr) then
    screen = screens.new(id)
    known[id] = screen
  end
  return screen
end

--- Delete the screens of tasks that are no longer kept, except visible ones.
local function forget()
  for id, screen in pairs(known) do
    if not tasks.get(id) and #vim.fn.win_findbuf(screen.bufnr) == 0 then
      known[id], sizes[id] = nil, nil
      pcall(vim.api.nvim_buf_delete, screen.bufnr, { force = true })
    end
  end
end

--- Give the terminal of the visible task the size of the window.
local function fit()
  local task = shown_id and tasks.get(shown_id)
  if not task or not task.is_pty or task.status ~= 'running' or not window.output_window() then
    return
  end
  local cols, rows = window.terminal_size()
  local size = ('%dx%d'):format(cols, rows)
  if sizes[task.id] ~= size then
    sizes[task.id] = size
    local function nothing() end -- it may have ended meanwhile
    rpc.ask('resize', { task_id = task.id, cols = cols, rows = rows }, nothing, { on_refusal = nothing })
  end
end

---@param id string
local function show(id)
  shown_id = id
  local screen = screen_of(id)
  local shows = window.show_output(screen.bufnr, "%{%v:lua.require'zsh_ls.output'.winbar()%}")
  -- With the cursor on its last line, a window follows the output.
  vim.api.nvim_win_set_cursor(shows, { vim.api.nvim_buf_line_count(screen.bufnr), 0 })
  fit()
end

--- The winbar above the output: the task, its status and its folder.
---@return string
function M.winbar()
  local task = shown_id and tasks.get(shown_id)
  if not task then
    return ' zsh-ls '
  end
  local status = require('zsh_ls.status')
  local shows = window.output_window()
  local width = shows and vim.api.nvim_win_get_width(shows) or vim.o.columns
  local folder = task.cwd and vim.fn.fnamemodify(task.cwd, ':~') or ''
  folder = vim.fn.strchars(folder) > width / 3 and vim.fn.pathshorten(folder) or folder
  local words = status.of(task) .. (folder == '' and '' or ' · in ' .. folder)
  local command = status.shortened(task.command, math.max(width - vim.fn.strchars(words) - 5, 20))
  local text = (' %s · %s '):format(command, words)
  return (text:gsub('%%', '%%%%'))
end

---@type integer? the window that the person was in before a task took the focus
local came_from

--- Whether a task may take the keyboard: not from somebody who has typed since it was asked for, as their
--- next keys are not meant for it.
---@param task zsh_ls.Task
---@return boolean
local function may_take_keys(task)
  return vim.api.nvim_get_current_win() == window.output_window() or keys.rest_since(task.asked_at)
end

--- Go to the window of a task and type into it.
---@param id string
local function enter(id)
  local shows = window.output_window()
  if shown_id ~= id or not shows or not vim.startswith(vim.fn.mode(), 'n') then
    return -- what is being typed elsewhere stays there
  end
  local from = vim.api.nvim_get_current_win()
  if from ~= shows then
    came_from = from
    vim.api.nvim_set_current_win(shows)
  end
  vim.cmd.startinsert()
end

--- Go back to where the person was, from a task that has let go of the keyboard.
---@param id string
local function go_back(id)
  local shows = window.output_window()
  local is_in = shows and shows == vim.api.nvim_get_current_win()
  if shown_id == id and is_in and came_from and vim.api.nvim_win_is_valid(came_from) then
    vim.cmd.stopinsert()
    vim.api.nvim_set_current_win(came_from)
  end
  came_from = nil
end

--- A full-screen program begins or ends: it gets the room and the keyboard, and gives them back.
---@param id string
---@param is_full boolean
function M.full_screen(id, is_full)
  local task = tasks.get(id)
  if shown_id ~= id or is_full and not (task and task.status == 'running' and tasks.is_ours(task)) then
    return
  end
  if is_full and task and not may_take_keys(task) then
    return rpc.say('a program on the whole screen waits in the output: <C-W>j i')
  end
  if task then
    task.is_full = is_full
  end
  window.enlarge(is_full)
  fit()
  if is_full then
    enter(id)
  else
    go_back(id)
  end
end

--- Show a task of this editor from its first progress on.
---@param task zsh_ls.Task
local function begin(task)
  if known[task.id] == nil and tasks.is_ours(task) then
    screen_of(task.id)
    show(task.id)
    forget()
  end
end

--- After the answer to a run: show the task, so that it can be typed into while it runs.
---@param task zsh_ls.Task
function M.started(task)
  begin(task)
  fit()
end

--- Show progress of a task: output and its end; of an agent's task only if the user opened it.
---@param task zsh_ls.Task
---@param news zsh_ls.Progress
function M.heard(task, news)
  begin(task)
  if known[task.id] == nil then
    return
  end
  local screen = screen_of(task.id)
  if task.status ~= 'running' then
    screen:finish(news)
    if asking[task.id] then
      go_back(task.id)
    end
    asking[task.id] = nil
  elseif task.is_waiting and task.is_pty and tasks.is_ours(task) and not asking[task.id] then
    asking[task.id] = true
    if may_take_keys(task) then
      enter(task.id)
    else
      local command = require('zsh_ls.status').shortened(task.command, 30)
      rpc.say(('%s waits for input: :ZshSend'):format(command))
    end
  end
  screen:reach(news)
end

--- Show a task's output: what has been received, else what the server keeps.
---@param id? string the one that was shown, else the last one that ended, where none is named
function M.open(id)
  id = id or shown_id
  if id and known[id] and vim.api.nvim_buf_is_valid(known[id].bufnr) then
    return show(id)
  end
  rpc.ask('output', { task_id = id, from_line = 1, to_line = 1 }, function(page)
    show(page.task_id)
    local all = { from_line = 1, to_line = page.total_lines, new_bytes = page.total_bytes }
    screen_of(page.task_id):reach(all)
  end)
end

vim.api.nvim_create_autocmd('WinResized', {
  group = vim.api.nvim_create_augroup('zsh_ls_output', {}),
  callback = fit,
})

---@return string?
function M.shown_task()
  return shown_id
end

return M

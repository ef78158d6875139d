--- What tasks print, live and in colour: a terminal buffer for each, one window that follows the latest.
local rpc = require('zsh_ls.rpc')
local tasks = require('zsh_ls.tasks')
local window = require('zsh_ls.window')

local M = {}

---@class zsh_ls.Screen
---@field bufnr integer
---@field channel integer of the terminal
---@field at_line_start boolean whether what is written next begins a line

---@type table<string, zsh_ls.Screen>
local screens = {}
---@type string?
local shown_id

--- Typing into the terminal goes to the task, as it would in a terminal.
---@param id string
---@param typed string
local function on_input(id, typed)
  if vim.tbl_get(tasks.get(id) or {}, 'status') == 'running' then
    rpc.ask('send', { task_id = id, input = typed, newline = false }, function() end)
  end
end

---@param id string
---@return zsh_ls.Screen
local function screen_of(id)
  local screen = screens[id]
  if screen and vim.api.nvim_buf_is_valid(screen.bufnr) then
    return screen
  end
  local bufnr = vim.api.nvim_create_buf(false, true)
  local channel = vim.api.nvim_open_term(bufnr, {
    on_input = function(_, _, _, typed) on_input(id, typed) end,
  })
  vim.bo[bufnr].scrollback = 100000
  vim.api.nvim_buf_set_name(bufnr, 'zsh-ls://' .. id)
  vim.b[bufnr].zsh_ls_task = id
  screens[id] = { bufnr = bufnr, channel = channel, at_line_start = true }
  return screens[id]
end

--- Text for a terminal, where a line feed alone does not return.
---@param screen zsh_ls.Screen
---@param text string
local function write(screen, text)
  if text ~= '' then
    vim.api.nvim_chan_send(screen.channel, (text:gsub('\r?\n', '\r\n')))
    screen.at_line_start = vim.endswith(text, '\n')
  end
end

--- The last of a task: what it printed since, its status line, what the run found out.
---@param screen zsh_ls.Screen
---@param news zsh_ls.Progress
local function write_end(screen, news)
  local goes_on = news.output ~= '' or screen.at_line_start
  write(screen, (goes_on and '' or '\n') .. news.formatted)
end

---@param id string
local function show(id)
  shown_id = id
  local screen = screen_of(id)
  local shows = window.show_output(screen.bufnr, "%{%v:lua.require'zsh_ls.output'.winbar()%}")
  vim.api.nvim_win_set_cursor(shows, { vim.api.nvim_buf_line_count(screen.bufnr), 0 })
end

--- What stands above the output: the task, and how it goes.
---@return string
function M.winbar()
  local task = shown_id and tasks.get(shown_id)
  if not task then
    return ' zsh-ls '
  end
  local text = (' %s · %s '):format(task.command:gsub('%s+', ' '), require('zsh_ls.status').of(task))
  return (text:gsub('%%', '%%%%'))
end

--- News of a task: what it printed, and how it ended.
---@param task zsh_ls.Task
---@param news zsh_ls.Progress
function M.heard(task, news)
  local is_new = screens[task.id] == nil
  local screen = screen_of(task.id)
  if is_new and tasks.is_ours(task) then
    show(task.id)
  end
  if news.formatted then
    write_end(screen, news)
  else
    write(screen, news.output)
  end
end

--- Show a task's output: what was heard of it, else what the server keeps.
---@param id? string the last one that ended, where none is named
function M.open(id)
  id = id or shown_id
  if id and screens[id] then
    return show(id)
  end
  rpc.ask('output', { task_id = id }, function(page)
    local screen = screen_of(page.task_id)
    write(screen, page.output)
    show(page.task_id)
  end)
end

---@return string?
function M.shown_task()
  return shown_id
end

return M

--- The end and restart of servers, and leaving the editor while tasks run.
local client = require('zsh_ls.client')
local status = require('zsh_ls.status')
local tasks = require('zsh_ls.tasks')

local M = {}

-- How many running tasks a message names, and how many characters of each.
local MOST_COMMANDS, LONGEST_COMMAND = 3, 40
local LOOK_EVERY_MS = 50

--- What is told of the end of a server, on one line: a longer message asks for Enter.
---@param problem string
---@param how string
---@param cause? string its last words
---@return string
local function told(problem, how, cause)
  if not cause then
    return ('zsh-ls: %s. :ZshRestart starts another.'):format(problem)
  end
  local text, more = ('zsh-ls ended (%s): %s'):format(how, cause), '… (:checkhealth zsh_ls)'
  if vim.fn.strchars(text) <= vim.v.echospace then
    return text
  end
  return vim.fn.strcharpart(text, 0, vim.v.echospace - vim.fn.strchars(more)) .. more
end

--- Report the end of a server that nobody asked for, why where it said so, and what can be done.
---@param how zsh_ls.End
---@param id integer the client's
---@param was_asked boolean
function M.ended(how, id, was_asked)
  tasks.lost(id)
  require('zsh_ls.rehearsal').lost()
  local is_well = was_asked or vim.v.exiting ~= vim.NIL or (how.code == 0 and how.signal == 0)
  if not is_well then
    local words = how.signal ~= 0 and ('signal %d'):format(how.signal) or ('exit %d'):format(how.code)
    local problem = ('the server ended (%s)'):format(words)
    status.ended(how.root, problem, how.said)
    local cause = how.signal == 0 and how.said[#how.said] or nil
    vim.notify(told(problem, words, cause), vim.log.levels.ERROR)
  end
  vim.cmd.redrawstatus({ bang = true })
end

---@class zsh_ls.Guard
---@field bufnr integer a modified buffer: it keeps the editor from leaving
---@field shows integer a hidden window with it: without one `:q` would unload what the person has before them
---@field before integer the person's window

---@type zsh_ls.Guard?
local guard

---@param commands string[]
---@return string
local function running_tasks(commands)
  local shown = vim.tbl_map(function(command)
    return status.shortened(command, LONGEST_COMMAND)
  end, vim.list_slice(commands, 1, MOST_COMMANDS))
  local more = #commands - #shown
  local names = table.concat(shown, ', ') .. (more > 0 and (' and %d more'):format(more) or '')
  local words = #commands == 1 and { 'task is', 'it' } or { 'tasks are', 'them' }
  return ('%d %s running: %s (:qa! ends %s)'):format(#commands, words[1], names, words[2])
end

--- Keep the editor from leaving by a modified buffer; its name is the message that Neovim then shows.
---@param text string
---@return zsh_ls.Guard
local function new_guard(text)
  local bufnr, before = vim.api.nvim_create_buf(false, true), vim.api.nvim_get_current_win()
  vim.bo[bufnr].buftype = 'acwrite'
  vim.bo[bufnr].bufhidden = 'hide'
  vim.api.nvim_buf_set_name(bufnr, 'zsh-ls://' .. text)
  -- Writing it does nothing, so that `:wqa` stays as well.
  vim.api.nvim_create_autocmd('BufWriteCmd', { buffer = bufnr, callback = function() end })
  vim.bo[bufnr].modified = true
  local shows = vim.api.nvim_open_win(bufnr, false, {
    relative = 'editor', row = 0, col = 0, width = 1, height = 1, hide = true, noautocmd = true,
  })
  return { bufnr = bufnr, shows = shows, before = before }
end

--- Return from the window of the modified buffer, in which the editor stays, to the user's own.
---@param text string
local function stay(text)
  if vim.v.exiting ~= vim.NIL or not guard then
    return
  elseif vim.startswith(vim.api.nvim_get_mode().mode, 'r') then
    -- The editor shows a prompt (`:confirm`, `Press ENTER`), whose answer may be to leave.
    return vim.defer_fn(function() stay(text) end, LOOK_EVERY_MS)
  end
  if vim.api.nvim_get_current_win() == guard.shows and vim.api.nvim_win_is_valid(guard.before) then
    vim.api.nvim_set_current_win(guard.before)
  end
  vim.api.nvim_buf_delete(guard.bufnr, { force = true })
  guard = nil
  vim.notify(vim.fn.strcharpart('zsh-ls: ' .. text, 0, vim.o.columns - 12), vim.log.levels.WARN)
end

--- Keep the editor from leaving without `!` while tasks of its servers run: they would end with it.
function M.leaving()
  local commands = tasks.unfinished()
  if #commands > 0 and not guard then
    local text = running_tasks(commands)
    guard = new_guard(text)
    vim.schedule(function() stay(text) end)
  end
end

--- Stop all our servers, and start new ones for the open shell buffers.
function M.restart()
  for _, server in ipairs(client.all()) do
    client.stop(server)
  end
  status.forget_problems()
  client.attach_all()
end

return M

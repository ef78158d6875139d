--- The terminal buffer of one task: its output as the task wrote it, in colour, then how it ended.
---
--- Progress carries text without escape codes. The bytes are requested by the line numbers in it, one
--- page at a time, however fast the task writes.
local escapes = require('zsh_ls.escapes')
local rpc = require('zsh_ls.rpc')

local M = {}

---@class zsh_ls.Screen
---@field id string the task's
---@field bufnr integer
---@field channel integer of the terminal
---@field next_line integer the first line of the output that is not written whole, from 1
---@field written integer how many bytes of it are
---@field unread integer how many bytes more it is known to have
---@field wanted? integer the last line that is known to be there
---@field ending? string what follows all output
---@field is_waiting boolean for a page
---@field is_full boolean whether a full-screen program has the alternate screen
local Screen = {}
Screen.__index = Screen

-- Enough for a user to scroll through; a task may write gigabytes.
local MOST_LINES = 5000
local SCROLLBACK = 100000
-- Neovim's terminal processes about a megabyte a second, during which the editor does not respond.
local MOST_BYTES = 256 * 1024
-- Only whole lines are sent: one that keeps growing would be sent again and again.
local LONGEST_LINE_BYTES = 4 * 1024 * 1024
-- Leaves the alternate screen, and what else a program may have changed.
local RESTORED = '\27[?1049l\27[?25h\27[?1l\27[?2004l\27[0m\27[r'
local CTRL_C = '\3'

local function nothing() end

--- Typing into the terminal goes to the task, as it would in a terminal: Ctrl-C ends what has none.
---@param id string
---@param typed string
local function on_input(id, typed)
  local task = require('zsh_ls.tasks').get(id)
  if not task or task.status ~= 'running' then
    return
  end
  local on_refusal = typed == CTRL_C and function() rpc.ask('kill', { task_id = id }, nothing) end
  local params = { task_id = id, input = typed, newline = false }
  rpc.ask('send', params, nothing, { on_refusal = on_refusal or nil })
end

--- A new screen for a task.
---@param id string
---@return zsh_ls.Screen
function M.new(id)
  local bufnr = vim.api.nvim_create_buf(false, true)
  local channel = vim.api.nvim_open_term(bufnr, {
    on_input = function(_, _, _, typed) on_input(id, typed) end,
  })
  vim.bo[bufnr].scrollback = SCROLLBACK
  vim.api.nvim_buf_set_name(bufnr, 'zsh-ls://' .. id)
  vim.b[bufnr].zsh_ls_task = id
  return setmetatable({
    id = id,
    bufnr = bufnr,
    channel = channel,
    next_line = 1,
    written = 0,
    unread = 0,
    is_waiting = false,
    is_full = false,
  }, Screen)
end

--- Text for a terminal, where a line feed alone does not return.
---@param text string
function Screen:write(text)
  if text ~= '' and vim.api.nvim_buf_is_valid(self.bufnr) then
    vim.api.nvim_chan_send(self.channel, (text:gsub('\r?\n', '\r\n')))
  end
end

--- Mark the place of output that is not shown.
---@param what string
function Screen:write_gap(what)
  self:write(('\27[2m… %s …\27[0m\n'):format(what))
end

--- Write what a full-screen program wrote, as it is: it moves the cursor, and asks the terminal.
---@param bytes string
function Screen:write_full(bytes)
  if vim.api.nvim_buf_is_valid(self.bufnr) then
    vim.api.nvim_chan_send(self.channel, escapes.without_strings(bytes))
  end
end

--- Give the task's window to a full-screen program, or take it back.
---@param is_full boolean
function Screen:become(is_full)
  if is_full ~= self.is_full then
    self.is_full = is_full
    require('zsh_ls.output').full_screen(self.id, is_full)
  end
end

--- Write text of the task.
---@param bytes string
function Screen:write_output(bytes)
  for _, part in ipairs(escapes.parts(bytes, self.is_full)) do
    self:become(part.is_full)
    if part.is_full then
      self:write_full(part.text)
    else
      self:write_plain(part.text)
    end
  end
end

--- Write text of a task that scrolls, its end if it is long.
---@param bytes string
function Screen:write_plain(bytes)
  local before = #bytes - MOST_BYTES
  if before > 0 then
    self:write_gap(before .. ' bytes')
    bytes = bytes:sub(before + 1):gsub('^[\128-\191]+', '')
  end
  self:write(escapes.harmless(bytes))
end

--- The number of bytes after the last line end. A pattern with `$` would try every position of a long line.
---@param bytes string
---@return integer
local function unended(bytes)
  local last = bytes:reverse():find('\n', 1, true)
  return last and last - 1 or #bytes
end

--- Write a page, without the part of its first line that has been written already.
---@param page zsh_ls.OutputPage
function Screen:write_page(page)
  -- An incomplete sequence is in the next page as a whole.
  local bytes = escapes.whole(vim.base64.decode(page.output))
  local known = page.from_line == self.next_line and self.written or 0
  if page.from_line > self.next_line then
    self:write_gap(page.from_line - self.next_line .. ' lines')
  end
  self:write_output(bytes:sub(known + 1))
  self.written = unended(bytes)
  self.next_line = self.written == 0 and page.to_line + 1 or page.to_line
end

--- Write how the task ended, once all its output has been written.
function Screen:write_ending()
  if self.ending then
    if self.is_full then -- it was ended before it could restore the screen
      self:write_full(RESTORED)
      self:become(false)
    end
    self:write((self.written > 0 and '\n' or '') .. self.ending)
    self.ending = nil
  end
end

--- Handle a page, and request what is still missing.
---@param page zsh_ls.OutputPage
---@param to integer the last line that was asked for
function Screen:take(page, to)
  self.is_waiting = false
  if page.from_line then
    self:write_page(page)
    self.wanted = self.wanted or (page.more and page.to_line < to and to) or nil
  end
  self:go_on()
end

--- Handle a refused page: mark it as missing, and continue.
---@param message string
function Screen:miss(message)
  self.is_waiting = false
  self:write_gap(message)
  self:go_on()
end

--- Skip a line that has become too long.
function Screen:skip_line()
  local length = self.written + self.unread
  if self.wanted == self.next_line and length > LONGEST_LINE_BYTES then
    self:write((self.written > 0 and '\n' or ''))
    self:write_gap('a line of more than ' .. length .. ' bytes')
    self.next_line, self.written, self.unread = self.wanted + 1, 0, 0
  end
end

--- Request what has not been written yet; if there is nothing, write how the task ended.
function Screen:go_on()
  if self.is_waiting then
    return
  end
  self:skip_line()
  if not self.wanted or self.wanted < self.next_line then
    return self:write_ending()
  end
  self:ask(math.max(self.next_line, self.wanted - MOST_LINES), self.wanted)
end

--- Request a page.
---@param from integer a line
---@param to integer a line
function Screen:ask(from, to)
  self.wanted, self.unread, self.is_waiting = nil, 0, true
  local params = { task_id = self.id, from_line = from, to_line = to, raw = true }
  rpc.ask('output', params, function(page) self:take(page, to) end, {
    on_refusal = function(message) self:miss(message) end,
  })
end

--- Note that the output reaches to a line.
---@param news { from_line?: integer, to_line?: integer, new_bytes: integer }
function Screen:reach(news)
  self.wanted = news.to_line or self.wanted
  self.unread = news.from_line == news.to_line and self.unread + news.new_bytes or 0
  self:go_on()
end

--- Note the task's end: `formatted` holds its last output, the status line and the insights.
---@param news zsh_ls.Progress
function Screen:finish(news)
  local printed = news.output:gsub('\n$', '')
  local ending = news.formatted or ''
  if printed ~= '' and vim.startswith(ending, printed) then
    ending = ending:sub(#printed + 2)
  end
  self.ending = ending
end

return M

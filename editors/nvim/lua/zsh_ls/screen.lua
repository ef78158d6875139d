--- The terminal buffer of one task: its output as the task wrote it, in colour, then how it ended.
---
--- News of a task carry text without escape codes. The bytes are asked for by the lines the news name, one
--- page at a time, however fast the task writes; colours are let through, all else that a terminal would
--- obey is not.
local rpc = require('zsh_ls.rpc')

local M = {}

---@class zsh_ls.Screen
---@field id string the task's
---@field bufnr integer
---@field channel integer of the terminal
---@field next_line integer the first line of the output that is not written whole, from 1
---@field written integer how many bytes of it are
---@field wanted? integer the last line that is known to be there
---@field ending? string what follows all output
---@field is_waiting boolean for a page
local Screen = {}
Screen.__index = Screen

-- What a person can still scroll through; a task may write gigabytes.
local MOST_LINES = 5000
local SCROLLBACK = 100000

--- Typing into the terminal goes to the task, as it would in a terminal.
---@param id string
---@param typed string
local function on_input(id, typed)
  local task = require('zsh_ls.tasks').get(id)
  if task and task.status == 'running' then
    rpc.ask('send', { task_id = id, input = typed, newline = false }, function() end)
  end
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
    is_waiting = false,
  }, Screen)
end

--- What a terminal may be told: text, colours, erasing the rest of a line.
---@param bytes string
---@return string
local function harmless(bytes)
  bytes = bytes:gsub('\27[%]PX^_][^\7\27]*[\7\27]?\\?', '')
  bytes = bytes:gsub('\27%[[0-9;:?<=>!]*[ -/]*([@-~])', function(final)
    return final ~= 'm' and final ~= 'K' and '' or nil
  end)
  bytes = bytes:gsub('\27[^%[]', '')
  return (bytes:gsub('[%z\1-\6\11\12\14-\26\28-\31]', ''))
end

--- Text for a terminal, where a line feed alone does not return.
---@param text string
function Screen:write(text)
  if text ~= '' and vim.api.nvim_buf_is_valid(self.bufnr) then
    vim.api.nvim_chan_send(self.channel, (text:gsub('\r?\n', '\r\n')))
  end
end

--- Write a page, without what of its first line is there already.
---@param page zsh_ls.OutputPage
function Screen:write_page(page)
  local bytes = vim.base64.decode(page.output)
  -- A sequence that has only begun comes whole with the next page.
  bytes = bytes:gsub('\27%[?[0-9;:]*$', '')
  local known = page.from_line == self.next_line and self.written or 0
  if page.from_line > self.next_line then
    self:write(('\27[2m… %d lines …\27[0m\n'):format(page.from_line - self.next_line))
  end
  self:write(harmless(bytes:sub(known + 1)))
  local last = bytes:match('[^\n]*$')
  self.next_line = last == '' and page.to_line + 1 or page.to_line
  self.written = #last
end

--- Ask for what is there and not written, and when all is, write how the task ended.
function Screen:go_on()
  if self.is_waiting then
    return
  elseif not self.wanted then
    if self.ending then
      self:write((self.written > 0 and '\n' or '') .. self.ending)
      self.ending = nil
    end
    return
  end
  local to = self.wanted
  local from = math.max(self.next_line, to - MOST_LINES)
  self.wanted, self.is_waiting = nil, true
  local params = { task_id = self.id, from_line = from, to_line = to, raw = true }
  rpc.ask('output', params, function(page)
    self.is_waiting = false
    if page.from_line then
      self:write_page(page)
      self.wanted = self.wanted or (page.more and page.to_line < to and to) or nil
    end
    self:go_on()
  end)
end

--- The output is known to reach to a line.
---@param line? integer
function Screen:reach(line)
  self.wanted = line or self.wanted
  self:go_on()
end

--- The task has ended: `formatted` is what it printed last, its status line, what the run found out.
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

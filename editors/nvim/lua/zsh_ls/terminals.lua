--- Tells the server what ran in `:terminal`, for memory to learn from, where the shell sends OSC 133 or 633.
---
--- The text is read from the screen, from the end of the prompt (`133;B`) to the start of the command
--- (`133;C`), or is what the shell sends (`633;E`, `133;C;cmdline_url=`). What cannot be told for certain
--- is not told at all: a line that began with a space is nobody's business.
local client = require('zsh_ls.client')
local rpc = require('zsh_ls.rpc')
local server = require('zsh_ls.server')
local settings = require('zsh_ls.settings')

local M = {}

---@class zsh_ls.TerminalLine what is known of the line that is typed or runs in a terminal
---@field prompt_end? [integer, integer] where the prompt ended: line from 1, byte
---@field told? string the text that the shell sent
---@field seen? string the text on the screen when it began
---@field began_s? number Unix time
---@field began_ns? integer
---@field cwd? string
---@field is_drawn? boolean whether `seen` has been looked for; nil where it is not
---@field on_drawn? fun() what waits for that

---@type table<integer, zsh_ls.TerminalLine> by buffer
local lines = {}
---@type table<integer, string> by buffer: the folder that the shell said last
local folders = {}

-- Neovim draws what a terminal was sent 10 ms later.
local DRAWN_MS = 50
-- Shells that send a line as it was typed; bash takes it from its history, where leading spaces are lost.
local SEND_SPACES = { zsh = true, fish = true }

---@param bufnr integer
---@return integer?
local function process_of(bufnr)
  local ok, process = pcall(vim.fn.jobpid, vim.bo[bufnr].channel)
  return ok and process or nil
end

---@param bufnr integer
---@return string
local function shell_of(bufnr)
  local ok, channel = pcall(vim.api.nvim_get_chan_info, vim.bo[bufnr].channel)
  local program = ok and channel.argv and channel.argv[1] or ''
  return (vim.fs.basename(program):gsub('^-', ''))
end

--- The folder that the shell is in: as it said, else as the system has it.
---@param bufnr integer
---@return string?
local function folder_of(bufnr)
  local process = process_of(bufnr)
  return folders[bufnr] or process and vim.uv.fs_readlink(('/proc/%d/cwd'):format(process)) or nil
end

--- Whether a line ends in something of its own at the right edge, as zsh's right prompt does.
---@param text string
---@param columns integer
---@return boolean
local function has_right_prompt(text, columns)
  return text:find('%S%s%s+%S') ~= nil and vim.fn.strdisplaywidth(text) >= columns - 1
end

--- The text on the screen from `from` to above the line `to`; nil where more than that line may stand there.
---@param bufnr integer
---@param from [integer, integer]
---@param to integer
---@return string?
local function text_between(bufnr, from, to)
  local window = vim.fn.bufwinid(bufnr)
  local columns = window > 0 and vim.fn.getwininfo(window)[1].width or vim.o.columns
  if from[1] < 1 or to <= from[1] then
    return nil
  end
  local shown = vim.api.nvim_buf_get_lines(bufnr, from[1] - 1, to - 1, false)
  for at, line in ipairs(shown) do
    local is_whole = at < #shown and vim.fn.strdisplaywidth(line) < columns
    if is_whole or has_right_prompt(line, columns) then
      return nil -- another prompt follows, or a right one stands here
    end
  end
  return (table.concat(shown):sub(from[2] + 1):gsub('%s+$', ''))
end

---@param text string as `633;E` has it
---@return string
local function unescaped(text)
  return (text:gsub('\\(\\?)(x?)(%x?%x?)', function(slash, x, digits)
    if slash ~= '' then
      return '\\' .. x .. digits
    end
    return x ~= '' and #digits == 2 and string.char(tonumber(digits, 16)) or nil
  end))
end

--- The line that ran, a leading space included; nil where that is not certain.
---@param bufnr integer
---@param line zsh_ls.TerminalLine
---@return string?
local function text_of(bufnr, line)
  if not line.told then
    return line.seen
  elseif line.seen then
    return (line.seen:find('^%s') and not line.told:find('^%s') and ' ' or '') .. line.told
  end
  return SEND_SPACES[shell_of(bufnr)] and line.told or nil
end

--- The command begins: what stands on the screen now, if it is still there when all is drawn.
---@param bufnr integer
---@param line zsh_ls.TerminalLine
---@param cursor? [integer, integer]
local function began(bufnr, line, cursor)
  local now_s, now_us = vim.uv.gettimeofday()
  line.began_s, line.began_ns = now_s + now_us / 1e6, vim.uv.hrtime()
  line.cwd = folder_of(bufnr)
  local from = line.prompt_end
  if not from or not cursor then
    return
  end
  local first = text_between(bufnr, from, cursor[1])
  line.is_drawn = false
  vim.defer_fn(function()
    local last = vim.api.nvim_buf_is_valid(bufnr) and text_between(bufnr, from, cursor[1])
    -- A command may clear the screen, or write over it.
    line.seen = first and last and vim.startswith(last, first) and last ~= '' and last or nil
    line.is_drawn = true
    if line.on_drawn then
      line.on_drawn()
    end
  end, DRAWN_MS)
end

---@param bufnr integer
---@param line zsh_ls.TerminalLine
---@param exit integer
local function ended(bufnr, line, exit)
  local duration_s = (vim.uv.hrtime() - line.began_ns) / 1e9
  local process = process_of(bufnr)
  local is_there = client.all()[1] or client.configured_command() or server.is_there()
  local may_run = settings.get().settings.trusted ~= false
  if not line.cwd or not is_there or not may_run or require('zsh_ls.status').problems()[1] then
    return
  end
  local function tell()
    local command = text_of(bufnr, line)
    if not command or not command:find('%S') then
      return
    end
    local run = {
      command = command,
      exit = exit,
      cwd = line.cwd,
      duration_s = duration_s,
      started_at = line.began_s,
      process = process,
    }
    local function nothing() end
    -- A server that is older than this request learns nothing; nobody asked for an answer.
    rpc.ask('terminalRun', run, nothing, { on_refusal = nothing })
  end
  if line.is_drawn == false then
    line.on_drawn = tell
  else
    tell()
  end
end

--- One escape sequence of a terminal's program.
---@param bufnr integer
---@param sequence string without its terminator
---@param cursor? [integer, integer] where it came, in Neovim 0.11 and later
local function heard(bufnr, sequence, cursor)
  local host_and_path = sequence:match('^\27%]7;file://(.*)')
  local told_folder = sequence:match('^\27%]633;P;Cwd=(.*)')
  if host_and_path or told_folder then
    local path = host_and_path and vim.uri_decode(host_and_path:match('/.*') or '') or unescaped(told_folder)
    folders[bufnr] = vim.fn.isdirectory(path) == 1 and path or nil
    return
  end
  local kind, mark, rest = sequence:match('^\27%](%d+);(%a);?(.*)')
  if kind ~= '133' and kind ~= '633' then
    return
  end
  local line = lines[bufnr] or {}
  lines[bufnr] = line
  if mark == 'A' then
    lines[bufnr] = {}
  elseif mark == 'B' and not line.began_ns then
    line.prompt_end = cursor
  elseif mark == 'E' and kind == '633' then
    line.told = unescaped(rest:match('^[^;]*'))
  elseif mark == 'C' and not line.began_ns then
    local url = rest:match('cmdline_url=([^;]*)')
    line.told = url and vim.uri_decode(url) or line.told
    began(bufnr, line, cursor)
  elseif mark == 'D' then
    lines[bufnr] = nil
    local exit = tonumber(rest:match('^%d+'))
    if exit and line.began_ns then
      ended(bufnr, line, exit)
    end
  end
end

--- Listen to the terminals of this Neovim.
function M.enable()
  local group = vim.api.nvim_create_augroup('zsh_ls_terminals', {})
  vim.api.nvim_create_autocmd('TermRequest', {
    group = group,
    desc = 'zsh-ls learns what ran',
    callback = function(event)
      local data = event.data
      -- 0.10 gives the sequence alone.
      if type(data) == 'table' then
        heard(event.buf, data.sequence, data.cursor)
      else
        heard(event.buf, type(data) == 'string' and data or vim.v.termrequest, nil)
      end
    end,
  })
  vim.api.nvim_create_autocmd({ 'TermClose', 'BufWipeout' }, {
    group = group,
    callback = function(event)
      lines[event.buf], folders[event.buf] = nil, nil
    end,
  })
end

return M

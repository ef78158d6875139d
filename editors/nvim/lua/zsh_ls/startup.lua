--- Where the time goes when the shell starts: hints on lines, and the dearest as a quickfix list.
local protocol = require('zsh_ls.protocol')
local rpc = require('zsh_ls.rpc')

local M = {}

---@class zsh_ls.Measurement
---@field token string of its progress
---@field percentage integer
---@field client? vim.lsp.Client that of the server which was asked
---@field autocmd integer that hears its progress

---@class zsh_ls.HowFar
---@field percentage? integer
---@field message? string what is done now

---@type zsh_ls.Measurement? the one that was asked for and is not answered
local latest
local measured = 0

---@type number the share of the time from which on the dearest line is named
local MUCH = 0.1
---@type integer the dearest lines that are listed
local LISTED = 20
local LISTS = '. :copen lists where the time goes'

--- A place as `~/.zshrc:6`.
---@param file string
---@param line? integer from 0
---@return string
local function place(file, line)
  return vim.fn.fnamemodify(file, ':~') .. (type(line) == 'number' and ':' .. (line + 1) or '')
end

---@param found zsh_ls.Startup
---@return string
local function title(found)
  local stuck = found.stuck
  if stuck then
    return ('%s came to no prompt: %s: %s'):format(found.shell, place(stuck.file, stuck.line), stuck.command)
  end
  return ('%s: first prompt after %.0f ms'):format(found.shell, found.first_prompt_ms.median)
end

--- Since when a line is slower, and by how much: `slower since 12 Nov: +82 ms`.
---@param slower zsh_ls.Slower
---@return string
local function since(slower)
  local year, month, day, hour, min, sec = slower.at:match('^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)')
  local utc = { year = year, month = month, day = day, hour = hour, min = min, sec = sec, isdst = false }
  local ahead = os.difftime(os.time(), os.time(os.date('!*t') --[[@as osdateparam]]))
  local date = vim.trim(vim.fn.strftime('%e %b', os.time(utc) + ahead))
  return ('slower since %s: %+.0f ms'):format(date, slower.more_ms)
end

--- What the start takes less without some lines: `without ~/.zshrc:41: 104 ms less (± 3)`.
---@param without zsh_ls.WithoutLines
---@return string
local function saving(without)
  local lines = vim.fn.fnamemodify(without.range, ':~')
  if not without.saves_ms then
    return ('%s was not left out: %s'):format(lines, without.refused)
  elseif not without.certain then
    return ('without %s: cannot be told from noise (± %.0f ms)'):format(lines, without.spread_ms)
  end
  local saves, less = without.saves_ms, without.saves_ms >= 0 and 'less' or 'more'
  return ('without %s: %.0f ms %s (± %.0f)'):format(lines, math.abs(saves), less, without.spread_ms)
end

--- What starts left running, which was ended.
---@param found zsh_ls.Startup
---@return string?
local function left_running(found)
  local commands = vim.tbl_map(function(left) return left.command end, found.left or {})
  return #commands > 0 and 'Left running, and ended: ' .. table.concat(commands, ', ') or nil
end

--- That others kept the machine busy, which makes times and savings uncertain.
---@param found zsh_ls.Startup
---@return string?
local function busy(found)
  return found.busy and ('The machine is busy (load %.0f), so times are uncertain'):format(found.busy.load)
end

--- A line's own time as its hint has it, without what tracing took where that is much.
---@param line zsh_ls.StartupLine
---@return number
local function own_ms(line)
  return line.own_ms - (line.tracing_ms or 0)
end

--- The line that takes most, which may be in a file that nobody has open; nothing where none takes much.
---@param found zsh_ls.Startup
---@return string?
local function dearest_line(found)
  local most ---@type zsh_ls.StartupLine?
  for _, it in ipairs(found.lines) do
    if type(it.line) == 'number' and (not most or own_ms(it) > own_ms(most)) then
      most = it
    end
  end
  if most and own_ms(most) >= MUCH * found.first_prompt_ms.median then
    return ('%s:%d: %.0f ms'):format(vim.fn.fnamemodify(most.file, ':t'), most.line + 1, own_ms(most))
  end
end

--- The title, what was wrong, what has become slower, and what was left running: what there is room for, as
--- more than a line waits for Enter. The list has all of it.
---@param found zsh_ls.Startup
---@return string
local function told(found)
  local sentences = { title(found) }
  vim.list_extend(sentences, vim.tbl_map(saving, found.without))
  sentences[#sentences + 1] = busy(found)
  if #found.without == 0 and not found.stuck then
    sentences[#sentences + 1] = dearest_line(found)
  end
  local errors = found.errors or {}
  if #errors > 0 then
    local more = #errors > 1 and (' (+%d)'):format(#errors - 1) or ''
    local where = place(errors[1].file, errors[1].line)
    sentences[#sentences + 1] = ('%s: %s%s'):format(where, errors[1].message, more)
  end
  for _, slower in ipairs(found.since or {}) do
    sentences[#sentences + 1] = since(slower) .. ', ' .. place(slower.file, slower.line)
  end
  sentences[#sentences + 1] = left_running(found)
  local function fits(text) return vim.fn.strwidth('zsh-ls: ' .. text) <= vim.v.echospace end
  local all = table.concat(sentences, '. ')
  if fits(all .. LISTS) or fits(all) then
    return fits(all .. LISTS) and all .. LISTS or all
  end
  repeat
    table.remove(sentences)
    all = table.concat(sentences, '. ') .. '. :copen lists the rest'
  until fits(all) or #sentences == 1
  return all
end

--- The text of a line, of as many characters as a row has room for.
---@param file string
---@param line integer from 0
---@return string
local function text_of(file, line)
  local read, lines = pcall(vim.fn.readfile, file, '', line + 1)
  local text = vim.trim(read and lines[line + 1] or ''):gsub('%c', ' ')
  return vim.fn.strcharpart(text, 0, 60)
end

--- A file as a list names it: its folder is told, as many plugins have an `init.zsh`; those above it are
--- one letter each, or there is no room for what the line does.
---@param file string
---@return string
local function short(file)
  local above, folder_and_name = vim.fn.fnamemodify(file, ':~'):match('^(.*/)([^/]+/[^/]+)$')
  return above and vim.fn.pathshorten(above) .. folder_and_name or vim.fn.fnamemodify(file, ':~')
end

---@param found zsh_ls.Startup
---@return vim.quickfix.entry[]
local function items(found)
  local listed = {}
  if found.stuck and type(found.stuck.line) == 'number' then
    listed[1] = { filename = found.stuck.file, lnum = found.stuck.line + 1, text = title(found), type = 'E' }
  end
  for _, problem in ipairs(found.errors or {}) do
    if type(problem.line) == 'number' then
      local text = problem.message
      listed[#listed + 1] = { filename = problem.file, lnum = problem.line + 1, text = text, type = 'E' }
    end
  end
  for _, without in ipairs(found.without) do
    local file, line = without.range:match('^(.+):(%d+)')
    listed[#listed + 1] = { filename = file, lnum = tonumber(line), text = saving(without), type = 'I' }
  end
  for _, cause in ipairs(found.causes) do
    if type(cause.line) == 'number' then
      local text = ('%.1f ms %s  %s'):format(cause.ms, cause.code, text_of(cause.file, cause.line))
      listed[#listed + 1] = { filename = cause.file, lnum = cause.line + 1, text = text, type = 'W' }
    end
  end
  local dearest = {} ---@type vim.quickfix.entry[]
  local slower = {} ---@type table<string, string>
  for _, it in ipairs(found.since or {}) do
    slower[('%s:%s'):format(it.file, it.line)] = since(it)
  end
  local lines = vim.tbl_filter(function(line) return type(line.line) == 'number' end, found.lines)
  table.sort(lines, function(one, other) return own_ms(one) > own_ms(other) end)
  for _, line in ipairs(lines) do
    if #dearest < LISTED then
      local text = vim.trim(('%.1f ms %s'):format(own_ms(line), table.concat(line.programs, ' ')))
      local more = slower[('%s:%s'):format(line.file, line.line)]
      text = more and ('%s, %s'):format(text, more) or text
      text = vim.trim(('%s  %s'):format(text, text_of(line.file, line.line)))
      dearest[#dearest + 1] = { filename = line.file, lnum = line.line + 1, text = text }
    end
  end
  vim.list_extend(listed, dearest)
  for _, item in ipairs(listed) do
    item.module = short(item.filename)
  end
  for _, told_of in ipairs({ busy, left_running }) do
    local text = told_of(found)
    listed[#listed + 1] = text and { text = text, valid = 0 }
  end
  return listed
end

---@type table<string, string> files that a start was seen to read, and which shell read them
local read_by = {}

--- Have a buffer of such a file for a script: functions that zsh autoloads have no extension, and a file of
--- settings that begins with `#` is called `conf`.
---@param bufnr integer
local function take_for_script(bufnr)
  local shell = read_by[vim.api.nvim_buf_get_name(bufnr)]
  if shell and vim.list_contains({ '', 'conf' }, vim.bo[bufnr].filetype) then
    vim.bo[bufnr].filetype = shell
  end
end

--- The same for the files of a start, opened already or later.
---@param found zsh_ls.Startup
local function take_for_scripts(found)
  for _, cost in ipairs(found.files) do
    read_by[cost.file] = found.shell
  end
  vim.api.nvim_create_autocmd('BufReadPost', {
    group = vim.api.nvim_create_augroup('zsh_ls.startup', {}),
    callback = function(event) take_for_script(event.buf) end,
  })
  vim.iter(vim.api.nvim_list_bufs()):filter(vim.api.nvim_buf_is_loaded):each(take_for_script)
end

--- The measurement that runs; none where its server has ended meanwhile.
---@return zsh_ls.Measurement?
local function running()
  local asked = latest and latest.client
  return asked and vim.lsp.get_client_by_id(asked.id) and latest or nil
end

--- The measurement that runs, for the status line.
---@return string?
function M.status()
  local now = running()
  return now and ('measuring the start %d%%'):format(now.percentage)
end

--- Forget a measurement that is answered or was ended.
---@param mine zsh_ls.Measurement
local function over(mine)
  if latest == mine then
    vim.api.nvim_del_autocmd(mine.autocmd)
    latest = nil
    vim.cmd.redrawstatus({ bang = true })
  end
end

--- End the measurement that runs; whether there was one. Neovim drops the answer to what was cancelled.
---@return boolean
function M.cancel()
  local now = running()
  if now then
    rpc.notify(now.client, 'window/workDoneProgress/cancel', { token = now.token })
    over(now)
    rpc.say('the start is no longer measured')
  end
  return now ~= nil
end

--- Note how far the measurement is.
---@param event { data: { params: { token: string|integer, value: zsh_ls.HowFar } } }
local function progressed(event)
  local params = event.data.params
  if latest and params.token == latest.token then
    latest.percentage = params.value.percentage or latest.percentage
    vim.cmd.redrawstatus({ bang = true })
    -- Few have it in their status line. Whoever types a command or answers a question is left alone.
    if vim.api.nvim_get_mode().mode == 'n' then
      local doing = params.value.message and ('; ' .. params.value.message) or ''
      rpc.echo(('measuring the start, %d%%; :ZshStop ends it%s'):format(latest.percentage, doing))
    end
  end
end

--- Measure the start of a shell, one at a time: its progress is in the status line, and hints are on the
--- lines when it is done.
---@param params zsh_ls.StartupParams
---@param bufnr? integer
function M.measure(params, bufnr)
  if running() then
    return rpc.say('the start is being measured; :ZshStop ends that')
  end
  if latest then
    over(latest)
  end
  measured = measured + 1
  local mine = {
    token = ('zsh-ls-startup-%d'):format(measured),
    percentage = 0,
    autocmd = vim.api.nvim_create_autocmd('LspProgress', { callback = progressed }),
  } ---@type zsh_ls.Measurement
  latest = mine
  rpc.ask('startup', vim.tbl_extend('force', params, { workDoneToken = mine.token }), function(found)
    over(mine)
    take_for_scripts(found)
    vim.fn.setqflist({}, ' ', { title = title(found), items = items(found) })
    rpc.say(told(found))
  end, {
    bufnr = bufnr,
    on_sent = function(to)
      mine.client = to
      -- The list of lenses that it was chosen from would stay, and wait for Enter.
      vim.cmd.redraw()
      rpc.say('measuring the start, which takes a while; :ZshStop ends it')
    end,
    on_refusal = function(message)
      over(mine)
      rpc.say_refusal(message)
    end,
  })
end

--- What the server of a buffer offers to measure there, by a lens or a code action.
---@param bufnr integer
---@param method string
---@param params table
---@param on_answer fun(params?: zsh_ls.StartupParams)
local function offered(bufnr, method, params, on_answer)
  local server = rpc.served(bufnr)
  if not server then
    return
  end
  params.textDocument = vim.lsp.util.make_text_document_params(bufnr)
  rpc.request(server, method, params, function(_, answer)
    for _, found in ipairs(answer or {}) do
      if found.command and found.command.command == protocol.commands.startup then
        return on_answer(found.command.arguments[1])
      end
    end
    on_answer(nil)
  end, bufnr)
end

--- Measure the start that reads a buffer; of any other file that of the person's own shell.
---@param bufnr integer
function M.of_buffer(bufnr)
  if #require('zsh_ls.client').all(bufnr) == 0 then
    return M.measure({})
  end
  offered(bufnr, 'textDocument/codeLens', {}, function(params) M.measure(params or {}, bufnr) end)
end

--- Measure what the start would take without some lines of a buffer, from 0.
---@param bufnr integer
---@param first integer
---@param last integer
function M.without_lines(bufnr, first, last)
  local range = {
    start = { line = first, character = 0 },
    ['end'] = first == last and { line = first, character = 0 } or { line = last + 1, character = 0 },
  }
  local params = { range = range, context = { diagnostics = {}, only = { 'zsh-ls.startup' } } }
  offered(bufnr, 'textDocument/codeAction', params, function(found)
    if found then
      return M.measure(found, bufnr)
    end
    local why = vim.bo[bufnr].modified and 'write the buffer first: a start reads the file'
      or 'no command of a start-up file stands here'
    rpc.say(why, vim.log.levels.WARN)
  end)
end

return M

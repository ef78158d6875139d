--- What a script would do: hints behind its lines, and those that matter as a quickfix list.
local rpc = require('zsh_ls.rpc')

local M = {}

-- The exit of a program that is not there.
local NOT_FOUND = 127

---@param argv string[]
---@return string
local function words(argv)
  return table.concat(argv, ' ')
end

---@param line zsh_ls.RehearsedLine
---@return string[]
local function said(line)
  local parts = {}
  for _, write in ipairs(line.writes) do
    local verb = write.action == 'remove' and 'would remove ' or 'would write '
    parts[#parts + 1] = verb .. write.path
  end
  for _, command in ipairs(line.commands) do
    if command.kind == 'stub' then
      local missing = command.exit == NOT_FOUND and ' (not found here)' or ''
      parts[#parts + 1] = 'would run ' .. words(command.argv) .. missing
    end
    for _, why in ipairs(command.depends_on or {}) do
      parts[#parts + 1] = ('%s is not known here: %s did not run'):format(why.name, why.command)
    end
  end
  return parts
end

--- The lines that destroy, publish, reach the network, or rely on what is not known.
---@param found zsh_ls.RehearsalResult
---@param bufnr integer
---@return vim.quickfix.entry[]
local function items(found, bufnr)
  local listed = {}
  for _, line in ipairs(found.lines) do
    local parts = said(line)
    if #line.marks > 0 or #parts > 0 then
      local marks = #line.marks > 0 and table.concat(line.marks, ', ') .. ': ' or ''
      listed[#listed + 1] = {
        filename = line.file,
        bufnr = not line.file and bufnr or nil,
        lnum = line.line + 1,
        text = marks .. (parts[1] or words(line.commands[1] and line.commands[1].argv or {})),
        type = #line.marks > 0 and 'W' or 'I',
      }
    end
  end
  return listed
end

---@param found zsh_ls.RehearsalResult
---@return string
local function title(found)
  local would = 0
  for _, line in ipairs(found.lines) do
    for _, command in ipairs(line.commands) do
      would = would + (command.kind == 'stub' and 1 or 0)
    end
  end
  local ending
  if found.stopped then
    ending = ('stopped on line %d: %s'):format(found.stopped.line + 1, found.stopped.reason)
  else
    ending = ('exit %d'):format(found.exit)
  end
  return ('rehearsed: %d commands would run, %s'):format(would, ending)
end

---@type string? the script that is being rehearsed, which takes up to a minute
local rehearsing

--- For the status line; nil where nothing is rehearsed.
---@return string?
function M.status()
  return rehearsing and 'rehearsing ' .. rehearsing
end

--- A server has ended, and what it rehearsed with it.
function M.lost()
  rehearsing = nil
end

--- Rehearse the script of a buffer; hints come to its lines, the quickfix list has those that matter.
---@param params zsh_ls.RehearseParams
---@param bufnr integer
---@param typed? string the script's arguments
function M.rehearse(params, bufnr, typed)
  require('zsh_ls.questions').of_script(params, typed or '', bufnr, function(args)
    local asked = vim.tbl_extend('force', params, { args = #args > 0 and args or nil })
    local function ended()
      rehearsing = nil
      vim.cmd.redrawstatus({ bang = true })
    end
    rehearsing = vim.fs.basename(vim.uri_to_fname(params.textDocument.uri))
    rpc.echo('rehearsing ' .. rehearsing)
    vim.cmd.redrawstatus({ bang = true })
    rpc.ask('rehearse', asked, function(found)
      ended()
      vim.fn.setqflist({}, ' ', { title = title(found), items = items(found, bufnr) })
      rpc.say(title(found))
    end, {
      bufnr = bufnr,
      on_refusal = function(message)
        ended()
        rpc.say_refusal(message)
      end,
    })
  end)
end

--- Rehearse a buffer with the script's arguments; with `line`, from 0, what runs on that line fails.
---@param bufnr integer
---@param typed string
---@param line? integer
function M.buffer(bufnr, typed, line)
  if not rpc.served(bufnr) then
    return
  end
  M.rehearse({ textDocument = { uri = vim.uri_from_bufnr(bufnr) }, fail = line }, bufnr, typed)
end

return M

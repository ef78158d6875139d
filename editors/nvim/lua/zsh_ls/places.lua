--- The places that outputs name: diagnostics of their files until those lines change, and a quickfix list.
local M = {}

---@class zsh_ls.FoundPlace: zsh_ls.Place
---@field at integer the line it stands on by now, from 0
---@field gone? boolean whether that line has changed

---@class zsh_ls.RunPlaces
---@field command string
---@field found zsh_ls.FoundPlace[]
---@field trace vim.quickfix.entry[] the lines of a traced script that failed

-- What a search found is no finding about its file: it is in the list alone.
local SEARCHES = { grep = true, egrep = true, fgrep = true, zgrep = true, rg = true, ag = true, ack = true }
local KEPT = 20

local namespace = vim.api.nvim_create_namespace('zsh_ls.places')
-- A compiler's note on the line of its error would else hide the error's sign.
vim.diagnostic.config({ severity_sort = true }, namespace)
---@type table<string, zsh_ls.RunPlaces> by task
local runs = {}
local order = {} ---@type string[] tasks with places, the latest last
local watched = {} ---@type table<integer, boolean> buffers whose changes are followed

local LEVELS = {
  error = vim.diagnostic.severity.ERROR,
  warning = vim.diagnostic.severity.WARN,
  info = vim.diagnostic.severity.INFO,
}
local TYPES = { error = 'E', warning = 'W', info = 'I' }

--- The byte column of a character, from 0; of a buffer that is not loaded the characters count as bytes.
---@param bufnr integer
---@param place zsh_ls.FoundPlace
---@return integer
local function byte_column(bufnr, place)
  local column = (place.column or 1) - 1
  local line = vim.api.nvim_buf_is_loaded(bufnr)
    and vim.api.nvim_buf_get_lines(bufnr, place.at, place.at + 1, false)[1]
  return line and vim.str_byteindex(line, math.min(column, vim.fn.strchars(line))) or column
end

---@param place zsh_ls.Place
---@return string
local function text_of(place)
  return place.test and ('%s (%s)'):format(place.message, place.test) or place.message
end

--- Show in a buffer what all runs say about its file now.
---@param bufnr integer
local function show(bufnr)
  local path, shown = vim.api.nvim_buf_get_name(bufnr), {}
  for _, id in ipairs(order) do
    for _, place in ipairs(runs[id].found) do
      local is_search = place.severity == 'info' and SEARCHES[place.source]
      if place.file == path and not place.gone and not is_search then
        shown[#shown + 1] = {
          lnum = place.at,
          col = byte_column(bufnr, place),
          severity = LEVELS[place.severity],
          message = text_of(place),
          source = place.source,
        }
      end
    end
  end
  vim.diagnostic.set(namespace, bufnr, shown)
end

--- A line that changes has no place any more; those below move along.
---@param bufnr integer
---@param first integer from 0
---@param last integer exclusive, before the change
---@param new_last integer
local function changed(bufnr, first, last, new_last)
  local path, is_touched = vim.api.nvim_buf_get_name(bufnr), false
  for _, run in pairs(runs) do
    for _, place in ipairs(run.found) do
      if place.file == path and place.at >= first then
        is_touched = true
        if place.at < last then
          place.gone = true
        else
          place.at = place.at + new_last - last
        end
      end
    end
  end
  if is_touched then
    vim.schedule(function()
      if vim.api.nvim_buf_is_valid(bufnr) then
        show(bufnr)
      end
    end)
  end
end

---@param bufnr integer
local function watch(bufnr)
  if watched[bufnr] or not vim.api.nvim_buf_is_loaded(bufnr) then
    return
  end
  watched[bufnr] = vim.api.nvim_buf_attach(bufnr, false, {
    on_lines = function(_, _, _, first, last, new_last) changed(bufnr, first, last, new_last) end,
    on_detach = function() watched[bufnr] = nil end,
  })
end

---@param files table<string, boolean>
local function show_files(files)
  for file in pairs(files) do
    local bufnr = vim.fn.bufadd(file)
    watch(bufnr)
    show(bufnr)
  end
end

---@param id string
---@param files table<string, boolean> what is to be shown anew
local function forget(id, files)
  for _, place in ipairs(runs[id].found) do
    files[place.file] = true
  end
  runs[id] = nil
  order = vim.tbl_filter(function(other) return other ~= id end, order)
end

--- The places of a task; those of an earlier run of the same command are gone.
---@param id string
---@param command string
---@param files table<string, boolean>
---@return zsh_ls.RunPlaces
local function of_task(id, command, files)
  if not runs[id] then
    for other, run in pairs(runs) do
      if run.command == command then
        forget(other, files)
      end
    end
    runs[id] = { command = command, found = {}, trace = {} }
    order[#order + 1] = id
    while #order > KEPT do
      forget(order[1], files)
    end
  end
  return runs[id]
end

--- Note the places that progress of a task brings.
---@param news zsh_ls.Progress
function M.heard(news)
  local files = {}
  -- A run that names none takes those of the one before away.
  local run = of_task(news.task_id, news.command, files)
  for _, place in ipairs(news.places or {}) do
    place.at = place.line - 1
    files[place.file] = true
    run.found[#run.found + 1] = place
  end
  show_files(files)
end

--- Those of the lines that failed by themselves: a compound command has the exit of one within it.
---@param failed zsh_ls.TracedLine[]
---@param folds lsp.FoldingRange[]
---@return zsh_ls.TracedLine[]
local function innermost(failed, folds)
  return vim.tbl_filter(function(outer)
    return not vim.iter(folds):any(function(fold)
      return fold.startLine == outer.line
        and vim.iter(failed):any(function(inner)
          return inner.exit == outer.exit and outer.line < inner.line and inner.line <= fold.endLine
        end)
    end)
  end, failed)
end

--- Note the lines of a traced script that failed.
---@param bufnr integer
---@param result zsh_ls.TaskResult
function M.traced(bufnr, result)
  local run = of_task(result.task_id, result.command, {})
  local failed = vim.tbl_filter(function(line) return line.exit ~= 0 end, result.lines or {})
  local function note(lines)
    run.trace = vim.tbl_map(function(line)
      local shown = vim.api.nvim_buf_get_lines(bufnr, line.line, line.line + 1, false)[1] or ''
      local text = ('exit %d: %s'):format(line.exit, vim.trim(shown))
      return { bufnr = bufnr, lnum = line.line + 1, text = text, type = 'E' }
    end, lines)
  end
  note(failed)
  local rpc = require('zsh_ls.rpc')
  local server = #failed > 1 and rpc.served(bufnr)
  if server then
    local params = { textDocument = { uri = vim.uri_from_bufnr(bufnr) } }
    rpc.request(server, 'textDocument/foldingRange', params, function(_, folds)
      note(innermost(failed, folds or {}))
    end, bufnr)
  end
end

---@param run zsh_ls.RunPlaces
---@return vim.quickfix.entry[]
local function items(run)
  local listed = {}
  for _, place in ipairs(run.found) do
    if not place.gone then
      listed[#listed + 1] = {
        filename = place.file,
        lnum = place.at + 1,
        end_lnum = place.end_line,
        col = byte_column(vim.fn.bufadd(place.file), place) + 1,
        type = TYPES[place.severity],
        text = ('%s: %s'):format(place.source, text_of(place)),
      }
    end
  end
  return vim.list_extend(listed, run.trace)
end

--- List the places of a task, or of the latest that has any, and open the list.
---@param id? string
function M.list(id)
  for index = #order, 1, -1 do
    if not id or order[index] == id then
      local run = runs[order[index]]
      local listed = items(run)
      if #listed > 0 then
        local title = require('zsh_ls.status').shortened(run.command, 200)
        vim.fn.setqflist({}, ' ', { title = title, items = listed })
        vim.cmd('botright copen')
        return
      end
    end
  end
  require('zsh_ls.rpc').say('no output names a place in a file')
end

--- Files that are read later get their places then.
function M.follow()
  vim.api.nvim_create_autocmd('BufReadPost', {
    group = vim.api.nvim_create_augroup('zsh_ls.places', {}),
    callback = function(args)
      local path = vim.api.nvim_buf_get_name(args.buf)
      for _, run in pairs(runs) do
        for _, place in ipairs(run.found) do
          if place.file == path then
            watch(args.buf)
            return show(args.buf)
          end
        end
      end
    end,
  })
end

return M

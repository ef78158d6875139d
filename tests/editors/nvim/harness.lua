--- Runs one file of specs in this Neovim (`nvim -u init.lua -l harness.lua SPEC`), and writes as JSON what
--- each came to.
local H = {}

local specs = {} ---@type [string, fun()][]
local said = {} ---@type string[]

-- The documented place to take over messages.
vim.notify = function(text) table.insert(said, text) end
vim.notify_once = vim.notify

-- Neovim's own would read the standard input, which is at its end, and leave: all that follows would be lost.
local function choose_nothing(_, options)
  table.insert(said, ('asked, and nobody chose: %s'):format(options.prompt))
end

--- Declare a promise and how it is checked.
---@param promise string
---@param check fun()
function H.it(promise, check)
  if vim.endswith(promise, ' (0.11)') and vim.fn.has('nvim-0.11') == 0 then
    return -- what cannot come would be waited for in vain
  end
  table.insert(specs, { promise, check })
end

--- Wait for something to come true; it comes soon, or the machine is very busy.
---@generic T
---@param what string
---@param found fun(): T
---@return T
function H.wait(what, found)
  local value
  local came = vim.wait(tonumber(vim.env.ZSH_LS_PATIENCE_MS) or 90000, function()
    value = found()
    return value ~= nil and value ~= false
  end, 20)
  if not came then
    error(('%s did not come. Said: %s'):format(what, vim.inspect(said)), 2)
  end
  return value
end

---@param expected any
---@param found any
function H.eq(expected, found)
  if not vim.deep_equal(expected, found) then
    error(('expected %s, found %s'):format(vim.inspect(expected), vim.inspect(found)), 2)
  end
end

---@param text string
---@param part string
function H.has(text, part)
  if not tostring(text):find(part, 1, true) then
    error(('expected %q in %s'):format(part, text), 2)
  end
end

--- Wait until the person was told something.
---@param part string
---@return string
function H.told(part)
  return H.wait(('a message with %q'):format(part), function()
    return vim.iter(said):find(function(text) return text:find(part, 1, true) end)
  end)
end

---@return string[]
function H.said()
  return said
end

local files = 0

--- A new file below the workspace (or elsewhere), in the current window.
---@param text string
---@param name? string
---@return integer bufnr
function H.edit(text, name)
  files = files + 1
  local path = vim.fs.normalize(name or ('%s/project/file%d.zsh'):format(vim.env.HOME, files))
  vim.fn.mkdir(vim.fs.dirname(path), 'p')
  vim.fn.writefile(vim.split(text, '\n'), path)
  vim.cmd.edit(vim.fn.fnameescape(path))
  return vim.api.nvim_get_current_buf()
end

--- The server of a buffer, once it has been initialized.
---@param bufnr? integer
---@return vim.lsp.Client
function H.client(bufnr)
  return H.wait('a server', function()
    local found = vim.lsp.get_clients({ name = 'zsh_ls', bufnr = bufnr })[1]
    return found and found.initialized and found
  end)
end

--- A new script with its server.
---@param text string
---@param name? string
---@return integer bufnr
---@return vim.lsp.Client client
function H.script(text, name)
  local bufnr = H.edit(text, name)
  return bufnr, H.client(bufnr)
end

--- The buffer in the window that shows output.
---@return integer?
function H.output_buffer()
  local window = require('zsh_ls.window').output_window()
  return window and vim.api.nvim_win_get_buf(window)
end

--- The text of the window that shows output, once `part` stands there.
---@param part string
---@return string
function H.output(part)
  return H.wait(('output with %q'):format(part), function()
    local bufnr = H.output_buffer()
    local text = bufnr and table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n')
    return text and text:find(part, 1, true) and text
  end)
end

--- The latest task, once it has ended.
---@param command string
---@return zsh_ls.Task
function H.ended(command)
  return H.wait('the end of ' .. command, function()
    local task = require('zsh_ls.tasks').all()[1]
    return task and task.command == command and task.status ~= 'running' and task
  end)
end

--- The task of a command, once it is known to run.
---@param command string
---@return zsh_ls.Task
function H.running(command)
  return H.wait(command .. ' to run', function()
    return vim.iter(require('zsh_ls.tasks').running()):find(function(task)
      return task.command == command
    end)
  end)
end

--- Diagnostics of a buffer by line, from 1, once there are some.
---@param bufnr integer
---@return table<integer, string>
function H.insights(bufnr)
  return H.wait('insights', function()
    local found = {}
    for _, diagnostic in ipairs(vim.diagnostic.get(bufnr)) do
      found[diagnostic.lnum + 1] = diagnostic.message
    end
    return next(found) and found
  end)
end

--- The text that is written beside a line of a buffer by diagnostics.
---@param bufnr integer
---@param row integer from 1
---@return string
function H.beside(bufnr, row)
  local found = {}
  for _, namespace in pairs(vim.api.nvim_get_namespaces()) do
    local options = { details = true }
    local marks = vim.api.nvim_buf_get_extmarks(bufnr, namespace, { row - 1, 0 }, { row - 1, -1 }, options)
    for _, mark in ipairs(marks) do
      for _, chunk in ipairs(mark[4].virt_text or {}) do
        table.insert(found, chunk[1])
      end
    end
  end
  return table.concat(found)
end

--- The float that answers, once `part` stands there.
---@param part string
---@return integer window
function H.float(part)
  return H.wait(('a float with %q'):format(part), function()
    return vim.iter(vim.api.nvim_list_wins()):find(function(window)
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
      local is_float = vim.api.nvim_win_get_config(window).relative ~= ''
      return is_float and table.concat(lines, '\n'):find(part, 1, true) ~= nil
    end)
  end)
end

---@param keys string
function H.type(keys)
  vim.api.nvim_feedkeys(vim.keycode(keys), 'mx', false)
end

local function clean()
  vim.cmd('silent! stopinsert | silent! fclose! | silent! only!')
  -- Not wiped: 0.10 stumbles over answers for buffers that are no more.
  vim.cmd('silent! enew! | silent! %bdelete!')
  vim.ui.select = choose_nothing
  said = {}
end

---@param path string of the specs
local function run(path)
  local results = {}
  assert(loadfile(path))(H)
  for _, spec in ipairs(specs) do
    local promise, check = unpack(spec)
    local ok, problem = xpcall(check, debug.traceback)
    results[promise] = ok and 'kept' or tostring(problem)
    clean()
    vim.fn.writefile({ vim.json.encode(results) }, vim.env.ZSH_LS_RESULTS)
  end
end

vim.ui.select = choose_nothing
run(_G.arg[1])
vim.cmd('qa!')

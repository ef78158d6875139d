--- Finds the server's program, and says what to do if there is none.
local settings = require('zsh_ls.settings')

local M = {}

M.MISSING = 'zsh-ls: the server was not found. Install it with `pipx install zsh-ls`,'
  .. " or say where it is: vim.g.zsh_ls = { cmd = { '/path/to/zsh-ls', 'serve' } }."
  .. ' :checkhealth zsh_ls tells where it was looked for.'

-- One line of 80 columns: a longer message asks for Enter.
M.NONE = 'zsh-ls: no server here: pipx install zsh-ls (:checkhealth zsh_ls says more)'

--- Programs are found on the PATH; an editor started from a desktop often lacks these folders.
---@return string[]
function M.places()
  return {
    'zsh-ls',
    vim.fn.stdpath('data') .. '/mason/bin/zsh-ls',
    vim.fn.expand('~/.local/bin/zsh-ls'),
  }
end

--- The command that starts the server, or nil if its program is not found.
---@return string[]?
function M.command()
  local given = settings.get().cmd
  if given then
    return vim.fn.executable(given[1]) == 1 and given or nil
  end
  for _, place in ipairs(M.places()) do
    if vim.fn.executable(place) == 1 then
      return { vim.fn.exepath(place), 'serve' }
    end
  end
end

local was_said = false

--- Whether there is a server to start; a single quiet message if there is none.
---@return boolean
function M.is_there()
  local found = M.command() ~= nil
  if not found and not was_said then
    was_said = true
    vim.notify(M.NONE, vim.log.levels.WARN)
  end
  return found
end

--- Where Neovim keeps what servers write to their standard error.
---@return string
function M.log_path()
  return require('vim.lsp.log').get_filename()
end

-- How much is read of that log, and how many lines are told.
local MOST_LOG_BYTES, LAST_LINES = 65536, 8

--- The size of the log by now.
---@return integer bytes
local function log_bytes()
  local found = vim.uv.fs_stat(M.log_path())
  return found and found.size or 0
end

local UNESCAPED = { n = '\n', r = '', t = '\t' }

--- The last lines that servers have written to their standard error.
---@param from integer bytes of the log that are older
---@return string[]
local function last_words(from)
  local log = io.open(M.log_path(), 'r')
  if not log then
    return {}
  end
  log:seek('set', math.max(from, log_bytes() - MOST_LOG_BYTES))
  local said = {}
  for line in log:lines() do
    local literal = line:match('\t"rpc"\t.*\t"stderr"\t[\'"](.*)[\'"]$')
    if literal then
      table.insert(said, (literal:gsub('\\(.)', function(char) return UNESCAPED[char] or char end)))
    end
  end
  log:close()
  local lines = vim.split(table.concat(said), '\n')
  lines = vim.tbl_filter(function(line) return vim.trim(line) ~= '' end, lines)
  return vim.list_slice(lines, math.max(1, #lines - LAST_LINES + 1))
end

---@class zsh_ls.End
---@field code integer
---@field signal integer
---@field said string[] the last lines of its standard error
---@field root? string the folder it served

---@type zsh_ls.End[]
local ends = {}

--- How the server ended of which Neovim tells now; what it tells itself where another function started it.
---@param code integer
---@param signal integer
---@return zsh_ls.End
function M.how_it_ended(code, signal)
  return table.remove(ends, 1) or { code = code, signal = signal, said = {} }
end

-- Neovim names its own folders to all it starts: a vim that the server runs would read Neovim's runtime, and
-- greet with a page of errors.
local OF_NEOVIM = { 'VIM', 'VIMRUNTIME', 'MYVIMRC' }

--- The command without what is Neovim's own in its environment.
---@param command string[]
---@return string[]
local function with_own_environment(command)
  if vim.fn.executable('env') == 0 then
    return command
  end
  local before = { 'env' }
  for _, name in ipairs(OF_NEOVIM) do
    vim.list_extend(before, { '-u', name })
  end
  return vim.list_extend(before, command)
end

--- Starts it for Neovim's client, to which it ends well in any case: Neovim's own message about another end
--- has the path of its log, fills two lines beside ours and asks for Enter.
---@param dispatchers vim.lsp.rpc.Dispatchers
---@param config? vim.lsp.ClientConfig
---@return vim.lsp.rpc.PublicClient
function M.start(dispatchers, config)
  local command = M.command() or error(M.MISSING, 0)
  local extra = config and { cwd = config.cmd_cwd or config.root_dir, env = config.cmd_env }
  local tell, before = dispatchers.on_exit, log_bytes()
  local quietly = vim.tbl_extend('force', dispatchers, {
    on_exit = function(code, signal)
      table.insert(ends, { code = code, signal = signal, said = last_words(before) })
      tell(0, 0)
    end,
  })
  return vim.lsp.rpc.start(with_own_environment(command), quietly, extra or {})
end

return M

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

---@type { code: integer, signal: integer }[]
local ends = {}

--- How the server ended of which Neovim tells now; what it tells itself where another function started it.
---@param code integer
---@param signal integer
---@return integer code, integer signal
function M.how_it_ended(code, signal)
  local first = table.remove(ends, 1)
  if first then
    return first.code, first.signal
  end
  return code, signal
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
  local tell = dispatchers.on_exit
  local quietly = vim.tbl_extend('force', dispatchers, {
    on_exit = function(code, signal)
      table.insert(ends, { code = code, signal = signal })
      tell(0, 0)
    end,
  })
  return vim.lsp.rpc.start(with_own_environment(command), quietly, extra or {})
end

return M

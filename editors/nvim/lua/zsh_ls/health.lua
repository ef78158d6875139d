--- `:checkhealth zsh_ls`.
local client = require('zsh_ls.client')
local server = require('zsh_ls.server')
local settings = require('zsh_ls.settings')

local M = {}

local function check_editor()
  vim.health.start('Neovim')
  if vim.fn.has('nvim-0.11') == 1 then
    vim.health.ok('its own way to configure language servers is used')
  else
    vim.health.ok('0.10: the server is started on FileType')
  end
  local problems = settings.problems()
  for _, problem in ipairs(problems) do
    vim.health.error(problem, 'see :help zsh-ls-settings; the defaults are used')
  end
  if not problems[1] then
    vim.health.ok('vim.g.zsh_ls is understood')
  end
end

local function check_program()
  vim.health.start('The server')
  local command = client.configured_command() or server.command()
  if not command then
    vim.health.error('not found: ' .. table.concat(server.places(), ', '), server.MISSING)
    return
  end
  vim.health.ok('command: ' .. table.concat(command, ' '))
  for _, problem in ipairs(require('zsh_ls.status').problems()) do
    local words = table.concat({ problem.text, unpack(problem.said) }, '\n')
    vim.health.error(words, { ':ZshRestart starts another', 'its log: ' .. server.log_path() })
  end
end

---@param health zsh_ls.Health
local function tell(health)
  local report = health.status == 'healthy' and vim.health.ok or vim.health.warn
  report(('version %s is %s'):format(health.version, health.status))
  for name, version in vim.spairs(health.shells) do
    vim.health.info(('shell: %s %s'):format(name, version))
  end
  local memory = health.database
  vim.health.info(('memory: %s, %d runs'):format(memory.path, memory.observations))
  if memory.problem then
    vim.health.error(memory.problem)
  end
end

--- Request the health of a running server; a health check cannot wait long.
---@param running vim.lsp.Client
local function check_one(running)
  local answer, fault
  require('zsh_ls.rpc').request(running, 'zsh/health', vim.empty_dict(), function(err, result)
    answer, fault = result, err
  end)
  vim.wait(5000, function() return answer ~= nil or fault ~= nil end, 10)
  if answer then
    tell(answer)
  else
    vim.health.error(fault and fault.message or 'it does not answer', ':ZshRestart')
  end
end

local function check_running()
  local servers = client.all()
  if not servers[1] then
    vim.health.info('no server is running: it starts with the first shell script')
  end
  vim.tbl_map(check_one, servers)
end

--- What :checkhealth calls.
function M.check()
  check_editor()
  check_program()
  check_running()
end

return M

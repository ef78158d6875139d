--- The server's configuration, its start in every supported version of Neovim, and its restart.
local server = require('zsh_ls.server')
local settings = require('zsh_ls.settings')

local M = {}

M.NAME = 'zsh_ls'
M.FILETYPES = { 'zsh', 'bash', 'sh' }
--- Files with shell inside (DOC-10).
M.HOSTS = { 'markdown', 'make', 'dockerfile', 'just', 'yaml', 'yaml.github', 'yaml.ghaction', 'yaml.gitlab' }
local SERVED = vim.list_extend(vim.deepcopy(M.FILETYPES), M.HOSTS)
local ROOT_MARKERS = { '.git', '.hg', '.jj' }
local HAS_ENABLE = vim.fn.has('nvim-0.11') == 1

---@type table<integer, fun(client: vim.lsp.Client)[]> what waits for a server to be initialized
local waiting = {}
---@type table<integer, boolean> buffers that had no name when the server got them, or could not get them
local unnamed = {}
---@type table<integer, true> servers that were asked to end
local stopping = {}

--- The command that the user configured with `vim.lsp.config`, if any.
---@return string[]?
function M.configured_command()
  local command = HAS_ENABLE and vim.tbl_get(vim.lsp.config, M.NAME, 'cmd')
  return type(command) == 'table' and command or nil
end

---@param bufnr integer
---@return boolean
function M.is_unnamed(bufnr)
  return vim.api.nvim_buf_is_loaded(bufnr) and vim.api.nvim_buf_get_name(bufnr) == ''
end

--- Whether the server has another buffer without a name: Neovim calls each of them `file://`.
---@param bufnr integer
---@return boolean
local function is_one_unnamed_too_many(bufnr)
  return M.is_unnamed(bufnr)
    and vim.iter(vim.lsp.get_clients({ name = M.NAME })):any(function(client)
      return vim.iter(pairs(client.attached_buffers)):any(function(other)
        return other ~= bufnr and M.is_unnamed(other)
      end)
    end)
end

--- Whether a buffer is for the server, and the server can be started.
---@param bufnr integer
---@return boolean
local function is_for_us(bufnr)
  if not vim.api.nvim_buf_is_valid(bufnr) or vim.bo[bufnr].buftype ~= '' then
    return false
  elseif is_one_unnamed_too_many(bufnr) then
    unnamed[bufnr] = true
    return false
  end
  return M.configured_command() ~= nil or server.is_there()
end

--- The folder that a buffer belongs to; nil for a file on its own.
---@param bufnr integer
---@param on_dir fun(root?: string) called only where there is a server to start
local function root_dir(bufnr, on_dir)
  if is_for_us(bufnr) then
    on_dir(vim.fs.root(bufnr, ROOT_MARKERS))
  end
end

--- Settings reach the server before its first question, so that `trusted = false` holds from the start.
--- The user's own `init_options` are passed on as well.
---@param params lsp.InitializeParams
---@param config vim.lsp.ClientConfig
local function before_init(params, config)
  local given = type(config.init_options) == 'table' and config.init_options or {}
  local first = type(given.zshLs) == 'table' and given.zshLs or given
  local ours = vim.tbl_extend('force', settings.get().settings, first, config.settings.zshLs or {})
  config.settings.zshLs = next(ours) and ours or vim.empty_dict()
  params.initializationOptions = config.settings.zshLs
end

--- Say why the server refuses what Neovim waits for, as it does for formatting: it tells of no refusal then.
---@param client vim.lsp.Client
local function tell_refusals(client)
  local request_sync = client.request_sync
  client.request_sync = function(...)
    local answer, problem = request_sync(...)
    if answer and answer.err then
      vim.notify('zsh-ls: ' .. answer.err.message, vim.log.levels.WARN)
    end
    return answer, problem
  end
end

---@param client vim.lsp.Client
local function on_init(client)
  tell_refusals(client)
  -- Neovim opens the attached buffers right after this: what was asked of one of them comes later.
  vim.schedule(function()
    local actions = waiting[client.id] or {}
    waiting[client.id] = nil
    for _, action in ipairs(actions) do
      action(client)
    end
  end)
end

---@param code integer
---@param signal integer
---@param id integer
local function on_exit(code, signal, id)
  local how = server.how_it_ended(code, signal)
  local ended = vim.lsp.get_client_by_id(id) -- Neovim forgets it next
  how.root = ended and ended.config.root_dir
  vim.schedule(function()
    require('zsh_ls.lifetime').ended(how, id, stopping[id] == true)
    waiting[id], stopping[id] = nil, nil
  end)
end

--- The configuration for lsp/zsh_ls.lua and `vim.lsp.start`.
---@return vim.lsp.Config
function M.config()
  return {
    name = M.NAME,
    cmd = server.start,
    filetypes = SERVED,
    root_dir = root_dir,
    before_init = before_init,
    on_init = on_init,
    on_exit = on_exit,
    settings = { zshLs = vim.empty_dict() },
    capabilities = {
      experimental = { zshLs = { version = 1, colour = true, only_news = true, asks = true } },
    },
    handlers = {
      ['zsh/progress'] = function(_, progress, context)
        require('zsh_ls.news').heard(progress, context.client_id)
      end,
      ['workspace/diagnostic/refresh'] = function(_, _, context)
        return require('zsh_ls.insights').refresh(context.client_id)
      end,
      ['textDocument/inlayHint'] = function(err, hints, context, ...)
        if not err then
          require('zsh_ls.alignment').align(context.bufnr, hints)
        end
        return vim.lsp.handlers['textDocument/inlayHint'](err, hints, context, ...)
      end,
      ['workspace/inlayHint/refresh'] = function(_, _, context)
        return require('zsh_ls.buffers').refresh_hints(context.client_id)
      end,
    },
    commands = require('zsh_ls.run').COMMANDS,
  }
end

--- The configuration with the user's changes, for one root.
---@param root? string
---@return vim.lsp.ClientConfig
local function complete(root)
  local config = HAS_ENABLE and vim.deepcopy(vim.lsp.config[M.NAME]) or M.config()
  local own = vim.lsp.protocol.make_client_capabilities()
  config.capabilities = vim.tbl_deep_extend('force', own, config.capabilities or {})
  config.name, config.root_dir = M.NAME, root
  return config
end

--- Whether a server is for a root and not stopping: 0.10 would attach to one that is.
---@param client vim.lsp.Client
---@param config vim.lsp.ClientConfig
---@return boolean
local function is_reused(client, config)
  local is_same = client.name == config.name and client.config.root_dir == config.root_dir
  return is_same and not stopping[client.id]
end

--- Attach a server to a buffer: a running one if it fits, else a new one.
---@param bufnr integer
function M.attach(bufnr)
  root_dir(bufnr, function(root)
    vim.lsp.start(complete(root), { bufnr = bufnr, reuse_client = is_reused })
  end)
end

--- Stop a server, detached first so that the editor sends it no more requests.
---@param client vim.lsp.Client
function M.stop(client)
  stopping[client.id] = true
  for bufnr in pairs(vim.deepcopy(client.attached_buffers)) do
    -- 0.10 goes on to list buffers that were deleted.
    if vim.lsp.buf_is_attached(bufnr, client.id) then
      vim.lsp.buf_detach_client(bufnr, client.id)
    end
  end
  -- 0.10 has functions where later versions have methods.
  if HAS_ENABLE then
    client:stop()
  else
    client.stop()
  end
end

--- A server without a buffer, for requests from outside of a script.
---@return vim.lsp.Client?
local function started()
  if not M.configured_command() and not server.is_there() then
    return nil
  end
  local config = complete(vim.fs.root(0, ROOT_MARKERS) or vim.fn.getcwd())
  local start = HAS_ENABLE and vim.lsp.start or vim.lsp.start_client
  local id = start(config, { attach = false })
  return id and vim.lsp.get_client_by_id(id) or nil
end

--- Where a server ended by itself: another, for the open shell buffers too. Alone it would run commands
--- beside scripts without lenses and a status that says the server ended.
---@return vim.lsp.Client?
local function started_again()
  if require('zsh_ls.status').problems()[1] then
    M.attach_all()
    return M.all()[1]
  end
end

--- All our servers, including those that are still starting.
---@param bufnr? integer
---@return vim.lsp.Client[]
function M.all(bufnr)
  local filter = { name = M.NAME, bufnr = bufnr, _uninitialized = true }
  return vim.tbl_filter(function(client)
    return not stopping[client.id]
  end, vim.lsp.get_clients(filter))
end

--- Attach a server to a shell buffer that has none: Neovim itself does so a moment after it was opened. Where
--- a server has ended, the other scripts it served get one as well.
---@param bufnr integer
function M.attach_now(bufnr)
  local is_ours = vim.api.nvim_buf_is_valid(bufnr) and vim.tbl_contains(SERVED, vim.bo[bufnr].filetype)
  if not is_ours or M.all(bufnr)[1] then
    return
  end
  M.attach(bufnr)
  if require('zsh_ls.status').problems()[1] then
    M.attach_all()
  end
end

--- Call `action` with an initialized server: the one named, else the buffer's, else any, else a new one.
---@param at { bufnr?: integer, client_id?: integer }
---@param action fun(client: vim.lsp.Client)
function M.with(at, action)
  if at.bufnr and not at.client_id then
    M.attach_now(at.bufnr)
  end
  local named = at.client_id and vim.lsp.get_client_by_id(at.client_id)
  local client = named or (at.bufnr and M.all(at.bufnr)[1]) or M.all()[1]
  client = client or started_again() or started()
  if client and client.initialized then
    action(client)
  elseif client then
    waiting[client.id] = waiting[client.id] or {}
    table.insert(waiting[client.id], action)
  end
end

--- Attach servers to the open buffers that are for one and have none.
function M.attach_all()
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    local is_open = vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].buftype == ''
    if is_open and vim.tbl_contains(SERVED, vim.bo[bufnr].filetype) and not M.all(bufnr)[1] then
      M.attach(bufnr)
    end
  end
end

---@param event { buf: integer, data: { client_id: integer } }
local function on_attach(event)
  local client = vim.lsp.get_client_by_id(event.data.client_id)
  if client and client.name == M.NAME then
    unnamed[event.buf] = M.is_unnamed(event.buf)
    require('zsh_ls.buffers').attached(client, event.buf)
  end
end

--- Open a buffer that got a name at the server again: Neovim does not report the first name, and of
--- several buffers without one only one was served.
---@param event { buf: integer }
local function on_write(event)
  local bufnr = event.buf
  local is_ours = vim.tbl_contains(SERVED, vim.bo[bufnr].filetype)
  if not is_ours or not unnamed[bufnr] or M.is_unnamed(bufnr) then
    return
  end
  unnamed[bufnr] = nil
  for _, running in ipairs(M.all(bufnr)) do
    vim.lsp.buf_detach_client(bufnr, running.id)
  end
  M.attach(bufnr)
end

--- Attach servers to shell buffers from now on.
function M.enable()
  local group = vim.api.nvim_create_augroup('zsh_ls', {})
  vim.api.nvim_create_autocmd('LspAttach', { group = group, callback = on_attach })
  vim.api.nvim_create_autocmd('BufWritePost', { group = group, callback = on_write })
  vim.api.nvim_create_autocmd('ExitPre', {
    group = group,
    callback = function() require('zsh_ls.lifetime').leaving() end,
  })
  if HAS_ENABLE then
    vim.lsp.enable(M.NAME)
    return
  end
  local callback = function(event) M.attach(event.buf) end
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = SERVED,
    callback = callback,
  })
  M.attach_all()
end

return M

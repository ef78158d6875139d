--- Sets up a shell buffer when the server is attached: visible insights, hints, lenses.
local insights = require('zsh_ls.insights')
local settings = require('zsh_ls.settings')

local M = {}

local HAS_LENS_SWITCH = vim.lsp.codelens.enable ~= nil

--- Before 0.12 lenses are asked for whenever they may have changed.
---@param bufnr integer
local function refresh_lenses(bufnr)
  if vim.api.nvim_buf_is_loaded(bufnr) then
    vim.lsp.codelens.refresh({ bufnr = bufnr })
  end
end

--- Scroll what stands above the first line into sight: Neovim leaves it out of windows that begin there.
---@param shows integer a window
local function show_above_first_line(shows)
  vim.api.nvim_win_call(shows, function()
    local view = vim.fn.winsaveview()
    if view.topline == 1 and view.topfill == 0 then
      vim.fn.winrestview({ topfill = 1 })
    end
  end)
end

--- Whether a lens stands above the first line of a buffer.
---@param bufnr integer
---@return boolean
local function has_first_lens(bufnr)
  return vim.iter(vim.lsp.codelens.get({ bufnr = bufnr })):any(function(found)
    return found.lens.range.start.line == 0
  end)
end

--- Keep a lens above the first line in sight of a window that comes to that line, and when it arrives.
---@param bufnr integer
local function follow_first_lens(bufnr)
  local group = vim.api.nvim_create_augroup('zsh_ls_lenses_' .. bufnr, {})
  vim.api.nvim_create_autocmd('WinScrolled', {
    group = group,
    callback = function()
      for shows, moved in pairs(vim.v.event) do
        local id = tonumber(shows)
        -- One line down from the lens is the first line without it: only what came from below is moved.
        if id and moved.topline ~= 0 and vim.api.nvim_win_get_buf(id) == bufnr and has_first_lens(bufnr) then
          show_above_first_line(id)
        end
      end
    end,
  })
  vim.api.nvim_create_autocmd('LspRequest', {
    group = group,
    buffer = bufnr,
    callback = function(event)
      local request = event.data.request
      if request.method ~= 'textDocument/codeLens' or request.type ~= 'complete' then
        return
      end
      vim.schedule(function()
        if not vim.api.nvim_buf_is_valid(bufnr) or not has_first_lens(bufnr) then
          return
        end
        vim.tbl_map(show_above_first_line, vim.fn.win_findbuf(bufnr))
      end)
      return true -- once: later answers find the lens in sight, or scrolled away by the person
    end,
  })
end

---@param bufnr integer
local function show_lenses(bufnr)
  if HAS_LENS_SWITCH then
    follow_first_lens(bufnr)
    vim.lsp.codelens.enable(true, { bufnr = bufnr })
    return
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    group = vim.api.nvim_create_augroup('zsh_ls_lenses_' .. bufnr, {}),
    buffer = bufnr,
    callback = function() refresh_lenses(bufnr) end,
  })
  -- The document is opened at the server only after this event.
  vim.schedule(function() refresh_lenses(bufnr) end)
end

--- Called for every buffer the server is attached to.
---@param client vim.lsp.Client
---@param bufnr integer
function M.attached(client, bufnr)
  require('zsh_ls.status').begun(client.config.root_dir)
  insights.show(client)
  local wanted = settings.get()
  if wanted.inlay_hints then
    vim.lsp.inlay_hint.enable(true, { bufnr = bufnr })
  end
  if wanted.code_lenses then
    show_lenses(bufnr)
  end
end

--- Request hints again, because the server asked for it.
---
--- Neovim asks too, but 0.10 draws nothing new on lines that were not edited, and 0.12 does not where the
--- screen is drawn between its question and the answer.
---@param id integer the client's
---@return vim.NIL the answer to the server
function M.refresh_hints(id)
  local client = vim.lsp.get_client_by_id(id)
  for bufnr in pairs(client and client.attached_buffers or {}) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.lsp.inlay_hint.is_enabled({ bufnr = bufnr }) then
      vim.lsp.inlay_hint.enable(false, { bufnr = bufnr })
      vim.lsp.inlay_hint.enable(true, { bufnr = bufnr })
    end
  end
  return vim.NIL
end

--- After a run the history in lenses has changed. In later versions the server asks for a refresh.
function M.run_ended()
  if HAS_LENS_SWITCH or not settings.get().code_lenses then
    return
  end
  for _, client in ipairs(require('zsh_ls.client').all()) do
    for bufnr in pairs(client.attached_buffers) do
      refresh_lenses(bufnr)
    end
  end
end

return M

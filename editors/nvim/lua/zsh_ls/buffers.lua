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

---@param bufnr integer
local function show_lenses(bufnr)
  if HAS_LENS_SWITCH then
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
  require('zsh_ls.status').problem = nil
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

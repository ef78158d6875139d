--- Shows insights as virtual text, which 0.11 does not do by default.
---
--- Only our own namespaces are configured. Whoever shows diagnostics in a way of their own, as virtual
--- text or as virtual lines, sees ours that way as well: the choice is made anew at each display.
local settings = require('zsh_ls.settings')

local M = {}

--- The namespaces of a client's diagnostics: pushed, and pulled with or without an identifier.
---@param client vim.lsp.Client
---@return integer[]
function M.namespaces(client)
  local namespace = vim.lsp.diagnostic.get_namespace
  local found = { namespace(client.id, false), namespace(client.id, true) }
  local identifier = vim.tbl_get(client.server_capabilities, 'diagnosticProvider', 'identifier')
  if identifier then
    table.insert(found, namespace(client.id, true, identifier))
  end
  return found
end

--- Virtual text for us: the person's own, if any way to write diagnostics out is set; else plain.
---@return boolean|table
local function virtual_text(namespace, bufnr)
  local global = vim.diagnostic.config()
  local own = global.virtual_text
  if type(own) == 'function' then
    own = own(namespace, bufnr)
  end
  if own or global.virtual_lines or not settings.get().insights then
    return own or false
  end
  return { source = false }
end

--- Make a client's diagnostics visible.
---@param client vim.lsp.Client
function M.show(client)
  for _, namespace in ipairs(M.namespaces(client)) do
    vim.diagnostic.config({ virtual_text = virtual_text }, namespace)
  end
end

--- Pull the diagnostics of the open documents again, because the server asked for it.
---
--- Neovim 0.12 then asks a server that can report on the whole workspace for just that, and drops what
--- the report says of open documents: insights of a run would appear only after the next edit.
---@param id integer the client's
---@return vim.NIL the answer to the server
function M.refresh(id)
  local client = vim.lsp.get_client_by_id(id)
  for bufnr in pairs(client and client.attached_buffers or {}) do
    local params = {
      textDocument = { uri = vim.uri_from_bufnr(bufnr) },
      identifier = vim.tbl_get(client.server_capabilities, 'diagnosticProvider', 'identifier'),
    }
    require('zsh_ls.rpc').request(client, 'textDocument/diagnostic', params, nil, bufnr)
  end
  return vim.NIL
end

return M

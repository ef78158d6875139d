--- Moves the hints behind the lines of a buffer to one column, so that results can be read down the page.
---
--- Neovim draws the hints themselves, in its own group (`LspInlayHint`); this is the gap before them.
local M = {}

local NAMESPACE = vim.api.nvim_create_namespace('zsh_ls_alignment')
-- Behind longer lines a hint stands where the line ends; the others are not moved out of sight for them.
local MOST_COLUMNS = 80
-- Drawn before the hints of the same place, which have 4096.
local PRIORITY = 1

--- The widths of the lines that have a hint at their end, by line from 0.
---@param bufnr integer
---@param hints lsp.InlayHint[]
---@return table<integer, integer>
local function widths(bufnr, hints)
  local found = {}
  for _, hint in ipairs(hints) do
    local row = hint.position.line
    local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1]
    if line and not found[row] then
      found[row] = vim.api.nvim_buf_call(bufnr, function() return vim.fn.strdisplaywidth(line) end)
    end
  end
  return found
end

--- Align the hints of a buffer, as they came from the server.
---@param bufnr integer
---@param hints? lsp.InlayHint[]
function M.align(bufnr, hints)
  if not vim.api.nvim_buf_is_loaded(bufnr) then
    return
  end
  vim.api.nvim_buf_clear_namespace(bufnr, NAMESPACE, 0, -1)
  if not vim.lsp.inlay_hint.is_enabled({ bufnr = bufnr }) then
    return
  end
  local of_lines, column = widths(bufnr, hints or {}), 0
  for _, width in pairs(of_lines) do
    column = width <= MOST_COLUMNS and math.max(column, width) or column
  end
  for row, width in pairs(of_lines) do
    local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1]
    vim.api.nvim_buf_set_extmark(bufnr, NAMESPACE, row, #line, {
      virt_text = { { (' '):rep(math.max(column - width, 0) + 1) } },
      virt_text_pos = 'inline',
      priority = PRIORITY,
      right_gravity = true,
    })
  end
end

return M

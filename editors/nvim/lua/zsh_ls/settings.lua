--- The settings in `vim.g.zsh_ls`, read whenever needed, so that they may change at any time.
local M = {}

---@class zsh_ls.Output
---@field window "split"|"float" where output is shown
---@field height integer lines of the split

---@class zsh_ls.PluginSettings
---@field cmd? string[] the server's command; without it `zsh-ls` is looked for
---@field inlay_hints boolean whether shell buffers show numbers and traces at the ends of lines
---@field code_lenses boolean whether they show what can be run
---@field insights boolean whether insights are written out beside their lines
---@field messages boolean whether the end of a run is told
---@field output zsh_ls.Output
---@field settings zsh_ls.Settings what the server is told; `trusted = false` lets nothing run

---@type zsh_ls.PluginSettings
local DEFAULTS = {
  inlay_hints = true,
  code_lenses = true,
  insights = true,
  messages = true,
  output = { window = 'split', height = 12 },
  settings = vim.empty_dict(),
}

--- The current settings. For a malformed table, which :checkhealth reports, the defaults apply; but
--- `trusted` in it applies in any case: a typing error elsewhere must not let anything run.
---@return zsh_ls.PluginSettings
function M.get()
  local given = vim.g.zsh_ls
  if type(given) ~= 'table' then
    return DEFAULTS
  elseif M.problems()[1] then
    local said = type(given.settings) == 'table' and given.settings or {}
    if said.trusted == nil or said.trusted == true then
      return DEFAULTS
    end
    return vim.tbl_deep_extend('force', DEFAULTS, { settings = { trusted = false } })
  end
  return vim.tbl_deep_extend('force', DEFAULTS, given)
end

---@param value any
---@return boolean
local function is_words(value)
  return vim.islist(value) and #value > 0 and vim.iter(value):all(function(word)
    return type(word) == 'string'
  end)
end

---@type table<string, [string, fun(value: any): boolean]>
local KINDS = {
  cmd = { 'a list of words', is_words },
  settings = { 'a table', function(value) return type(value) == 'table' end },
  output = {
    "a table with `window` ('split' or 'float') and `height` (a number)",
    function(value)
      return type(value) == 'table'
        and vim.tbl_contains({ 'split', 'float' }, value.window or 'split')
        and type(value.height or 1) == 'number'
    end,
  },
}
for _, name in ipairs({ 'inlay_hints', 'code_lenses', 'insights', 'messages' }) do
  KINDS[name] = { 'true or false', function(value) return type(value) == 'boolean' end }
end

--- The problems of `vim.g.zsh_ls`.
---@return string[]
function M.problems()
  local given = vim.g.zsh_ls
  if given == nil then
    return {}
  elseif type(given) ~= 'table' then
    return { 'vim.g.zsh_ls must be a table' }
  end
  local found = {}
  for name, value in vim.spairs(given) do
    local kind = KINDS[name]
    if not kind then
      table.insert(found, ('vim.g.zsh_ls.%s is no setting'):format(name))
    elseif not kind[2](value) then
      table.insert(found, ('vim.g.zsh_ls.%s must be %s'):format(name, kind[1]))
    end
  end
  return found
end

return M

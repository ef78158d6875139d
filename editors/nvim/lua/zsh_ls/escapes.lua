--- Filters a task's bytes for a terminal of the editor: keeps text, colours, erasing the rest of a line.
---
--- All other control sequences are removed: a task that moves the cursor, sets titles or queries the
--- terminal is meant for the user's own terminal. What a full-screen program writes, from the alternate
--- screen's begin to its end, is left as it is, but for strings (titles, the clipboard).
local M = {}

-- Each is one kind of sequence from its escape on, and what follows it (ECMA-48).
local TO_BE_SHOWN = { '^\27%[[0-9;:]*m', '^\27%[[0-9]*K' }
local TO_BE_LEFT_OUT = {
  '^\27%[[0-9;:?<=>!]*[ -/]*[@-~](.*)$', -- a control sequence
  '^\27[%]PX^_][^\7\n]*\7?(.*)$', -- a string, up to the bell or the escape of its end
  '^\27[ -/]+[0-~](.*)$', -- a character set: `tput sgr0` writes one
  '^\27[0-~](.*)$',
  '^\27(.*)$',
}

---@param chunk string an escape and all up to the next one
---@return string?
local function shown(chunk)
  for _, form in ipairs(TO_BE_SHOWN) do
    if chunk:find(form) then
      return chunk
    end
  end
  for _, form in ipairs(TO_BE_LEFT_OUT) do
    local rest = chunk:match(form)
    if rest then
      return rest
    end
  end
end

--- The bytes without sequences that the terminal must not get.
---@param bytes string
---@return string
function M.harmless(bytes)
  return (bytes:gsub('\27[^\27]*', shown):gsub('[%z\1-\6\11\12\14-\26\28-\31]', ''))
end

---@class zsh_ls.Part
---@field text string
---@field is_full boolean whether a full-screen program wrote it, with what begins and ends its screen

--- Whether the parameters of a mode name the alternate screen, of any of its three kinds.
---@param modes string
---@return boolean
local function is_alternate(modes)
  return vim.iter(vim.split(modes, ';')):any(function(mode)
    return mode == '47' or mode == '1047' or mode == '1049'
  end)
end

--- The parts of a text in and outside of the alternate screen, in order.
---@param bytes string
---@param is_full boolean whether it begins within
---@return zsh_ls.Part[]
function M.parts(bytes, is_full)
  local parts, at = {}, 1
  for first, modes, sets, after in bytes:gmatch('()\27%[%?([%d;]+)([hl])()') do
    if is_alternate(modes) and (sets == 'h') ~= is_full then
      -- The sequence itself belongs to the full screen.
      local last = is_full and after - 1 or first - 1
      parts[#parts + 1] = { text = bytes:sub(at, last), is_full = is_full }
      at, is_full = last + 1, not is_full
    end
  end
  parts[#parts + 1] = { text = bytes:sub(at), is_full = is_full }
  return vim.tbl_filter(function(part) return part.text ~= '' end, parts)
end

--- What a full-screen program wrote, without titles and other strings.
---@param bytes string
---@return string
function M.without_strings(bytes)
  return (bytes:gsub('\27[%]PX^_][^\7\27]*\7', ''):gsub('\27[%]PX^_][^\7\27]*\27\\', ''))
end

--- The bytes without an incomplete sequence at their end.
---@param bytes string
---@return string
function M.whole(bytes)
  bytes = bytes:gsub('\27$', '')
  bytes = bytes:gsub('\27%[[0-9;:?<=>!]*[ -/]*$', '')
  return (bytes:gsub('\27[%]PX^_][^\7\27\n]*$', ''):gsub('\27[ -/]*$', ''))
end

return M

--- Filters a task's bytes for a terminal of the editor: keeps text, colours, erasing the rest of a line.
---
--- All other control sequences are removed: a task that moves the cursor, sets titles or queries the
--- terminal is meant for the user's own terminal.
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

--- The bytes without an incomplete sequence at their end.
---@param bytes string
---@return string
function M.whole(bytes)
  bytes = bytes:gsub('\27$', '')
  bytes = bytes:gsub('\27%[[0-9;:?<=>!]*[ -/]*$', '')
  return (bytes:gsub('\27[%]PX^_][^\7\27\n]*$', ''):gsub('\27[ -/]*$', ''))
end

return M

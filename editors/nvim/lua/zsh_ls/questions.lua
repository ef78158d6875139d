--- What a person is asked before a script or a line runs: arguments, and whether another shell stands in.
local rpc = require('zsh_ls.rpc')

local M = {}

---@type table<string, string> what was typed as arguments, by script
local typed = {}
---@type table<string, true> shells for which another one may stand in, as the person has said
local agreed = {}

--- The words of what was typed as arguments, as the shell of the server's machine would make them.
---@param uri string
---@param text string
---@param bufnr? integer
---@param on_words fun(args: string[])
local function with_words(uri, text, bufnr, on_words)
  local params = { textDocument = { uri = uri }, typed = text }
  rpc.ask('script', params, function(found) on_words(found.args) end, { bufnr = bufnr })
end

--- `$1, $2 = prod, …`
---@param asked zsh_ls.ScriptQuestions
---@return string
local function named(asked)
  local parts = vim.tbl_map(function(one)
    local default = one.default ~= vim.NIL and one.default
    if default == '' then
      return ('[$%d]'):format(one.number) -- it may be left out
    end
    return '$' .. one.number .. (default and ' = ' .. default or '')
  end, asked.arguments)
  if asked.takes_more then
    parts[#parts + 1] = 'any number'
  end
  return table.concat(parts, ', ')
end

--- Ask for the arguments of a script that reads some.
---@param uri string
---@param asked zsh_ls.ScriptQuestions
---@param bufnr? integer
---@param on_answer fun(args: string[])
local function ask_arguments(uri, asked, bufnr, on_answer)
  if #asked.arguments == 0 and not asked.takes_more then
    return on_answer({})
  end
  local name = vim.fs.basename(vim.uri_to_fname(uri))
  local prompt = ('Arguments of %s (%s): '):format(name, named(asked))
  vim.ui.input({ prompt = prompt, default = typed[uri] }, function(text)
    if text then
      typed[uri] = text
      with_words(uri, text, bufnr, on_answer)
    end
  end)
end

--- Ask whether another shell may stand in for one that is not installed; once for each.
---@param asked zsh_ls.ScriptQuestions
---@param on_yes fun()
local function ask_stand_in(asked, on_yes)
  if not asked.stands_in or agreed[asked.shell] then
    return on_yes()
  end
  local run = 'Run it with ' .. asked.stands_in
  local prompt = asked.shell .. ' is not installed here, and this is written for it. What now?'
  vim.ui.select({ run, 'Do not run it' }, { prompt = prompt }, function(choice)
    if choice == run then
      agreed[asked.shell] = true
      on_yes()
    end
  end)
end

--- Ask what has to be known before a script runs; what the server cannot say is not asked.
---@param params { textDocument: lsp.TextDocumentIdentifier, args?: string[] }
---@param given string typed with the command; nothing where the script's own question is to be asked
---@param bufnr? integer
---@param on_answer fun(args: string[])
function M.of_script(params, given, bufnr, on_answer)
  local args = params.args or {}
  local uri = params.textDocument.uri
  rpc.ask('script', { textDocument = { uri = uri } }, function(asked)
    ask_stand_in(asked, function()
      if #args > 0 then
        return on_answer(args)
      elseif given ~= '' then
        return with_words(uri, given, bufnr, on_answer)
      end
      ask_arguments(uri, asked, bufnr, on_answer)
    end)
  end, { bufnr = bufnr, on_refusal = function() on_answer(args) end })
end

--- Ask before a line runs whether another shell may stand in for its document's, and for the arguments
--- that it reads: as none they would be nothing, and `$1/bin` the system's.
---@param params zsh_ls.RunParams
---@param bufnr? integer
---@param on_yes fun(args?: string[])
---@param range? lsp.Range what else runs with it
function M.of_line(params, bufnr, on_yes, range)
  if not params.document then
    return on_yes()
  end
  local uri = params.document.uri
  local where = { textDocument = { uri = uri }, range = range or params.document.range }
  rpc.ask('script', where, function(asked)
    ask_stand_in(asked, function()
      if params.args then
        return on_yes(params.args)
      end
      ask_arguments(uri, asked, bufnr, function(args) on_yes(#args > 0 and args or nil) end)
    end)
  end, { bufnr = bufnr, on_refusal = function() on_yes(params.args) end })
end

return M

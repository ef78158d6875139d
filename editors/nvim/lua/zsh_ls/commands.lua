--- The `:Zsh…` commands and their completion.
local tasks = require('zsh_ls.tasks')

local M = {}

---@param words string[]
---@param lead string
---@return string[]
local function beginning_with(words, lead)
  return vim.tbl_filter(function(word) return vim.startswith(word, lead) end, words)
end

---@param found zsh_ls.Task[]
---@return string[]
local function ids(found)
  return vim.tbl_map(function(task) return task.id end, found)
end

--- Commands that ran before, then programs and files as in a shell.
---@param lead string
---@param line string
---@return string[]
local function complete_command(lead, line)
  local typed = line:gsub('^.-Zsh%a+!?%s*', '')
  local before = vim.tbl_map(function(task) return task.command end, tasks.all())
  local lines = vim.tbl_filter(function(command) return not command:find('\n') end, before)
  local again = beginning_with(lines, typed)
  local tails = vim.tbl_map(function(command) return command:sub(#typed - #lead + 1) end, again)
  local kind = typed == lead and 'shellcmd' or 'file'
  local found = lead == '' and kind == 'shellcmd' and {} or vim.fn.getcompletion(lead, kind)
  return vim.list_extend(tails, found)
end

---@param lead string
---@return string[]
local function complete_file(lead)
  return vim.fn.getcompletion(lead, 'file')
end

---@param lead string
---@return string[]
local function complete_running(lead)
  return beginning_with(ids(tasks.running()), lead)
end

---@param lead string
---@return string[]
local function complete_task(lead)
  return beginning_with(ids(tasks.all()), lead)
end

local QUESTIONS = {
  'what failed last?',
  'what is running?',
  'what was killed?',
  'how long does it usually take?',
  'how much memory is free?',
  'how full is the disk?',
  'which host is flaky?',
  'install docker',
}

--- Complete questions that begin with the words typed so far.
---@param lead string
---@param line string
---@return string[]
local function complete_question(lead, line)
  local typed = line:gsub('^.-ZshAsk%s*', '')
  local found = beginning_with(QUESTIONS, typed)
  return vim.tbl_map(function(question) return question:sub(#typed - #lead + 1) end, found)
end

---@class zsh_ls.Command
---@field run fun(args: vim.api.keyset.create_user_command.command_args)
---@field complete? fun(lead: string, line: string): string[]
---@field options vim.api.keyset.user_command

---@param args { args: string, range: integer, line1: integer, line2: integer, bang: boolean }
---@param detached boolean
local function run(args, detached)
  local running = require('zsh_ls.run')
  local manner = { pty = args.bang, detached = detached or nil }
  if args.args ~= '' then
    running.text(args.args, manner)
  elseif args.range > 0 then
    running.lines(args.line1 - 1, args.line2 - 1, manner)
  else
    local row, column = unpack(vim.api.nvim_win_get_cursor(0))
    running.statement(row - 1, column, manner)
  end
end

--- If the first word is the id of a running task, it names that; the rest is typed.
---@param args { args: string, bang: boolean }
local function send(args)
  local first, rest = args.args:match('^(%S+)%s?(.*)$')
  local task = first and tasks.get(first)
  local text = task and rest or args.args
  require('zsh_ls.tasklist').send(text, task and first or nil, not args.bang)
end

---@param args { args: string }
local function ask(args)
  if args.args ~= '' then
    return require('zsh_ls.answers').ask(args.args)
  end
  vim.ui.input({ prompt = 'Ask zsh-ls: ' }, function(question)
    if question and question ~= '' then
      require('zsh_ls.answers').ask(question)
    end
  end)
end

---@param args { args: string }
local function explain(args)
  local answers = require('zsh_ls.answers')
  if args.args == '' then
    answers.explain_here()
  else
    answers.explain({ command = args.args }, vim.api.nvim_get_current_buf())
  end
end

---@param args { args: string }
---@return string?
local function named(args)
  return args.args ~= '' and args.args or nil
end

---@type table<string, zsh_ls.Command>
local COMMANDS = {
  ZshRun = {
    run = function(args) run(args, false) end,
    complete = complete_command,
    options = {
      nargs = '*',
      range = true,
      bang = true,
      desc = 'run a statement, a range or a text; ! with a terminal',
    },
  },
  ZshDetach = {
    run = function(args) run(args, true) end,
    complete = complete_command,
    options = {
      nargs = '*',
      range = true,
      bang = true,
      desc = 'run it so that it outlives the editor; ! with a terminal',
    },
  },
  ZshRerun = {
    run = function(args) require('zsh_ls.run').again(named(args)) end,
    complete = complete_task,
    options = { nargs = '?', desc = 'run the last one again, or what a task ran' },
  },
  ZshRunScript = {
    run = function(args) require('zsh_ls.run').script(args.args, false) end,
    complete = complete_file,
    options = { nargs = '*', desc = 'run the script of this buffer' },
  },
  ZshTrace = {
    run = function(args) require('zsh_ls.run').script(args.args, true) end,
    complete = complete_file,
    options = { nargs = '*', desc = 'run the script and tell of each line how it went' },
  },
  ZshTasks = {
    run = function(args) require('zsh_ls.tasklist').list(args.bang) end,
    options = { nargs = 0, bang = true, desc = 'choose among the running tasks; ! with those that ended' },
  },
  ZshSend = {
    run = send,
    complete = complete_running,
    options = { nargs = '*', bang = true, desc = 'type a line into a task; ! without Enter' },
  },
  ZshStop = {
    run = function(args) require('zsh_ls.tasklist').stop(named(args)) end,
    complete = complete_running,
    options = { nargs = '?', desc = 'end a task and all it started' },
  },
  ZshOutput = {
    run = function(args)
      if args.bang then
        require('zsh_ls.pages').open(named(args))
      else
        require('zsh_ls.output').open(named(args))
      end
    end,
    complete = complete_task,
    options = { nargs = '?', bang = true, desc = 'show the output of a task; ! all of it as text' },
  },
  ZshAsk = {
    run = ask,
    complete = complete_question,
    options = { nargs = '*', desc = 'ask about the memory, the machine or the last output' },
  },
  ZshExplain = {
    run = explain,
    complete = complete_command,
    options = { nargs = '*', desc = 'explain a command, or the one under the cursor' },
  },
  ZshFailures = {
    run = function(args)
      require('zsh_ls.failures').list(vim.api.nvim_get_current_buf(), args.bang)
    end,
    options = { nargs = 0, bang = true, desc = 'list commands that fail unnoticed; !: all fates' },
  },
  ZshRehearse = {
    run = function(args)
      local line = args.bang and vim.api.nvim_win_get_cursor(0)[1] - 1 or nil
      require('zsh_ls.rehearsal').buffer(vim.api.nvim_get_current_buf(), args.args, line)
    end,
    complete = complete_file,
    options = {
      nargs = '*',
      bang = true,
      desc = 'tell what the script would do; ! lets the line of the cursor fail',
    },
  },
  ZshStartup = {
    run = function(args)
      local startup, bufnr = require('zsh_ls.startup'), vim.api.nvim_get_current_buf()
      if args.bang or args.range > 0 then
        startup.without_lines(bufnr, args.line1 - 1, args.line2 - 1)
      else
        startup.of_buffer(bufnr)
      end
    end,
    options = {
      nargs = 0,
      range = true,
      bang = true,
      desc = "measure the shell's start; ! or a range: what it takes less without these lines",
    },
  },
  ZshPlaces = {
    run = function(args) require('zsh_ls.places').list(named(args)) end,
    complete = complete_task,
    options = { nargs = '?', desc = 'list the places that the output of a task names' },
  },
  ZshSession = {
    run = function(args)
      local session, bufnr = require('zsh_ls.session'), vim.api.nvim_get_current_buf()
      if args.bang then
        session.reset(bufnr)
      else
        session.show(bufnr)
      end
    end,
    options = { nargs = 0, bang = true, desc = 'show what the lines run so far have left; ! begins anew' },
  },
  ZshRestart = {
    run = function() require('zsh_ls.lifetime').restart() end,
    options = { nargs = 0, desc = 'start the server again' },
  },
}

--- Define them all.
function M.define()
  require('zsh_ls.places').follow()
  for name, command in pairs(COMMANDS) do
    local options = vim.tbl_extend('force', command.options, { complete = command.complete })
    vim.api.nvim_create_user_command(name, command.run, options)
  end
end

return M

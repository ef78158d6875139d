--- What runs in :terminal is learnt where its shell says what it does (PROMPT-3).
local H = ...
local it, eq = H.it, H.eq

local PROJECT = vim.env.HOME .. '/project'
local MARKS = [[
PS0='\e]133;C\a'
PS1='\[\e]133;A\a\]$ \[\e]133;B\a\]'
PROMPT_COMMAND='printf "\e]133;D;%s\a" "$?"'
]]
local ZSH_MARKS = [[
preexec() { print -rn $'\e]633;E;'${${1//\\/\\\\}//;/'\x3b'}$'\a\e]633;C\a' }
precmd() { print -rn $'\e]633;D;'$?$'\a' }
PS1=$'%{\e]633;A\a%}$ %{\e]633;B\a%}'
]]

--- A terminal whose shell reads `rc`.
---@param shell "bash"|"zsh"
---@param rc string
---@return integer channel, integer bufnr
local function terminal(shell, rc)
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder, 'p')
  vim.fn.writefile(vim.split(rc, '\n'), folder .. '/.zshrc')
  local command = shell == 'zsh' and { 'zsh', '-i' } or { 'bash', '--rcfile', folder .. '/.zshrc', '-i' }
  vim.cmd.enew()
  local options = { cwd = PROJECT, env = { ZDOTDIR = folder, PROMPT_COMMAND = '' } }
  local channel
  if vim.fn.has('nvim-0.11') == 1 then
    channel = vim.fn.jobstart(command, vim.tbl_extend('force', options, { term = true }))
  else
    channel = vim.fn.termopen(command, options)
  end
  return channel, vim.api.nvim_get_current_buf()
end

--- Type a line as a person does, and wait until it has been run.
---@param channel integer
---@param bufnr integer
---@param line string
local function type_line(channel, bufnr, line)
  local function screen()
    return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), '\n'):gsub('%s+$', '')
  end
  H.wait('a prompt', function() return screen():match('%$$') end)
  vim.api.nvim_chan_send(channel, line)
  H.wait('the echo', function() return vim.endswith(screen(), (line:gsub('%s+$', ''))) end)
  vim.api.nvim_chan_send(channel, '\r')
  H.wait('a prompt', function() return screen():match('%$$') end)
end

--- How many runs of a command memory knows.
---@param command string
---@return integer
local function runs(command)
  local found
  require('zsh_ls.rpc').ask('stats', { command = command }, function(stats) found = stats.runs end)
  return H.wait('stats', function() return found end)
end

---@param command string
local function learnt(command)
  H.wait(command .. ' in memory', function() return runs(command) == 1 end)
end

it('what runs in a terminal is learnt from its screen (0.11)', function()
  local channel, bufnr = terminal('bash', MARKS .. 'canary() { :; }; last() { :; }')
  type_line(channel, bufnr, "sh -c 'exit 7' bash")
  learnt("sh -c 'exit 7' bash")
  type_line(channel, bufnr, ' canary Qx7')
  type_line(channel, bufnr, 'last')
  learnt('last')
  local everywhere = { path = vim.env.HOME, type = 'file', limit = math.huge }
  local files = vim.fs.find(function() return true end, everywhere)
  for _, file in ipairs(files) do
    local there = io.open(file, 'rb')
    local text = there and there:read('a') or ''
    eq(nil, text:find('canary Qx7', 1, true) and file)
    if there then
      there:close()
    end
  end
end)

it('what the screen no longer shows for certain is not learnt (0.11)', function()
  -- The mark and what clears the screen come as one text, so that no look finds the line.
  local wipes = "PS0+='${WIPE}'\nWIPE=$'\\e[2J\\e[H'\n"
  local channel, bufnr = terminal('bash', MARKS .. wipes .. 'wiped() { WIPE=; }; after() { :; }')
  type_line(channel, bufnr, 'wiped')
  type_line(channel, bufnr, 'after')
  learnt('after')
  eq(0, runs('wiped'))
end)

it('a line that zsh sends is learnt in every version', function()
  local channel, bufnr = terminal('zsh', ZSH_MARKS .. 'sent() { :; }')
  type_line(channel, bufnr, 'sent; false')
  learnt('sent; false')
end)

it('a terminal whose shell has the hook is not learnt from twice', function()
  local own = ZSH_MARKS:gsub('(pre%a+)%(%)', 'mine_%1()') .. 'preexec_functions+=(mine_preexec)\n'
  local hook = vim.fn.system({ 'zsh-ls', 'init', 'zsh' }) .. own .. 'precmd_functions+=(mine_precmd)\n'
  local channel, bufnr = terminal('zsh', hook .. 'once() { :; }; more() { :; }')
  type_line(channel, bufnr, 'once')
  learnt('once')
  type_line(channel, bufnr, 'more')
  learnt('more')
  eq(1, runs('once'))
end)

it('nothing is learnt where nothing may run', function()
  vim.g.zsh_ls = { settings = { trusted = false } }
  local channel, bufnr = terminal('zsh', ZSH_MARKS .. 'distrusted() { :; }; trusted() { :; }')
  type_line(channel, bufnr, 'distrusted')
  vim.g.zsh_ls = nil
  type_line(channel, bufnr, 'trusted')
  learnt('trusted')
  eq(0, runs('distrusted'))
end)

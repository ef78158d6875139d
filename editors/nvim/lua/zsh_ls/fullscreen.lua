--- Which commands need a terminal of their own: programs that draw on all of the screen, or that converse.
local M = {}

local PROGRAMS = {}
for name in
  ([[
  vim vi nvim view vimdiff nano emacs micro helix hx ed joe mcedit
  less more most man info pg bat
  top htop btop atop iotop nvtop glances watch
  tig lazygit gitui fzf sk mc ranger nnn lf vifm yazi ncdu gdu
  tmux screen zellij byobu dialog whiptail
  ssh mosh telnet ftp sftp sudo su doas passwd gdb lldb
  mysql psql sqlite3 redis-cli mongosh bc
]]):gmatch('%S+')
do
  PROGRAMS[name] = true
end

--- What may stand before a program.
local BEFORE = {}
for _, name in ipairs({ 'command', 'exec', 'builtin', 'noglob', 'nocorrect', 'env', 'time' }) do
  BEFORE[name] = true
end

--- Whether a command, or the end of one of its pipelines, is such a program.
---@param command string
---@return boolean
function M.wants_terminal(command)
  for part in command:gsub("'[^']*'", "''"):gsub('"[^"]*"', '""'):gmatch('[^|;&\n]+') do
    for word in part:gmatch('%S+') do
      if not BEFORE[word] and not word:find('^[%a_][%w_]*=') then
        if PROGRAMS[vim.fs.basename(word)] then
          return true
        end
        break
      end
    end
  end
  return false
end

return M

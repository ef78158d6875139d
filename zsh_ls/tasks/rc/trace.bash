# Tells before each command how the one before it ended; see shell/traced.py.
# `${#FUNCNAME[@]}` would break `set -u`. A subshell drops the traps of the shell but this one, so its
# last command is told of by an exit trap that its first command sets: before `:` there is an event, too.
if { exec {_zlt_fd}>>"$ZSH_LS_TRACE"; } 2>/dev/null; then
  _zlt_pid=$BASHPID
  set -T
  trap 'builtin echo "D|$EPOCHREALTIME|$BASHPID|${#BASH_LINENO[@]}|$?|${PIPESTATUS[*]}|${BASH_SOURCE[0]-}:$LINENO" >&$_zlt_fd; [[ $BASHPID == $_zlt_pid ]] || { _zlt_pid=$BASHPID; trap : EXIT; }' DEBUG
fi

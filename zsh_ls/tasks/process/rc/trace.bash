# Tells before each command how the one before it ended; see shell/tracing/timeline.py.
# `${#FUNCNAME[@]}` would break `set -u`. A subshell drops the traps of the shell but this one, so its
# last command is told of by an exit trap that its first command sets: before `:` there is an event, too.
# What is lost while the file cannot grow is told with `L` when it can, and bash's own words go nowhere.
# A descriptor that bash chooses is 10, which scripts use too, and where bash itself keeps standard error while
# `echo` runs: events went into a script's own file, or to standard error once the script had closed 10.
_zlt_fd=187
if { true >&187; } 2>/dev/null || ! { exec 187>>"$ZSH_LS_TRACE"; } 2>/dev/null; then _zlt_fd=; fi
# Where the script's text says that it will do (shell/tracing/traceable.py), bash's own xtrace tells of each command:
# a trap costs four times as much, as bash reads its text anew each time. PS4's first character is repeated
# within `eval` and traps. Where programs inherit PS4 or the options they would be told of it.
if [[ -n $_zlt_fd && -n ${ZSH_LS_TRACE_SHELL-} && -n ${EPOCHREALTIME-} && ${PS4@a}${SHELLOPTS@a} != *x* ]]; then
  BASH_XTRACEFD=$_zlt_fd PS4='B|$EPOCHREALTIME|$$|${#BASH_LINENO[@]}|$?|$LINENO|${BASH_SOURCE-}|'
  set -x
elif [[ -n $_zlt_fd ]] || { exec {_zlt_fd}>>"$ZSH_LS_TRACE"; } 2>/dev/null; then
  _zlt_pid=$BASHPID _zlt_L=L$'\n'
  set -T
  trap 'builtin echo "${_zlt_lost-}D|$EPOCHREALTIME|$BASHPID|${#BASH_LINENO[@]}|$?|${PIPESTATUS[*]}|${BASH_SOURCE[0]-}:$LINENO" 2>&- >&$_zlt_fd || _zlt_lost=$_zlt_L; [[ $BASHPID == $_zlt_pid ]] || { _zlt_pid=$BASHPID; trap : EXIT; }' DEBUG
fi

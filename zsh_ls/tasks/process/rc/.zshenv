# Read by zsh first: puts back what belongs to the user, then leaves the exit report behind.
# A report is an empty file whose *name* carries the numbers: nothing that a command closes,
# redefines, limits or redirects keeps a reserved word from creating one.
# exit_reports.py chooses the ways; tests/tasks/nasty_cases.py says what each is for.
if [[ -n ${ZSH_LS_ZDOTDIR+set} ]]; then ZDOTDIR=$ZSH_LS_ZDOTDIR; else unset ZDOTDIR; fi
typeset +x ZSH_LS_REPORT ZSH_LS_HOOKS ZSH_LS_THEN ZSH_LS_ZDOTDIR ZSH_LS_SAVE ZSH_LS_RESTORE
if [[ -n ${ZSH_LS_NO_RCS-} ]]; then
  unset ZSH_LS_NO_RCS
  unsetopt rcs
elif [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then
  source "${ZDOTDIR:-$HOME}/.zshenv"
  eval "$ZSH_LS_THEN" 2>/dev/null
fi
if [[ -n ${ZSH_LS_SAVE-} ]]; then
  source "${${(%):-%x}:h}/session.zsh"
  _zls_then="; { () { $_zls_save } } 2>/dev/null"
fi
# The first numbers are those that the shell ends with, and stay so for what runs behind it.
_zls_ours="() { builtin local _zls_s _zls_r
  for _zls_s in "'"" "$@"'"; do _zls_r=\${_zls_s:+\$_zls_r-\$_zls_s}; done
  [[ \$ZSH_SUBSHELL == 0 ]] || return \$1
  for _zls_s in; do :; done >| ${(q)ZSH_LS_REPORT}e\"\$_zls_r\"${_zls_then-}
  return \$1 } "'"$?" "${(@)${(s. .)${_zls_last-}}:-${pipestatus[@]}}"'" 2>/dev/null && { : } 2>/dev/null"
case $ZSH_LS_HOOKS in
  (exit-trap*)
    # Seen by `trap` alone. It runs a little early where the last command is a compound one.
    trap "$_zls_ours" EXIT
    ;|
  (own-traps*)
    # The command's own EXIT trap runs behind ours, and no listing of traps shows ours. So many calls are in the
    # text, each made once at most; then nothing is left of this.
    _zls_calls=${${ZSH_LS_HOOKS%% *}#own-traps=}
    emulate zsh -o posixtraps -o noxtrace -c 'trap() {
      [[ $ZSH_SUBSHELL == 0 ]] || { builtin trap "$@"; return }
      if (( $# )); then
        builtin trap "$@" || return
        [[ $1 != -- ]] || shift
        if [[ -n ${(M)@[2-($#==1),-1]:#(EXIT|SIGEXIT|0)} ]]; then _zls_theirs=${1:#(-|EXIT|SIGEXIT|0)}; fi
      else
        builtin trap -- ${_zls_theirs:--} EXIT
        builtin trap
      fi
      builtin trap -- "$_zls_ours${_zls_theirs:+
$_zls_theirs}" EXIT
      (( --_zls_calls )) || { unfunction trap; unset _zls_ours _zls_theirs _zls_calls }
      return 0
    }
    builtin trap -- "$_zls_ours" EXIT'
    ;|
  (exit-hook*)
    # Its `exit` in a subshell calls the hook as well, whatever its manual says.
    # zsh's own name for it, or one more of its list where the user's file has taken that name.
    if [[ -n ${ZSH_LS_TRACE-} ]] || typeset -f zshexit >/dev/null; then zshexit_functions+=(_zls_exit); fi
    if [[ -n ${_zls_then-} ]]; then
      # The options that are saved are the command's own.
      eval "${zshexit_functions[(r)_zls_exit]:-zshexit}() { $_zls_ours }"
    else
      emulate zsh -o noxtrace -c "${zshexit_functions[(r)_zls_exit]:-zshexit}() { $_zls_ours }"
    fi
    ;|
  # zsh becomes its last command, hook and all, unless it has a trap or a lock to mind.
  (*by-trap*) trap : URG ;|
  (*by-lock*) zmodload -F zsh/system b:zsystem && zsystem flock -r -f _zls_lock /dev/null && unset _zls_lock ;|
  (*note*)
    # Traps of the command that run before the hook overwrite $pipestatus: noted after each list.
    unsetopt debug_before_cmd
    emulate zsh -o noxtrace -c 'TRAPDEBUG() { _zls_last="${(j. .)pipestatus}" }'
    ;|
  (*errexit*)
    # zsh calls no hook when errexit ends it.
    emulate zsh -o noxtrace -c "
      ${${ZSH_LS_HOOKS:#*keep*}:+TRAPZERR}${${(M)ZSH_LS_HOOKS:#*keep*}:+_zls_report}() {
        for 2 in "'"" "$?" "$pipestatus[@]"'"; do 1=\${2:+\$1-\$2}; done
        [[ \$ZSH_SUBSHELL != 0 ]] || { for 2 in; do :; done >| ${(q)ZSH_LS_REPORT}z\$1 } 2>/dev/null
      }"
    ;|
  (*errexit*keep*)
    # The options that are saved are the command's own, so that this one has none of its own either.
    eval "TRAPZERR() {
        {
          _zls_report
          [[ ! -o errexit || \$ZSH_SUBSHELL != 0 ]] || { _zls_within=\"\${funcstack[*]}\"; () { $_zls_save } }
        } 2>/dev/null
      }"
    ;;
esac
if [[ -n ${ZSH_LS_TRACE-} ]]; then source "${${(%):-%x}:h}/trace.zsh"; fi
if [[ -n ${ZSH_LS_RESTORE-} ]]; then _zls_restore=$ZSH_LS_RESTORE; fi
if [[ -n ${ZSH_LS_LATE-} ]]; then _zls_late=$ZSH_LS_LATE; unset ZSH_LS_LATE; fi
[[ $ZSH_LS_HOOKS == own-traps* ]] || unset _zls_ours
unset ZSH_LS_REPORT ZSH_LS_HOOKS ZSH_LS_THEN ZSH_LS_ZDOTDIR ZSH_LS_TRACE ZSH_LS_TRACE_SHELL ZSH_LS_SAVE ZSH_LS_RESTORE _zls_save _zls_then
# Last of all: it may set any option, `xtrace` too. What a script's first line has zsh show begins with the script.
if [[ -n ${_zls_restore-} ]]; then { source "$_zls_restore"; : "" } 2>/dev/null
elif [[ -n ${_zls_late-} ]]; then { set -$_zls_late; unset _zls_late; : "" } 2>/dev/null
else : ""; fi # what $_ holds when zsh starts

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
case $ZSH_LS_HOOKS in
  (exit-trap*)
    # Seen by `trap` alone. It runs a little early where the last command is a compound one.
    trap "{ for _zls_s in "'"" "$?" "${(@)${(s. .)${_zls_last-}}:-${pipestatus[@]}}"'"; do _zls_r=\${_zls_s:+\$_zls_r-\$_zls_s}; done
            for _zls_s in; do :; done >| ${(q)ZSH_LS_REPORT}e\$_zls_r } 2>/dev/null$_zls_then" EXIT
    ;|
  (exit-hook*)
    # Its `exit` in a subshell calls the hook as well, whatever its manual says.
    # zsh's own name for it, or one more of its list where the user's file has taken that name.
    if [[ -n ${ZSH_LS_TRACE-} ]] || typeset -f zshexit >/dev/null; then zshexit_functions+=(_zls_exit); fi
    emulate zsh -o noxtrace -c "
      ${zshexit_functions[(r)_zls_exit]:-zshexit}() {
        for _zls_s in "'"" "$?" "${(@)${(s. .)_zls_last}:-$pipestatus[@]}"'"; do _zls_r=\${_zls_s:+\$_zls_r-\$_zls_s}; done
        [[ \$ZSH_SUBSHELL != 0 ]] || { for _zls_s in; do :; done >| ${(q)ZSH_LS_REPORT}e\$_zls_r } 2>/dev/null
      }"
    if [[ -n ${_zls_save-} ]]; then
      eval "_zls_state() { { [[ \$ZSH_SUBSHELL == 0 ]] || return } 2>/dev/null; $_zls_save }"
      zshexit_functions+=(_zls_state)
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
        for _zls_s in "'"" "$?" "$pipestatus[@]"'"; do _zls_r=\${_zls_s:+\$_zls_r-\$_zls_s}; done
        [[ \$ZSH_SUBSHELL != 0 ]] || { for _zls_s in; do :; done >| ${(q)ZSH_LS_REPORT}z\$_zls_r } 2>/dev/null
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
unset ZSH_LS_REPORT ZSH_LS_HOOKS ZSH_LS_THEN ZSH_LS_ZDOTDIR ZSH_LS_TRACE ZSH_LS_TRACE_SHELL ZSH_LS_SAVE ZSH_LS_RESTORE _zls_save _zls_then
# Last of all: it may set any option, `xtrace` too.
if [[ -n ${_zls_restore-} ]]; then { source "$_zls_restore"; : "" } 2>/dev/null; else : ""; fi # what $_ holds when zsh starts

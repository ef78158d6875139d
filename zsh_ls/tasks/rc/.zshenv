# Read by zsh first: puts back what belongs to the user, then leaves the exit report behind.
# A report is an empty file whose *name* carries the numbers: nothing that a command closes,
# redefines, limits or redirects keeps a reserved word from creating one.
# tests/tasks/test_reports.py says what each way is for.
if [[ -n ${ZSH_LS_ZDOTDIR+set} ]]; then ZDOTDIR=$ZSH_LS_ZDOTDIR; else unset ZDOTDIR; fi
typeset +x ZSH_LS_REPORT ZSH_LS_HOOKS ZSH_LS_ZDOTDIR
if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then source "${ZDOTDIR:-$HOME}/.zshenv"; fi
case $ZSH_LS_HOOKS in
  (*lists-functions*)
    # Seen by `trap` alone. It runs a little early where the last command is a compound one.
    trap "{ for _zls_s in "'"" "$?" "${pipestatus[@]}"'"; do _zls_r=\${_zls_s:+\$_zls_r-\$_zls_s}; done
            for _zls_s in; do :; done >| ${(q)ZSH_LS_REPORT}e\$_zls_r } 2>/dev/null" EXIT
    ;;
  (*)
    # A function of zsh's own name for it, or one of its list where the name is taken.
    if [[ $ZSH_LS_HOOKS == *own-exit-hook* ]] || typeset -f zshexit >/dev/null; then
      zshexit_functions+=(_zls_exit)
    fi
    emulate zsh -o noxtrace -c "
      ${zshexit_functions[(r)_zls_exit]:-zshexit}() {
        for _zls_s in "'"" "$?" "${(@)${(s. .)_zls_last}:-$pipestatus[@]}"'"; do _zls_r=\${_zls_s:+\$_zls_r-\$_zls_s}; done
        for _zls_s in; do :; done >| ${(q)ZSH_LS_REPORT}e\$_zls_r
      }"
    ;|
  (plain*)
    # zsh becomes its last command, hook and all, unless it has a trap or a lock to mind.
    trap : URG
    ;|
  (own-traps*)
    zmodload -F zsh/system b:zsystem && zsystem flock -r -f _zls_lock /dev/null
    ;|
  (*own-report-trap*)
    # Traps of the command that run before the exit hook overwrite $pipestatus: noted after each list.
    unsetopt debug_before_cmd
    emulate zsh -o noxtrace -c 'TRAPDEBUG() { _zls_last="$pipestatus[*]" }'
    ;|
  (*errexit*)
    # zsh calls no exit hook when errexit ends it.
    emulate zsh -o noxtrace -c "
      TRAPZERR() {
        for _zls_s in "'"" "$?" "$pipestatus[@]"'"; do _zls_r=\${_zls_s:+\$_zls_r-\$_zls_s}; done
        [[ \$ZSH_SUBSHELL != 0 ]] || { for _zls_s in; do :; done >| ${(q)ZSH_LS_REPORT}z\$_zls_r }
      }"
    ;;
esac
unset ZSH_LS_REPORT ZSH_LS_HOOKS ZSH_LS_ZDOTDIR

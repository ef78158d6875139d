# Read by zsh first, for the commands that nearly all are: what ../.zshenv does for `exit-hook`
# and `exit-hook by-trap`.
# zsh reads a file whole, and the rest of that one is a twentieth of a short command's time.
if [[ -n ${ZSH_LS_ZDOTDIR+set} ]]; then ZDOTDIR=$ZSH_LS_ZDOTDIR; else unset ZDOTDIR; fi
typeset +x ZSH_LS_REPORT ZSH_LS_HOOKS ZSH_LS_THEN ZSH_LS_ZDOTDIR
if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then source "${ZDOTDIR:-$HOME}/.zshenv"; eval "$ZSH_LS_THEN" 2>/dev/null; fi
if typeset -f zshexit >/dev/null; then zshexit_functions+=(_zls_exit); fi
emulate zsh -o noxtrace -c "
  ${zshexit_functions[(r)_zls_exit]:-zshexit}() {
    for _zls_s in "'"" "$?" "$pipestatus[@]"'"; do _zls_r=\${_zls_s:+\$_zls_r-\$_zls_s}; done
    [[ \$ZSH_SUBSHELL != 0 ]] || { for _zls_s in; do :; done >| ${(q)ZSH_LS_REPORT}e\$_zls_r } 2>/dev/null
  }"
if [[ $ZSH_LS_HOOKS == *by-trap ]]; then trap : URG; fi
unset ZSH_LS_REPORT ZSH_LS_HOOKS ZSH_LS_THEN ZSH_LS_ZDOTDIR
: "" # what $_ holds when zsh starts

# Read by zsh first: says before each list where it stands, by the name of a file that it opens.
if [[ -n ${REHEARSE_ZDOTDIR-} ]]; then ZDOTDIR=$REHEARSE_ZDOTDIR; else unset ZDOTDIR; fi
unset REHEARSE_ZDOTDIR
if [[ -n ${REHEARSE_NO_RCS-} ]]; then
  unset REHEARSE_NO_RCS
  unsetopt rcs
elif [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then
  source "${ZDOTDIR:-$HOME}/.zshenv"
fi
# A program that is not there is told with its words, and zsh's own message stays.
command_not_found_handler() {
  print -ru2 -- "${funcfiletrace[1]:-zsh}: command not found: $1"
  /run/rehearse/missing "$@"
}
if (( ! ${+ZSH_EXECUTION_STRING} )); then
  zmodload zsh/parameter
  typeset -gx REHEARSE_AT=
  emulate zsh -o noxtrace -c 'TRAPDEBUG() {
    [[ $funcstack[2] != command_not_found_handler ]] || return 0
    local at=$funcfiletrace[1] said=${${ZSH_DEBUG_CMD//[^a-zA-Z0-9_.-]/}[1,80]}
    local file=${${at%:*}//\//%}
    typeset -gx REHEARSE_AT="${at##*:}@$said@${file[-150,-1]}"
    { builtin : >| "/run/rehearse/log/m$REHEARSE_AT" } 2>/dev/null
  }'
fi

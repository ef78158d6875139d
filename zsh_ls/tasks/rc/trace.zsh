# Tells of each list that has ended, in a file of its own that no program inherits; see shell/traced.py.
zmodload zsh/datetime zsh/system zsh/parameter
if sysopen -w -a -o cloexec -u _zlt_fd -- "$ZSH_LS_TRACE" 2>/dev/null; then
  unsetopt debug_before_cmd
  emulate zsh -o noxtrace -c '_zlt_exit() {
    builtin print -ru $_zlt_fd "X|$EPOCHREALTIME|$sysparams[pid]|$#funcstack|$?|$pipestatus|$funcfiletrace[1]"
  }'
  # First of all: zsh 5.9 may crash while it ends, and then this is the report (ending.py).
  zshexit_functions=(_zlt_exit $zshexit_functions)
  # A trap of text costs a third of a function; shell/traceable.py says where it will do.
  case $ZSH_LS_HOOKS${ZSH_LS_TRACE_SHELL:+ shell} in
    (*note*)
      emulate zsh -o noxtrace -c 'TRAPDEBUG() {
        _zls_last="$pipestatus[*]"
        builtin print -ru $_zlt_fd "A|$EPOCHREALTIME|$sysparams[pid]|$#funcstack|$?|$pipestatus|$funcfiletrace[1]"
      }'
      ;;
    (*shell)
      trap 'builtin print -ru $_zlt_fd "A|$EPOCHREALTIME|$sysparams[pid]|$#funcstack|$?|$pipestatus|${funcsourcetrace[1]:-$ZSH_ARGZERO:0}+$LINENO"' DEBUG
      ;;
    (*)
      emulate zsh -o noxtrace -c 'TRAPDEBUG() {
        builtin print -ru $_zlt_fd "A|$EPOCHREALTIME|$sysparams[pid]|$#funcstack|$?|$pipestatus|$funcfiletrace[1]"
      }'
      ;;
  esac
fi

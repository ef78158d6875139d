# Tells of each list that has ended, in a file of its own that no program inherits; see shell/tracing/timeline.py.
# `$epochtime` takes half the time of `$EPOCHREALTIME`, which zsh writes with all digits of a double; a script may
# have an IFS of its own, which would join arrays.
# `syswrite` prints nothing where the file cannot grow; what was lost by then is told with `L` when it can.
zmodload zsh/datetime zsh/system zsh/parameter
if sysopen -w -a -o cloexec -u _zlt_fd -- "$ZSH_LS_TRACE" 2>/dev/null; then
  unsetopt debug_before_cmd
  typeset -g _zlt_L=L$'\n'
  emulate zsh -o noxtrace -c '_zlt_exit() {
    builtin syswrite -o $_zlt_fd -- "${_zlt_lost-}X|${(j. .)epochtime}|$sysparams[pid]|$#funcstack|$?|${(j. .)pipestatus}|$funcfiletrace[1]
" || _zlt_lost=$_zlt_L
  }'
  # First of all: zsh 5.9 may crash while it ends, and then this is the report (ending.py).
  zshexit_functions=(_zlt_exit $zshexit_functions)
  # A trap of text costs a third of a function; shell/tracing/traceable.py says where it will do.
  case $ZSH_LS_HOOKS${ZSH_LS_TRACE_SHELL:+ shell} in
    (*note*)
      emulate zsh -o noxtrace -c 'TRAPDEBUG() {
        _zls_last="${(j. .)pipestatus}"
        builtin syswrite -o $_zlt_fd -- "${_zlt_lost-}A|${(j. .)epochtime}|$sysparams[pid]|$#funcstack|$?|${(j. .)pipestatus}|$funcfiletrace[1]
" || _zlt_lost=$_zlt_L
      }'
      ;;
    (*shell)
      # No subshell has this trap, so the process is known when it is set; to ask for it would take a tenth.
      # There is no pipeline, so `$pipestatus` is one number, whatever joins it. Outside of functions no file is
      # named: the script's own name took a tenth of all instructions.
      trap "builtin syswrite -o$_zlt_fd \"\${_zlt_lost-}A|\${(j. .)epochtime}|$$|\$#funcstack|\$?|\$pipestatus|\${funcsourcetrace[1]-}+\$LINENO
\" || _zlt_lost=\$_zlt_L" DEBUG
      ;;
    (*)
      emulate zsh -o noxtrace -c 'TRAPDEBUG() {
        builtin syswrite -o $_zlt_fd -- "${_zlt_lost-}A|${(j. .)epochtime}|$sysparams[pid]|$#funcstack|$?|${(j. .)pipestatus}|$funcfiletrace[1]
" || _zlt_lost=$_zlt_L
      }'
      ;;
  esac
fi

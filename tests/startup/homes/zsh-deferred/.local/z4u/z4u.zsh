# The framework itself: names that begin with a dash, `always`, options of its own.
'builtin' 'local' '-a' '_z4u_opts'
[[ ! -o 'aliases'         ]] || _z4u_opts+=('aliases')
'builtin' 'setopt' 'no_aliases' 'no_sh_glob' 'brace_expand'
() {
  emulate -L zsh -o extended_glob -o pipe_fail
  fpath=($Z4U/fn $fpath)
  autoload -Uz -- $Z4U/fn/[^.]*(.N:t)
  #= planted 50
  sleep 0.05
} || return
function -z4u-cmd-init {
  emulate -L zsh
  {
    -z4u-check || return
    #= planted 50
    sleep 0.05
  } always {
    #= planted 50
    builtin sleep 0.05 2>/dev/null || command sleep 0.05
  }
  typeset -gi _z4u_ready=1
}
function -z4u-cmd-load {
  case $1 in
    --now) -z4u-source $Z4U/plugins/$2/$2.plugin.zsh ;;
    --later) -z4u-defer -z4u-source $Z4U/plugins/$2/$2.plugin.zsh ;;
    --compiled)
      local file=$Z4U/plugins/$2/init.zsh
      # Read as a whole, with its options, and evaluated: it has no lines.
      #= planted 80 runs eval 'sleep 0.05'; sleep 0.03
      builtin eval "$(<$file)"; sleep 0.03
      ;;
  esac
}
function -z4u-source {
  builtin source $1 "${@:2}"
}
function -z4u-defer {
  typeset -ga _z4u_put_off
  _z4u_put_off+=("${(j: :)${(@q)argv}}")
  -z4u-schedule
}
(( ${#_z4u_opts} )) && 'builtin' 'setopt' "${_z4u_opts[@]}"
'builtin' 'unset' '_z4u_opts'

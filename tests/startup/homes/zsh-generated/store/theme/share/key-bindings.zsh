if 'zmodload' 'zsh/parameter' 2>'/dev/null' && (( ${+options} )); then
  __key_bindings_options="options=(${(j: :)${(kv)options[@]}})"
else
  () {
    __key_bindings_options="setopt"
  }
fi
'builtin' 'emulate' 'zsh' && 'builtin' 'setopt' 'no_aliases'
{
  if [[ -o interactive ]]; then
    #= planted 50
    sleep 0.05
    __get_cmd() {
      #= planted 50
      sleep 0.05
    }
    __get_cmd
  fi
} always {
  eval $__key_bindings_options
  'unset' '__key_bindings_options'
}

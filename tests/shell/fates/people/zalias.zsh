# A plugin: loaded by .zshrc.
0=${(%):-%N}
typeset -g PLUGIN_DIR=${0:A:h}
autoload -Uz add-zsh-hook

_plugin_fetch() {
  setopt localoptions pipefail
  curl-get url | unpack || return 1
  compile-all
}

_plugin_init() {
  if [[ ! -d $PLUGIN_DIR/cache ]]; then
    mkdir-cache || return
  fi
  _plugin_fetch && mark-fresh || mark-stale
  load-words "$(list-words)"
}

_plugin_precmd() {
  local last=$?
  (( last )) && show-status $last
  update-title
}
_plugin_init
register-hook

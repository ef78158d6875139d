setopt no_unset
update_title() {
  local cmd=$1
  print -Pn "\e]0;%~\a"
  tmux rename-window $cmd
}
preexec_hook() {
  update_title $1
  [[ -n $TMUX ]] && tmux refresh-client
}
refresh() {
  if ! read_cache; then
    compute_status || return
    write_cache
  fi
  show_status | column -t
}
refresh
bindkey -e
zle_setup

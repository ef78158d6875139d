source ~/zsh/common.sh
() {
  setopt local_options extended_glob
  #= planted 50
  sleep 0.05
}
precmd_functions+=(late)
late() {
  #= planted 50
  sleep 0.05
}

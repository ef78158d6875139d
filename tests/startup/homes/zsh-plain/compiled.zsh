# Compiled before the start: zsh reads compiled.zsh.zwc.
: first

#= planted 50
sleep 0.05
compiled() {
  #= planted 50
  sleep 0.05
}
compiled

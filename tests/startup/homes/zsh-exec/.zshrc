# A terminal that starts no login shells: zsh becomes one.
early() {
  #= planted 100 2
  sleep 0.05
}
early
[[ -o login || -n $ZSH_EXECUTION_STRING ]] || exec zsh -l
#= planted 50
sleep 0.05

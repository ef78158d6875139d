# Read by the second shell.
fpath=($ZDOTDIR/functions $fpath)
autoload -Uz lazily add-zsh-hook
slow_function() {
  : before
  #= planted 50
  sleep 0.05
}
slow_function
#= planted 50
eval 'sleep 0.05'
source $ZDOTDIR/sourced.zsh
lazily
#= planted 70 runs value=$(sleep 0.07)
value=$(sleep 0.07)
#= background
sleep 0.3 &!
hook() {
  #= planted 50
  sleep 0.05
}
add-zsh-hook precmd hook
PS1='%# '

# Texts without a file of their own, and functions that the line editor calls before the first prompt is ready.
#= planted 70 runs source <(echo 'sleep 0.05'; print 'sleep 0.02')
source <(echo 'sleep 0.05'; print -r 'of_pipe() {
  sleep 0.02
}
of_pipe')
#= planted 50 runs source /dev/stdin <<< 'sleep 0.05'
source /dev/stdin <<< 'sleep 0.05'
#= planted 50 runs source =(echo 'sleep 0.05')
source =(echo 'sleep 0.05')
#= planted 30
one() { sleep 0.03 }
zle-line-init() {
  local words=(a b)
  #= planted 50
  sleep 0.05
  if [[ $words[1] == a ]]; then
    #= planted 50
    sleep 0.05
  fi
  one
}
zle -N zle-line-init
before_it_is_drawn() {
  : "a first command"
  #= planted 50 runs eval 'value=1; sleep 0.05'
  eval 'value=1
  sleep 0.05'
  #= planted 50 runs value=$(sleep 0.05)
  value=$(sleep 0.05)
}
autoload -Uz add-zle-hook-widget
add-zle-hook-widget line-init before_it_is_drawn

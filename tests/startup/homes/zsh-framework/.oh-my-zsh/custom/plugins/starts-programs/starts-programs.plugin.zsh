#= planted 50
command sleep 0.05
(( $+commands[sleep] )) && {
  #= planted 50
  sleep 0.05
}

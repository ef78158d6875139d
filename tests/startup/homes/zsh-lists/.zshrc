# Lists whose first command calls something and whose next one takes the time: zsh traces a list as one command.
quick() {
  local x=1
  y=2
}
fails() {
  [[ a == b ]]
}
ends_with_program() {
  y=3
  /bin/true
}
prints() {
  print one
}
fpath=(~/functions $fpath)
autoload -Uz at_once

#= planted 50
quick && sleep 0.05
#= planted 50
fails || sleep 0.05
#= planted 50
ends_with_program && sleep 0.05
#= planted 50
at_once && sleep 0.05
#= planted 50
source ~/quick.zsh && sleep 0.05
#= planted 50
[[ -r ~/program.zsh ]] && . ~/program.zsh && sleep 0.05
#= planted 50
value=$(prints) && sleep 0.05
#= planted 50
[[ -n $(fails) ]] || sleep 0.05
#= planted 50
quick && sleep 0.05 && quick
#= planted 50
source ~/quick.zsh &&
  sleep 0.05
#= planted 50
quick && value=$(sleep 0.05)
#= planted 50
if quick && sleep 0.05; then
  y=4
fi
for each in one two; do
  #= planted 100 2
  quick && sleep 0.05
done
setup() {
  #= planted 50
  quick && sleep 0.05
  y=5
}
setup
#= planted 50
source ~/nested.zsh && sleep 0.05
#= planted 50
eval 'y=6' && sleep 0.05
#= planted 50
prints | sleep 0.05
#= planted 50
{ quick } && sleep 0.05
#= planted 50 runs quick; sleep 0.05
(( $+functions[quick] )) && quick && sleep 0.05
y=7

# Has a DEBUG trap of its own, as history tools do.
#= planted 50
sleep 0.05
trap 'typeset -g seen=1' DEBUG
#= planted 50
sleep 0.05
trap - DEBUG
#= planted 50
sleep 0.05
TRAPDEBUG() { typeset -g seen=2 }
#= planted 50
sleep 0.05
unfunction TRAPDEBUG
#= planted 50
sleep 0.05
PS1='%# '

0=${(%):-%x}
typeset -g _early_dir=${0:A:h}
#= planted 50
sleep 0.05
source "${${(%):-%N}:A:h}/more.zsh" one two
unfunction -z4u-nothing 2>/dev/null || true

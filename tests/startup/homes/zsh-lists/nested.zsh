y=1
source ~/quick.zsh
#= planted 50
quick && sleep 0.05

y=1
source ~/quick.zsh
#= planted 50 ends-unseen
quick && sleep 0.05

# What every zsh reads.
path=(~/bin $path)
#= planted 50
sleep 0.05

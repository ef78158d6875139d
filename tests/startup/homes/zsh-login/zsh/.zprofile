# Read by a login shell, in the folder that .zshenv names.
#= planted 50
sleep 0.05

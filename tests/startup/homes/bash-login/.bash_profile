# Read by a login shell.
#= planted 50
sleep 0.05
[ -r ~/.bashrc ] && . ~/.bashrc

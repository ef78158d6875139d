# Sends the rest elsewhere, as many do.
ZDOTDIR=$HOME/.config/zsh
path=(~/bin $path)

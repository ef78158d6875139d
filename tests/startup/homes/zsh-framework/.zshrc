# The shape of oh-my-zsh: a framework that sources plugins in a loop, and a theme.
export ZSH=$HOME/.oh-my-zsh
plugins=(quick slow starts-programs background)
source $ZSH/oh-my-zsh.sh
# What an eval defines has no line of its own: its time is that of the eval.
#= planted 100 runs eval "$(~/.oh-my-zsh/tools/tool init zsh)"; sleep 0.05
eval "$(~/.oh-my-zsh/tools/tool init zsh)"
tool_hook
compdef _nothing nothing

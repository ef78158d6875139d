# Loads what the rc file named.
compdef() { : }
for plugin ($plugins); do
  if [[ -f $ZSH/custom/plugins/$plugin/$plugin.plugin.zsh ]]; then
    source $ZSH/custom/plugins/$plugin/$plugin.plugin.zsh
  elif [[ -f $ZSH/plugins/$plugin/$plugin.plugin.zsh ]]; then
    source $ZSH/plugins/$plugin/$plugin.plugin.zsh
  fi
done
unset plugin
source $ZSH/themes/planted.zsh-theme

# This file was generated; do not edit. {{ nothing of the template is left }}
typeset -U path cdpath fpath manpath
for profile in ${(z)NIX_PROFILES:-"$HOME/store/theme $HOME/store/plugins-auto"}; do
  fpath+=($profile/share/zsh/site-functions $profile/share/zsh/$ZSH_VERSION/functions $profile/share/zsh/vendor-completions)
done

HELPDIR="/store/zsh/share/zsh/$ZSH_VERSION/help"

#= planted 50
autoload -U compinit && : compinit -C; zstyle ':completion:*' menu select; sleep 0.05; bindkey -e; PROMPT='%# '
source $HOME/store/plugins-auto/share/auto.zsh
ZSH_AUTOSUGGEST_STRATEGY=(history)


# History options should be set in .zshrc and after oh-my-zsh sourcing.
HISTSIZE="10000"
SAVEHIST="10000"

HISTFILE="$HOME/.zsh_history"
mkdir -p "$(dirname "$HISTFILE")"

setopt HIST_FCNTL_LOCK
unsetopt APPEND_HISTORY
if [[ $options[zle] = on ]]; then
  . $HOME/store/theme/share/key-bindings.zsh
fi

if [[ $TERM != "dumb" ]]; then
  #= planted 80 runs eval "$(sh -c 'sleep 0.05; :')"; sleep 0.03
  eval "$($HOME/store/theme/share/tool init zsh --print-full-init)"
fi

eval "$($HOME/store/theme/share/tool hook zsh)"
#= planted 50 runs x="$(sleep 0.05)"
if x="$('sleep' '0.05' 2> /dev/null)"; then \builtin eval "$x"; else if [ -f "/store/none" ]; then . "/store/none"; else \export PATH="/store/bin:$PATH"; fi; fi

# Aliases
alias -- ll='ls -l' 
alias -- slow='sleep 0.05'
#= planted 50 runs slow
slow

# Named Directory Hashes
hash -d docs="$HOME/Documents"
ZSH_HIGHLIGHT_HIGHLIGHTERS=(main brackets)
{
  #= planted 50
  sleep 0.05 & wait $!
} 2>/dev/null
{{ : }} 2>/dev/null
#= planted 100 2
function () { sleep 0.05 }; function { sleep 0.05 }

# Environment variables
. "$HOME/store/hm-session/share/session-vars.sh"

# Only source this once
if [[ -z "$__HM_ZSH_SESS_VARS_SOURCED" ]]; then
  export __HM_ZSH_SESS_VARS_SOURCED=1
  export EDITOR="vi" VISUAL="vi"
fi
export ZDOTDIR="$HOME"'/.config/zsh'

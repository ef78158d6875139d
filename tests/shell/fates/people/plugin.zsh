# A plugin: functions for a prompt.
autoload -Uz add-zsh-hook
setopt prompt_subst

_branch() {
  emulate -L zsh
  local ref
  ref=$(git symbolic-ref --short HEAD) || return
  print -r -- "$ref"
}

_update() {
  emulate -L zsh -o err_return
  local now=$(date +%s)
  git fetch --quiet
  git status --porcelain | read -r line
  cache_write "$now"
}

_install() {
  git clone https://example.org/p.git ~/.p || { print failed; return 1 }
  source ~/.p/p.zsh
  zcompile ~/.p/p.zsh
}

[[ -d ~/.p ]] || _install
add-zsh-hook precmd _update
PROMPT='%~ $(_branch) '

#--------------------------------------------------------------------#
# Setup                                                              #
#--------------------------------------------------------------------#
zmodload zsh/system
typeset -g AUTO_COUNT=0
auto_bind() {
  emulate -L zsh
  local widget
  for widget in ${(f)"$(builtin zle -la)"}; do
    (( AUTO_COUNT++ > 1 )) && break
    #= planted 60 2
    sleep 0.03
  done
}
auto_start() {
  #= planted 50
  sleep 0.05
  add-zsh-hook -d precmd auto_start
  auto_bind
}
autoload -Uz add-zsh-hook
add-zsh-hook precmd auto_start

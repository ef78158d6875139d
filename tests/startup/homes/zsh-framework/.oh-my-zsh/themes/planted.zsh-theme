setopt prompt_subst
planted_precmd() {
  #= planted 50
  sleep 0.05
}
precmd_functions+=(planted_precmd)
# Expanded after the last command: the time of the shell itself.
PROMPT='$(sleep 0.05)%# '

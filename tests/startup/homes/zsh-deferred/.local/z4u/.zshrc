z4u init || return
# Each of these is a line of its own.
z4u load --now early
z4u load --later late
z4u load --compiled copied

# Functions without a text in any file: those of a copy have the lines of what was copied.
#= planted 50
assigned_at_once() { : ; }; functions[assigned]='local -a here; sleep 0.05'; assigned
first_of_two() {
  local one
  #= planted 100 2
  sleep 0.05
}
functions -c first_of_two second_of_two
first_of_two
second_of_two

#= planted 50 runs value=$(sleep 0.05; print yes)
zstyle -e ':z4u:prompt' style 'reply=($(sleep 0.05; print yes))'
zstyle -a ':z4u:prompt' style found

#= planted 50 runs value=$(sleep 0.05; print word)
later='$(sleep 0.05; print word)'; value=${(e)later}
#= planted 50 runs value=$(sleep 0.05)
typeset -gA table=(
  one 1
  two "$(sleep 0.05)"
)
#= planted 50
math() { sleep 0.05; (( $1 + 1 )) }
functions -M plus 1 1 math
(( total = plus(3) ))
alias -g LATER='| sleep 0.05'
eval '
alias slowly="sleep 0.05"
'
#= planted 50
slowly
#= planted 50
print word LATER

# Within a trap zsh calls no other: its time is that of the command that set it off.
TRAPUSR1() {
  sleep 0.05
}
#= planted 50 runs sleep 0.05
kill -USR1 $$

# What is put off until the prompt is there is not part of the start.
put_off() {
  zle -F $1
  exec {1}<&-
  sleep 0.4
}
exec {waits}</dev/null
zle -F $waits put_off
zmodload zsh/sched
sched +1 'sleep 0.4'
unset value table total waits

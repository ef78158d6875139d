# How people write: loops over files, output of programs that is sourced, kept and compiled.
for file in $ZDOTDIR/conf.d/*.zsh(N); do
  source $file
done
cd $ZDOTDIR
source ./relative.zsh one two
cd

#= planted 50 runs source <(slowtool :)
source <(slowtool :)
#= planted 50 runs source =(slowtool :)
source =(slowtool :)
#= planted 50 runs slowtool word | read -r value
slowtool word | read -r value
# Asked for its second line too.
#= planted 50 2 runs while read -r value; do :; done < <(sleep 0.025; echo word)
while read -r value; do
  :
done < <(slowtool word)
#= planted 50 runs for value in $(slowtool word); do :; done
for value in $(slowtool word); do
  : $value
done
#= planted 50 runs case $(slowtool word) in word) : ;; esac
case $(slowtool word) in
  word) : ;;
esac
#= planted 50 runs (( $(slowtool 1) > 0 ))
if (( $(slowtool 1) > 0 )); then
  : yes
fi
#= planted 50 runs export value=$(slowtool word)
export value="$(slowtool word)" PAGER=less
#= planted 50 runs noglob command slowtool >/dev/null
noglob command slowtool ** >/dev/null
#= planted 50 runs ! slowtool >/dev/null
! slowtool >/dev/null
#= planted 50 runs slowtool >/dev/null
: && slowtool >/dev/null || : never
#= planted 50 runs zsh -fc "sleep 0.05"
zsh -fc 'sleep 0.05; exit'
#= planted 50 runs slowtool >/dev/null
(( $+commands[slowtool] )) && { slowtool >/dev/null }

{
  #= planted 50
  sleep 0.05
} always {
  #= planted 50
  sleep 0.05
}

function one two {
  #= planted 100 2
  sleep 0.05
}
one
two

outer() {
  local result
  #= planted 50 runs local result=$(slowtool word)
  local more=$(slowtool word) again=1
  inner_of_outer "$result"
}
inner_of_outer() {
  #= planted 50
  sleep 0.05
  return 3
}
outer

#= planted 50 runs slowtool & wait
slowtool >/dev/null & wait $!

coproc slowtool word
#= planted 50 runs slowtool word
read -rp value

# What a cache of completions is for: written where it is older, compiled, then read.
cached=$ZDOTDIR/cached.zsh
if [[ ! -s $cached ]]; then
  print -r 'sleep 0.02' >$cached
  zcompile $cached
fi
source $cached

#= planted 50 runs eval "$(slowtool :)"
eval "$(slowtool 'hook() { : }; precmd_functions+=(hook)')"
#= planted 50
[[ -o interactive ]] && sleep 0.05 # a comment

fpath=($ZDOTDIR/functions $fpath)
autoload -Uz $ZDOTDIR/functions/*(N:t)
as_ksh
counts_up 2

# Parts of a pipeline that are functions have commands of their own, in processes of their own.
as_part() {
  #= planted 50
  sleep 0.05
  : after
}
print -r word | as_part | cat
in_the_middle() {
  : before
  #= planted 50
  sleep 0.05
  cat
}
value="$(print -r word | in_the_middle | cat)"

typeset -g -A done_once
once() {
  (( $+done_once[$1] )) && return
  done_once[$1]=1
  #= planted 50
  sleep 0.05
}
once a; once a
precmd_functions+=(last_hook)
last_hook() {
  #= planted 50
  sleep 0.05
  precmd_functions[(i)last_hook]=()
}
beside() {
  : before
  sleep 0.2
}
#= background
beside &!
#= background
{ sleep 0.2; : } &!
#= background
slowtool later >/dev/null 2>&1 &|
unset value file cached
PS1='%# '

# As distributions and people write it.
case $- in
  *i*) ;;
  *) return ;;
esac
HISTCONTROL=ignoreboth
shopt -s histappend checkwinsize
PATH=~/bin:$PATH
[ -x /usr/bin/dircolors ] && test -r ~/.dircolors && eval "$(dircolors -b ~/.dircolors)"
for rc in ~/.bashrc.d/*; do
  if [ -f "$rc" ]; then
    . "$rc"
  fi
done
#= planted 50 runs source <(slowtool :)
source <(slowtool :)
#= planted 50 runs mapfile -t value < <(slowtool word)
mapfile -t value < <(slowtool word)
while read -r value; do
  :
  # The line with the substitution.
  #= planted 50 runs while read -r value; do :; done <<< "$(slowtool word)"
done <<< "$(slowtool word)"
#= planted 50 runs for value in $(slowtool word); do :; done
for value in $(slowtool word); do
  : "$value"
done
#= planted 50 runs case $(slowtool word) in word) : ;; esac
case $(slowtool word) in
  word) : ;;
esac
#= planted 50 runs (( $(slowtool 1) > 0 ))
if (( $(slowtool 1) > 0 )); then
  : yes
fi
#= planted 50 runs export value="$(slowtool word)"
export value="$(slowtool word)" PAGER=less
#= planted 50 runs ! slowtool >/dev/null
! slowtool >/dev/null
#= planted 50 runs slowtool >/dev/null
: && slowtool >/dev/null || : never
#= planted 50 runs { slowtool; } 2>&1 | cat >/dev/null
{ slowtool; } 2>&1 | cat >/dev/null
#= planted 50 runs bash --norc -c "sleep 0.05"
bash --norc -c 'sleep 0.05; exit'
outer() {
  #= planted 50 runs value=$(slowtool word)
  local more=$(slowtool word) again=1
  inner_of_outer "$more"
}
inner_of_outer() {
  #= planted 50
  sleep 0.05
  return 3
}
outer
#= planted 50 runs slowtool >/dev/null & wait $!
slowtool >/dev/null & wait $!
makes() {
  made() {
    #= planted 50
    sleep 0.05
  }
}
makes
made
counts_up() {
  [ "$1" -gt 0 ] || return 0
  #= planted 60 2
  sleep 0.03
  counts_up $(($1 - 1))
}
counts_up 2
as_part() {
  #= planted 50
  sleep 0.05
  : after
}
echo word | as_part | cat
in_the_middle() {
  : before
  #= planted 50
  sleep 0.05
  cat
}
value="$(echo word | in_the_middle | cat)"
trap 'failed=1' ERR
false
#= planted 50
sleep 0.05
trap - ERR
if ! type -t absent >/dev/null; then
  #= planted 50
  sleep 0.05
fi
select_one() {
  local it
  #= planted 50 runs [[ $(slowtool word) == w* ]] && :
  [[ $(slowtool word) == w* ]] && it=1
}
select_one
first_hook() {
  #= planted 50
  sleep 0.05
}
second_hook() {
  #= planted 50
  sleep 0.05
}
PROMPT_COMMAND=(first_hook second_hook)
#= background
{ sleep 0.2; } & disown
unset value rc

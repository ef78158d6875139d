# A login's .profile of many files, and the tools whose lines installers add.
[[ $- != *i* ]] && return
PATH=~/bin:$PATH
. ~/.profile
[[ $- == *i* ]] && source -- ~/ble/ble.sh --attach=none
#= planted 50 runs eval "$(slowtool :)"
eval "$(slowtool init_one)"
#= planted 50 runs source <(slowtool :)
source <(slowtool init_two)
#= planted 50 runs eval -- "$(slowtool :)"
eval -- "$(slowtool init_three --print-full-init)"
#= planted 50 runs . /dev/stdin <<<"$(slowtool :)"
. /dev/stdin <<<"$(slowtool init_four)"
#= planted 50 runs source /dev/stdin < <(slowtool :)
source /dev/stdin < <(slowtool :)
#= planted 50 runs value="$(slowtool word)"
__conda_setup="$('slowtool' 'word' 2> /dev/null)"
if [ $? -eq 0 ]; then
  #= planted 50
  eval "sleep 0.05 # $__conda_setup"
else
  if [ -f "/nowhere" ]; then
    . "/nowhere"
  fi
fi
unset __conda_setup
while IFS= read -r -d '' file; do
  . "$file"
done < <(find ~/.profile.d -name '*.late' -print0)
#= planted 50 runs { sleep 0.05; } 2>/dev/null
{ sleep 0.05; } 2> >(cat >/dev/null)
subshell_body() (
  : first
  #= planted 50
  sleep 0.05
)
subshell_body
function with_word {
  local IFS=:
  #= planted 50
  sleep 0.05
}
with_word
on_return() { :; }
returns() {
  trap 'trap - RETURN; on_return' RETURN
  #= planted 50
  sleep 0.05
}
returns
trap 'on_error' ERR
on_error() {
  #= planted 50
  sleep 0.05
}
false
trap - ERR
coproc SLOW { sleep 0.05; echo word; }
#= planted 50
read -r value <&"${SLOW[0]}"
#= planted 50 runs value=$(slowtool word)
(( ${#value} )) && value=$(slowtool word) && \
  export value
until
  #= planted 50
  sleep 0.05
do
  :
done
#= planted 50 runs value=$(slowtool word)
declare -A table=(
  [one]=1
  [two]="$(slowtool word)"
)
bleopt() { :; }
[[ ! ${BLE_VERSION-} ]] || ble-attach
#= planted 50 runs bind -x '"\C-x": :'; slowtool >/dev/null
bind -x '"\C-xz": :'; slowtool >/dev/null; complete -F with_word tool
PROMPT_COMMAND="precmd_of_tool;${PROMPT_COMMAND-}"
precmd_of_tool() {
  local status=$?
  #= planted 50
  sleep 0.05
  return $status
}
PS1='\$ '

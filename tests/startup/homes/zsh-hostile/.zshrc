# Does what breaks a trace that is written to standard error, or by functions of the shell.
PS4='+ %N:%i> '
set -x
#= planted 50
sleep 0.05
set +x
#= planted 50
sleep 0.05
exec 2>/dev/null
#= planted 50
sleep 0.05
print -u1 'printed by the rc file'
syswrite() { : }
trap() { builtin trap "$@" }
emulate ksh
#= planted 50
sleep 0.05
emulate sh
#= planted 50
sleep 0.05
emulate zsh
setopt ksh_arrays sh_word_split no_prompt_percent prompt_subst
noisy() {
  emulate -L zsh -o extended_glob
  setopt local_traps local_options no_unset
  #= planted 50
  sleep 0.05 2>/dev/null
} 2>/dev/null
noisy >/dev/null 2>&1
unsetopt ksh_arrays sh_word_split
setopt err_return
failing() {
  #= planted 50
  sleep 0.05
  false
  sleep 9
}
failing || :
unsetopt err_return
exec 3>&1 4>&2 {own}>/dev/null
#= planted 50
sleep 0.05 >&$own
exec {own}>&- 3>&- 4>&-
TMPPREFIX=/tmp/zsh
PROMPT='> '
ZDOTDIR=$HOME
unset PWD OLDPWD
#= planted 50
sleep 0.05

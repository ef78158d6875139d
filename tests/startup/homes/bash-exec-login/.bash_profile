# As on a cluster whose administrators allow no other login shell.
#= planted 50
sleep 0.05
[ ! -r ~/.profile ] || . ~/.profile
become() {
  #= planted 60
  sleep 0.06
  ZDOTDIR=$HOME/zsh exec -l zsh "$@"
}
if [[ $- == *i* && -z $BASH_EXECUTION_STRING ]]; then
  become
fi

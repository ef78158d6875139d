# A login shell that cannot be changed: bash gives its place to zsh.
case $- in
  *i*) ;;
  *) return ;;
esac
path_of_tools() {
  : before
  #= planted 50
  sleep 0.05
  echo "$HOME/bin"
}
#= planted 60
sleep 0.06
tools=$(path_of_tools)
export PATH=$tools:$PATH
export ZDOTDIR=~/.config/zsh
exec 3>/dev/null
exec 3>&-
if [ -t 1 ] && [ -z "$BASH_EXECUTION_STRING" ] && command -v zsh >/dev/null; then
  SHELL=$(command -v zsh)
  export SHELL
  exec "$SHELL"
fi
sleep 9

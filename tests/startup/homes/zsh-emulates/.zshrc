# As /etc/zsh/zprofile of several distributions reads sh's files, and installers of tools theirs.
emulate sh -c '. ~/.profile'
#= planted 50
sleep 0.05
[[ -r ~/ksh.sh ]] && emulate -R ksh -c 'source ~/ksh.sh'
emulate sh -c '
  . ~/last.sh
'
precmd() { of_profile; emulate zsh -c 'late_one'; }
late_one() {
  :
  #= planted 50
  sleep 0.05
}

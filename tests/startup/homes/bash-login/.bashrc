case $- in *i*) ;; *) return ;; esac
shopt -q login_shell && {
  #= planted 50
  sleep 0.05
}

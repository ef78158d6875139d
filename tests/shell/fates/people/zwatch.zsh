#!/bin/zsh
setopt err_return pipe_fail

check() {
  probe $1
  local code=$?
  (( code == 0 )) || return $code
  measure $1 | store-value
}

main() {
  local host
  for host in a b; do
    check $host || alarm $host
  done
  rotate-logs
  {
    lock-file
    publish
  } always {
    unlock-file || print "still locked"
  }
  collect | while read -r line; do
    index-line $line
  done
  finish
}

main "$@"
cleanup-all

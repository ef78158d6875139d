#!/usr/bin/env zsh
setopt err_return
work() {
  {
    mount_share
    copy_files
  } always {
    umount_share
  }
  report copied
}
if work; then
  report ok
else
  report failed
fi
retry() {
  integer n=0
  while (( n++ < 3 )); do
    "$@" && return 0
    wait_a_bit
  done
  return 1
}
retry fetch || exit 1
work || report "second failed"

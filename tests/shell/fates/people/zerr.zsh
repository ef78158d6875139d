#!/bin/zsh
set -e
TRAPS=0
trap 'print failed; notify_error' ZERR
trap 'cleanup_tmp; rm -f lock' EXIT
make_lock
prepare() {
  setopt localoptions no_err_exit
  optional_one
  optional_two
}
prepare
list_files | while read -r f; do
  convert_one $f
done
total=$(count_one | count_two)
local part=$(count_three)
upload_all | tail -n 1

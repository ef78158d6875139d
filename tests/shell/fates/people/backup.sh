#!/bin/sh
set -eu
dir=$(mktemp-d)
cleanup() {
  status=$?
  remove-dir "$dir"
  exit $status
}
trap cleanup EXIT

dump-db > "$dir/db"
compress "$dir/db" | encrypt > out
for remote in one two; do
  upload "$remote" || echo "not to $remote"
done
if remote-list | grep-name; then
  delete-oldest
fi
test -s out && notify-ok
rotate || exit 4

#!/bin/zsh
setopt err_return
sync_one() {
  local name=$1
  git -C "$name" fetch --all
  git -C "$name" merge --ff-only || {
    print "$name differs"
    git -C "$name" rebase || return 5
  }
  repeat 2 do
    git -C "$name" gc && break
  done
}
main() {
  trap 'rm -f .lock' EXIT
  touch .lock
  for repo in one two; do
    sync_one "$repo" || failed=1
  done
  sync_one three
  date > .synced
}
main "$@"
rc=$?
(( rc == 0 )) || mail-root "sync: $rc"
exit $rc

#!/bin/bash
# Restores the newest backup; says so by its exit.
log() { printf '%s\n' "$*"; }
die() { log "error: $*"; exit 1; }

[ $# -ge 1 ] || die "usage"
file=$(newest-backup) || die "no backup"
verify-sum "$file"
if [ $? -ne 0 ]; then
  die "bad sum"
fi
stop-service
restore-dump < /dev/null | load-db
status=("${PIPESTATUS[@]}")
if [ "${status[0]}" -ne 0 ]; then
  log "dump failed"
fi
rc=0
for table in a b; do
  check-table "$table" || rc=1
done
start-service || {
  start-service --safe
  log "safe mode"
}
until ping-service; do
  wait-a-bit || break
done
exit $rc

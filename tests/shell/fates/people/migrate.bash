#!/bin/bash
set -Eeuo pipefail
on_error() {
  notify "migration failed"
  restore_dump
}
trap on_error ERR
trap 'rm -f "$lock"' EXIT
lock=/tmp/migrate.lock
touch "$lock"
dump_database > dump.sql
while read -r file; do
  psql -f "$file"
  record "$file"
done < <(list_migrations)
check() { local rows=$(psql -tc 'select 1'); verify "$rows"; }
check
if check; then
  notify "migrated"
fi

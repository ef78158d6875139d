#!/bin/bash
set -o errexit
attempts=0
until curl -fs localhost:8080/health; do
  sleep 1
  check_deadline
done
while true; do
  poll_queue || break
  process_item
done
x=$(fetch_one; fetch_two)
echo "$(summary)"
[ -f state.json ] && upload state.json
cleanup_old

#!/bin/sh
# Keeps three old logs, and tells the daemon.
log=/var/log/app.log
n=3
while [ "$n" -gt 1 ]; do
  p=$((n - 1))
  mv "$log.$p" "$log.$n" 2> /dev/null
  n=$p
done
cp "$log" "$log.1" && : > app.log
pid=$(cat app.pid) || exit 0
kill -HUP "$pid"
gzip "$log.1" &
wait $!
find . -name '*.gz' | sort -r | tail -n 1 | xargs rm

#!/bin/bash
pids=()
status=0
for host in web1 web2 web3; do
  ssh "$host" uptime &
  ssh "$host" apt-get update > "$host.log" &
done
wait
collect logs
for host in web1 web2; do
  if ! ssh "$host" systemctl restart app; then
    echo "restart failed on $host"
    status=1
    continue
  fi
  ssh "$host" systemctl is-active app | grep -q active || status=1
done
exit $status

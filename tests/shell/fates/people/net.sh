#!/bin/sh
ip link set eth0 up
ip addr add 10.0.0.2/24 dev eth0 && ip route add default via 10.0.0.1
if ip route | grep -q default; then
  resolvconf -u
else
  dhclient eth0 || {
    echo "no lease"
    exit 1
  }
fi
iptables -F; iptables -P INPUT DROP
iptables-restore < rules.v4 &
wait $!
sysctl -p

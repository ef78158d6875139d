#!/bin/sh
status=0
check() {
  "$@" > /dev/null 2>&1
  if [ $? -ne 0 ]; then
    echo "failed: $*"
    return 1
  fi
}
check ping -c1 gateway || status=1
check dig example.org || status=1
df -h / | awk '{print $5}' | grep -q 100 && status=2
uptime
exit $status

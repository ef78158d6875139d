#!/bin/sh
start() {
  [ -x /usr/sbin/tool ] || exit 5
  mkdir -p /run/tool
  start-stop-daemon --start --exec /usr/sbin/tool
  log_end $?
}
stop() {
  start-stop-daemon --stop --exec /usr/sbin/tool || return 1
  rm -f /run/tool.pid
}
case "$1" in
  start) start ;;
  stop) stop ;;
  restart)
    stop
    start
    ;;
  *)
    echo "usage: $0 start|stop|restart"
    exit 2
    ;;
esac

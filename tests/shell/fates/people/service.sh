#!/bin/sh
start() {
  check-config || return 6
  daemon-run
  rc=$?
  [ $rc -eq 0 ] && touch-lock
  return $rc
}
stop() {
  kill-daemon
  remove-lock
}
reload() {
  check-config && send-hup
}
case "$1" in
  start) start ;;
  stop) stop ;;
  restart)
    stop
    start
    ;;
  reload) reload || exit 7 ;;
  *) usage; exit 2 ;;
esac
exit $?

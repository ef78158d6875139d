#!/bin/sh
set -e
case "$1" in
  configure)
    adduser --system tool || true
    chown tool /var/lib/tool
    if [ -x /bin/systemctl ]; then
      systemctl daemon-reload
      systemctl enable tool
    fi
    ;;
  abort-upgrade)
    rollback_config
    ;;
esac
update-rc.d tool defaults >/dev/null
exit 0

#!/bin/bash
DEST=/backup/$(hostname)
mkdir -p "$DEST"
cd "$DEST" || exit 1
pg_dump shop | gzip > shop.sql.gz
if [ $? -ne 0 ]; then
  mail -s "backup failed" root < /dev/null
  exit 1
fi
find . -name '*.gz' -mtime +14 -delete
rsync -a "$DEST/" backup@nas:/volume/ || echo "rsync failed" >&2
sync
rm -rf "$DEST/tmp"

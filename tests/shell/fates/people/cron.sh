#!/bin/sh
LOG=/var/log/report.log
{
  date
  make_report daily
  make_report weekly
} >> "$LOG" 2>&1
if test -s "$LOG"; then
  mail -s report root < "$LOG"
fi
find /tmp/report -type f -print | while read -r file; do
  archive "$file" || continue
  rm "$file"
done
sort report.txt | uniq -c | sort -rn > top.txt
exit

#!/bin/sh
set -e
if [ -z "$CC" ]; then
  CC=cc
fi
./configure --prefix=/opt/tool
make
make check || exit 1
make install
cd doc && make install-doc
cp extra.conf /etc/tool.conf || true
for f in a.1 b.1; do
  gzip "$f"
  install -m 644 "$f.gz" /usr/share/man/man1
done
mandb > /dev/null 2>&1 &
echo done

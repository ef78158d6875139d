#!/bin/sh
# Looks for what is needed, like configure does.
found=no
for cc in cc gcc; do
  if try-compile "$cc"; then
    found=$cc
    break
  fi
done
test "$found" != none || exit 1
version=$(cc-version 2>&1 | first-line)
have_zlib=yes
check-header zlib.h || have_zlib=no
if check-lib z && check-lib m; then
  echo "with z"
elif check-lib mini; then
  echo "with mini"
else
  echo "without"
fi
( cd build && make-deps ) || { echo "no deps"; exit 2; }
write-config > config.h
write-makefile | substitute > Makefile
chmod-x run

#!/bin/sh
set -e
gen() {
  protoc --python_out=. "$1"
  sed -i s/a/b/ "$1"
}
for proto in *.proto; do
  gen "$proto" || echo "skipped $proto"
done
gen extra.proto
diff -r gen committed > diff.txt || {
  echo "differs"
  show diff.txt
}
count=$(ls gen | wc -l)
[ "$count" -gt 0 ]
echo "$count"

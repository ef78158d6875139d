#!/bin/bash
set -e
pids=()
for target in api web; do
  make "$target" > "$target.log" 2>&1 &
  pids+=("$!")
done
failed=0
for pid in "${pids[@]}"; do
  wait "$pid" || failed=1
done
if [ "$failed" -ne 0 ]; then
  cat api.log web.log
  exit 1
fi
version=$(git describe --tags 2>/dev/null || echo dev)
cat > version.txt <<EOF
version $version
built $(date -u)
by $(whoami)
EOF
tar cf - dist | ssh host "tar xf -"
(cd docs && make html) || echo "no docs"
git tag -f "$version"

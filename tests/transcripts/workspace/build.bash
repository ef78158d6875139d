#!/bin/bash
set -euo pipefail
targets=(core tools)
count=0
for target in "${targets[@]}"; do
  make "$target" | tail -3
  count=$((count + 1))
done
diff notes.txt notes.txt >/dev/null
if [[ $count -gt 1 ]]; then
  echo "$count targets"
fi

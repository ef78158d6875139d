#!/usr/bin/env zsh
set -euo pipefail
step() {
  print "== $1"
  shift
  $@
}
lint() { ruff check . && mypy src; }
tests() {
  pytest -q || return 2
  coverage xml
}
lint
tests || { print "tests failed"; exit 1 }
if [[ -n $CI ]]; then
  upload_coverage
fi
artifact=$(build_wheel | tail -1)
publish $artifact &
changelog > NOTES.md
wait $!
git diff --exit-code || print dirty

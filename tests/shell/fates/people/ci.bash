#!/bin/bash
set -e
failed=0
run() {
  echo "== $1"
  shift
  "$@"
}
lint() {
  ruff check . || failed=1
  mypy src || failed=1
}
lint
pytest -q | tee pytest.log
coverage report || true
docker build -t app . > build.log 2>&1 &
docs=$!
make docs
wait $docs
if [ $failed -ne 0 ]; then
  echo "lint failed"
  exit 1
fi
twine upload dist/*

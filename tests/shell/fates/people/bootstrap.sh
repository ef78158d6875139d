#!/bin/sh
fail() {
  echo "bootstrap: $1" >&2
  exit 1
}
need() {
  command -v "$1" >/dev/null 2>&1 || fail "need $1"
}
need git
need python3
git submodule update --init || fail "submodules"
python3 -m venv .venv
. .venv/bin/activate
pip install -r requirements.txt
if ! python3 manage.py migrate; then
  fail "migrate"
fi
python3 manage.py collectstatic --noinput > static.log
rc=$?
[ $rc -eq 0 ] || exit $rc
echo ready

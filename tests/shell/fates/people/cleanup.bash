#!/usr/bin/env bash
set -euo pipefail
tmpdir=$(mktemp -d)
cleanup() {
  rc=$?
  umount "$tmpdir/mnt"
  rm -rf "$tmpdir"
  exit $rc
}
trap cleanup EXIT
mount image.iso "$tmpdir/mnt"
cp -a "$tmpdir/mnt/." out/
verify out || { echo "bad image"; exit 3; }
! grep -r TODO out
find out -type f | xargs sha256sum > sums.txt

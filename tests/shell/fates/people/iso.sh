#!/bin/sh
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT
build_root() {
  debootstrap stable "$work"
  chroot "$work" apt-get update || return 1
  chroot "$work" apt-get install -y linux-image
}
if build_root; then
  mksquashfs "$work" root.sfs
else
  echo "no root"
  exit 4
fi
build_root
xorriso -o out.iso root.sfs | tail -1
cat <<END > manifest
built $(date -u)
END

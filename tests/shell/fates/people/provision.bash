#!/bin/bash
set -o errexit
set -o nounset

cleanup() {
  local code=$?
  umount mnt || true
  losetup -d loop0
  return "$code"
}
trap cleanup EXIT

step() {
  echo "== $1"
  shift
  "$@"
}
make_disk() {
  truncate -s 1G disk.img
  mkfs.ext4 disk.img
}
fill_disk() {
  mount disk.img mnt
  debootstrap bookworm mnt && echo done
  chroot mnt apt-get update
}
make_disk
if ! fill_disk; then
  echo "filling failed"
  exit 4
fi
declare -r size=$(du -s mnt)
export SUM="$(sha256sum disk.img)"
qemu-img convert disk.img disk.qcow2
test -s disk.qcow2

#!/bin/sh
set -eu

die() {
  echo "$*" >&2
  exit 1
}
have() {
  command -v "$1" > /dev/null
}

case $(uname -s) in
  Linux) os=linux ;;
  Darwin) os=macos ;;
  *) os=other ;;
esac
have curl && get="curl -fsSLO" || get="wget -q"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || die "no temporary folder"
$get "https://example.org/tool-$os.tgz" || die "download failed"
tar xzf "tool-$os.tgz"
sha256sum -c sums | grep -v OK && die "bad checksum"
install -m 755 tool /usr/local/bin/tool || sudo install -m 755 tool /usr/local/bin/tool
tool --version

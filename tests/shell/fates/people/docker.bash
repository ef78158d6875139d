#!/usr/bin/env bash
set -Eeuo pipefail
trap 'echo "failed on line $LINENO" >&2' ERR
trap 'docker-rm' EXIT

image=$(git-describe)
build() {
  local tag=$1
  docker-build "$tag" 2>&1 | tee-log
  docker-tag "$tag" latest
}
test_image() {
  docker-run "$1" smoke || return 1
  if [[ -n ${CI:-} ]]; then
    docker-run "$1" slow || echo "slow tests failed"
  fi
}
build "$image"
if test_image "$image"; then
  docker-push "$image"
else
  docker-logs > logs.txt
  exit 1
fi
size=$(docker-size "$image" | sort-it | head-one) || size=0
(
  cd sub
  update-manifest
)
[ "$size" = x ] || warn-size
publish-notes &
pid=$!
scan-image
wait "$pid"

#!/bin/bash
set -e

deploy() {
  cp app.conf /etc
  systemctl restart app
}
keep() {
  cp app.conf /etc
  echo "kept"
}
release() {
  git push origin main
  echo "released"
}
one() { cp a b; }
safe() {
  cp a b || return 1
  echo copied
}
quiet() {
  echo first
  echo second
}

if deploy; then echo ok; fi
#  ^^^^^^ warning[errexit-off-in-condition]: errexit is off inside deploy here: a failing 'cp app.conf /etc'
if keep; then echo ok; fi
release && echo ok
#^^^^^^ warning[errexit-off-in-condition]: errexit is off inside release here: a failing 'git push
! release
# ^^^^^^^ warning[errexit-off-in-condition]: errexit is off inside release here
release || exit 1
#^^^^^^ warning[errexit-off-in-condition]: errexit is off inside release here

# Called for its own sake errexit is heeded, and `|| true` says that nobody cares.
deploy
release || true
one || exit 1
safe || exit 1
quiet || exit 1

# A declaration hides the exit that errexit would act on.
build() {
  local image=$(docker build -q .)
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[declaration-masks-exit]: the exit of 'docker build -q .' is lost: that of local counts
  echo "$image"
}
export TAG=$(git describe)
#      ^^^^^^^^^^^^^^^^^^^ warning[declaration-masks-exit]: the exit of 'git describe' is lost: that of export counts
readonly HOST="$(docker inspect x)"
#        ^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[declaration-masks-exit]: the exit of 'docker inspect x' is lost: that of readonly counts
plain=$(git describe)
export NOW=$(date)
export NAME=$(git config user.name || true)
build

# A function whose last command cannot fail.
trimmed() {
  echo "${1%/}"
}
name() {
  local short=$(trimmed "$1")
  echo "$short"
}
name x/

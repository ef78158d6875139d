#!/usr/bin/env zsh
# Updates packages and says what failed.
emulate -L zsh
setopt pipefail no_unset

typeset -a failed
update() {
  local name=$1
  shift
  print "updating $name"
  if ! "$@"; then
    failed+=($name)
    return 1
  fi
}

refresh() {
  fetch-index || { print -u2 "no index"; return 1; }
  local version=$(read-version)
  install-version $version && link-version $version
}

refresh || print "kept the old index"
clean-cache | tail-lines
df-free > before.txt
prune-old || true
() {
  local tmp=$(make-tmp)
  fill $tmp
  compare $tmp before.txt || return 0
  report $tmp
}
[[ -n $HOME ]] && save-state
notify-done

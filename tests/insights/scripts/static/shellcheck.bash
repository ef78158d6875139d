#!/bin/bash
set -e
# What an author told ShellCheck to leave alone is left alone here, for the command that follows.
x() {
  # shellcheck disable=SC2034,SC2155 # wanted so
  local a=$(git describe)
  local b=$(git describe)
#       ^^^^^^^^^^^^^^^^^ warning[declaration-masks-exit]: the exit of 'git describe' is lost
  echo "$a $b"
}
# shellcheck disable=SC2155
y() {
  local a=$(git describe)
  local b=$(git describe)
}
# shellcheck disable=SC2164
z() {
  local a=$(git describe)
#       ^^^^^^^^^^^^^^^^^ warning[declaration-masks-exit]: the exit of 'git describe' is lost
}
# shellcheck source=/dev/null
export a=$(git describe)
#      ^^^^^^^^^^^^^^^^^ warning[declaration-masks-exit]: the exit of 'git describe' is lost
x

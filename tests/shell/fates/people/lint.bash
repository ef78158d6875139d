#!/bin/bash
set -o errexit
shopt -s inherit_errexit
export LC_ALL=C

changed() {
  git-diff --name-only | filter-files
}
run_all() {
  local failed=0
  for tool in x y; do
    "lint-$tool" || failed=1
    run-tool || failed=1
  done
  return $failed
}
files=$(changed)
readonly count=$(count-lines)
echo "checking $(describe-files)"
run_all && echo clean || echo dirty
! find-todo
format-all --check || { format-all; exit 2; }
case $1 in
  one) publish-report ;;
  *) keep-report || true ;;
esac
while read -r line; do
  annotate "$line"
done < <(list-warnings)
finish-up

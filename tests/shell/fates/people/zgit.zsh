#!/bin/zsh -e
# Rebases every branch on the main one.
zmodload zsh/zutil
current=$(git-current)
TRAPZERR() { print -u2 "failed on $current"; }

restore() {
  git-checkout $current
}
trap restore EXIT

git-fetch --all
for branch in one two; do
  git-checkout $branch || continue
  if ! git-rebase main; then
    git-rebase --abort
    continue
  fi
  git-push || print "not pushed"
done
git-gc &
wait $!
git-log | head-lines
print done

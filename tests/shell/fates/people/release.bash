#!/bin/bash
set -eo pipefail
version=$1
[[ -n $version ]] || { echo "usage: release VERSION"; exit 2; }
git fetch --tags
for branch in main stable; do
  git checkout "$branch"
  git pull --ff-only || continue
  git merge --no-edit "release/$version"
done
notes=$(git log --oneline | head -20)
export CHANGES=$(git log --oneline)
git tag -a "v$version" -m "$notes"
git push --tags && gh release create "v$version"
(
  cd docs
  make html
  rsync -a _build/ web:/docs/
) || echo "no docs"
echo "released $version"

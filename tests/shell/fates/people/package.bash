#!/bin/bash
set -e
shopt -s inherit_errexit
build_one() {
  cd "packages/$1"
  npm pack
  cd ..
}
sums=$(compute; finish)
if build_one core; then
  echo "core built"
fi
build_one cli && build_one web
{
  sign dist/core.tgz
  sign dist/cli.tgz
} > sign.log 2>&1
set +e
optional_step
set -e
publish | tee publish.log
read -r answer < answers.txt
exec finish_release

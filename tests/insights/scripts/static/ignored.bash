#!/bin/bash
set -e
# What a comment ignores is not said, at the end of the line or alone on the line above.
make test | tee log  # zsh-ls: ignore=masked-build-failure
# zsh-ls: ignore=unchecked-cd,masked-build-failure
make test | tee log
#zsh-ls: ignore=unchecked-cd, masked-build-failure
make test | tee log
# zsh-ls: ignore=unchecked-cd
make test | tee log
#^^^^^^^^ warning[masked-build-failure]: a failure of 'make test' is lost
make test |
#^^^^^^^^ warning[masked-build-failure]: a failure of 'make test' is lost
  tee log  # zsh-ls: ignore=masked-build-failure
echo '# zsh-ls: ignore=nothing-at-all'

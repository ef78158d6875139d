#!/bin/zsh
echo before
if [[ -f x ]]; then
  echo "no end"

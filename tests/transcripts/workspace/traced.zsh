#!/bin/zsh
for i in 1 2 3; do
  print line $i
  false | true
done
grep nothing notes.txt
[[ -n $1 ]] && print argument $1
exit 3

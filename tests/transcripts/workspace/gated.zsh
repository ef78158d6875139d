#!/bin/zsh
# Two gates; between them an hour can pass.
gate begin
for i in 1 2 3; do
  print line $i
  false | true
done
gate end
grep nothing notes.txt
exit 3

#!/bin/zsh
true | false | true
first=$pipestatus[1]
[[ -n $first ]]
second=$pipestatus[2]
true | false
print done
print $pipestatus
#     ^^^^^^^^^^^ warning[late-pipestatus]: pipestatus is that of the command just before
true | false
if (( ${PIPESTATUS[0]} )); then print failed; fi
#     ^^^^^^^^^^^^^^^^ warning[foreign-pipestatus]: zsh has no PIPESTATUS
print '${PIPESTATUS[0]}'
# ${PIPESTATUS[0]}
count=0
ls | while read -r file; do
  (( count++ ))
done
print $count

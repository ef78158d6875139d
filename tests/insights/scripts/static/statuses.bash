#!/bin/bash
make
echo "made"
if [ $? -eq 0 ]; then echo ok; fi
#    ^^ warning[late-status]: $? is the exit of echo here
make
if [ $? -ne 0 ]; then
  exit $?
#      ^^ warning[late-status]: $? is the exit of the test here
fi
make
[[ $? -ne 0 ]] && exit $?
#                      ^^ warning[late-status]: $? is the exit of the test here
make || exit $?
make
echo "exit: $?"
(exit $?)
#     ^^ warning[late-status]: $? is the exit of echo here
make
status=$?
echo "made"
(exit $status)
echo "exit: $?"
printf '%s\n' "$?" > status
#              ^^ warning[late-status]: $? is the exit of echo here

true | false | true
first=${PIPESTATUS[0]}
second=${PIPESTATUS[1]}
#      ^^^^^^^^^^^^^^^^ warning[late-pipestatus]: PIPESTATUS is that of the command just before
true | false
echo done
echo "${PIPESTATUS[@]}"
#     ^^^^^^^^^^^^^^^^ warning[late-pipestatus]: PIPESTATUS is that of the command just before
true | false
both=("${PIPESTATUS[@]}")
true | false
echo "$pipestatus[1]"
#     ^^^^^^^^^^^^^^ warning[foreign-pipestatus]: bash has no pipestatus

count=0
ls | while read -r file; do
  (( count++ ))
# ^^^^^^^^^^^^^ warning[lost-loop-variable]: count is set in a process of its own
  total=$(( total + 1 ))
done
echo "$count"

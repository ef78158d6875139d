#!/bin/bash
set -e

# A search on the script's own way, and one whose lines are kept.
grep -c pattern file.txt
#^^^^^^^^^^^^^^^^^^^^^^^ warning[errexit-on-normal-exit]: grep exits 1 for "no match"
matches=$(grep pattern file.txt)
#         ^^^^^^^^^^^^^^^^^^^^^ warning[errexit-on-normal-exit]: grep exits 1 for "no match"
echo "$matches"
needed=$(grep pattern file.txt)
touch "$needed"

cat file.txt | grep pattern
#              ^^^^^^^^^^^^ warning[errexit-on-normal-exit]: grep exits 1 for "no match"
grep pattern file.txt > found.txt
#^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[errexit-on-normal-exit]: grep exits 1 for "no match"
diff old.txt new.txt > changes.patch
#^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[errexit-on-normal-exit]: diff exits 1 for "files differ"
changes=$(diff old.txt new.txt)
#         ^^^^^^^^^^^^^^^^^^^^ warning[errexit-on-normal-exit]: diff exits 1 for "files differ"

# What is looked at, meant to stop, or sure to match is left alone.
grep -q pattern file.txt
grep pattern file.txt || true
grep pattern file.txt || echo none
if grep pattern file.txt; then echo yes; fi
! grep pattern file.txt || exit 1
grep pattern file.txt | wc -l
memory=$(grep MemTotal /proc/meminfo)
diff expected.txt actual.txt
cmp a.bin b.bin
diff -q a.txt b.txt > changed.txt
grep pattern file.txt > /dev/null
grep -v pattern file.txt > rest.txt
echo "$answer" | grep yes
digits=$(echo "$version" | grep -o '[0-9]*')
x=$(grep pattern file.txt || true)
names=`grep -o name file.txt`

# Arithmetic whose value is 0.
let zero=0
#^^^^^^^^^ warning[errexit-on-zero-arithmetic]: 'let zero=0' exits 1
(( count = 0 ))
#^^^^^^^^^^^^^^ warning[errexit-on-zero-arithmetic]: '(( count = 0 ))' exits 1
i=0
(( i++ ))
#^^^^^^^^ warning[errexit-on-zero-arithmetic]: '(( i++ ))' exits 1 when i is 0
let i++
m=0
let m++
#^^^^^^ warning[errexit-on-zero-arithmetic]: 'let m++' exits 1 when m is 0
(( fresh++ ))
#^^^^^^^^^^^^ warning[errexit-on-zero-arithmetic]: '(( fresh++ ))' exits 1 when fresh is 0
j=1
(( j++ ))
(( ++i ))
(( i += 1 ))
i=$(( i + 1 ))
(( i++ )) || true
if (( i )); then echo; fi
for (( k = 0; k < 3; k++ )); do echo; done

# read to the end.
read -r -d '' text <<< hello
#^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[errexit-on-read-to-end]: read -d '' exits 1
IFS= read -rd '' text < file.txt
#^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[errexit-on-read-to-end]: read -d '' exits 1
read -r -d '' text <<< hello || true
read -r -d : field <<< a:b
read -r line < file.txt

set +e
grep -c pattern file.txt
(( i++ ))

# A test looks at what it got, a guard looks before, and set always lists its options.
./ask.sh | tee check.log
grep 'all passed' check.log
grep -q name file.txt && name=$(grep -o name file.txt)
xtrace=$(set +o | grep xtrace)

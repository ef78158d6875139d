#!/bin/zsh
setopt err_exit
grep -c pattern file.txt
#^^^^^^^^^^^^^^^^^^^^^^^ warning[errexit-on-normal-exit]: grep exits 1 for "no match"
integer n=0
(( n++ ))
#^^^^^^^^ warning[errexit-on-zero-arithmetic]: '(( n++ ))' exits 1 when n is 0

# With no file zsh does not run the command at all.
rm -f build/*.o
#     ^^^^^^^^^ warning[errexit-on-no-file]: with no match zsh does not run rm
rm -rf "$dir"/*.tmp(N) '*.o'
for file in logs/*.log; do print $file; done
#           ^^^^^^^^^^ warning[errexit-on-no-file]: with no match zsh stops here
for file in logs/*.log(N); do print $file; done
for file in one two; do print $file; done
ls *.c || true
print done

#!/bin/bash
set -e
make docs &
#^^^^^^^^ warning[background-exit-lost]: nothing waits for 'make docs'
rsync -a src/ backup/ &
#^^^^^^^^^^^^^^^^^^^^ warning[background-exit-lost]: nothing waits for 'rsync -a src/ backup/'
sleep 10 &
./server &
make all

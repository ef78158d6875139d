#!/bin/bash
set -e
make docs &
#^^^^^^^^ warning[background-exit-lost]: no wait asks for the exit of 'make docs'
rsync -a src/ backup/ &
#^^^^^^^^^^^^^^^^^^^^ warning[background-exit-lost]: no wait asks for the exit of 'rsync -a src/ backup/'
sleep 10 &
./server &
make all

#!/bin/sh
name=world
greet() { echo "hello $1"; }
greet "$name" | cat
cd /nowhere
rm -f ./*.tmp

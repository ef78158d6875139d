#!/bin/bash
# Nobody reads the status of a function that completes words.
_words() {
  make
  echo "made"
  if [ $? -eq 0 ]; then COMPREPLY=(x); fi
}
complete -o default -F _words tool
_more() {
  make
  echo "made"
  if [ $? -eq 0 ]; then COMPREPLY=(x); fi
}
complete -o nospace -F_more other
_wordsearch() {
  make
  echo "made"
  if [ $? -eq 0 ]; then echo ok; fi
#      ^^ warning[late-status]: $? is the exit of echo here
}

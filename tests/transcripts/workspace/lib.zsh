# What several scripts share.
announce() {
  print -u2 -- "$1"
}

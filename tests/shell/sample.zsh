#!/bin/zsh -f
# A script with a little of everything, for tests that cut it into pieces.
emulate -L zsh
setopt err_exit pipe_fail extended_glob

typeset -gA colours=(red 31 green 32) # an array
local -a files=( **/*(.Nom[1,3]) $(print -l "${(@f)$(ls | sort)}") )

usage() {
  cat <<-EOT >&2 | fold -w ${COLUMNS:-80}
	usage: ${0:t} [-v] $(print "a | b") `date +%s`
	EOT
  return 2
}

function each_line count {
  while IFS= read -r line; do
    (( ++n % 2 )) && print -r -- "$line" || continue
  done < <(grep -v '^#' "$1" | tr 'a-z' "A-Z") > >(tee "out$n")
}

case ${1:-} in
  (-v|--verbose) verbose=1 ;;
  -h) usage && exit 0 ;|
  *.(gz|bz2)) print "it's packed" ;&
  *) { print "other: ${(q)1}" } always { unset verbose } ;;
esac

for x y (one two three four) print "$x $y"
for ((i = 0; i < 3; i++)) { print $((i << 1)) }
foreach name ($files)
  print ${${name:h}#./} ${name/%.txt/"}"}
end
repeat 2 print again | cat
if [[ -n $verbose && ( $x == (a|b)* || $y =~ '^[0-9]+$' ) ]] {
  print "verbose" } elif (( $+commands[git] )) { git status |& head -5
} else {
  :
}
() { local x=$1; ! [[ -e =(print $x) ]] } argument
{ sleep 1; print done } &!
time (cd /tmp && ls) 2>/dev/null | wc -l
coproc cat <<<"here | string"
print -u2 $'escaped \' quote' "nested ${:-"$(print 'deep "quotes"')"}" \
  continued

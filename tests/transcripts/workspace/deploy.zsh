#!/usr/bin/env zsh
# Brings a release out; every kind of line that something can be said about.
source ./lib.zsh
setopt err_exit

release=${1:-next}
typeset -a hosts=(alpha beta)

check() {
  local lines=$(ssh alpha wc notes.txt)
  frob "$lines lines"
}

publish() {
  local host=$1
  cd /srv/$release
  frob --force --level 3 $host | tee log.txt
}

check
for host in $hosts; do
  publish $host || announce "no $host 😀"
done
cat notes.txt | grep -c release
ls /nowhere | wc -l
cat <<END
$release is out
END
grep nothing notes.txt

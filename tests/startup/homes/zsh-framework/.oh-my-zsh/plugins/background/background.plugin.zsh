#= background
sleep 0.3 | cat >/dev/null &|
: after

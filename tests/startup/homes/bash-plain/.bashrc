# One delay of each kind; the mark stands above the command that it speaks of.
PATH=~/bin:$PATH
slow_function() {
  : before
  #= planted 50
  sleep 0.05
  : after
}
slow_function

#= planted 50
eval 'sleep 0.05'

#= planted 100 runs sleep 0.05; sleep 0.05
eval 'evaluated() {
  sleep 0.05
}
evaluated
sleep 0.05'

#= planted 50 runs value=$(slowtool word)
value=$(slowtool word)

#= planted 50 runs eval "$(slowtool :)"
eval "$(slowtool :)"

#= planted 50 runs slowtool >/dev/null
slowtool >/dev/null

#= planted 50 runs ( sleep 0.05 )
( sleep 0.05 )

(
  : inside
  #= planted 50
  sleep 0.05
)

#= planted 50 runs sleep 0.05 | cat
sleep 0.05 | cat

#= planted 50 runs cat <(sleep 0.05) >/dev/null
cat <(sleep 0.05) >/dev/null

#= planted 50
sleep \
  0.05

#= planted 50 runs cat <<<"$(sleep 0.05)" >/dev/null
cat <<END >/dev/null
$(sleep 0.05)
END

#= planted 50 runs value=(one $(sleep 0.05) two)
value=(
  one $(sleep 0.05)
  two
)

#= planted 50 runs value=$(slowtool word)
[[ -n $(slowtool word) ]] &&
  : yes

if true; then
  #= planted 50
  sleep 0.05
fi

for n in 1 2 3; do
  #= planted 60 3
  sleep 0.02
done

case word in
  w*)
    #= planted 50
    sleep 0.05
    ;;
esac

. ~/sourced.bash

prompt_hook() {
  local x
  #= planted 50
  sleep 0.05
}
PROMPT_COMMAND=prompt_hook
#= background
sleep 0.3 &
disown
#= background
(sleep 0.3; :) & disown
unset value n

# One delay of each kind; the mark stands above the command that it speaks of.
typeset -g value
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

#= planted 50 runs value=$(slowtool word)
value=`slowtool word`

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
else
  :
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

() {
  #= planted 50
  sleep 0.05
}

repeat 2 {
  #= planted 60 2
  sleep 0.03
}

#= planted 50
alias later=sleep; eval 'later 0.05'

source ~/sourced.zsh
source ~/compiled.zsh
defines_others
defined_inside

fpath=(~/functions $fpath)
autoload -Uz lazily
lazily
fpath=(~/digest.zwc $fpath)
autoload -Uz of_digest
of_digest

autoload -Uz add-zsh-hook
slow_hook() {
  #= planted 50
  sleep 0.05
}
add-zsh-hook precmd slow_hook
add-zsh-hook precmd defines_others
precmd() {
  #= planted 50
  sleep 0.05
}
chpwd() {
  #= planted 50
  sleep 0.05
}
cd ~/functions
cd() { builtin cd "$@" }
unfunction chpwd
cd ~

#= background
sleep 0.3 &!
#= background
(sleep 0.3; : ) &|
#= background
{ sleep 0.3 } & disown
unset value n
PS1='%# '

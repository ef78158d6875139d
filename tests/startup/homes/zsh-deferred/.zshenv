# Fetches and loads the rest, as frameworks that install themselves do.
Z4U=${XDG_DATA_HOME:-$HOME/.local}/z4u
ZDOTDIR=$Z4U
if [[ -o interactive ]]; then
  function z4u() {
    if (( ARGC )) && (( ! ${+functions[-z4u-cmd-$1]} )); then
      builtin source -- $Z4U/z4u.zsh || return
    fi
    "-z4u-cmd-$1" "${@:2}"
  }
  #= planted 50 runs ( umask 077; sleep 0.05 )
  [[ -e $Z4U/z4u.zsh ]] && ( umask 077; sleep 0.05 ) || return
fi

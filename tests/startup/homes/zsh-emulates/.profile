# What a login shell of sh reads.

#= planted 50 runs x=$(sleep 0.05; id -u)
if [ "$(sleep 0.05; id -u)" -eq 0 ]; then
  PATH="$PATH:/usr/local/sbin"
else
  PATH="$PATH:/usr/local/games"
fi
export PATH

if [ "${PATH-}" ]; then
  if [ -d /nowhere ]; then
    sleep 1
  else
    #= planted 60
    sleep 0.06
    if [ -f /nowhere ]; then
      PS9='# '
    fi
    #= planted 50
    sleep 0.05
  fi
fi

#= planted 50
sleep 0.05
#= planted 70
sleep 0.07

of_profile() {
  :

  #= planted 100 2
  sleep 0.05
}
of_profile

#= planted 50 runs y=$(sleep 0.05)
[ -n "$PATH" ] &&
  [ -n "$HOME" ] &&
  y=$(sleep 0.05)

if [ -d ~/profile.d ]; then
  for i in ~/profile.d/*.sh; do
    if [ -r "$i" ]; then
      . "$i"
    fi
  done
  unset i
fi

cat >/dev/null <<HERE
sleep 1
HERE
#= planted 50
eval 'z=1; sleep 0.05'

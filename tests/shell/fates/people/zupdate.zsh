#!/bin/zsh
() {
  emulate -L zsh
  setopt err_return
  brew_update
  brew_upgrade
}
softwareupdate -l || exit
[[ -x =npm ]] && npm update -g
while (( 1 )); do
  next_task || break
  run_task
done
repeat 2 do
  sync_disks
done
case $OSTYPE in
  darwin*) purge_caches ;;
  linux*) apt_clean || apt_fix ;;
esac
date > ~/.updated

#!/usr/bin/env bash
set -u
link() {
  local from=$1 to=$2
  if [[ -e $to ]]; then
    mv "$to" "$to.bak" || return
  fi
  ln -s "$from" "$to"
}
mkdir -p ~/.config
link vimrc ~/.vimrc
link gitconfig ~/.gitconfig || echo "no gitconfig"
[[ -d ~/.oh-my-zsh ]] || git clone https://example.org/omz ~/.oh-my-zsh
case $(uname) in
  Darwin) brew bundle ;;
  Linux) sudo apt-get update; sudo apt-get install -y zsh ;;
esac
chsh -s /bin/zsh

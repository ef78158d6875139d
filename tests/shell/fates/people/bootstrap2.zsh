#!/bin/zsh -f
set -e
brew_ok() { (( $+commands[brew] )) }
link() {
  ln -sf "$1" "$2" || ln -f "$1" "$2"
  [[ -L $2 ]] && print "linked $2"
}
if brew_ok; then
  brew bundle | grep -v Using
else
  apt-get install -y stow | tail -1
fi
for f in zshrc vimrc; do
  link dotfiles/$f ~/.$f
done
files=( $(ls dotfiles) )
{ vim +PlugInstall +qall; true } > vim.log 2>&1
chsh -s $(which zsh) || :
zsh -n ~/.zshrc && source-check ~/.zshrc
while read -r host; do
  ssh-keyscan $host >> known_hosts
done < <(cat hosts)
print "done"

#!/bin/sh
cd build
#^^^^^^^ warning[unchecked-cd]: if this cd fails, 'rm -rf *' runs in the wrong folder
rm -rf *
cd "$SOURCE"
#^^^^^^^^^^^ warning[unchecked-cd]: if this cd fails, 'git reset --hard' runs in the wrong folder
git reset --hard
cd "$SOURCE"
make install
cat x.tar | (cd "$TARGET"; tar xf -)
#            ^^^^^^^^^^^^ warning[unchecked-cd]: if this cd fails, 'tar xf -' runs in the wrong folder
cd "$SOURCE" || exit 1
make install
cd "$SOURCE" && make install
cd /tmp
rm -f ./scratch
cd ..
rm -f scratch
cd "$(dirname "$0")"
rm -f scratch
mkdir -p out
cd out
rm -f scratch
work=$(mktemp -d)
cd "$work"
rm -f scratch
cd docs
ls
cd docs
rm -rf /var/cache/docs
if cd docs; then rm -f scratch; fi
cd "$SITE"
#^^^^^^^^^ warning[unchecked-cd]: if this cd fails, 'rsync -a --delete ./ web:/srv' runs in the wrong folder
rsync -a --delete ./ web:/srv
cd "$SITE"
rsync -a ./ /srv/copy

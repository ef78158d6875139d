#!/bin/bash
set -e
# A test or a build behind which only an onlooker stands.
make -j4 all | tee build.log
#^^^^^^^^^^^ warning[masked-build-failure]: a failure of 'make -j4 all' is lost: the exit is that of tee
npm test 2>&1 | tail -n 20
#^^^^^^^^^^^^ warning[masked-build-failure]: a failure of 'npm test 2>&1' is lost: the exit is that of tail
python -m pytest -x | head -50
#^^^^^^^^^^^^^^^^^^ warning[masked-build-failure]: a failure of 'python -m pytest -x' is lost
./run-tests.sh | tee out
#^^^^^^^^^^^^^ warning[masked-build-failure]: a failure of './run-tests.sh' is lost
sudo make install |& tee log
#^^^^^^^^^^^^^^^^ warning[masked-build-failure]: a failure of 'sudo make install' is lost
ls tests/ | tail -1
./contest.sh | tee log
make -n | head
git log | tee log
version=$(make --version | head -1)
(
  make check | tee log
  exit ${PIPESTATUS[0]}
)
make check | tee log; (( PIPESTATUS[0] == 0 )) || exit 1

# A download or a dump.
pg_dump shop | gzip > shop.sql.gz
#^^^^^^^^^^^ warning[masked-segment]: a failure of pg_dump is not seen
if curl -fsS "$url" | sh; then echo installed; fi
#  ^^^^^^^^^^^^^^^^ warning[masked-segment]: a failure of curl is not seen
curl -fsS "$url" | sha256sum > sum && mv sum sums/
#^^^^^^^^^^^^^^^ warning[masked-segment]: a failure of curl is not seen
curl -fsS "$url" | tar xz && echo unpacked
curl -fsS "$url" | jq .

set -o pipefail
make all | tee build.log
pg_dump shop | gzip > shop.sql.gz
if yes | head -n 1; then echo one; fi
#  ^^^ warning[sigpipe-under-pipefail]: yes dies of SIGPIPE (141) when head has enough
if dpkg -l | grep -q zsh; then echo there; fi
#  ^^^^^^^ warning[sigpipe-under-pipefail]: dpkg dies of SIGPIPE (141) when grep has enough
if journalctl | grep -q zsh; then echo runs; fi
#  ^^^^^^^^^^ warning[sigpipe-under-pipefail]: journalctl dies of SIGPIPE (141) when grep has enough
echo "$list" | grep -q x && echo there
find / -type f | head -n 1
#^^^^^^^^^^^^^ warning[sigpipe-under-pipefail]: find dies of SIGPIPE (141) when head has enough
git log --oneline | head -n 5
#^^^^^^^^^^^^^^^^ warning[sigpipe-under-pipefail]: git dies of SIGPIPE (141) when head has enough
git log -5 | head -n 1
seq 100000 | sed 3q
#^^^^^^^^^ warning[sigpipe-under-pipefail]: seq dies of SIGPIPE (141) when sed has enough
seq 3 | head -n 1
find . | grep x | sort
git log | head -n 1 || true

# What lists a few names fits into the pipe.
find / -name core | head -n 1
git ls-files 'docs/*.md' | head -n 1

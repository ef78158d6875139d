"""Scripts of Debian packages that were not written for tests, each with arguments that do no harm.

They run in a folder with the files of `FILES`. `sh` scripts run in bash, and in zsh, which reads
them in its own way: what counts is that tracing changes nothing.
"""

from __future__ import annotations

from typing import NamedTuple

MISC = "/usr/share/zsh/functions/Misc"
FUNCTIONS = "/usr/share/zsh/functions"
FILES = {
    "one.txt": "alpha\nbeta\ngamma\n",
    "two.txt": "alpha\ndelta\n",
    "log": "first\nsecond\n",
    "sub/three.txt": "beta\n",
}


class Traced(NamedTuple):
    """A shell, a script and its arguments."""

    shell: str
    script: str
    arguments: tuple[str, ...]


def _rows(shell: str, table: str) -> list[Traced]:
    rows = (line.split() for line in table.strip().splitlines())
    return [Traced(shell, script, tuple(arguments)) for script, *arguments in rows]


_GZIP = """
/usr/bin/zgrep -n beta one.txt two.txt
/usr/bin/zgrep nothing one.txt
/usr/bin/zgrep -c a one.txt sub/three.txt
/usr/bin/zgrep --version
/usr/bin/zdiff one.txt two.txt
/usr/bin/zdiff --help
/usr/bin/zcmp one.txt one.txt
/usr/bin/zforce --help
/usr/bin/zforce one.txt
/usr/bin/znew --version
/usr/bin/gunzip --help
/usr/bin/zcat --version
/usr/bin/zmore --help
/usr/bin/gzexe --help
"""
# Nothing but `exec`: zsh has no list that ends.
_EXEC = """
/usr/bin/zegrep -h b one.txt
/usr/bin/zfgrep -l alpha one.txt two.txt
/usr/bin/rgrep beta .
"""
_BASE = """
/usr/bin/which.debianutils -a sh ls nowhere-at-all
/usr/bin/which.debianutils ls
/usr/bin/savelog -c 3 log
/usr/bin/savelog -n -l log
/usr/bin/egrep alpha one.txt
/usr/bin/fgrep -v alpha one.txt
/usr/bin/dpkg-realpath /usr/bin/ls
/usr/bin/dpkg-realpath --help
/usr/bin/dpkg-maintscript-helper --help
/usr/bin/dpkg-maintscript-helper supports rm_conffile
/usr/bin/nroff --version
/usr/bin/nroff one.txt
"""
_GIT = """
/usr/lib/git-core/git-request-pull
/usr/lib/git-core/git-merge-octopus a b c
/usr/lib/git-core/git-merge-one-file
/usr/lib/git-core/git-merge-resolve a b c
/usr/lib/git-core/git-web--browse
/usr/lib/git-core/git-quiltimport --help
/usr/lib/git-core/git-submodule status
/usr/lib/git-core/git-mergetool --tool-help
"""
_BASH = """
/usr/bin/ldd /bin/ls
/usr/bin/ldd --version
/usr/bin/ldd one.txt
/usr/bin/tzselect --help
/usr/bin/tzselect --version
"""
_ZSH = f"""
{MISC}/zmv -n (*).txt $1.md
{MISC}/zmv (*).txt $1.md
{MISC}/zmv -C one.txt copied.txt
{MISC}/zcalc -e 1+2*3
{MISC}/zcalc -e 16#ff 2**10
{MISC}/relative /usr/share/zsh /usr/lib
{MISC}/is-at-least 5.0
{MISC}/is-at-least 99.1
{MISC}/colors
{MISC}/zargs -- one.txt two.txt -- cat
{MISC}/zrecompile -t one.txt
{MISC}/add-zsh-hook -h
{MISC}/regexp-replace
{FUNCTIONS}/Math/zmathfunc
{FUNCTIONS}/Chpwd/_cdr
{FUNCTIONS}/Calendar/age
{FUNCTIONS}/Calendar/calendar_showdate +%Y 2020/01/01
{FUNCTIONS}/Exceptions/throw something
{FUNCTIONS}/MIME/zsh-mime-contexts
{FUNCTIONS}/MIME/zsh-mime-setup -l
{FUNCTIONS}/Prompts/promptinit
{FUNCTIONS}/VCS_Info/vcs_info
{FUNCTIONS}/VCS_Info/VCS_INFO_hexdump one.txt
{MISC}/zmathfuncdef twice 2*$1
/usr/share/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh
/usr/share/zsh-autosuggestions/zsh-autosuggestions.zsh
"""

SCRIPTS = [
    *_rows("bash", _GZIP + _BASE.lstrip() + _GIT.lstrip() + _BASH.lstrip() + _EXEC.lstrip()),
    *_rows("zsh", _GZIP + _BASE.lstrip() + _GIT.lstrip() + _ZSH.lstrip()),
]

"""What a shell reads before the person's own start-up files: what traces its start, or leaves lines out.

zsh: a DEBUG trap, not xtrace, which writes to standard error: `exec 2>`, a function's own redirection and
`PS4=` in start-up files would lose it. The trap writes to a descriptor that nothing of those files touches,
is called before the words of a command are expanded, and skips the command where it leaves `ERR_EXIT` set.
It is set by a `.zshenv` in a folder that ZDOTDIR names; ZDOTDIR is put back, and zsh itself reads all other
files.

bash: xtrace with BASH_XTRACEFD, which costs a quarter of what a DEBUG trap does that writes. It is set by a
file of `--rcfile`, or by the `.bash_profile` of a folder that HOME names until then, for a login shell. Its
last command tells that the person's files are read: behind them bash reads the history.

Where a shell gives its place to another one by `exec`, a function of that name lets the other one find these
files too. It is there for such a command alone: an `exec` of redirections in a function would be undone.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from zsh_ls.lazy import attrs

TRACE_VARIABLE = "_ZLS_TRACE"
ZDOTDIR_VARIABLE = "_ZLS_ZDOTDIR"
HOME_VARIABLE = "_ZLS_HOME"

# `(%)` works in every emulation; under KSH_ARRAYS `[1]` is left behind as text, which the reader takes off.
# In a widget `%i` is the same for each command of a function: the place begins with `-` there.
_ZSH_PLACE = (
    r'''$'\1'"$EPOCHREALTIME"$'\2'"${sysparams[pid]}"$'\2'"${WIDGET:+-}${(%):-%i%%%e%%%N}"'''
    r"""$'\2'"$funcsourcetrace[1]"$'\2'"""
)
_ZSH_FULL = (
    rf"""builtin syswrite -o $_zls_fd -- {_ZSH_PLACE}"$PWD"$'\2'"${{ZSH_DEBUG_CMD:0:160}}" """
)
_ZSH_SKIP = 'case "${(%%):-%%N} $funcsourcetrace[1] ${(%%):-%%i}" in (%s) setopt errexit;; esac'
_ZSHENV = r"""builtin zmodload zsh/system zsh/datetime zsh/parameter
builtin sysopen -w -a -o cloexec -u _zls_fd "$_ZLS_TRACE"
builtin syswrite -o $_zls_fd -- $'\1\4'
setopt debug_before_cmd
typeset -g _zls_fd
%(shield)s
builtin trap %(trap)s DEBUG
if (( ${+_ZLS_ZDOTDIR} )); then export ZDOTDIR=$_ZLS_ZDOTDIR; else unset ZDOTDIR; fi
unset _ZLS_ZDOTDIR _ZLS_TRACE
[[ ! -r ${ZDOTDIR:-$HOME}/.zshenv ]] || builtin source "${ZDOTDIR:-$HOME}/.zshenv"
"""
# For start-up files with a DEBUG trap of their own: it is called after ours, and ours outlives it. As a
# function it gets another name, or it would take the place of ours.
_ZSH_SHIELD = r"""typeset -g _zls_trap=%s'; (( ! ${+functions[_zls_debug]} )) || _zls_debug'
setopt alias_func_def
alias -g TRAPDEBUG=_zls_debug
trap() {
  if (( ARGC < 2 )) || [[ ${@[ARGC]} != DEBUG ]]; then builtin trap "$@"
  elif [[ $1 == (-|) ]]; then builtin trap "$_zls_trap" DEBUG
  else builtin trap "$_zls_trap; $1" DEBUG
  fi
}"""

# An `exec` of redirections, such as `exec {fd}>file`, stays what it is.
_ZSH_GIVES_PLACE = r"""case "$$ $ZSH_DEBUG_CMD" in
("${sysparams[pid]} "*exec\ [^0-9\<\>\&{]*) exec() { _zls_exec "$@" };;
(*) (( ! ${+functions[exec]} )) || unset -f exec;;
esac
"""
# On one line: what a trap defines in a file has the lines behind that of the command.
_BASH_GIVES_PLACE = (
    r"""case "$BASHPID $BASH_COMMAND" in "$$ "*exec\ [!0-9\<\>\&{]*) exec() { _zls_exec "$@"; };; """
    "*) unset -f exec;; esac; "
)
# Both shells read this, in any emulation.
_TO_ZSH = """_zls_exec() {
  [ -z "${ZDOTDIR-%(zdotdir)s}" ] || export _ZLS_ZDOTDIR="${ZDOTDIR-%(zdotdir)s}"
  export _ZLS_TRACE=%(folder)s/trace ZDOTDIR=%(folder)s
  builtin exec "$@"
}
"""
_TO_BASH = """_zls_exec() {
  export _ZLS_TRACE=%(folder)s/trace _ZLS_HOME="$HOME" HOME=%(folder)s
  builtin exec "$@"
}
"""

_BASH_PS4 = (
    r"$'\1${EPOCHREALTIME}\2${BASHPID}\2${LINENO}\2${#BASH_SOURCE[@]}"
    r"\2${FUNCNAME-}\2${BASH_SOURCE-}\2${PWD}\2'"
)
_BASH_TRACE = rf"""_zls_ps4={_BASH_PS4}
{{ PS4=$_zls_ps4; BASH_XTRACEFD=$_zls_fd; set -x; }} 2>/dev/null
"""
# For start-up files that set PS4 or turn xtrace on or off themselves: ours is put back before each command.
# Where they set BASH_XTRACEFD, bash has closed the one before.
_BASH_SHIELD = """PS4=$_zls_ps4
if [[ ${BASH_XTRACEFD-} != "$_zls_fd" ]]; then exec {_zls_fd}>&$_zls_kept; BASH_XTRACEFD=$_zls_fd; fi
"""
_BASH_BEFORE_EACH = """exec {_zls_kept}>&$_zls_fd
set -T
trap '{ set +x; %sset -x; } 2>/dev/null' DEBUG
"""
_BASH_SKIP = """shopt -s extdebug
trap '%scase "${FUNCNAME-} ${BASH_SOURCE} $LINENO" in %s) false;; *) true;; esac' DEBUG
"""
_BASHRC = r"""[[ ! ${_ZLS_HOME+set} ]] || HOME=$_ZLS_HOME
exec {_zls_fd}>>"$_ZLS_TRACE"
unset _ZLS_TRACE _ZLS_HOME
printf '\1\4' >&$_zls_fd
%s[ ! -r ~/.bashrc ] || . ~/.bashrc
:
"""
_BASH_PROFILE = r"""HOME=$_ZLS_HOME
exec {_zls_fd}>>"$_ZLS_TRACE"
unset _ZLS_TRACE _ZLS_HOME
printf '\1\4' >&$_zls_fd
%sif [ -r ~/.bash_profile ]; then . ~/.bash_profile
elif [ -r ~/.bash_login ]; then . ~/.bash_login
elif [ -r ~/.profile ]; then . ~/.profile
fi
:
"""


@attrs.frozen
class NextShell:
    """The kind of shell that takes the first one's place, which finds its hook in `folder`.

    `zdotdir` is the ZDOTDIR that zsh has where none is set.
    """

    kind: str
    folder: str
    zdotdir: str | None = None

    def function(self) -> str:
        """What is called in the place of `exec`, for zsh and bash."""
        values = {
            "folder": shlex.quote(self.folder),
            # Within double quotes.
            "zdotdir": re.sub(r'(["\\$`])', r"\\\1", self.zdotdir or ""),
        }
        return (_TO_ZSH if self.kind == "zsh" else _TO_BASH) % values


def zsh_env(
    *,
    shields: bool = False,
    skip: Sequence[str] | None = None,
    next_shell: NextShell | None = None,
) -> str:
    """The `.zshenv` that traces, or leaves out the commands of `skip`."""
    trap = _ZSH_FULL if skip is None else _ZSH_SKIP % _alternatives(skip)
    begin = ""
    if next_shell is not None:
        begin, trap = next_shell.function(), _ZSH_GIVES_PLACE + trap
    if not shields:
        return _ZSHENV % {"shield": begin, "trap": shlex.quote(trap)}
    return _ZSHENV % {"shield": begin + _ZSH_SHIELD % shlex.quote(trap), "trap": '"$_zls_trap"'}


def bash_rc(
    *,
    login: bool,
    shields: bool = False,
    skip: Sequence[str] | None = None,
    next_shell: NextShell | None = None,
) -> str:
    """The first file of a bash that is traced, or that skips the commands of `skip`."""
    begin = "" if next_shell is None else next_shell.function()
    before_each = "" if next_shell is None else _BASH_GIVES_PLACE
    if skip is not None:
        # Within the quotes of the trap, a quote ends them, stands for itself and opens them again.
        begin += _BASH_SKIP % (before_each, _alternatives(skip).replace("'", "'\\''"))
    else:
        before_each += _BASH_SHIELD if shields else ""
        begin += (_BASH_BEFORE_EACH % before_each if before_each else "") + _BASH_TRACE
    return (_BASH_PROFILE if login else _BASHRC) % begin


def _alternatives(keys: Sequence[str]) -> str:
    """The keys as patterns of `case` that match themselves; none at all matches nothing."""
    return "|".join(shlex.quote(key) for key in keys) or "-"

"""Which commands of an agent run through `zsh-ls run --brief` instead, where that was asked for (HOOK-2).

A command is left as it is wherever the other form could mean more, or be judged otherwise by the agent:
its rules and its own lists go by the text of a command, which the other form hides from them.
"""

from __future__ import annotations

import shlex

from zsh_ls.model.syntax import Dialect, SegmentKind
from zsh_ls.shell.syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from zsh_ls.model.syntax import Redirection, Script, Segment

    from .rules import Rule

LONGEST_COMMAND = 20_000


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# They change the shell that runs them, or what it runs next.
_OF_THE_SHELL = _names(
    ". alias autoload bindkey builtin cd chdir command declare dirs disable disown emulate enable eval exec"
    " exit export fc float functions getopts hash history integer jobs let local logout nohup popd pushd"
    " readonly return set setopt setsid shift shopt source suspend trap typeset ulimit umask unalias"
    " unfunction unset unsetopt zmodload zstyle"
)
_INTERACTIVE = _names(
    "btop dialog emacs fg ftp fzf gdb htop less lldb man mc more most mutt mysql nano ncdu nvim pico psql"
    " ranger read screen select sftp sqlite3 telnet tig tmux top vi view vim vimdiff vared watch whiptail"
)
# Interactive without anything to run.
_SHELLS = _names("bash dash fish ksh sh zsh")
_INTERPRETERS = _SHELLS | _names(
    "bun bpython deno ghci guile ipython irb julia lua node perl php pry python python2"
    " python3 R ruby scala swift tclsh"
)
# Agents ask, or refuse, by these names and by the files that they are given.
_JUDGED = _names(
    "apt apt-get at batch brew chattr chgrp chmod chown cp crontab curl dd diskutil dnf doas fdisk find gh"
    " git gsutil halt iptables kill killall launchctl ln mkdir mkfifo mkfs mknod mount mv nc ncat netcat"
    " parted passwd pkexec pkill poweroff reboot rm rmdir rsync scp service shred shutdown ssh su sudo"
    " swapoff systemctl tee touch truncate umount unlink useradd userdel usermod visudo wget xargs"
)
# Agents let these pass, and look at the files that they are given.
_HARMLESS = _names(
    ": [ awk base64 basename bat cat column comm cut date df diff dirname du echo egrep env expr false fgrep"
    " file fmt fold grep head hexdump hostname id jq ls md5sum nl od paste printenv printf ps pwd readlink"
    " realpath rev rg sed seq sha1sum sha256sum sleep sort stat strings tac tail test tr tree true tty type"
    " uname uniq uptime wc whereis which whoami xxd"
)
_BUILT_IN = _names(": [ break continue echo false printf pwd test true type wait")


def rewritten(
    command: str, shell: str, rules: Iterable[Rule], found: Callable[[str], object]
) -> str | None:
    """The command as `zsh-ls run --brief` runs it; None where it is left as it is.

    `shell` is that of the agent, `zsh` or `bash`; `found` tells of a name whether a program has it:
    any other word is a function or an alias of the agent's own shell.
    """
    if len(command) > LONGEST_COMMAND or "\0" in command or command.lstrip()[:1] in ("", "-", "#"):
        return None
    script = parse(command, Dialect(shell))
    rules = tuple(rules)
    form = _form(command, shell)
    if script.problems or script.heredocs or script.functions:
        return None
    if any(rule.names(form) for rule in rules) or any(rule.names(command) for rule in rules):
        return None
    is_worth_it = False
    for segment in _segments(script):
        if segment.substitutions or not all(
            _is_harmless(it, script) for it in segment.redirections
        ):
            return None
        if segment.kind is SegmentKind.SELECT:
            return None
        if segment.kind is not SegmentKind.SIMPLE:
            continue
        words = [_unquoted(script.source(word)) for word in segment.words]
        if not _may_run_elsewhere(words, found) or _is_named(words, rules):
            return None
        is_worth_it = is_worth_it or words[0].rpartition("/")[2] not in _HARMLESS
    pipelines = list(script.every_pipeline())
    if any(it.background or it.coproc for it in pipelines):
        return None
    return form if is_worth_it else None


def _form(command: str, shell: str) -> str:
    return f"zsh-ls run --brief --shell {shell} {shlex.quote(command)}"


def switches_off(rules: Iterable[Rule]) -> Rule | None:
    """A rule that speaks of whatever `zsh-ls run` is given: with it no command is judged by its own text."""
    forms = [_form("any command", shell) for shell in ("bash", "zsh")]
    return next((rule for rule in rules if any(map(rule.names, forms))), None)


def _segments(script: Script) -> Iterator[Segment]:
    for pipeline in script.every_pipeline():
        yield from pipeline.segments


def _may_run_elsewhere(words: list[str], found: Callable[[str], object]) -> bool:
    """Whether a simple command does the same in a shell of its own, and is not judged by its name."""
    if not words:
        return False  # an assignment, or nothing but a redirection
    name = words[0].rpartition("/")[2]
    if words[0].startswith(("$", "~")) or name == "zsh-ls":
        return False
    if name in _OF_THE_SHELL or name in _INTERACTIVE or name in _JUDGED:
        return False
    operands = [word for word in words[1:] if not word.startswith("-")]
    # `timeout 5 rm -r x`, `bash -c '…'`: what they run is judged, too.
    if any(word.rpartition("/")[2] in _JUDGED for word in operands):
        return False
    if name in _SHELLS and "-c" in words[1:]:
        return False
    if name in _INTERPRETERS and not operands and len(words) == 1:
        return False
    if any(word in ("-i", "-it", "-ti", "--interactive") for word in words[1:]):
        return False
    # The agent looks at the files of these by itself.
    if name in _HARMLESS and any(word.startswith(("/", "~", "..")) for word in operands):
        return False
    return "/" in words[0] or name in _BUILT_IN or bool(found(name))


def _is_harmless(redirection: Redirection, script: Script) -> bool:
    """Whether a redirection writes no file."""
    target = script.source(redirection.target)
    if redirection.operator.startswith("<") and ">" not in redirection.operator:
        return not target.startswith(("/", "~", ".."))
    return target in ("/dev/null", "-", "1", "2")


def _unquoted(word: str) -> str:
    try:
        return "".join(shlex.split(word, comments=False)) if word.strip("\"'") else word
    except ValueError:
        return word


def _is_named(words: list[str], rules: tuple[Rule, ...]) -> bool:
    """Whether a rule names a command, or one that it runs for another."""
    texts = [" ".join(words[at:]) for at in range(min(len(words), 12))]
    return any(rule.names(text) for rule in rules for text in texts)

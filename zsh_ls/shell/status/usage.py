"""Whether a failure looks like one of usage: called in a way that the command does not know (MAN-1)."""

from __future__ import annotations

from functools import lru_cache

from zsh_ls.lazy import re

from .exit_codes import signal_name

EX_USAGE = 64
"""What sysexits.h calls wrong usage of any command."""

# Exit statuses by which a program means wrong usage and nothing else, by its manual.
_WRONG_USAGE = frozenset(
    {
        ("chage", 2),
        ("getopt", 2),
        ("git", 129),
        ("groupadd", 2),
        ("nmcli", 2),
        ("pgrep", 2),
        ("pkill", 2),
        ("useradd", 2),
        ("userdel", 2),
        ("usermod", 2),
    }
)
_INTERPRETERS = re.compile(
    r"(?:python|pypy|perl|ruby|php|lua|node|deno|bun|java|(?:ba|z|da|k|fi)?sh|tclsh|Rscript)[\d.]*"
)
# Options of interpreters behind which a program follows.
_RUNS_TEXT = frozenset({"-c", "-e", "-m"})
_TRACEBACK = "Traceback (most recent call last)"
_UNKNOWN_OPTION = re.compile(
    r"""\b(?:
        (?:unknown|unrecogni[sz]ed|invalid|illegal|unexpected|bad|undefined|unsupported|no\ such)
            \ (?:command[- ]line\ |long\ |short\ )?
            (?:(?:option|flag|switch)\b | (?:argument|parameter)s?\b:?\ ?['"`‘]?-)
      | option\ .{1,60}\ is\ (?:unknown|ambiguous|not\ recogni[sz]ed)
      | flag\ provided\ but\ not\ defined
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def is_usage_failure(
    program: str, exit_status: int | None, output: str, template: str = ""
) -> bool:
    """Whether a FAILURE of `program` with that exit and output looks like wrong usage of `program` itself.

    `template` is the command's: where an interpreter runs a script, what the script says is not
    said of the interpreter. An option that is unknown counts where `program` itself says so.
    """
    if exit_status in (None, 126, 127) or not program or _runs_script(program, template):
        return False
    if exit_status == EX_USAGE or (program, exit_status) in _WRONG_USAGE:
        return True
    if signal_name(exit_status) or _TRACEBACK in output:
        return False
    speaks = _speech_of(program)
    if speaks.usage.search(output):
        return True
    return any(_UNKNOWN_OPTION.search(line[1]) for line in speaks.line.finditer(output)) or (
        speaks.help.search(output) is not None and _UNKNOWN_OPTION.search(output) is not None
    )


def _runs_script(program: str, template: str) -> bool:
    """Whether the program is an interpreter that is given a script, a module or a program text."""
    if _INTERPRETERS.fullmatch(program) is None:
        return False
    _, _, arguments = template.partition(f"{program} ")
    return any(not word.startswith("-") or word in _RUNS_TEXT for word in arguments.split())


class _Speech:
    """How a program's own lines begin: `name: …`, `usage: name …`, `see name --help`."""

    def __init__(self, program: str) -> None:
        name = rf"(?:\S*[/:])?{re.escape(program)}"
        self.line = re.compile(rf"^{name}(?:\[\d+\])?:(.*)", re.MULTILINE)
        self.usage = re.compile(rf"^\s*usage:\s*{name}(?=\s|$)", re.IGNORECASE | re.MULTILINE)
        self.help = re.compile(rf"\b(?:see|try|run)\b.{{0,20}}['\"`‘]{name}\b", re.IGNORECASE)


@lru_cache(maxsize=256)
def _speech_of(program: str) -> _Speech:
    return _Speech(program)

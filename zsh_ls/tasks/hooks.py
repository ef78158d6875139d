"""How a shell reports its exit beside its output (RUN-2, 3, 4): what it is given, and what it left.

The command's text is never changed. zsh reads our `rc/.zshenv` first, bash our
`rc/bash_env`; both put the user's own back and leave a way to report that
depends on what the text may do with traps, so that the plain way, which no
listing shows, serves nearly all commands. The report is the *name* of an
empty file: no output, no descriptor, no builtin is involved.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, MutableMapping

import attrs

RC_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rc")

_SETS_TRAPS = re.compile(r"\btrap\b|TRAP[A-Z]")
_RUNS_BEFORE_THE_EXIT_HOOK = re.compile(r"EXIT|exit\b|ERR|\b0\b|DEBUG")
_MAY_SET_ERREXIT = re.compile(
    r"err_?(?:exit|return)|\b(?:set|setopt|emulate|source|eval)\b|(?:^|[\s;&|({])\.\s",
    re.IGNORECASE,
)
_LISTS_FUNCTIONS = re.compile(
    r"\bfunctions\b|(?:typeset|declare|autoload|whence|which|type)\s+[-+]\w*[fFm]"
)
_OWN_DEBUG_TRAP = re.compile(r"DEBUG")
_OWN_ERROR_TRAP = re.compile(r"ERR")


@attrs.frozen
class Report:
    """What a shell said when it ended: `$?` and the statuses of its last pipeline."""

    exit: int
    pipestatus: tuple[int, ...]


def ask_for_report(kind: str, text: str, prefix: str, env: MutableMapping[str, str]) -> None:
    """Prepare `env` so that a shell of `kind` running `text` reports into files named `prefix...`."""
    if kind not in ("zsh", "bash"):
        return
    env["ZSH_LS_REPORT"] = prefix
    env["ZSH_LS_HOOKS"] = " ".join(_ways(text))
    theirs, ours = (
        ("ZDOTDIR", RC_FOLDER) if kind == "zsh" else ("BASH_ENV", f"{RC_FOLDER}/bash_env")
    )
    if theirs in env:
        env[f"ZSH_LS_{theirs}"] = env[theirs]
    env[theirs] = ours


def _ways(text: str) -> Iterator[str]:
    own_traps = _SETS_TRAPS.search(text)
    yield "own-traps" if own_traps else "plain"
    if "zshexit" in text:
        yield "own-exit-hook"
    elif not own_traps and _LISTS_FUNCTIONS.search(text):
        yield "lists-functions"
    if own_traps and _RUNS_BEFORE_THE_EXIT_HOOK.search(text) and not _OWN_DEBUG_TRAP.search(text):
        yield "own-report-trap"
    if _MAY_SET_ERREXIT.search(text) and not (own_traps and _OWN_ERROR_TRAP.search(text)):
        yield "errexit"


def find_report(names: Iterable[str], exit_status: int | None) -> Report | None:
    """The report among the file names a shell left; `exit_status` is None where it crashed while ending.

    Written by the exit hook (`e`), else by the error hook (`z`), which also
    speaks before an exit that did not happen: that one must agree with the exit.
    """
    reports = [(name[:1], report) for name in names if (report := _parse(name[1:]))]
    for kind, report in sorted(reports, key=lambda pair: pair[0]):
        if kind == "e" or report.exit % 256 == exit_status:
            return report
    return None


def _parse(numbers: str) -> Report | None:
    try:
        status, *pipestatus = map(int, numbers.removeprefix("-").split("-"))
    except ValueError:
        return None
    return Report(status, tuple(pipestatus))

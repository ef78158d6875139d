"""Commands with something that stands behind the running one, and ways to end them (RUN-10).

Each text runs `sleep` with a token of its own; whatever would come after it leaves a file. Whoever
is left is found in /proc by the token in its arguments, what was begun by the file.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import secrets
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

import attrs

from zsh_ls.model.clock import SystemClock
from zsh_ls.tasks import Engine, StartRequest, Task

from .servers import ENDS, STUCK, End, serve
from .survivors import alive_with, eventually

PATIENCE_S = 30.0
TIMEOUT_S = 1.5

_ALIKE = {
    "list": "{sleep}; {late}",
    "or": "{sleep} || {late}",
    "pipeline": "{sleep} | cat; {late}",
    "end of a pipeline": "cat </dev/null | {sleep}; {late}",
    "function": "f() { {sleep}; {late}; }; f; {late}",
    "subshell": "( {sleep}; {late} ); {late}",
    "substitution": "x=$( {sleep}; {late} ); {late}",
    "for": "for i in 1 2 3; do {sleep}; {late}; done",
    "until": "until {sleep}; do {late}; done",
    "if": "if {sleep}; then {late}; else {late}; fi",
    "last in a pipeline of lists": "{ {sleep}; {late}; } | { cat; {late}; }",
    "wait": "{sleep} & wait; {late}",
    "trap that exits": "trap 'exit 3' TERM; {sleep}; {late}",
    "trap that cleans up": "trap '/bin/true; /bin/true; exit 3' TERM; {sleep}; {late}",
    "trap that exits, in a loop": "trap 'exit 3' TERM; for i in 1 2 3; do {sleep} | cat; {late}; done",
    "trap that exits, before a subshell": "trap 'exit 3' TERM; {sleep}; ( {late} ) | cat",
    "TERM ignored": "trap '' TERM; {sleep}; {late}",
    "TERM ignored inside": "( trap '' TERM; {sleep}; {late} ); {late}",
}
_NESTED = {
    "bash in zsh": ("zsh", "bash -c '{sleep}; {late}'; {late}"),
    "zsh in bash": ("bash", "zsh -fc '{sleep}; {late}'; {late}"),
    "sh in bash in zsh": ("zsh", "bash -c \"sh -c '{sleep}; {late}'; {late}\"; {late}"),
    "session of its own": ("zsh", "setsid -w bash -c '{sleep}; {late}'; {late}"),
    "empty environment": ("bash", "env -i bash -c '{sleep}; {late}'; {late}"),
    "in the background": ("zsh", "{ {sleep}; {late} } & wait; {late}"),
    "EXIT trap": ("bash", "trap 'true' EXIT; {sleep}; {late}"),
    "job control": ("bash", "set -m; bash -c '{sleep}; {late}'; {late}"),
    "trap inside job control": (
        "bash",
        "set -m; bash -c \"trap 'exit 3' TERM; {sleep}; {late}\"; {late}",
    ),
    "always": ("zsh", "{ {sleep} } always { {late} }"),
    "coprocess of zsh": ("zsh", "coproc { {sleep}; {late} }; wait; {late}"),
    "coprocess of bash": ("bash", "coproc { {sleep}; {late}; }; wait; {late}"),
    "bash in a function of zsh": (
        "zsh",
        "f() { bash -c 'g() { {sleep}; {late}; }; g; {late}'; {late} }; f | cat; {late}",
    ),
    "nohup": ("bash", "nohup sh -c '{sleep}; {late}' </dev/null >/dev/null 2>&1; {late}"),
    "disowned": ("bash", "{ {sleep}; {late}; } & disown; tail -f /dev/null >/dev/null; {late}"),
    "forked twice": (
        "zsh",
        "( ( setsid sh -c '{sleep}; {late}' & ) ); tail -f /dev/null >/dev/null; {late}",
    ),
    "watcher of its own output": ("bash", "{sleep} & tail -f /dev/null; {late}"),
    "printer": (
        "zsh",
        "{sleep} & sh -c 'while /bin/echo x; do /bin/sleep 0.02; done'; {late}",
    ),
    "reader of a FIFO": ("bash", "mkfifo {folder}/f; {sleep} & cat {folder}/f; {late}"),
    "loop that reads": (
        "bash",
        "while read -r x; do {sleep}; {late}; done < <(yes | head -3); {late}",
    ),
    "timeout": ("dash", "timeout 2000 {sleep}; {late}"),
    "ERR trap": ("bash", "trap '{late}' ERR; {sleep}; {late}"),
    "DEBUG trap": ("bash", "trap ':' DEBUG; {sleep}; {late}"),
    "TRAPZERR": ("zsh", "TRAPZERR() { {late} }; {sleep}; {late}"),
    "callback of mapfile": ("bash", "mapfile -c 1 -C '{sleep};:' x < <(yes | head -3); {late}"),
    "reader by substitution": ("bash", "tee >( {sleep}; {late} ) </dev/null; wait; {late}"),
    "sourced file": ("zsh", "echo '{sleep}; {late}' >{folder}/src; . {folder}/src; {late}"),
    "case that falls through": ("bash", "case x in x) {sleep} ;;& *) {late} ;; esac; {late}"),
}
_PYTHON = 'import subprocess; subprocess.run("{sleep}".split()); open("{folder}/late", "w")'
_PERL = 'system("{sleep}"); open(F, ">", "{folder}/late")'
_PROGRAMS = {
    "make": ("zsh", "make -f {folder}/makefile one; {late}"),
    "make that minds no failure": ("zsh", "make -ik -j2 -f {folder}/makefile all"),
    "xargs": ("bash", "echo {token} {token} {token} | xargs -n 1 {folder}/step; {late}"),
    "xargs that runs a shell": (
        "zsh",
        "echo 1 2 3 | xargs -n 1 sh -c '{sleep}; {late}'; {late}",
    ),
    "find": ("zsh", "find {folder} -type f -exec {folder}/step {token} \\; ; {late}"),
    "python": ("zsh", f"python3 -c '{_PYTHON}'; {{late}}"),
    "perl": ("bash", f"perl -e '{_PERL}'; {{late}}"),
    "awk": ("zsh", 'awk \'BEGIN { system("{sleep}"); system(": >{folder}/late") }\'; {late}'),
    "alias of git": ("bash", "git -c alias.x='!{sleep}; {late}' x; {late}"),
    "lock": ("bash", "flock {folder}/makefile sh -c '{sleep}; {late}'; {late}"),
    "terminal of its own": ("zsh", "script -qec 'sh -c \"{sleep}; {late}\"' /dev/null; {late}"),
}
KINDS: dict[str, tuple[str, str]] = {
    **{
        f"{kind}, {shell}": (shell, text)
        for shell in ("zsh", "bash", "dash")
        for kind, text in _ALIKE.items()
    },
    **_NESTED,
    **_PROGRAMS,
}
_MAKEFILE = """\
all: one two
one two:
\t-{sleep}
\t{late}
"""
# Two runs of it: what find and xargs begin when the first one was ended leaves the file.
_STEP = """\
#!/bin/sh
mkdir {folder}/begun 2>/dev/null || {late}
exec {sleep}
"""
DEATHS = {**ENDS, **STUCK}
WAYS = ("kill", "timeout", "closing", *DEATHS)


@attrs.frozen
class Behind:
    """One text with a folder and a token of its own."""

    kind: str
    shell: str
    text: str
    folder: Path
    token: str

    @classmethod
    def of(cls, kind: str, root: Path) -> Behind:
        """A text of that kind, with the files it needs below `root`."""
        shell, text = KINDS[kind]
        token = f"{secrets.randbelow(10**9):09}"
        folder = root / token
        folder.mkdir(parents=True)

        def filled(template: str) -> str:
            late = template.replace("{late}", ": >{folder}/late")
            return (
                late.replace("{sleep}", "sleep 1000.{token}")
                .replace("{folder}", str(folder))
                .replace("{token}", token)
            )

        (folder / "makefile").write_text(filled(_MAKEFILE))
        step = folder / "step"
        step.write_text(filled(_STEP))
        step.chmod(0o755)
        return cls(kind, shell, filled(text), folder, token)

    @property
    def is_late(self) -> bool:
        """Whether anything that stood behind was begun."""
        return (self.folder / "late").exists()

    @property
    def is_left(self) -> bool:
        """Whether a process of it lives."""
        return bool(alive_with(self.token))


@attrs.frozen
class Seen:
    """Commands that began after the kill was requested, and processes that outlived its answer, by kind."""

    rounds: int
    late: list[str]
    left: list[str]


def rounds_of(way: str, kinds: Iterable[str], root: Path) -> Seen:
    """One round of each of `kinds` at once, ended in that way."""
    many = [Behind.of(kind, root / "texts") for kind in kinds]
    end = DEATHS.get(way)
    left = _by_death(end, many, root) if end else asyncio.run(_by_request(way, many, root))
    # Who lives on may begin it still.
    eventually(lambda: not any(behind.is_left for behind in many), PATIENCE_S)
    late = [behind.kind for behind in many if behind.is_late]
    for behind in many:
        shutil.rmtree(behind.folder, ignore_errors=True)
    return Seen(len(many), late, left)


def _by_death(end: End, many: Sequence[Behind], root: Path) -> list[str]:
    commands = [(behind.shell, behind.text) for behind in many]
    server = serve(root, commands=commands, is_ready=lambda: _all_run(many))
    end(server)
    eventually(lambda: not any(behind.is_left for behind in many))
    left = [behind.kind for behind in many if behind.is_left]
    server.forget()
    return left


async def _by_request(way: str, many: Sequence[Behind], root: Path) -> list[str]:
    engine = Engine(clock=SystemClock(), spool_root=root / "outputs")
    tasks = [await engine.start(_request(behind, way)) for behind in many]
    if way != "timeout":  # that may strike early on a machine that is busy: it is an end as well
        async with asyncio.timeout(PATIENCE_S):
            while not _all_run(many):
                await asyncio.sleep(0.005)
    left = []
    if way == "closing":
        await engine.close()
        left = [behind.kind for behind in many if behind.is_left]
    elif way == "kill":
        left = [
            kind for kind in await asyncio.gather(*map(_killed, many, tasks)) if kind is not None
        ]
    else:
        await asyncio.gather(*(task.wait_end() for task in tasks))
        async with asyncio.timeout(PATIENCE_S):
            while any(behind.is_left for behind in many):
                await asyncio.sleep(0.02)
    if way != "closing":
        await engine.close()
    return left


async def _killed(behind: Behind, task: Task) -> str | None:
    await task.kill()
    return behind.kind if behind.is_left else None


def _request(behind: Behind, way: str) -> StartRequest:
    path = shutil.which(behind.shell)
    assert path, f"{behind.shell} is not installed"
    return StartRequest(
        command=behind.text,
        shell=behind.shell,
        shell_path=path,
        cwd="/",
        timeout_s=TIMEOUT_S if way == "timeout" else None,
    )


def in_turn(kinds: Sequence[str], rounds: int, at_once: int) -> Iterable[list[str]]:
    """The kinds over and over, `rounds` in all, in pieces of at most `at_once`."""
    ahead = itertools.islice(itertools.cycle(kinds), rounds)
    while piece := list(itertools.islice(ahead, at_once)):
        yield piece


def _all_run(many: Iterable[Behind]) -> bool:
    """Whether each has come to its `sleep`."""
    missing = {f"1000.{behind.token}" for behind in many}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{name}/cmdline").read_text(errors="replace").split("\0")
            if words[0] == "sleep":
                missing.discard(words[1])
    return not missing

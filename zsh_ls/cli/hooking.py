"""`zsh-ls hook AGENT`: an event on standard input, its answer on standard output (HOOK-1, HOOK-3).

Agents wait for it after each command, so that it loads nothing but the link to a server where one runs.
Whatever goes wrong, it says nothing and exits with 0: a hook never makes a command fail.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from zsh_ls.hooks.told_run import ToldCommand, ToldRun

SHELLS = ("bash", "zsh")
END_CHARS = 4096
# The status line of `zsh-ls run --brief`.
_STATUS_LINE = re.compile(r"^\[[A-Z]+ task_id=[0-9a-f]{6,} elapsed=", re.MULTILINE)
LONGEST_EVENT_BYTES = 64 << 20
SERVER_PATIENCE_S = 0.9
SPOOL_NAME = "agent-runs"
MOST_SPOOLED_BYTES = 4 << 20


class _TooSlow(BaseException):
    """The server has had its time; no handler of a lesser fault may keep the hook waiting."""


def speak(agent: str, *, rewrite: bool = False) -> int:
    """Read one event and answer it; gives 0. With `rewrite` it is one of before a command (HOOK-2)."""
    try:
        (_rewrite if rewrite else _speak)(agent)
    except (Exception, _TooSlow, KeyboardInterrupt):
        # The agent's command has run, and no fault of this program may look like one of that.
        return 0
    return 0


def _speak(agent: str) -> None:
    spoken: Any = importlib.import_module(f"zsh_ls.hooks.events.{agent}")
    event = json.loads(sys.stdin.buffer.read(LONGEST_EVENT_BYTES))
    run: ToldRun | None = spoken.read(event) if isinstance(event, dict) else None
    if run is None or os.environ.get("ZSH_LS_OFF") or _told_of_itself(run):
        return
    if not os.path.isabs(run.folder):
        run.folder = os.getcwd()
    lines = _told_by_server(run)
    if lines is None:
        _write_down(run)
        lines = _told_here(run)
    if run.exit and not spoken.SHOWS_EXITS and not any("exit " in it for it in lines):
        lines = [*lines[:1], f"exit {run.exit}"]
    if lines:
        print(json.dumps(spoken.answer(event, "\n".join(f"zsh-ls: {it}" for it in lines))))


def _rewrite(agent: str) -> None:
    """Answer an event of before a command: with another command, or not at all."""
    spoken: Any = importlib.import_module(f"zsh_ls.hooks.events.{agent}")
    event = json.loads(sys.stdin.buffer.read(LONGEST_EVENT_BYTES))
    told: ToldCommand | None = spoken.asked(event) if isinstance(event, dict) else None
    if told is None or os.environ.get("ZSH_LS_OFF") or not told.command:
        return
    shell = told.shell or _shell_of_this_user()
    if shell not in SHELLS or not _is_program("zsh-ls"):
        return
    from zsh_ls.hooks.rewriting import rewritten, switches_off

    from .agent_rules import asks_first, rules_around

    if told.transcript and asks_first(told):
        return
    folder = told.folder if os.path.isabs(told.folder) else os.getcwd()
    rules = rules_around(agent, folder, told.permissions)
    if switches_off(rules) is not None:
        return
    command = rewritten(told.command, shell, rules, _is_program)
    if command is not None:
        print(json.dumps(spoken.replaced(event, command)))


def _is_program(name: str) -> bool:
    """Whether a folder of PATH has it; `shutil` would take longer to load than the rest of this."""
    folders = os.environ.get("PATH", "").split(os.pathsep)
    return any(os.access(os.path.join(it, name), os.X_OK) for it in folders if it)


def _shell_of_this_user() -> str:
    """The name of the shell that agents run commands with: the person's."""
    path = os.environ.get("SHELL")
    if not path:
        import pwd

        path = pwd.getpwuid(os.getuid()).pw_shell
    return os.path.basename(path)


def _told_of_itself(run: ToldRun) -> bool:
    """Whether it was zsh-ls that ran: it remembers its runs itself, and has said all there is to say."""
    return (
        run.command.startswith("zsh-ls ")
        or _STATUS_LINE.search(run.output[-END_CHARS:]) is not None
    )


def _told_by_server(run: ToldRun) -> list[str] | None:
    """What the server of the run's folder says of it; None where none answers in time."""
    from pathlib import Path

    from zsh_ls.ipc import servers_around
    from zsh_ls.system.private_folders import sockets_folder

    runtime, folder = Path(sockets_folder()), Path(run.folder)
    if not servers_around(runtime, folder):
        return None
    from zsh_ls.sidecar.remote.thin import join

    signal.signal(signal.SIGALRM, _give_up)
    signal.setitimer(signal.ITIMER_REAL, SERVER_PATIENCE_S)
    try:
        server = join(runtime, folder)
        if server is None:
            return None
        lines: list[str] = server.call("record_agent_run", run=vars(run))["lines"]
        return lines
    except (Exception, _TooSlow):
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _give_up(*_: object) -> None:
    raise _TooSlow


def _write_down(run: ToldRun) -> None:
    """Leave a run for memory, where the next server or command imports it; nothing, where it cannot."""
    from zsh_ls.system.private_folders import make_private

    from .terminal import spool_folder

    folder = spool_folder()
    with contextlib.suppress(OSError):
        make_private(folder)
        path = os.path.join(folder, f"{SPOOL_NAME}.log")
        if os.path.exists(path) and os.stat(path).st_size > MOST_SPOOLED_BYTES:
            return
        ended_s = time.time()
        began_s = "" if run.duration_s is None else f"{ended_s - run.duration_s:.3f}"
        status = "" if run.exit is None else str(run.exit)
        fields = (
            f"{run.session}\n{run.folder}",
            began_s,
            f"{ended_s:.3f}",
            status,
            "",
            run.command,
        )
        record = "".join(it.replace("\0", "") + "\0" for it in fields)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW
        file = os.open(path, flags, 0o600)
        try:
            os.write(file, record.encode("utf-8", "replace"))
        finally:
            os.close(file)


def _told_here(run: ToldRun) -> list[str]:
    """What can be said of a run without a server, from its text and its output alone."""
    from zsh_ls.hooks.signs import may_have_failed

    if not may_have_failed(run.output, run.exit, run.command):
        return []
    from zsh_ls.hooks.news import news_of

    return list(news_of(run))

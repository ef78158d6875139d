"""`zsh-ls run --shared` where a server runs: the task is the server's, and this process shows it.

It asks with `sidecar.remote.thin`, whose results are JSON: an event loop and the classes of results would
take longer to load than most commands take to run.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from zsh_ls.hooks.signs import may_have_failed
from zsh_ls.insights.display import formatted
from zsh_ls.model.errors import SidecarError
from zsh_ls.model.received_result import ReceivedResult
from zsh_ls.model.words import Status
from zsh_ls.tasks.process.without_terminal import WITHOUT_TERMINAL

from .run_end import SlowLine, exit_of, tell
from .run_request import BETWEEN_POLLS_S, LIVE_AFTER_S, LONGEST_LISTEN_S, TAG, fields_of
from .screen import as_typed, wants_colour
from .servers import FAULT, join_here
from .title import hide_secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from zsh_ls.sidecar.remote.thin import ThinClient

# A shorter output is neither folded nor paged (VERB-9).
SHORT_CHARACTERS = 24_000
ENDING = (signal.SIGTERM, signal.SIGHUP)


def run_joined(arguments: argparse.Namespace) -> int | None:
    """Run one line in the workspace's server; gives the exit status for this process.

    Its environment and folder are this terminal's. When this process is killed, the
    task stays with the server: the editor sees it, and can stop it. None if there is no server
    and nothing has been run.
    """
    at_the_end = arguments.json or arguments.brief
    server = join_here(only_news=not arguments.json)
    if server is None:
        return None
    try:
        hide_secrets(arguments.words, server.shown(arguments.words))
        fields = _in_its_place(server, fields_of(arguments))
        if at_the_end:
            return _run_to_the_end(server, fields, as_json=arguments.json)
        return _run_followed(server, fields)
    except SidecarError as fault:
        print(f"zsh-ls: {as_typed(fault)}", file=sys.stderr)
        return FAULT
    finally:
        server.close()


def _in_its_place(server: ThinClient, fields: dict[str, Any]) -> dict[str, Any]:
    """The request with this terminal's environment and folder, or those of the server's session."""
    session = fields["session"]
    if session is not None:
        known = {it["session"] for it in server.call("sessions")["sessions"]}
        # The folder is the session's, once it is anywhere.
        is_new = session not in known and fields["cwd"] is None
        return {**fields, "cwd": str(Path.cwd())} if is_new else fields
    # Without a terminal, this terminal's editor and pager would wait for keys.
    left_out = () if fields["pty"] else WITHOUT_TERMINAL
    env = {name: text for name, text in os.environ.items() if name not in left_out}
    return {**fields, "env": {**env, **fields["env"]}}


def _run_to_the_end(server: ThinClient, fields: Mapping[str, Any], *, as_json: bool) -> int:
    """Run one line and print its result at the end."""
    slow, signals = SlowLine(), _Signals(server)

    def on_progress(progress: Mapping[str, Any]) -> None:
        if progress.get("tag") != TAG:
            return  # the server reports all tasks
        signals.reach(progress["task_id"])
        estimate = (progress.get("poll_meta") or {}).get("alan_estimate") or {}
        usual_s = estimate.get("median_duration_s")
        slow.show(progress["elapsed_seconds"], usual_s, progress["output"])

    server.subscribe("on_progress", on_progress)
    try:
        answer = server.call("run", request=fields)
    finally:
        slow.erase()
        signals.close()
    result = ReceivedResult(answer)
    if as_json:
        print(json.dumps(answer, ensure_ascii=False))
    else:
        print(_brief(answer, result, colour=wants_colour(sys.stdout)))
    return exit_of(result)


def _brief(answer: Mapping[str, Any], result: ReceivedResult, *, colour: bool) -> str:
    """What `--brief` prints, as without a server; what folds and pages is loaded only where it may."""
    hides = result.exit == 0 and may_have_failed(result.output, 0, answer["command"])
    if not hides and not result.is_cut and len(result.output) <= SHORT_CHARACTERS:
        return formatted(result, colour=colour)
    from zsh_ls.model.results import TaskResult
    from zsh_ls.sidecar.remote.rpc import unpacked

    from .brief import brief_text

    return brief_text(unpacked(answer, TaskResult), colour=colour)


def _run_followed(server: ThinClient, fields: Mapping[str, Any]) -> int:
    """Run one line, print its text as it comes, and how it ended on standard error."""
    request = {**fields, "yield_after": LIVE_AFTER_S, "progress": False}
    signals, open_line = _Signals(server), ""
    try:
        result = ReceivedResult(server.call("run", request=request))
        signals.reach(result.task_id)
        while result.status is Status.RUNNING:
            if result.output:
                sys.stdout.write(result.output)
                sys.stdout.flush()
                _, newline, last = result.output.rpartition("\n")
                open_line = last if newline else open_line + last
            time.sleep(BETWEEN_POLLS_S)
            poll = {"task_id": result.task_id, "listen": LONGEST_LISTEN_S}
            result = ReceivedResult(server.call("poll", request=poll))
        if result.is_cut:
            result.output = _whole(server, result, open_line)
    finally:
        signals.close()
    if open_line and not result.output:
        print()
    print(result.output, end="", flush=True)
    tell(result, after_open_line=sys.stdout.isatty() and result.output[-1:] not in ("", "\n"))
    return exit_of(result)


def _whole(server: ThinClient, result: ReceivedResult, open_line: str) -> str:
    """All lines from the first of `result` on, without `open_line`, its beginning."""
    pieces, from_line = [], result.from_line
    while True:
        wanted = {"task_id": result.task_id, "from_line": from_line}
        page = server.call("output", request=wanted)
        pieces.append(page["output"])
        if not page.get("more") or page["to_line"] is None:
            return "".join(pieces).removeprefix(open_line)
        from_line = page["to_line"] + 1


class _Signals:
    """Handles signals while a task runs: the first Ctrl-C interrupts it; a second, TERM and HUP end it.

    Python writes the number of each signal into a pipe, which is read where an answer is waited for.
    """

    def __init__(self, server: ThinClient) -> None:
        self._server = server
        self._task_id: str | None = None
        self._count = 0
        self._must_end = False
        self._arrived, self._written = os.pipe()
        os.set_blocking(self._written, False)
        self._before: dict[int, Any] = {}
        signal.set_wakeup_fd(self._written)
        server.watch(self._arrived, self._read)
        # Leave ignored signals alone: `nohup` ignores SIGHUP.
        ending = [it for it in ENDING if signal.getsignal(it) is not signal.SIG_IGN]
        for number in (signal.SIGINT, *ending):
            self._before[number] = signal.signal(number, _noted_in_the_pipe)

    def reach(self, task_id: str) -> None:
        """Send signals to this task, also those that came before its id was known."""
        was_waiting = self._task_id is None and (self._count > 0 or self._must_end)
        self._task_id = task_id
        if was_waiting:
            self._pass_on()

    def close(self) -> None:
        """Have signals do what they did before."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(-1)
        self._server.unwatch(self._arrived)
        os.close(self._arrived)
        os.close(self._written)

    def _read(self) -> None:
        for number in os.read(self._arrived, 64):
            if number not in self._before:
                continue
            self._count += number == signal.SIGINT
            self._must_end = self._must_end or number != signal.SIGINT or self._count > 1
            if self._task_id is not None:
                self._pass_on()

    def _pass_on(self) -> None:
        self._server.post("kill" if self._must_end else "interrupt", task_id=self._task_id)


def _noted_in_the_pipe(*_: object) -> None:
    """A signal that has a handler is written into the pipe; there is nothing else to be done."""

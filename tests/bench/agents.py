"""What an agent pays for thirty commands: calls made, bytes read, and what it found of what it needed.

`python -m tests.bench agents [--write]`: the MCP frontend against a runner that is polled and gives all
output each time, and against plain `subprocess` with a limit. The session's commands take a tenth
of what such commands take, so the other clocks are a tenth too: a poll every 0.2 s for 2 s, a
yield of 0.2 s, a limit of 12 s for two minutes.

A second table is of the recorded executions of runners, builds and searches: what an agent reads of
them, in pages of 46,000 bytes, and how much of what it needs is there. `--recordings` prints it
alone, `--write` puts the tables into docs/agents.md. `--halves` prints how heavy the structured half of
the answers is beside their text, field by field. `--driven` drives real agents (`driven.py`).
"""

from __future__ import annotations

import asyncio
import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import attrs
from mcp import ClientSession

from tests.mcp import halves
from tests.mcp.session import session
from tests.server.conftest import home_in
from tests.verbosity import executions
from tests.verbosity.score import Case, View, kept_lines
from zsh_ls.mcp.paging import MOST_BYTES

from . import driven
from .agent_session import SESSION, Step

POLL_S = 0.2
LIMIT_S = 12.0
PAGE = Path(__file__).parent.parent.parent / "docs" / "agents.md"
MARKS = ("<!-- table of tests.bench agents -->", "<!-- end of table -->")
OF_RECORDINGS = ("<!-- table of tests.bench agents --recordings -->", "<!-- end of recordings -->")
VIEWS: dict[str, Callable[[Case], View]] = {
    "all that was printed": executions.everything,
    "5,000 characters from each end": executions.head_and_tail,
    "zsh-ls mcp": executions.for_agents,
}


@attrs.define
class Bill:
    """What one way of running cost, and which steps' needles it did not show."""

    calls: int = 0
    shown_bytes: int = 0
    took_s: float = 0.0
    missed: list[str] = attrs.field(factory=list)

    def pay(self, text: str) -> str:
        self.calls += 1
        self.shown_bytes += len(text.encode())
        return text

    def judge(self, step: Step, shown: str) -> None:
        if not re.search(step.needle, shown):
            self.missed.append(step.command)


async def through_mcp(agent: ClientSession, bill: Bill, step: Step) -> str:
    """Run, and if it is not over, one poll for the end, or an answer to what waits."""

    async def call(tool: str, **arguments: object) -> tuple[str, dict[str, object]]:
        answer = await agent.call_tool(tool, arguments)
        return bill.pay(answer.content[0].text), answer.structured_content or {}

    shown, result = await call(
        "zsh", command=step.command, yield_after=POLL_S, timeout=LIMIT_S, pty=step.waits
    )
    while result.get("status") == "running":
        task = result["task_id"]
        meta = result["poll_meta"]
        assert isinstance(meta, dict)
        if meta["waiting_for_input"]:
            shown += (await call("zsh_send", task_id=task, input="y"))[0]
        # The server reports a task that waits for input: wait for output if the step may ask.
        until = "output" if step.waits else "end"
        more, result = await call(
            "zsh_poll", task_id=task, until=until, listen=300 if not step.waits else 1
        )
        shown += more
    return shown


def polled(bill: Bill, step: Step, folder: str) -> str:
    """A terminal whose whole output is given at each poll; at the second one without news it types `y`."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execvp("zsh", ["zsh", "-c", step.command])
    output, idle, shown, began = b"", 0, "", time.monotonic()
    while True:
        before = len(output)
        until = time.monotonic() + POLL_S
        is_over = False
        while (left := until - time.monotonic()) > 0 and not is_over:
            if select.select([terminal], [], [], left)[0]:
                try:
                    output += os.read(terminal, 1 << 16)
                except OSError:
                    is_over = True
        status = os.waitpid(pid, 0 if is_over else os.WNOHANG)
        idle = 0 if len(output) > before else idle + 1
        if status[0]:
            code = os.waitstatus_to_exitcode(status[1])
            return shown + bill.pay(f"{output.decode(errors='replace')}\nexit status {code}")
        shown += bill.pay(f"{output.decode(errors='replace')}\nstill running")
        if step.waits and idle == 2:
            bill.pay("")
            os.write(terminal, b"y\n")
        if time.monotonic() - began > LIMIT_S:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return shown + bill.pay(f"{output.decode(errors='replace')}\ntimed out")


def plain(bill: Bill, step: Step, folder: str) -> str:
    """`subprocess.run` with a limit: everything at the end."""
    process = subprocess.Popen(
        ["zsh", "-c", step.command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        output = process.communicate(timeout=LIMIT_S)[0]
        said = f"exit status {process.returncode}"
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, said = process.communicate()[0], "timed out"
    return bill.pay(f"{output.decode(errors='replace')}\n{said}")


async def all_through_mcp() -> Bill:
    bill = Bill()
    with tempfile.TemporaryDirectory(prefix="zl-") as home, tempfile.TemporaryDirectory() as folder:
        async with session(home_in(Path(home)), Path(folder)) as agent:
            began = time.monotonic()
            for step in SESSION:
                bill.judge(step, await through_mcp(agent, bill, step))
            bill.took_s = time.monotonic() - began
    return bill


def all_by(run: Callable[[Bill, Step, str], str]) -> Bill:
    bill, began = Bill(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for step in SESSION:
            bill.judge(step, run(bill, step, folder))
    bill.took_s = time.monotonic() - began
    return bill


def main(arguments: list[str]) -> int:
    if "--driven" in arguments:
        return driven.main(arguments)
    if "--halves" in arguments:
        print("\n".join(halves_table()))
        return 0
    tables = {OF_RECORDINGS: recordings_table()}
    if "--recordings" not in arguments:
        tables[MARKS] = session_table()
    print("\n\n".join("\n".join(rows) for rows in tables.values()))
    if "--write" in arguments:
        for marks, rows in tables.items():
            before, _, rest = PAGE.read_text().partition(marks[0])
            after = rest.partition(marks[1])[2]
            PAGE.write_text("\n".join([before + marks[0], *rows, marks[1] + after]))
    return 0


def recordings_table() -> list[str]:
    """What is read and kept of the recorded executions, as rows of Markdown."""
    cases = executions.all_labelled()
    names = "calls | bytes | failures kept | error places kept | asked-for lines kept"
    rows = [f"| {len(cases)} executions | {names} |", "|---|---|---|---|---|---|"]
    for name, view in VIEWS.items():
        kept = kept_lines(cases, view)
        calls = sum(max(1, -(-len(view(case).output.encode()) // MOST_BYTES)) for case in cases)
        shares = (f"{found} of {of}" for found, of in (kept.failures, kept.places, kept.asked))
        rows.append(f"| {name} | {calls} | {kept.size_bytes:,} | {' | '.join(shares)} |")
    return rows


def halves_table() -> list[str]:
    """The characters of each structured field of the answers to all recordings, beside the text's."""
    every = [page for case in halves.all_cases() for page in halves.pages(halves.result_of(case))]
    text = sum(it for it, _ in every)
    fields: Counter[str] = Counter()
    for _, sizes in every:
        fields.update(sizes)
    rows = [f"| {len(every)} pages | characters | of the text |", "|---|---|---|"]
    rows += [f"| {name} | {size:,} | {size / text:.4f} |" for name, size in fields.most_common()]
    total = fields.total()
    return [
        *rows,
        f"| all | {total:,} | {total / text:.4f} |",
        f"| but for places | {total - fields['places']:,} | {(total - fields['places']) / text:.4f} |",
    ]


def session_table() -> list[str]:
    """What a session of thirty commands cost each way, as rows of Markdown; what was missed is printed."""
    bills = {
        "zsh-ls mcp": asyncio.run(all_through_mcp()),
        "polled every 2 s, all output": all_by(polled),
        "subprocess, two minutes": all_by(plain),
    }
    rows = ["| | calls | bytes read | needles found | seconds |", "|---|---|---|---|---|"]
    for name, bill in bills.items():
        found = len(SESSION) - len(bill.missed)
        rows.append(
            f"| {name} | {bill.calls} | {bill.shown_bytes:,} | {found} of {len(SESSION)}"
            f" | {bill.took_s:.0f} |"
        )
        for command in bill.missed:
            print(f"{name} did not show what was needed of: {command[:100]}")
    return rows

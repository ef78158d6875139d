"""Long scripts and outputs are read in threads, so that the event loop stays free."""

from __future__ import annotations

import asyncio
import errno
import subprocess
import sys
from collections.abc import Awaitable, Callable
from types import FrameType
from typing import Any

import pytest

from zsh_ls.model.requests import Caller, DocumentRange, PollRequest, RunRequest
from zsh_ls.model.results import KillResult, TaskResult
from zsh_ls.model.span import Span
from zsh_ls.shell.redaction.redact import mask_output
from zsh_ls.sidecar import Sidecar, redact
from zsh_ls.sidecar.redact import redacted, redacted_beside_the_loop
from zsh_ls.sidecar.runs.off_the_loop import LARGE_BYTES
from zsh_ls.system import programs

URI = "file:///nowhere/a.zsh"
SHORTER, LONGER = 1_000, 3_000
# Passing on what was found takes a few steps more now and then.
ALLOWED = 500

CALLBACK_BEGINS = (asyncio.BaseEventLoop._run_once.__code__, asyncio.Handle._run.__code__)  # type: ignore[attr-defined]

Question = Callable[[Sidecar, str], Awaitable[object]]
QUESTIONS: dict[str, Question] = {
    "insights": lambda sidecar, text: sidecar.insights_for(URI),
    "hints": lambda sidecar, text: sidecar.hints_for(URI),
    "lenses": lambda sidecar, text: sidecar.lenses_for(URI),
    "actions": lambda sidecar, text: sidecar.actions_for(URI, Span(len(text) - 1, len(text) - 1)),
    "hover": lambda sidecar, text: sidecar.hover(URI, len(text) - 2),
    "completions": lambda sidecar, text: sidecar.completions(URI, len(text) - 1),
}


async def longest_turn(asked: Awaitable[object]) -> int:
    """How many lines of the program one callback of the event loop runs at most.

    Not all callbacks of one round of the loop: on a busy machine more of them are due at once.
    """
    steps = longest = 0

    def count(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal steps, longest
        begins = event == "call" and frame.f_code in CALLBACK_BEGINS
        steps = 0 if begins else steps + 1
        longest = max(longest, steps)
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        await asked
    finally:
        sys.settrace(before)
    return longest


@pytest.mark.parametrize("name", QUESTIONS)
async def test_nothing_on_the_loop_grows_with_the_script(sidecar: Sidecar, name: str) -> None:
    found = []
    for functions in (SHORTER, LONGER):
        text = "".join(f"f{n}() {{ cd /x | f{n}; }}\n" for n in range(functions)) + "true\nf7\n"
        sidecar.open_document(URI, text, "shellscript", 1)
        where = DocumentRange(URI, Span(text.index("true"), text.index("true") + 4))
        await sidecar.run(RunRequest("true", document=where, yield_after=60))
        for question in QUESTIONS.values():
            await question(sidecar, text)
        # What grows with the script does so each time; a turn may do something else as well.
        turns = [await longest_turn(QUESTIONS[name](sidecar, text)) for _ in range(3)]
        found.append(min(turns))
    assert found[1] < found[0] + ALLOWED, found


async def test_a_long_output_is_masked_beside_the_loop_for_an_agent() -> None:
    """It took seconds of an output of a few megabytes, in which nobody else was answered."""
    line = "password=hunter22verylong https://a:b1c2d3e4f5@h/\n"
    found = [
        await longest_turn(redacted_beside_the_loop({"output": line * lines, "exit": 0}))
        for lines in (SHORTER, LONGER)
    ]
    assert found[1] < found[0] + ALLOWED, found
    value = {"command": "echo a", "output": line * LONGER, "places": [{"text": line}]}
    assert await redacted_beside_the_loop(value) == redacted(value) != value


@pytest.mark.parametrize("way", ["poll", "kill"])
async def test_what_a_running_task_prints_is_rendered_beside_the_loop(
    sidecar: Sidecar, way: str
) -> None:
    """Lines that were written over held up everybody for a second, and so did their numbers.

    Asked by another than who started it: that one has had a part of it, and on a busy machine so much that
    the rest is short enough for the loop.
    """
    found, several, another = [], (60_000, 180_000), Caller("another")
    for lines in several:
        command = f"yes $'a\\rb\\bc' | head -n {lines}; print last; read -r x"
        request = RunRequest(command, shell="zsh", interactive=True, yield_after=0.0)
        task_id = (await sidecar.run(request)).task_id
        while b"last" not in (await sidecar.raw_output(task_id, lines * 6)).data:
            await asyncio.sleep(0)  # the answer comes without suspending
        asked: Awaitable[TaskResult | KillResult] = (
            sidecar.poll(PollRequest(task_id, caller=another))
            if way == "poll"
            else sidecar.kill(task_id, another)
        )
        found.append(await longest_turn(asked))
        if way == "poll":
            await sidecar.kill(task_id)
    # Each line of the output would be some lines of the program.
    assert found[1] < found[0] + (several[1] - several[0]) // 2, found


@pytest.mark.parametrize("printed", ["\\n", "\\r", "   ", "y\\n", "a\\r", "\\033", "e: no\\n"])
@pytest.mark.parametrize("failing", [False, True], ids=["succeeds", "fails"])
async def test_the_end_of_a_run_is_read_beside_the_loop(
    sidecar: Sidecar, printed: str, failing: bool
) -> None:
    """Whether megabytes were blank was looked for on the loop, which answered nobody meanwhile."""
    found = []
    several = (200_000, 1_600_000)
    for times in several:
        command = f'python3 -c \'print("{printed}" * {times}, end="")\'{"; false" * failing}'
        run = sidecar.run(RunRequest(command, shell="zsh", yield_after=60.0))
        found.append(await longest_turn(run))
    # Read in pieces of 4 KiB it would be ten lines of the program for each.
    assert found[1] < found[0] + ALLOWED, found


async def test_two_polls_of_one_caller_do_not_both_bring_the_same(sidecar: Sidecar) -> None:
    command = f"yes | head -c {2 * LARGE_BYTES}; print last; read -r x"
    request = RunRequest(command, shell="zsh", interactive=True, yield_after=0.0)
    task_id = (await sidecar.run(request)).task_id
    while b"last" not in (await sidecar.raw_output(task_id, 2 * LARGE_BYTES)).data:
        await asyncio.sleep(0)
    poll = PollRequest(task_id, caller=Caller("another"))
    both = await asyncio.gather(*(sidecar.poll(poll) for _ in range(2)))
    assert sorted(it.new_bytes for it in both) == [0, 2 * LARGE_BYTES + len("last\n")]


async def test_a_huge_output_is_masked_in_a_process_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One pattern over a line of some megabytes held up all threads for a second."""
    masked_here: list[int] = []

    def recorded(text: str) -> str:
        masked_here.append(len(text))
        return mask_output(text)

    monkeypatch.setattr(redact, "mask_output", recorded)
    secret = "https://a:b1c2d3e4f5@h/"
    output = "é\ud800" + "a" * redact.HUGE_CHARACTERS + f" {secret} " + "\n" * 1_000
    command = f"curl -u me:{'x7' * redact.HUGE_CHARACTERS} https://h/"
    value = {"command": command, "output": output, "exit": 0, "title": "short"}
    found = await redacted_beside_the_loop(value)
    assert max(masked_here) < redact.HUGE_CHARACTERS
    assert found == redacted(value)
    assert secret not in found["output"]
    assert "x7x7" not in found["command"]


async def test_a_huge_output_is_masked_where_no_process_can_be_had(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "no process left")

    monkeypatch.setattr(programs, "start", refuse)
    value = {"output": "a" * redact.HUGE_CHARACTERS + " https://a:b1c2d3e4f5@h/"}
    assert await redacted_beside_the_loop(value) == redacted(value) != value


async def test_a_client_asks_again_where_there_are_more_names_than_are_offered(
    sidecar: Sidecar,
) -> None:
    text = "".join(f"f{n}() {{ :; }}\n" for n in range(2_500)) + "f\n"
    sidecar.open_document(URI, text, "shellscript", 1)
    some = await sidecar.completions(URI, len(text) - 1)
    assert (len(some.found), some.is_complete) == (2_000, False)
    sidecar.edit_document(URI, [], 2)
    sidecar.open_document(URI, text[:-1] + "24", "shellscript", 3)
    few = await sidecar.completions(URI, len(text) + 1)
    assert few.is_complete
    assert "f2499" in {it.label for it in few.found}


def test_the_first_document_loads_nothing_once_warmed_up() -> None:
    program = (
        "import sys; from zsh_ls.sidecar.warm_up import warm_up_documents; warm_up_documents()\n"
        "from zsh_ls.insights import static_of\n"
        "from zsh_ls.model.syntax import Dialect\n"
        "from zsh_ls.shell.syntax.parser import parse\n"
        "known = set(sys.modules)\n"
        "static_of(parse('cd a; rm -rf b', Dialect.BASH))\n"
        "print(*sorted(set(sys.modules) - known))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=60
    )
    assert (loaded.stdout, loaded.stderr) == ("\n", "")


def test_first_findings_wait_for_neither_the_resolver_nor_the_questions() -> None:
    program = (
        "import importlib, pkgutil, sys\n"
        "from zsh_ls.server import features, server, session\n"
        "for it in pkgutil.iter_modules(features.__path__):\n"
        "    importlib.import_module(f'{features.__name__}.{it.name}')\n"
        "from zsh_ls.sidecar.editor import parts\n"
        "from zsh_ls.sidecar.warm_up import warm_up_documents; warm_up_documents()\n"
        "print(*sorted({'zsh_ls.answers.ask', 'zsh_ls.verbosity.resolve'} & set(sys.modules)))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=60
    )
    assert (loaded.stdout, loaded.stderr) == ("\n", "")

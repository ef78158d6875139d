"""Polls bring what is new, with the numbers of its lines; progress has a cursor of its own (RUN-12, POLL)."""

from __future__ import annotations

import asyncio

import pytest

from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.requests import PollRequest, RunRequest, SendRequest
from zsh_ls.model.results import Progress
from zsh_ls.model.words import Status
from zsh_ls.sidecar import Sidecar

ECHO = RunRequest("while read -r line; do echo $line; done", interactive=True, yield_after=0.0)


async def started(sidecar: Sidecar, request: RunRequest = ECHO) -> str:
    result = await sidecar.run(request)
    assert result.status is Status.RUNNING
    return result.task_id


async def test_a_poll_brings_what_is_new_with_the_numbers_of_its_lines(sidecar: Sidecar) -> None:
    task_id = await started(sidecar)
    for number, word in enumerate(["one", "two"], 1):
        await sidecar.send(SendRequest(task_id, word))
        result = await sidecar.poll(PollRequest(task_id, listen=60))
        assert (result.output, result.from_line, result.to_line) == (f"{word}\n", number, number)
        assert result.formatted.startswith(f"{number}: {word}\n")
        assert "\n[RUNNING " in result.formatted
    await sidecar.send(SendRequest(task_id, "", newline=False, eof=True))
    last = await sidecar.poll(PollRequest(task_id, listen=60, until="end"))
    assert (last.status, last.exit, last.output) == (Status.COMPLETED, 0, "")
    everything = await sidecar.poll(PollRequest(task_id, full_output=True))
    assert (everything.output, everything.from_line, everything.to_line) == ("one\ntwo\n", 1, 2)


async def test_polls_that_bring_nothing_are_counted_until_output_comes(sidecar: Sidecar) -> None:
    task_id = await started(sidecar)
    counts = []
    for _ in range(3):
        meta = (await sidecar.poll(PollRequest(task_id, listen=0))).poll_meta
        counts.append(meta and meta.polls_since_output)
    assert counts == [1, 2, 3]
    await sidecar.send(SendRequest(task_id, "news"))
    meta = (await sidecar.poll(PollRequest(task_id, listen=60))).poll_meta
    assert meta is not None
    assert meta.polls_since_output == 0
    await sidecar.kill(task_id)


async def test_half_a_character_is_no_news_to_a_poll_or_to_the_stream(sidecar: Sidecar) -> None:
    heard: list[Progress] = []
    sidecar.on_progress(heard.append)
    pieces = (r"a\303", r"\251\033[", r"0mb\n")
    command = "; ".join(f"read -r x; printf '{piece}'" for piece in pieces)
    task_id = await started(sidecar, RunRequest(command, interactive=True, yield_after=0.0))
    for shown in ("a", "é", "b\n"):
        waiting = asyncio.ensure_future(sidecar.poll(PollRequest(task_id, listen=60)))
        await sidecar.send(SendRequest(task_id, "go on"))
        assert (await waiting).output == shown
    last = await sidecar.poll(PollRequest(task_id, listen=60, until="end"))
    empty = [news for news in heard if news.status is Status.RUNNING and not news.new_bytes]
    assert len(empty) <= last.elapsed_seconds / 2


async def test_until_end_is_not_woken_by_output(sidecar: Sidecar) -> None:
    task_id = await started(sidecar)
    waiting = asyncio.ensure_future(sidecar.poll(PollRequest(task_id, listen=60, until="end")))
    await sidecar.send(SendRequest(task_id, "a"))
    await sidecar.send(SendRequest(task_id, "b", eof=True))
    result = await waiting
    assert (result.status, result.output) == (Status.COMPLETED, "a\nb\n")


async def test_progress_and_polls_take_nothing_from_each_other(sidecar: Sidecar) -> None:
    heard: list[Progress] = []
    ended = asyncio.Event()

    def listen(progress: Progress) -> None:
        heard.append(progress)
        if progress.status is not Status.RUNNING:
            ended.set()

    sidecar.on_progress(listen)
    task_id = await started(sidecar)
    polled = ""
    for word in ("one", "two", "three"):
        await sidecar.send(SendRequest(task_id, word))
        polled += (await sidecar.poll(PollRequest(task_id, listen=60))).output
    await sidecar.send(SendRequest(task_id, "", newline=False, eof=True))
    async with asyncio.timeout(60):
        await ended.wait()
    assert polled == "one\ntwo\nthree\n"
    assert "".join(progress.output for progress in heard) == polled
    assert [progress.status for progress in heard][-1] is Status.COMPLETED
    assert heard[-1].exit == 0


async def test_a_task_that_ends_within_its_yield_makes_no_progress(sidecar: Sidecar) -> None:
    heard: list[Progress] = []
    sidecar.on_progress(heard.append)
    await sidecar.run(RunRequest("echo quick", yield_after=60))
    assert heard == []


@pytest.mark.parametrize("listen", [-1.0, 301.0, float("nan")])
async def test_a_listen_outside_0_to_300_is_refused(sidecar: Sidecar, listen: float) -> None:
    task_id = await started(sidecar)
    with pytest.raises(InvalidRequest, match="^listen: "):
        await sidecar.poll(PollRequest(task_id, listen=listen))
    await sidecar.kill(task_id)


async def test_an_id_nobody_knows_is_said(sidecar: Sidecar) -> None:
    with pytest.raises(InvalidRequest, match="^Unknown task: 00000000$"):
        await sidecar.poll(PollRequest("00000000"))
    with pytest.raises(InvalidRequest, match="^Unknown task: 00000000$"):
        await sidecar.kill("00000000")


async def test_a_killed_task_answers_everybody_who_waits(sidecar: Sidecar) -> None:
    waiting = asyncio.ensure_future(sidecar.run(RunRequest("echo x; sleep 100", yield_after=60)))
    while not (running := (await sidecar.tasks()).tasks) or running[0].output_bytes == 0:
        await asyncio.sleep(0)
    killed = await sidecar.kill(running[0].task_id)
    result = await waiting
    assert killed.message == f"Task {running[0].task_id} killed"
    assert (killed.success, killed.exit) == (True, 137)
    assert killed.insight is not None
    assert killed.insight.category == "UNKNOWN"
    assert (result.status, result.exit, result.pipestatus) == (Status.KILLED, 137, (137,))
    assert result.error == "Command was killed"
    assert result.output + killed.output == "x\n"
    with pytest.raises(RequestRejected):
        await sidecar.kill(running[0].task_id)


async def test_typing_into_a_task_without_standard_input_is_refused(sidecar: Sidecar) -> None:
    task_id = await started(sidecar, RunRequest("sleep 100", yield_after=0))
    with pytest.raises(RequestRejected, match="no standard input"):
        await sidecar.send(SendRequest(task_id, "x"))
    with pytest.raises(RequestRejected, match="no terminal"):
        await sidecar.resize(task_id, 80, 24)
    await sidecar.kill(task_id)
    with pytest.raises(RequestRejected, match="already ended"):
        await sidecar.send(SendRequest(task_id, "x"))


async def test_a_failed_test_too_long_for_one_message_comes_page_by_page(sidecar: Sidecar) -> None:
    suite = "pytest() { seq 1 900000; echo '=== 1 failed in 0.10s ==='; return 1 }; pytest"
    first = await sidecar.run(RunRequest(suite, yield_after=60))
    assert (first.more, first.verbosity and first.verbosity.omitted_lines) == (True, 0)
    assert first.verbosity is not None
    assert (first.verbosity.operation, first.verbosity.full_output) == ("test", None)
    pages = [first]
    while pages[-1].more:
        pages.append(await sidecar.poll(PollRequest(first.task_id)))
        assert pages[-1].from_line == (pages[-2].to_line or 0) + 1
    expected = "".join(f"{n}\n" for n in range(1, 900_001)) + "=== 1 failed in 0.10s ===\n"
    assert "".join(page.output for page in pages) == expected


async def test_the_second_failure_of_the_same_command_shows_everything(sidecar: Sidecar) -> None:
    shown = [await sidecar.run(RunRequest("seq 1 300; exit 3", yield_after=60)) for _ in range(3)]
    assert [it.verbosity and bool(it.verbosity.omitted_lines) for it in shown] == [
        True,
        False,
        True,
    ]


async def test_everything_is_shown_to_who_asks_for_it(sidecar: Sidecar) -> None:
    result = await sidecar.run(RunRequest("seq 1 300", verbosity="debug", yield_after=60))
    assert result.output == "".join(f"{n}\n" for n in range(1, 301))


# RUN-12
@pytest.mark.parametrize("wait", ["while it runs", "when it has ended"])
async def test_a_message_s_worth_of_text_has_room_for_the_numbers_of_its_lines(
    sidecar: Sidecar, wait: str
) -> None:
    """The numbers of short lines are longer than the lines: 4 MiB of `yes` made a text of 23 MiB."""
    then = "read -r x" if wait == "while it runs" else "exit 1"
    command = f"yes | head -n 600000; repeat 3000 print -r -- {'x' * 1000}; print last; {then}"
    request = RunRequest(command, interactive=True, yield_after=0.0, verbosity="debug")
    task_id = await started(sidecar, request)
    if wait == "while it runs":
        while b"last" not in (await sidecar.raw_output(task_id, 4_200_000)).data:
            # The answer comes without suspending, and the loop reads what the task prints.
            await asyncio.sleep(0)
    else:
        await sidecar.poll(PollRequest(task_id, listen=60, until="end", full_output=True))
    first = await sidecar.poll(PollRequest(task_id, full_output=True))
    assert first.more
    assert len(first.formatted) <= 4 * 1024 * 1024 + 1000
    assert first.formatted.startswith("1: y\n2: y\n")
    read, line = first.new_bytes, first.to_line or 0
    while line < 603_001:
        page = await sidecar.poll(PollRequest(task_id))
        assert page.from_line == line + 1
        assert len(page.formatted) <= 4 * 1024 * 1024 + 1000
        read, line = read + page.new_bytes, page.to_line or 0
    assert read == 600_000 * 2 + 3000 * 1001 + len("last\n")

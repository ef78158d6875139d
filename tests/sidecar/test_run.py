"""A run through the façade: real shells, real memory, exact words (RUN, ALAN-8…11)."""

from __future__ import annotations

import asyncio
import base64
import os
from pathlib import Path

import attrs
import pytest

from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.requests import DocumentRange, OutputRequest, RunRequest
from zsh_ls.model.span import Span
from zsh_ls.model.words import Level, Origin, Status
from zsh_ls.sidecar import Sidecar, SidecarOptions

from .conftest import settled

NEW = "New pattern. No history yet."


async def test_a_search_without_a_match_is_no_failure_to_worry_about(sidecar: Sidecar) -> None:
    result = await sidecar.run(RunRequest("echo test | grep nope"))
    assert (result.status, result.success) == (Status.COMPLETED, False)
    assert (result.exit, result.pipestatus) == (1, (0, 1))
    assert result.insights == {"info": [NEW, "grep exit 1 = no match (normal)"]}
    assert result.annotations.priority == 0.3
    assert (result.output, result.from_line, result.to_line, result.new_bytes) == (
        "",
        None,
        None,
        0,
    )
    elapsed = f"{result.elapsed_seconds:.1f}s"
    assert result.formatted == (
        f"[FAILED task_id={result.task_id} elapsed={elapsed} exit=1 pipestatus=[0,1]]\n"
        f"[info: A.L.A.N.: {NEW} | grep exit 1 = no match (normal)]"
    )


async def test_a_failure_inside_a_pipe_is_a_warning(sidecar: Sidecar) -> None:
    result = await sidecar.run(RunRequest("false | cat"))
    assert result.insights is not None
    assert result.insights["warning"] == ["pipe segment 1 exited 1 (masked by downstream)"]
    assert result.annotations.priority == 1.0


async def test_a_silent_success_says_so_and_a_silent_failure_does_not(sidecar: Sidecar) -> None:
    good = await sidecar.run(RunRequest("print '  '"))
    assert good.insights == {"info": [NEW, "No output produced."]}
    assert good.formatted.startswith("(no output)\n[COMPLETED ")
    bad = await sidecar.run(RunRequest("exit 3"))
    assert bad.insights == {"info": [NEW]}
    assert bad.formatted.startswith("[FAILED ")


async def test_a_run_sees_the_one_before_it_in_its_history(sidecar: Sidecar) -> None:
    for said in (NEW, "Retry #2. Previous 1 succeeded.", "Retry #3. Previous 2 succeeded."):
        result = await sidecar.run(RunRequest("echo hello"))
        assert result.insights is not None
        assert result.insights["info"][0] == said


# RUN-1
async def test_the_answer_comes_at_the_end_and_not_on_a_timer(sidecar: Sidecar) -> None:
    loop = asyncio.get_running_loop()
    started = loop.time()
    await sidecar.run(RunRequest("true", yield_after=200.0))
    assert loop.time() - started < 100.0


async def test_after_yield_after_the_answer_is_what_there_is(sidecar: Sidecar) -> None:
    result = await sidecar.run(
        RunRequest("echo one; cat; echo two", interactive=True, yield_after=0.5)
    )
    assert (result.status, result.output, result.has_stdin) == (Status.RUNNING, "one\n", True)
    assert (result.exit, result.success, result.pipestatus) == (None, None, None)
    assert result.message is not None
    assert result.message.endswith("Use zsh_poll to get more output, zsh_send to input.")
    assert result.poll_meta is not None
    assert (
        "stdin=yes]\nUse zsh_poll to continue, zsh_send to input, zsh_kill to stop."
        in result.formatted
    )
    await sidecar.kill(result.task_id)


async def test_a_timeout_has_no_exit_and_everything_that_was_captured(sidecar: Sidecar) -> None:
    result = await sidecar.run(RunRequest("echo before; sleep 100", timeout=0.5, yield_after=60))
    assert (result.status, result.success) == (Status.TIMEOUT, False)
    assert (result.exit, result.pipestatus) == (None, None)
    assert result.error == "Command timed out after 0.5s"
    assert result.output == "before\n"
    assert "[error] Command timed out after 0.5s\n[TIMEOUT task_id=" in result.formatted


async def test_a_timeout_above_the_maximum_is_cut_and_said(options: SidecarOptions) -> None:
    service = await Sidecar.open(settled(options, agent_timeout_max_s=60.0))
    result = await service.run(RunRequest("true", timeout=900, origin=Origin.AGENT))
    await service.close()
    assert result.insights is not None
    assert result.insights["info"][0] == (
        "Time limit cut to 60s; a server or watcher runs with detached."
    )


async def test_cancelling_the_request_ends_the_waiting_and_not_the_task(sidecar: Sidecar) -> None:
    waiting = asyncio.ensure_future(
        sidecar.run(RunRequest("cat", interactive=True, yield_after=60))
    )
    while not (running := (await sidecar.tasks()).tasks):
        await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert [task.task_id for task in (await sidecar.tasks()).tasks] == [running[0].task_id]
    await sidecar.kill(running[0].task_id)


async def test_a_workspace_that_is_not_trusted_runs_nothing(
    options: SidecarOptions, tmp_path: Path
) -> None:
    service = await Sidecar.open(settled(options, trusted=False))
    with pytest.raises(RequestRejected, match="not trusted"):
        await service.run(RunRequest(f"touch {tmp_path}/ran"))
    await service.close()
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "request_",
    [RunRequest(" "), RunRequest("true", cwd="/nowhere"), RunRequest("true", shell="fish")],
)
async def test_what_cannot_run_starts_nothing(sidecar: Sidecar, request_: RunRequest) -> None:
    with pytest.raises(InvalidRequest):
        await sidecar.run(request_)
    assert (await sidecar.tasks(include_ended=True)).count == 0


async def test_a_command_is_run_in_the_folder_of_its_document(
    sidecar: Sidecar, tmp_path: Path
) -> None:
    script = tmp_path / "some folder" / "x.zsh"
    script.parent.mkdir()
    sidecar.open_document(script.as_uri(), "pwd\n", "zsh", 1)
    result = await sidecar.run(
        RunRequest("pwd", document=DocumentRange(script.as_uri(), Span(0, 3)))
    )
    assert result.output == f"{script.parent}\n"


async def test_insights_of_a_run_stand_on_the_segment_they_speak_of(sidecar: Sidecar) -> None:
    text = "#!/bin/zsh\necho test | grep nope\n"
    changed: list[str] = []
    sidecar.on_insights_changed(changed.append)
    sidecar.open_document("file:///tmp/x.zsh", text, "zsh", 1)
    await sidecar.run(
        RunRequest(
            "echo test | grep nope", document=DocumentRange("file:///tmp/x.zsh", Span(11, 32))
        )
    )
    found = [
        it
        for it in await sidecar.insights_for("file:///tmp/x.zsh")
        if it.insight.rule == "grep-no-match"
    ]
    assert [text[it.span.start : it.span.end] for it in found] == ["grep nope"]
    assert found[0].insight.level is Level.INFO
    assert "file:///tmp/x.zsh" in changed


async def test_a_folder_that_vanishes_while_a_command_runs_hurts_nobody(
    sidecar: Sidecar, tmp_path: Path
) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    result = await sidecar.run(RunRequest(f"rmdir {folder}; echo still here", cwd=str(folder)))
    assert (result.exit, result.output) == (0, "still here\n")


async def test_every_byte_can_be_fetched_again_by_another_process(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    result = await sidecar.run(RunRequest("seq 1 100"))
    await sidecar.close()
    other = await Sidecar.open(options)
    page = await other.output(OutputRequest(result.task_id, from_line=99))
    assert (page.output, page.from_line, page.to_line, page.total_lines) == (
        "99\n100\n",
        99,
        100,
        100,
    )
    assert (await other.output(OutputRequest())).task_id == result.task_id
    await other.close()


async def test_raw_bytes_of_a_line_longer_than_a_message_are_all_there_and_no_more_is_promised(
    sidecar: Sidecar,
) -> None:
    size = 4 * 2**20 + 9
    result = await sidecar.run(RunRequest(f"head -c {size} /dev/zero | tr '\\0' x", yield_after=60))
    page = await sidecar.output(OutputRequest(result.task_id, raw=True))
    assert base64.b64decode(page.output) == b"x" * size
    assert (page.to_line, page.total_lines, page.more) == (1, 1, None)


async def test_what_is_cut_of_a_long_line_alone_is_saved_too(
    sidecar: Sidecar, options: SidecarOptions
) -> None:
    command = "head -c 6000 /dev/zero | tr '\\0' x"
    result = await sidecar.run(RunRequest(command, yield_after=60, origin=Origin.AGENT))
    assert result.verbosity is not None
    assert result.verbosity.full_output == ".tmp/last-command-output.txt"
    assert "full output saved to .tmp/last-command-output.txt" in result.output.splitlines()[0]
    saved = Path(str(options.workspace)) / result.verbosity.full_output
    assert saved.read_text() == "x" * 6000


@pytest.mark.parametrize("origin", [origin for origin in Origin if origin is not Origin.AGENT])
async def test_a_person_gets_no_file_in_the_workspace(
    sidecar: Sidecar, options: SidecarOptions, origin: Origin
) -> None:
    result = await sidecar.run(RunRequest("seq 500", yield_after=60, origin=origin))
    assert result.verbosity is not None
    assert result.verbosity.omitted_lines > 0
    assert result.verbosity.full_output is None
    assert "ask: show full output" in result.output.splitlines()[0]
    assert os.listdir(str(options.workspace)) == []
    assert (await sidecar.ask("show full output")).output == "".join(
        f"{n}\n" for n in range(1, 501)
    )


async def test_formatted_text_is_coloured_for_a_reader_who_wants_it(
    options: SidecarOptions,
) -> None:
    service = await Sidecar.open(attrs.evolve(options, colour=True))
    result = await service.run(RunRequest("false"))
    await service.close()
    assert result.formatted.startswith("\x1b[31m[FAILED\x1b[0m")
    assert "\x1b" not in result.output

"""The insights on lines of open scripts: from rules, the shell's own compiler, and runs (DOC)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import attrs
import pytest

from zsh_ls.model.requests import DocumentRange, RunRequest
from zsh_ls.model.span import Span
from zsh_ls.shell.syntax.strange import looks_strange
from zsh_ls.sidecar import Sidecar
from zsh_ls.sidecar.documents import parse_probe
from zsh_ls.sidecar.editor.types import Edit

URI = "file:///tmp/x.zsh"


async def said(sidecar: Sidecar, text: str) -> list[tuple[str, str]]:
    """Rule and marked text of everything that stands on the document now."""
    return [
        (it.insight.rule, text[it.span.start : it.span.end])
        for it in await sidecar.insights_for(URI)
    ]


async def ran(sidecar: Sidecar, text: str, command: str) -> None:
    start = text.index(command)
    where = DocumentRange(URI, Span(start, start + len(command)))
    await sidecar.run(RunRequest(command, document=where, yield_after=60))


async def test_a_rule_speaks_without_any_run(sidecar: Sidecar) -> None:
    text = "#!/bin/zsh\nset -e\ngrep -c x file\nls\n"
    sidecar.open_document(URI, text, "zsh", 1)
    assert ("errexit-on-normal-exit", "grep -c x file") in await said(sidecar, text)


# DOC-6
async def test_the_shells_own_complaint_stands_on_its_line(sidecar: Sidecar) -> None:
    changed = asyncio.Event()
    sidecar.on_insights_changed(lambda uri: changed.set())
    text = "#!/bin/zsh\necho fine\n  if true; fi\n"
    sidecar.open_document(URI, text, "zsh", 1)
    async with asyncio.timeout(60):
        await changed.wait()
    errors = [it for it in await sidecar.insights_for(URI) if it.is_error]
    assert [text[it.span.start : it.span.end] for it in errors] == ["if true; fi"]
    assert "parse error near `fi'" in errors[0].insight.message


@pytest.mark.parametrize(
    ("uri", "first_line"),
    [
        ("file:///tmp/x.bats", "#"),
        ("file:///tmp/x", "#!/usr/bin/env bats"),
        ("file:///tmp/x.sh", "#!/bin/bash"),
    ],
)
async def test_the_shell_is_not_asked_about_what_another_program_reads_first(
    sidecar: Sidecar, uri: str, first_line: str
) -> None:
    changed: asyncio.Queue[str] = asyncio.Queue()
    sidecar.on_insights_changed(changed.put_nowait)
    test = '\n@test "name" {\n  true\n}\n'
    sidecar.open_document(uri, first_line + test, "bats", 1)
    sidecar.open_document(URI, "\nif true; fi\n", "zsh", 1)
    async with asyncio.timeout(60):
        assert await changed.get() == URI
    assert not [it for it in await sidecar.insights_for(uri) if it.is_error]
    assert [it for it in await sidecar.insights_for(URI) if it.is_error]


async def test_a_complaint_about_an_older_version_is_not_shown_on_a_newer_one(
    sidecar: Sidecar,
) -> None:
    text = "#!/bin/zsh\nif true; fi\n"
    changed = asyncio.Event()
    sidecar.on_insights_changed(lambda uri: changed.set())
    sidecar.open_document(URI, text, "zsh", 1)
    async with asyncio.timeout(60):
        await changed.wait()
    at = text.index("fi\n")
    sidecar.edit_document(URI, [Edit(Span(at, at), "then ls; ")], 2)
    assert not any(it.is_error for it in await sidecar.insights_for(URI))


async def test_joining_a_pipe_to_a_run_line_takes_its_insights_away(sidecar: Sidecar) -> None:
    text = "#!/bin/zsh\necho a | grep b\n"
    sidecar.open_document(URI, text, "zsh", 1)
    await ran(sidecar, text, "echo a | grep b")
    assert ("grep-no-match", "grep b") in await said(sidecar, text)
    sidecar.edit_document(URI, [Edit(Span(len(text) - 1, len(text) - 1), " | sort")], 2)
    assert await said(sidecar, text) == []


async def test_an_insight_of_a_list_stands_on_its_last_pipeline(sidecar: Sidecar) -> None:
    text = "#!/bin/zsh\ncd /; echo a | grep b  # why\n"
    sidecar.open_document(URI, text, "zsh", 1)
    await ran(sidecar, text, "cd /; echo a | grep b")
    assert ("grep-no-match", "grep b") in await said(sidecar, text)


async def test_an_indented_block_is_marked_although_its_text_was_dedented(sidecar: Sidecar) -> None:
    text = "f() {\n    echo a |\n    grep b\n}\n"
    sidecar.open_document(URI, text, "zsh", 1)
    where = DocumentRange(URI, Span(6, text.index("\n}")))
    await sidecar.run(RunRequest("echo a |\ngrep b", document=where, yield_after=60))
    assert "grep-no-match" in [rule for rule, _ in await said(sidecar, text)]


@pytest.mark.parametrize(
    "text", ["", "\0", "#!/bin/zsh\n" + "$((" * 500, "a" * 200_000, "if\r\nthen\rfi"]
)
async def test_no_text_is_too_strange_to_be_opened(sidecar: Sidecar, text: str) -> None:
    sidecar.open_document(URI, text, "zsh", 1)
    await sidecar.insights_for(URI)


async def test_opening_a_script_executes_nothing_and_opens_nothing_it_names(
    sidecar: Sidecar, tmp_path: Path
) -> None:
    pipe = tmp_path / "would-block"
    pipe.touch()
    text = f'#!/bin/zsh\ntouch {tmp_path}/ran\nx=( ${{(f)"$(<{pipe})"}} )\nif\n'
    changed = asyncio.Event()
    sidecar.on_insights_changed(lambda uri: changed.set())
    before = pipe.stat().st_atime_ns
    sidecar.open_document(URI, text, "zsh", 1)
    async with asyncio.timeout(60):
        await changed.wait()
    await sidecar.insights_for(URI)
    assert not (tmp_path / "ran").exists()
    assert pipe.stat().st_atime_ns == before


async def test_history_warns_on_the_line_and_counts_beside_it(sidecar: Sidecar) -> None:
    text = "#!/bin/zsh\nsh -c 'exit 3'\nls\n"
    sidecar.open_document(URI, text, "zsh", 1)
    where = DocumentRange(URI, Span(11, 25))
    for _ in range(3):
        await sidecar.run(RunRequest("sh -c 'exit 3'", document=where))
    assert "failing-streak" not in {rule for rule, _ in await said(sidecar, text)}
    told: list[str] = []
    sidecar.on_insights_changed(told.append)
    without = sidecar.settings
    sidecar.configure(attrs.evolve(without, history_warnings=True))
    assert told == [URI]
    assert ("failing-streak", "sh -c 'exit 3'") in await said(sidecar, text)
    sidecar.configure(without)
    assert told == [URI, URI]
    assert "failing-streak" not in {rule for rule, _ in await said(sidecar, text)}
    assert [(text[: it.offset].splitlines()[-1], it.text) for it in await sidecar.hints_for(URI)][
        1:
    ] == [("sh -c 'exit 3'", "0% of 3")]


async def test_a_remembered_run_refreshes_the_scripts_that_have_such_a_line(
    sidecar: Sidecar,
) -> None:
    changed = asyncio.Event()
    sidecar.open_document(URI, "#!/bin/zsh\nsleep 0\n", "zsh", 1)
    await sidecar.insights_for(URI)
    sidecar.on_insights_changed(lambda uri: changed.set())
    await sidecar.run(RunRequest("sleep 0"))
    async with asyncio.timeout(60):
        await changed.wait()


async def test_a_text_that_costs_too_much_is_left_unread_and_says_so_until_it_is_another(
    sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse_probe, "ALLOWED_S", 0)
    monkeypatch.setattr(parse_probe, "ALLOWED_S_EACH_MB", 0)
    hostile = "if " * 70_000
    sidecar.open_document(URI, hostile, "zsh", 1)
    (only,) = await sidecar.insights_for(URI)
    assert only.insight.message.startswith("This text of 210,000 characters costs too much to read")
    assert (only.span, only.is_error) == (Span(0, 0), False)
    assert await sidecar.navigation.outline(URI) == []
    assert await sidecar.hover(URI, 100) is None
    text = "#!/bin/zsh\nset -e\ngrep -c x file\nls\n"
    sidecar.edit_document(URI, [Edit(Span(0, len(hostile)), text)], 2)
    assert ("errexit-on-normal-exit", "grep -c x file") in await said(sidecar, text)


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("(" * 300_000, True),
        ("if x\nthen\n" * 30_000, True),
        ("true\n" + "a" * 6_000, True),
        ("\n".join(f"echo {n} > file{n * n}; cp a{n} b" for n in range(5_000)), False),
    ],
)
def test_what_is_tried_out_elsewhere_first_repeats_itself_or_has_endless_lines(
    text: str, *, strange: bool
) -> None:
    assert looks_strange(text) is strange

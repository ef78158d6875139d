"""Every run leaves its result on its line, until the line changes (DOC-2, DOC-3)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zsh_ls.model.requests import DocumentRange, RunRequest, ScriptRequest
from zsh_ls.model.span import Span
from zsh_ls.sidecar import Sidecar, SidecarOptions
from zsh_ls.sidecar.editor.types import ActionKind, Edit

URI = "file:///tmp/results.zsh"
SCRIPT = "#!/bin/zsh\nprint one\nfalse; (exit 2)\nsleep 30\nprint \\\n  two\n"
PATIENCE_S = 60.0


def span_of(text: str, part: str) -> Span:
    start = text.index(part)
    return Span(start, start + len(part))


async def run(
    sidecar: Sidecar, part: str, text: str = SCRIPT, timeout_s: float | None = None
) -> None:
    where = DocumentRange(URI, span_of(text, part))
    await sidecar.run(RunRequest(part, document=where, yield_after=PATIENCE_S, timeout=timeout_s))


async def results(sidecar: Sidecar, text: str = SCRIPT) -> list[tuple[int, str]]:
    """By line, from 0: what stands at its end, with every time as `T`."""
    shown = []
    for hint in await sidecar.hints_for(URI):
        assert text[hint.offset : hint.offset + 1] in ("\n", ""), "not at the end of its line"
        shown.append((text.count("\n", 0, hint.offset), re.sub(r"\d+\.\ds", "T", hint.text)))
    return sorted(shown)


async def test_a_run_leaves_its_exit_and_its_time_on_its_line(sidecar: Sidecar) -> None:
    sidecar.open_document(URI, SCRIPT, "zsh", 1)
    await run(sidecar, "print one")
    await run(sidecar, "false; (exit 2)")
    await run(sidecar, "print \\\n  two")
    assert await results(sidecar) == [(1, "✓ T"), (2, "✗ 2 · T"), (4, "✓ T")]


async def test_a_run_that_was_ended_says_so(sidecar: Sidecar) -> None:
    sidecar.open_document(URI, SCRIPT, "zsh", 1)
    await run(sidecar, "sleep 30", timeout_s=0.2)
    assert await results(sidecar) == [(3, "✗ timeout · T")]


async def test_a_line_says_what_its_end_meant_as_lists_do(sidecar: Sidecar) -> None:
    """A cross beside `(normal)`, or a tick beside a hidden failure, would contradict the line's insight."""
    text = "#!/bin/zsh\necho a | grep b\nfalse | true\nfalse | grep a\n"
    sidecar.open_document(URI, text, "zsh", 1)
    for command in ("echo a | grep b", "false | true", "false | grep a"):
        await run(sidecar, command, text)
    assert await results(sidecar, text) == [(1, "○ 1 · T"), (2, "! T"), (3, "✗ 1 · T")]


async def test_a_line_has_the_result_of_its_latest_run_alone(sidecar: Sidecar) -> None:
    sidecar.open_document(URI, SCRIPT, "zsh", 1)
    await run(sidecar, "false")
    assert await results(sidecar) == [(2, "✗ 1 · T")]
    await run(sidecar, "(exit 2)")
    assert await results(sidecar) == [(2, "✗ 2 · T")]


async def test_a_whole_script_leaves_its_result_on_its_first_line(sidecar: Sidecar) -> None:
    text = "#!/bin/zsh\nprint one\nexit 3\n"
    sidecar.open_document(URI, text, "zsh", 1)
    await run(sidecar, "print one", text)
    await sidecar.run_script(ScriptRequest(URI, trace=False, yield_after=PATIENCE_S))
    assert await results(sidecar, text) == [(0, "✗ 3 · T"), (1, "✓ T")]
    why = [it for it in await sidecar.actions_for(URI, Span(0, 0)) if it.kind is ActionKind.WHY]
    assert len(why) == 1
    below = await sidecar.actions_for(URI, span_of(text, "exit 3"))
    assert not any(it.kind is ActionKind.WHY for it in below)
    await run(sidecar, "exit 3", text)  # a line says nothing of the whole
    assert await results(sidecar, text) == [(0, "✗ 3 · T"), (1, "✓ T"), (2, "✗ 3 · T")]


@pytest.mark.parametrize(
    "edit", [Edit(Span(0, 0), "# above\n"), Edit(Span(16, 16), "\\"), Edit(Span(21, 21), "\n:\n")]
)
async def test_the_result_of_a_script_goes_when_any_of_it_changes(
    options: SidecarOptions, edit: Edit
) -> None:
    text = "#!/bin/zsh\nprint one\n"
    first = await Sidecar.open(options)
    first.open_document(URI, text, "zsh", 1)
    await first.run_script(ScriptRequest(URI, trace=False, yield_after=PATIENCE_S))
    shown = await results(first, text)
    assert shown == [(0, "✓ T")]
    await first.close()
    second = await Sidecar.open(options)
    second.open_document(URI, text, "zsh", 1)
    assert await results(second, text) == shown  # also after a restart
    second.close_document(URI)
    changed = text[: edit.span.start] + edit.text + text[edit.span.end :]
    second.open_document(URI, changed, "zsh", 1)
    assert await results(second, changed) == []
    second.close_document(URI)
    second.open_document(URI, text, "zsh", 1)
    await second.run_script(ScriptRequest(URI, trace=False, yield_after=PATIENCE_S))
    second.edit_document(URI, [edit], 2)
    assert await results(second, changed) == []
    await second.close()


@pytest.mark.parametrize(
    ("edit", "left"),
    [
        (Edit(Span(0, 0), "# above\n"), [(2, "✓ T")]),
        (Edit(Span(11, 11), "  "), []),
        (Edit(Span(20, 20), " # behind"), []),
        (Edit(Span(21, 21), "next\n"), [(1, "✓ T")]),
    ],
)
async def test_it_goes_with_its_line(
    sidecar: Sidecar, edit: Edit, left: list[tuple[int, str]]
) -> None:
    sidecar.open_document(URI, SCRIPT, "zsh", 1)
    await run(sidecar, "print one")
    sidecar.edit_document(URI, [edit], 2)
    text = SCRIPT[: edit.span.start] + edit.text + SCRIPT[edit.span.end :]
    assert await results(sidecar, text) == left


async def test_lines_that_were_run_have_no_lens(sidecar: Sidecar) -> None:
    sidecar.open_document(URI, SCRIPT, "zsh", 1)
    before = await sidecar.lenses_for(URI)
    await run(sidecar, "print one")
    assert await sidecar.lenses_for(URI) == before
    assert {lens.span for lens in before} == {Span(0, 0)}


async def test_results_are_there_again_after_a_restart(options: SidecarOptions) -> None:
    text = "#!/bin/zsh\necho a | grep b\nfalse | true\n date\n"
    first = await Sidecar.open(options)
    first.open_document(URI, text, "zsh", 1)
    await run(first, "echo a | grep b", text)
    await run(first, "false | true", text)
    await run(first, " date", text)
    shown, said = await results(first, text), await insights(first)
    assert shown == [(1, "○ 1 · T"), (2, "! T"), (3, "✓ T")]
    await first.close()

    second = await Sidecar.open(options)
    second.open_document(URI, text, "zsh", 1)
    # Of a command that begins with a space nothing is kept (ALAN-7).
    assert await results(second, text) == shown[:2]
    assert await insights(second) == said
    second.close_document(URI)
    moved = "#!/bin/zsh\n# new\n\necho a | grep b\nfalse | false\n"
    second.open_document(URI, moved, "zsh", 1)
    assert await results(second, moved) == [(3, "○ 1 · T")]
    await second.close()


async def insights(sidecar: Sidecar) -> set[str]:
    return {it.insight.message for it in await sidecar.insights_for(URI)}


async def test_no_text_of_a_script_is_kept_with_its_results(
    options: SidecarOptions, tmp_path: Path
) -> None:
    sidecar = await Sidecar.open(options)
    text = "true hunter2-in-a-script\n"
    sidecar.open_document(URI, text, "zsh", 1)
    await run(sidecar, text.strip(), text)
    await sidecar.close()
    files = [it for it in (tmp_path / "lines").iterdir() if it.is_file()]
    assert files
    assert not any(b"hunter2" in it.read_bytes() for it in files)
    assert {it.stat().st_mode & 0o777 for it in files} == {0o600}


@pytest.mark.parametrize("kept", [b"", b"[[1]]", b'[[1,1,"x",5,-2,"","",[]]]', b"\xff\xff"])
async def test_a_broken_file_of_results_is_no_result(
    options: SidecarOptions, tmp_path: Path, kept: bytes
) -> None:
    sidecar = await Sidecar.open(options)
    sidecar.open_document(URI, SCRIPT, "zsh", 1)
    await run(sidecar, "print one")
    sidecar.close_document(URI)
    for file in (tmp_path / "lines").iterdir():
        file.write_bytes(kept)
    sidecar.open_document(URI, SCRIPT, "zsh", 1)
    assert await results(sidecar) == []
    await run(sidecar, "print one")
    assert await results(sidecar) == [(1, "✓ T")]
    await sidecar.close()


ENDED = "errexit ended the script here"


@pytest.mark.parametrize("shell", ["zsh", "bash"])
@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("set -e\necho a | grep b\necho after\n", 2),
        ("set -e\nf() {\n  false\n}\nf\necho after\n", 3),
        ("set -e\nif grep b /dev/null; then :; fi\ngrep b /dev/null || true\n", None),
        ("set -e\nfalse || exit 1\n", None),
        ("grep b /dev/null\nexit 1\n", None),
    ],
)
async def test_a_trace_says_where_errexit_ended_the_script(
    sidecar: Sidecar, shell: str, body: str, line: int | None
) -> None:
    text = f"#!/bin/{shell}\n{body}"
    sidecar.open_document(URI, text, "shellscript", 1)
    await sidecar.run_script(ScriptRequest(URI, yield_after=PATIENCE_S))
    found = [it for it in await sidecar.insights_for(URI) if it.insight.message == ENDED]
    lines = [text.count("\n", 0, it.span.start) for it in found]
    assert lines == ([] if line is None else [line])
    if line is not None:
        on_it = [it for it in await sidecar.insights_for(URI) if it.span == found[0].span]
        assert not any("(normal)" in it.insight.message for it in on_it)

"""Output of any shape: bounded memory, by line, by what is new, whole to the last byte (RUN-8, 12)."""

from __future__ import annotations

import asyncio
import os
import resource
import stat
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zsh_ls.model.clock import SystemClock
from zsh_ls.tasks import Engine, Output, SpoolLimits, past_output, past_tasks
from zsh_ls.tasks.output.newlines import STEP_BYTES, NewlineIndex
from zsh_ls.tasks.output.spool import Spool
from zsh_ls.tasks.output.stored_output import Retention

from .conftest import Run, request_for, whole

MIB = 1 << 20


def output_of(tmp_path: Path, *pieces: bytes, limits: SpoolLimits | None = None) -> Output:
    output = Output(Spool(tmp_path / "entry", limits or SpoolLimits()))
    for piece in pieces:
        output.append(piece)
    return output


# -- what is new ----------------------------------------------------------------------------------


@pytest.mark.parametrize("piece_bytes", [100, 1 << 20])
def test_texts_in_a_row_are_the_whole(tmp_path: Path, piece_bytes: int) -> None:
    lines = [
        f"{number} é \x1b[31mrot\x1b[0m\n" if number % 3 else "plain\n" for number in range(99)
    ]
    output = output_of(tmp_path, "".join(lines).encode(), b"no end \xc3")
    output.is_final = True
    shown = "".join(lines).replace("\x1b[31m", "").replace("\x1b[0m", "") + "no end \ufffd"
    assert "".join(output.texts(piece_bytes)) == shown


def test_texts_go_over_what_the_cap_cut(tmp_path: Path) -> None:
    limits = SpoolLimits(memory_bytes=0, head_bytes=MIB, ring_bytes=MIB)
    output = output_of(
        tmp_path, *[b"%015d\n" % number * 1024 for number in range(512)], limits=limits
    )
    text = "".join(output.texts())
    assert output.gap
    assert (
        text == (output.read(0, MIB) + output.read(output.gap.to_byte, output.size_bytes)).decode()
    )


def test_a_delta_has_global_line_numbers(tmp_path: Path) -> None:
    output = output_of(tmp_path, b"one\ntwo\nthr")
    first = output.delta(0)
    assert (first.text, first.from_line, first.to_line, first.new_bytes) == (
        "one\ntwo\nthr",
        1,
        3,
        11,
    )
    output.append(b"ee\nfour\n")
    second = output.delta(first.cursor)
    assert (second.text, second.from_line, second.to_line) == ("ee\nfour\n", 3, 4)
    assert output.delta(second.cursor).from_line is None
    assert output.total_lines == 4


@given(
    st.binary(max_size=200).map(lambda data: data.replace(b"\x1b", b"\x1b[")),
    st.lists(st.integers(0, 200)),
)
@settings(max_examples=200, deadline=None)
def test_deltas_put_together_are_the_whole(data: bytes, cuts: list[int]) -> None:
    output = Output(Spool(Path("/nonexistent"), SpoolLimits()))
    cursor, lines = 0, []
    for start, end in zip([0, *sorted(cuts)], [*sorted(cuts), len(data)], strict=True):
        output.append(data[start:end])
        delta = output.delta(cursor)
        assert delta.new_bytes == delta.cursor - cursor
        cursor = delta.cursor
    output.is_final = True
    last = output.delta(cursor)
    assert last.cursor == len(data)
    assert not last.more
    assert lines == []


def test_a_delta_of_a_running_task_never_ends_inside_a_character_or_an_escape(
    tmp_path: Path,
) -> None:
    text = "é\x1b[31mrot\x1b]0;title\x07 ✓ 🦓\n".encode()
    for cut in range(1, len(text)):
        output = output_of(tmp_path, text[:cut])
        delta = output.delta(0)
        assert "�" not in delta.text
        assert "[3" not in delta.text
        assert "]0;" not in delta.text
        output.append(text[cut:])
        output.is_final = True
        assert (delta.text + output.delta(delta.cursor).text).replace("�", "") == "érot ✓ 🦓\n"


def test_a_long_delta_says_that_there_is_more_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    data = b"".join(b"line %d\n" % number for number in range(10_000))
    output = output_of(tmp_path, data)
    cursor, texts, next_line = 0, [], 1
    while True:
        delta = output.delta(cursor, 10_000)
        assert delta.from_line == next_line
        texts.append(delta.text)
        cursor, next_line = delta.cursor, (delta.to_line or 0) + 1
        if not delta.more:
            break
    assert "".join(texts).encode() == data


def test_a_delta_of_bytes_that_grow_as_text_keeps_the_limit(tmp_path: Path) -> None:
    output = output_of(tmp_path, b"\xff" * 50_000)
    delta = output.delta(0, 20_000)
    assert 0 < len(delta.text.encode()) <= 20_000
    assert delta.more


def test_one_endless_line_is_given_in_pieces(tmp_path: Path) -> None:
    output = output_of(tmp_path, b"x" * 100_000)
    first = output.delta(0, 30_000)
    assert (first.from_line, first.to_line, first.more) == (1, 1, True)
    assert output.delta(first.cursor, 30_000).from_line == 1


# -- by line --------------------------------------------------------------------------------------


@given(st.lists(st.binary(max_size=30), max_size=40), st.integers(1, 60), st.integers(1, 60))
@settings(max_examples=200, deadline=None)
def test_lines_are_those_between_newlines(pieces: list[bytes], first: int, last: int) -> None:
    output = Output(Spool(Path("/nonexistent"), SpoolLimits()))
    for piece in pieces:
        output.append(piece)
    data = b"".join(pieces)
    lines = data.split(b"\n")
    lines = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    assert output.total_lines == len(lines)
    start, end = output.bytes_of_lines(first, last)
    if first <= last and first <= len(lines):
        assert data[start:end] == b"".join(lines[first - 1 : last])


def test_an_index_finds_every_line_of_many_mebibytes() -> None:
    lines = [b"%d %s\n" % (number, b"x" * (number % 3000)) for number in range(6000)]
    data = b"".join(lines)
    assert len(data) > 5 * STEP_BYTES
    index = NewlineIndex()
    for start in range(0, len(data), 777_777):
        index.feed(data[start : start + 777_777])
    offset = 0
    for number, line in enumerate(lines, 1):
        if number % 97 == 1:
            assert index.start_of_line(number, lambda a, b: data[a:b]) == offset
            assert index.line_at(offset, lambda a, b: data[a:b]) == number
            assert index.line_at(offset + len(line) - 1, lambda a, b: data[a:b]) == number
        offset += len(line)


def test_a_page_that_does_not_fit_says_so(tmp_path: Path) -> None:
    output = output_of(tmp_path, b"".join(b"%05d\n" % number for number in range(1, 1001)))
    page = output.lines(10, 900, limit_bytes=60)
    assert (page.from_line, page.to_line, page.more, page.total_lines) == (10, 19, True, 1000)
    assert page.text.splitlines()[0] == "00010"
    assert output.lines(2000, 3000).from_line is None


# -- caps -----------------------------------------------------------------------------------------


def test_beyond_the_cap_the_head_and_the_last_part_are_kept_and_the_hole_is_named(
    tmp_path: Path,
) -> None:
    limits = SpoolLimits(memory_bytes=1000, head_bytes=2 * MIB, ring_bytes=2 * MIB)
    line = b"%015d\n"
    data = b"".join(line % number for number in range(10 * MIB // 16))
    output = output_of(
        tmp_path, *(data[at : at + 300_000] for at in range(0, len(data), 300_000)), limits=limits
    )
    gap = output.gap
    assert gap
    assert (gap.from_byte, gap.to_byte) == (2 * MIB, 8 * MIB)
    assert output.size_bytes == len(data)
    assert output.read(0, 2 * MIB) == data[: 2 * MIB]
    assert output.read(gap.to_byte, len(data)) == data[gap.to_byte :]
    page = output.lines(len(data) // 16 - 3, None)
    assert page.text.encode() == data[-4 * 16 :]
    across = output.lines(2 * MIB // 16 - 1, 8 * MIB // 16 + 2)
    assert across.gap == gap
    assert across.text.encode() == data[2 * MIB - 32 : 2 * MIB] + data[8 * MIB : 8 * MIB + 32]
    inside = output.lines(4 * MIB // 16, 4 * MIB // 16 + 5)
    assert inside.gap == gap
    assert inside.text == ""
    delta = output.delta(3 * MIB, 100)
    assert delta.from_line == 8 * MIB // 16 + 1


# KEEP-3
def test_the_oldest_outputs_go_first_and_what_a_crash_left_goes_at_once(tmp_path: Path) -> None:
    for number in range(6):
        folder = tmp_path / f"{number:08x}"
        folder.mkdir()
        (folder / "task.json").write_text("{}")
        (folder / "output").write_bytes(b"x" * 100_000)
        os.utime(folder, (number, number))
    crashed, running = tmp_path / "aaaaaaaa", tmp_path / "bbbbbbbb"
    crashed.mkdir()
    (crashed / "owner").write_text("4194304 1")
    running.mkdir()
    (running / "owner").write_text(f"{os.getpid()} 0")
    Retention(tmp_path, kept_tasks=4).added(tmp_path / "00000005", 100_000)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "00000002",
        "00000003",
        "00000004",
        "00000005",
        "bbbbbbbb",
    ]
    Retention(tmp_path, kept_bytes=250_000).added(tmp_path / "00000005", 100_000)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["00000004", "00000005", "bbbbbbbb"]


def test_too_many_outputs_are_removed_by_processes_that_keep_one_each(tmp_path: Path) -> None:
    for number in range(10):
        folder = tmp_path / f"{number:08}"
        folder.mkdir()
        (folder / "task.json").write_text("{}")
        os.utime(folder, (number, number))
        Retention(tmp_path, kept_tasks=4, one_task=True).added(folder, 1)
        assert len(list(tmp_path.iterdir())) <= 4
    assert folder.is_dir()


# -- kept for others ------------------------------------------------------------------------------


async def kept(engine: Engine, root: Path, task_id: str) -> None:
    async with asyncio.timeout(10):
        while not (root / task_id / "task.json").exists():
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("text", ["print -r -- hello; exit 3", "seq 1 200000", "true"])
async def test_another_process_reads_what_a_task_printed(
    engine: Engine, tmp_path: Path, text: str
) -> None:
    root = tmp_path / "outputs"
    task = await engine.start(
        request_for(text, label=lambda: "the label", workspace="/w", cwd="/tmp")
    )
    await task.wait_end()
    await kept(engine, root, task.task_id)
    found = past_output(root, workspace="/w")
    assert found
    assert found.output.read(0, 1 << 30) == whole(task)
    assert found.output.total_lines == task.output.total_lines
    assert found.output.lines(2, 3) == task.output.lines(2, 3)
    said = found.task
    assert (said.task_id, said.label, said.cwd, said.exit) == (
        task.task_id,
        "the label",
        "/tmp",
        task.exit,
    )
    found.close()
    assert past_output(root, workspace="/elsewhere") is None
    assert past_output(root, "../outputs") is None
    assert [one.task_id for one in past_tasks(root)] == [task.task_id]


async def test_what_is_kept_is_private(engine: Engine, tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        task = await engine.start(request_for("seq 1 100000"))
        await task.wait_end()
        await kept(engine, tmp_path / "outputs", task.task_id)
    finally:
        os.umask(old)
    entry = tmp_path / "outputs" / task.task_id
    assert stat.S_IMODE(entry.stat().st_mode) == 0o700
    assert stat.S_IMODE(entry.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in entry.iterdir()} == {0o600}


async def test_a_background_job_s_words_are_kept_as_well(engine: Engine, tmp_path: Path) -> None:
    task = await engine.start(request_for("(sleep 0.2; echo late) & echo early"))
    await task.wait_end()
    root = tmp_path / "outputs"

    def said() -> bytes:
        found = past_output(root, task.task_id)
        try:
            return found.output.read(0, 100) if found else b""
        finally:
            if found:
                found.close()

    async with asyncio.timeout(10):
        while said() != b"early\nlate\n":
            await asyncio.sleep(0.01)


async def test_a_disk_that_is_not_there_loses_no_answer(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    engine = Engine(clock=SystemClock(), spool_root=tmp_path / "file" / "below")
    task = await engine.start(request_for("seq 1 1000000; false | true"))
    await task.wait_end()
    assert (task.exit, task.pipestatus) == (0, (1, 0))
    size, gap = task.output.size_bytes, task.output.gap
    assert size == 6_888_896
    assert gap
    assert (gap.from_byte, size - gap.to_byte >= 2 * MIB) == (MIB, True)
    said = b"".join(b"%d\n" % number for number in range(1, 1_000_001))
    assert task.output.read(0, MIB) == said[:MIB]
    assert task.output.read(gap.to_byte, size) == said[gap.to_byte :]
    assert task.output.total_lines == 1_000_000
    assert task.output.lines(999_999).text == "999999\n1000000\n"
    lost = said[: gap.to_byte].count(b"\n") - said[: gap.from_byte].count(b"\n")
    assert task.output.lost_lines == lost
    await engine.close()
    assert "Not a directory" in (engine.disk_problem or "")


# -- big and strange ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "size"),
    [
        pytest.param(
            "head -c 200000000 /dev/zero | tr '\\0' x", 200_000_000, id="one line of 200 MB"
        ),
        pytest.param("head -c 50000000 /dev/urandom", 50_000_000, id="noise"),
        pytest.param(
            "yes $'\\r50%\\e[K' | tr -d '\\n' | head -c 50000000", 50_000_000, id="progress bar"
        ),
        pytest.param(
            "yes $'\\e]0;' | tr -d '\\n' | head -c 20000000", 20_000_000, id="titles without end"
        ),
    ],
)
@pytest.mark.slow
async def test_output_of_any_shape_is_whole_in_bounded_memory(
    run: Run, text: str, size: int
) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    task = await run(text)
    assert task.output.size_bytes == size
    started = time.process_time()
    task.output.delta(0)
    task.output.delta(size // 2)
    task.output.lines(1, 5)
    assert time.process_time() - started < 20  # it returns: nothing here is quadratic
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 120 << 10


async def test_a_hundred_tasks_run_at_once(engine: Engine) -> None:
    texts = [f"read x; echo {number}" for number in range(100)]
    tasks = [await engine.start(request_for(text, interactive=True)) for text in texts]
    assert not any(task.ended for task in tasks)
    async with asyncio.timeout(30):
        await asyncio.gather(*(task.send(b"go\n") for task in tasks))
        await asyncio.gather(*(task.wait_end() for task in tasks))
    assert [whole(task) for task in tasks] == [b"%d\n" % number for number in range(100)]


async def test_two_thousand_can_wait_for_one_task(engine: Engine) -> None:
    task = await engine.start(request_for("sleep 0.1; echo done"))
    async with asyncio.timeout(30):
        await asyncio.gather(
            *(task.wait_news(0) for _ in range(1000)), *(task.wait_end() for _ in range(1000))
        )


def test_an_output_that_is_put_to_rest_while_it_is_read_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = bytes(range(256)) * 4096
    spool, pread = Spool(tmp_path / "entry", SpoolLimits()), os.pread
    spool.append(data)

    def late(descriptor: int, length: int, at: int) -> bytes:
        spool.rest()
        return pread(descriptor, length, at)

    monkeypatch.setattr(os, "pread", late)
    assert spool.read(0, len(data)) == data


def test_a_flood_whose_first_bytes_are_refused_keeps_its_beginning(tmp_path: Path) -> None:
    (tmp_path / "entry").write_text("no folder")
    data = b"".join(b"%015d\n" % number for number in range(8 * MIB // 16))
    output = output_of(tmp_path, *(data[at : at + 2 * MIB] for at in range(0, len(data), 2 * MIB)))
    gap = output.gap
    assert gap
    assert output.read(0, gap.from_byte) == data[:MIB]
    assert output.read(gap.to_byte, len(data)) == data[gap.to_byte :]
    assert output.lost_lines == (gap.to_byte - gap.from_byte) // 16

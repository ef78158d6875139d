"""Reading long texts: no full collection meanwhile, and what was known of them goes in pieces."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.sidecar import Sidecar
from zsh_ls.sidecar.documents.executor import HUGE_TEXT, run_in_thread
from zsh_ls.sidecar.documents.parse_probe import LONGEST_TEXT, ParseProbes
from zsh_ls.sidecar.editor import navigation
from zsh_ls.sidecar.editor.types import Edit
from zsh_ls.system.taking_down import PIECE, take_down

URI = "file:///nowhere/long.zsh"


class Whole(list[Any]):
    """Something whose end can be seen."""


def growing_tree() -> list[Any]:
    """So many objects that the collector looks through all of them more than once."""
    return [[number, [number]] for number in range(300_000)]


async def test_no_thread_that_reads_is_held_up_by_a_collection() -> None:
    """It looks at all that a new list holds, and no other thread runs until it has done so: 115 ms.

    Nor is a full one made up for right afterwards.
    """
    collected = []

    def note(phase: str, how: dict[str, int]) -> None:
        if phase == "start":
            collected.append(how["generation"])

    usual = gc.get_threshold()
    gc.callbacks.append(note)
    try:
        tree = await run_in_thread(growing_tree)
        meanwhile = list(collected)
        afterwards = [[] for _ in range(10 * usual[0])]
    finally:
        gc.callbacks.remove(note)
        gc.unfreeze()
    assert (len(tree), len(afterwards)) == (300_000, 10 * usual[0])
    assert meanwhile == []
    assert gc.isenabled()
    assert 2 not in collected


def test_what_is_taken_down_goes_a_piece_at_a_time() -> None:
    """The parts of a whole are still there when it goes, so that they do not all go with it."""
    whole = Whole(Whole([number]) for number in range(20 * PIECE))
    parts = [weakref.ref(part) for part in whole]
    alive_at_its_end: list[int] = []
    end = weakref.ref(
        whole, lambda _: alive_at_its_end.append(sum(it() is not None for it in parts))
    )
    things: list[object] = [(whole,)]
    del whole
    take_down(things)
    assert things == []
    assert end() is None
    assert alive_at_its_end == [20 * PIECE]
    assert not any(part() for part in parts)


def test_wholes_of_different_sizes_beside_each_other_go_a_piece_at_a_time() -> None:
    """A list of so many parts beside a thing that holds as many one step further down: 0.6 s at once."""

    def whole_and_parts() -> tuple[Whole, list[weakref.ref[Whole]]]:
        whole = Whole(Whole([number]) for number in range(20 * PIECE))
        return whole, [weakref.ref(part) for part in whole]

    first, parts_of_first = whole_and_parts()
    second, parts_of_second = whole_and_parts()
    alive_at_its_end: list[int] = []
    parts = [*parts_of_first, *parts_of_second]
    ends = [
        weakref.ref(one, lambda _: alive_at_its_end.append(sum(it() is not None for it in parts)))
        for one in (first, second)
    ]
    things: list[object] = [first, Whole([Whole([second])])]
    del first, second
    take_down(things)
    assert not any(end() for end in ends)
    assert min(alive_at_its_end) >= 20 * PIECE


def test_what_two_hold_goes_with_the_last_of_them() -> None:
    parts_alive: list[int] = []
    shared = Whole(Whole([number]) for number in range(20 * PIECE))
    parts = [weakref.ref(part) for part in shared]
    end = weakref.ref(shared, lambda _: parts_alive.append(sum(it() is not None for it in parts)))
    things: list[object] = [Whole([shared]), Whole([Whole([shared])])]
    del shared
    take_down(things)
    assert end() is None
    assert parts_alive == [20 * PIECE]


def test_what_others_hold_is_left_as_it_is() -> None:
    kept = Whole([Whole([1])])
    take_down([(kept,)])
    assert kept == [[1]]


def test_things_that_hold_each_other_are_taken_down_too() -> None:
    first, second = Whole(), Whole()
    first.append(second)
    second.append(first)
    take_down([first])


@pytest.mark.parametrize("text", ["a" * (LONGEST_TEXT + 1)])
async def test_a_text_beyond_the_bound_is_not_read_and_not_tried(text: str) -> None:
    probes = ParseProbes()
    assert not await probes.is_readable("file:///a", text, Dialect.ZSH)
    assert probes._probes == {}


TEXT = "".join(f"f{number}() {{ x={number}; }}\n" for number in range(2_000)) + "echo $"


async def test_tokens_of_a_text_are_let_go_in_pieces_when_it_changes_or_is_closed(
    sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are as many as its words, and went at once with the structure that they were found in."""
    gone: list[Any] = []
    monkeypatch.setattr(navigation, "let_go", lambda length, things: gone.extend(things))
    assert len(TEXT) > HUGE_TEXT
    sidecar.open_document(URI, TEXT, "shellscript", 1)
    first = await sidecar.navigation.tokens(URI)
    assert await sidecar.navigation.tokens(URI) is first
    sidecar.edit_document(URI, [Edit(Span(0, 0), "ls\n")], 2)
    second = await sidecar.navigation.tokens(URI)
    assert second is not first
    assert [it.tokens for it in gone] == [first]
    sidecar.close_document(URI)
    assert [it.tokens for it in gone] == [first, second]


async def test_nothing_keeps_what_was_read_of_a_document_that_is_closed(sidecar: Sidecar) -> None:
    """Completion had the last one of each document."""
    text = "x=1\necho $"
    sidecar.open_document(URI, text, "shellscript", 1)
    await sidecar.navigation.tokens(URI)
    assert (await sidecar.completions(URI, len(text))).found
    read = sidecar._scripts.readings.latest()[URI]
    end = weakref.ref(read)
    del read
    sidecar.close_document(URI)
    gc.collect()
    assert end() is None

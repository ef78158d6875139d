"""What becomes of open scripts when their commands fail: the list, the hover, the lens (FATE-8)."""

from __future__ import annotations

import asyncio
import errno

import attrs
import pytest

from zsh_ls.answers.failures import failures_of
from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.sidecar import Sidecar
from zsh_ls.sidecar.documents import fates
from zsh_ls.sidecar.documents.executor import HUGE_TEXT
from zsh_ls.sidecar.editor.types import Edit, Lens, LensKind

URI = "file:///nowhere/deploy.bash"
TEXT = "#!/bin/bash\nset -e\nmake | tee log\nif A=1 curl x; then frobnicate; fi\nx=$(git push) || true\n"
HUGE = "#!/bin/bash\nset -e\n" + "".join(
    f"make part{n} | tee log{n}\ncp part{n} /srv/part{n}\n" for n in range(500)
)


def lens_of(lenses: list[Lens]) -> list[str]:
    return [it.says for it in lenses if it.kind is LensKind.FAILURES]


@pytest.mark.parametrize("text", [TEXT, HUGE], ids=["short", "huge"])
async def test_fates_of_an_open_script_are_those_of_its_text(sidecar: Sidecar, text: str) -> None:
    sidecar.open_document(URI, text, "shellscript", 1)
    assert await sidecar.failures(URI) == failures_of(parse(text, Dialect.BASH))


async def test_after_an_edit_they_are_those_of_the_later_text(sidecar: Sidecar) -> None:
    assert len(HUGE) > HUGE_TEXT
    sidecar.open_document(URI, HUGE, "shellscript", 1)
    asked = asyncio.create_task(sidecar.failures(URI))
    await sidecar.hover(URI, 0)  # by now it is being found out
    sidecar.edit_document(URI, [Edit(Span(0, len(HUGE)), TEXT)], 2)
    assert await asked == failures_of(parse(TEXT, Dialect.BASH))
    assert (await sidecar.failures(URI)).counts.total == 8


async def test_where_no_process_can_be_had_a_huge_text_is_followed_all_the_same(
    sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refuse(*_: object, **__: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "no process left")

    monkeypatch.setattr(fates, "result_of", refuse)
    sidecar.open_document(URI, HUGE, "shellscript", 1)
    assert (await sidecar.failures(URI)).counts.unnoticed == 500


async def test_what_costs_too_much_is_refused_and_has_no_lens(
    sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fates, "ALLOWED_S", 0)
    monkeypatch.setattr(fates, "ALLOWED_S_EACH_MB", 0)
    calls = "".join(f"f{n}() {{ a | b; f{n + 1} || f{n + 2}; }}\nf{n}\n" for n in range(4_000))
    sidecar.open_document(URI, calls, "bash", 1)
    with pytest.raises(RequestRejected, match="characters costs too much to follow"):
        await sidecar.failures(URI)
    assert lens_of(await sidecar.lenses_for(URI)) == []


async def test_a_document_that_is_not_open_has_none(sidecar: Sidecar) -> None:
    with pytest.raises(InvalidRequest, match="expected an open document"):
        await sidecar.failures(URI)


async def test_the_lens_says_how_many_fail_unnoticed(sidecar: Sidecar) -> None:
    sidecar.open_document(URI, TEXT, "shellscript", 1)
    assert [(it.kind, it.span, it.says) for it in await sidecar.lenses_for(URI)][3:] == [
        (LensKind.FAILURES, Span(0, 0), "3 of 8 can fail unnoticed")
    ]
    sidecar.configure(attrs.evolve(sidecar.settings, trusted=False))
    assert [it.kind for it in await sidecar.lenses_for(URI)] == [LensKind.FAILURES]
    sidecar.open_document(URI, "#!/bin/bash\nset -e\nmake\n", "shellscript", 1)
    assert await sidecar.lenses_for(URI) == []


async def test_a_huge_text_has_its_lens_when_that_is_known(sidecar: Sidecar) -> None:
    changed = asyncio.Event()
    sidecar.open_document(URI, HUGE, "shellscript", 1)
    sidecar.on_insights_changed(lambda _: changed.set())
    assert len(await sidecar.lenses_for(URI)) == 3
    async with asyncio.timeout(60):
        while not lens_of(await sidecar.lenses_for(URI)):
            changed.clear()
            await changed.wait()
    assert lens_of(await sidecar.lenses_for(URI)) == ["500 of 1501 can fail unnoticed"]


@pytest.mark.parametrize(
    ("marked", "words", "said"),
    [
        (
            "^make | tee log",
            "make",
            (
                "If this fails, nothing notices, line 4 runs next: "
                "only the last segment's exit counts (no pipefail)."
            ),
        ),
        ("te^e log", "tee", "If this fails, the script stops with exit 1: errexit is on."),
        (
            "cu^rl x",
            "curl",
            (
                "If this fails, something else runs than without that, line 5 runs next: "
                "it is the condition of the if on line 4."
            ),
        ),
        (
            "fro^bnicate",
            "frobnicate",
            "If this fails, the script stops with exit 1: errexit is on.",
        ),
    ],
)
async def test_a_hover_on_a_command_says_its_fate(
    sidecar: Sidecar, marked: str, words: str, said: str
) -> None:
    sidecar.open_document(URI, TEXT, "shellscript", 1)
    offset = TEXT.index(marked.replace("^", "")) + marked.index("^")
    found = await sidecar.hover(URI, offset)
    assert found is not None
    assert (found.fate, words in TEXT[slice(*found.span)]) == (said, True)


@pytest.mark.parametrize("place", ["log", "x; then", "then", "fi", "#!"])
async def test_what_is_no_command_has_no_fate(sidecar: Sidecar, place: str) -> None:
    sidecar.open_document(URI, TEXT, "shellscript", 1)
    found = await sidecar.hover(URI, TEXT.index(place) + 1)
    assert found is None or not found.fate


async def test_an_assignment_and_its_substitution_have_fates_of_their_own(sidecar: Sidecar) -> None:
    sidecar.open_document(URI, TEXT, "shellscript", 1)
    said = [await sidecar.hover(URI, TEXT.index(words)) for words in ("x=$(", "git push")]
    assert [it.fate.partition(":")[0] for it in said if it] == [
        "If this fails, nothing notices",
        "If this fails, nothing notices",
    ]

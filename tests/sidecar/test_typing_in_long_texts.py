"""While somebody types into a long text its findings and fates are worked out in another process."""

from __future__ import annotations

import asyncio

import pytest

from zsh_ls.insights import static
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.fates import fates
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.sidecar import Sidecar
from zsh_ls.sidecar.documents.executor import HUGE_TEXT
from zsh_ls.sidecar.editor.types import DocumentInsight, Edit

URI = "file:///nowhere/long.sh"
BLOCK = (
    "# {comment}\n"
    "f{n}() {{\n  local at=$(make dist | tail -1)\n  cd /srv/{n}\n  rm -rf old\n}}\nf{n} | cat\n"
)
TEXT = "#!/bin/bash\n" + "".join(BLOCK.format(n=n, comment="word " * 200) for n in range(25))
BEGINNING = len("#!/bin/bash\n")


def refuse(*_: object) -> object:
    raise AssertionError("worked out in the server's own process")


@pytest.fixture(autouse=True)
async def opened(sidecar: Sidecar) -> None:
    assert len(TEXT) > HUGE_TEXT
    sidecar.open_document(URI, TEXT, "shellscript", 1)


def by_rules(found: list[DocumentInsight]) -> list[tuple[str, Span | None]]:
    """Without what the shell's own compiler says."""
    return [(it.insight.rule, it.insight.span) for it in found if not it.is_error]


def of_text(text: str) -> list[tuple[str, Span | None]]:
    return [(it.rule, it.span) for it in static(text, Dialect.BASH)]


def type_in(sidecar: Sidecar, written: str, version: int, at: int = BEGINNING) -> None:
    sidecar.edit_document(URI, [Edit(Span(at, at), written)], version)


async def test_findings_after_an_edit_are_those_of_the_new_text(
    sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rules themselves would fail in this process."""
    before = await sidecar.insights_for(URI)
    assert by_rules(before) == of_text(TEXT)
    assert before
    monkeypatch.setattr("zsh_ls.sidecar.documents.findings.static_of", refuse)
    text = TEXT
    for version, written in enumerate(
        ("cd /x\n", "# é\n", "if true; then\n", "  ls | wc\nfi\n"), 2
    ):
        type_in(sidecar, written, version)
        text = text[:BEGINNING] + written + text[BEGINNING:]
        found = await sidecar.insights_for(URI)
        assert by_rules(found) == of_text(text)


async def test_fates_are_those_of_the_new_text(
    sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zsh_ls.sidecar.documents.fates.failures_of", refuse)
    monkeypatch.setattr("zsh_ls.sidecar.documents.fates.result_of", refuse)
    type_in(sidecar, "false\n", 2)
    text = TEXT[:BEGINNING] + "false\n" + TEXT[BEGINNING:]
    found = await sidecar.failures(URI)
    assert found.commands == fates(parse(text, Dialect.BASH))


async def test_who_asks_while_somebody_types_on_is_told_of_the_last_text(sidecar: Sidecar) -> None:
    """What is being worked out for an earlier one stops."""
    asked, text = [], TEXT
    for version in range(2, 12):
        type_in(sidecar, "ls | wc\n", version)
        text = text[:BEGINNING] + "ls | wc\n" + text[BEGINNING:]
        asked.append(asyncio.create_task(sidecar.insights_for(URI)))
        await asyncio.sleep(0.003 * version)
    for found in await asyncio.gather(*asked):
        assert by_rules(found) == of_text(text)


async def test_without_another_process_threads_find_it(
    sidecar: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_process(*_: object, **__: object) -> object:
        raise BlockingIOError(11, "no more processes")

    monkeypatch.setattr("zsh_ls.system.programs.start", no_process)
    type_in(sidecar, "ls | wc\n", 2)
    text = TEXT[:BEGINNING] + "ls | wc\n" + TEXT[BEGINNING:]
    found = await sidecar.insights_for(URI)
    assert by_rules(found) == of_text(text)


async def test_a_closed_document_has_no_findings(sidecar: Sidecar) -> None:
    type_in(sidecar, "ls | wc\n", 2)
    asked = asyncio.create_task(sidecar.insights_for(URI))
    await asyncio.sleep(0)
    sidecar.close_document(URI)
    assert await asked == []

"""What of a script can be run where it stands, and what is known of it (DOC-7)."""

from __future__ import annotations

import attrs

from zsh_ls.insights.history import lens
from zsh_ls.model.estimate import Curve, Estimate, Sample
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.requests import ScriptRequest
from zsh_ls.model.words import Basis
from zsh_ls.sidecar import Sidecar
from zsh_ls.sidecar.editor.types import LensKind

URI = "file:///tmp/x.zsh"


async def kinds(sidecar: Sidecar, text: str) -> list[LensKind]:
    sidecar.open_document(URI, text, "zsh", 1)
    return [it.kind for it in await sidecar.lenses_for(URI)]


async def test_a_script_can_be_run_and_traced_from_its_beginning(sidecar: Sidecar) -> None:
    found = await kinds(sidecar, "#!/bin/zsh\necho a\n")
    assert found == [LensKind.SCRIPT, LensKind.TRACE, LensKind.REHEARSE]


async def test_a_script_that_was_run_before_says_how_it_went(sidecar: Sidecar) -> None:
    sidecar.open_document(URI, "#!/bin/zsh\nfalse\n", "zsh", 1)
    for _ in range(3):
        await sidecar.run_script(ScriptRequest(URI, yield_after=60.0))
    first, second = (await sidecar.lenses_for(URI))[:2]
    assert (first.kind, first.says) == (LensKind.SCRIPT, "3 fails in a row")
    assert (second.kind, second.says) == (LensKind.TRACE, "")


async def test_what_does_nothing_when_run_has_no_lens(sidecar: Sidecar) -> None:
    assert await kinds(sidecar, "# words\nf() { ls; }\nfunction g { f }\n") == []
    assert await kinds(sidecar, "") == []


async def test_a_workspace_that_is_not_trusted_offers_nothing_to_run(sidecar: Sidecar) -> None:
    sidecar.configure(attrs.evolve(sidecar.settings, trusted=False))
    assert await kinds(sidecar, "echo a\n") == []


async def test_a_document_that_is_not_open_has_no_lenses(sidecar: Sidecar) -> None:
    assert await sidecar.lenses_for("file:///never") == []


def test_a_lens_says_the_usual_duration_and_a_row_of_failures() -> None:
    slow = Estimate("make *", Curve.of([Sample(12.0)] * 3), Basis.COMMAND)
    past = CommandHistory("make *", "make", runs=4, streak=-3, estimate=slow)
    assert lens(past) == "median 12.0s · 3 fails in a row"
    assert lens(attrs.evolve(past, streak=-1)) == "median 12.0s"
    assert lens(attrs.evolve(past, estimate=None)) == "3 fails in a row"


async def test_a_file_of_tests_does_not_count_what_fails_unnoticed(sidecar: Sidecar) -> None:
    """Its commands are the framework's words: 919 of 948 said nothing."""
    text = "Describe x\n  It y\n  End\nEnd\n"
    for name, counts in (("file:///tmp/a_spec.sh", False), ("file:///tmp/a.sh", True)):
        sidecar.open_document(name, text, "shellscript", 1)
        await sidecar.failures(name)
        found = [it.kind for it in await sidecar.lenses_for(name)]
        assert (LensKind.FAILURES in found) is counts

"""What can be done about a place: mended, ignored, run or explained (DOC-7)."""

from __future__ import annotations

import attrs
import pytest

from zsh_ls.model.span import Span
from zsh_ls.sidecar import Sidecar
from zsh_ls.sidecar.editor.types import Action, ActionKind

URI = "file:///tmp/x.bash"


async def offered(sidecar: Sidecar, marked: str) -> tuple[str, list[Action]]:
    """The text, and what is offered for what stands between `«` and `»`."""
    start, end = marked.index("«"), marked.index("»") - 1
    text = marked.replace("«", "").replace("»", "")
    sidecar.open_document(URI, text, "shellscript", 1)
    return text, await sidecar.actions_for(URI, Span(start, end))


def edited(text: str, action: Action) -> str:
    for (start, end), new in reversed(action.replacements):
        text = text[:start] + new + text[end:]
    return text


def of_kind(actions: list[Action], kind: ActionKind) -> list[Action]:
    return [action for action in actions if action.kind is kind]


async def test_a_fix_and_an_ignore_answer_to_what_is_said_of_the_place(sidecar: Sidecar) -> None:
    text, actions = await offered(
        sidecar, "#!/bin/bash\nf() {\n\t«»local a=$(b) || return\n\techo $a\n}\nf\n"
    )
    (fix,) = of_kind(actions, ActionKind.FIX)
    assert fix.about is not None
    assert fix.about.insight.rule == "declaration-masks-exit"
    assert "local a" in edited(text, fix)
    assert edited(text, fix) != text
    (ignore,) = of_kind(actions, ActionKind.IGNORE)
    assert "# zsh-ls: ignore=declaration-masks-exit\n" in edited(text, ignore)


async def test_a_place_about_which_nothing_is_said_has_nothing_to_mend(sidecar: Sidecar) -> None:
    _, actions = await offered(sidecar, "#!/bin/bash\nlocal a=$(b) || exit\nec«»ho\n")
    assert {action.kind for action in actions} <= {
        ActionKind.RUN,
        ActionKind.EXPLAIN,
        ActionKind.FIX_ALL,
    }


@pytest.mark.parametrize(
    ("marked", "runs", "explains"),
    [
        ("echo a | gr«»ep b && c\n", "echo a | grep b && c", "echo a | grep b"),
        ("for x in a; do\n  p«»rint $x\ndone\n", "print $x", "print $x"),
        ("f«»or x in a; do print $x; done\n", "for x in a; do print $x; done", None),
        ("f«»() { ls; }\n", None, None),
        ("# wor«»ds\n", None, None),
        ("«one\ntwo \n»three\n", "one\ntwo", "one"),
        ("a«  »b\n", None, "a  b"),
        ("echo a; «e»cho b\n", "echo b", "echo b"),
        ("«ls»\n", "ls", "ls"),
        ("«»", None, None),
        ("c«»at <<A | tr a b\none\nA\nls\n", "cat <<A | tr a b\none\nA", "cat <<A | tr a b"),
        ("cat <<A <<B\none\nA\nt«»wo\nB\nls\n", "cat <<A <<B\none\nA\ntwo\nB", None),
        ("«cat <<A\none\n»two\nA\n", "cat <<A\none", "cat <<A"),
        ("«# only words\n\n  # and more\n»ls\n", None, None),
        ("«# first\nls»\n", "# first\nls", None),
    ],
)
async def test_what_is_run_and_what_is_explained(
    sidecar: Sidecar, marked: str, runs: str | None, explains: str | None
) -> None:
    text, actions = await offered(sidecar, marked)
    for kind, expected in ((ActionKind.RUN, runs), (ActionKind.EXPLAIN, explains)):
        found = [text[it.span.start : it.span.end] for it in of_kind(actions, kind)]
        assert found == ([] if expected is None else [expected])


async def test_nothing_is_run_in_a_workspace_that_is_not_trusted(sidecar: Sidecar) -> None:
    sidecar.configure(attrs.evolve(sidecar.settings, trusted=False))
    _, actions = await offered(sidecar, "l«»s\n")
    assert [action.kind for action in actions] == [ActionKind.EXPLAIN]


async def test_all_fixes_at_once_leave_nothing_to_fix(sidecar: Sidecar) -> None:
    text, actions = await offered(
        sidecar,
        "#!/bin/bash\n«»f() {\n\tlocal a=$(b) || return\n\tlocal c=$(d) || return\n}\nf\n",
    )
    (everything,) = of_kind(actions, ActionKind.FIX_ALL)
    sidecar.open_document(URI, edited(text, everything), "shellscript", 2)
    assert not [it for it in await sidecar.insights_for(URI) if it.insight.fix]

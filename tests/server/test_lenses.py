"""`textDocument/codeLens`: any client can send back the commands (DOC-7)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .rpc import Peer, position, range_of

pytestmark = pytest.mark.slow

URI = "file:///tmp/a.zsh"
TEXT = "#!/bin/zsh\nprint é😀; false é\n"


def lenses(peer: Peer) -> list[Any]:
    found: list[Any] = peer.call("textDocument/codeLens", {"textDocument": {"uri": URI}})
    return found


def test_a_lens_carries_a_command_of_the_server(real: Callable[..., Peer]) -> None:
    peer = real()
    peer.open(URI, TEXT)
    whole = {"textDocument": {"uri": URI}}
    assert [(it["range"], it["command"]) for it in lenses(peer)] == [
        (
            range_of((0, column), (0, column)),
            {"title": title, "command": "zsh.runScript", "arguments": [{**whole, "trace": traces}]},
        )
        for column, (title, traces) in enumerate((("▷ run", False), ("▷ trace", True)))
    ] + [
        (
            range_of((0, 2), (0, 2)),
            {"title": "▷ rehearse", "command": "zsh.rehearse", "arguments": [whole]},
        )
    ]


def test_a_line_that_was_run_has_its_result_and_no_lens(real: Callable[..., Peer]) -> None:
    peer = real({"workspace": {"inlayHint": {"refreshSupport": True}}})
    peer.open(URI, TEXT)
    where = {"uri": URI, "range": range_of((1, 11), (1, 18))}
    peer.call("zsh/run", {"command": "false é", "document": where, "yield_after": 60})
    peer.until(lambda it: it.get("method") == "workspace/inlayHint/refresh")
    asked = {"textDocument": {"uri": URI}, "range": range_of((0, 0), (2, 0))}
    [hint] = peer.call("textDocument/inlayHint", asked)
    assert hint["position"] == position(1, 18)
    assert re.fullmatch(r"✗ 1 · \d+\.\ds", hint["label"])
    assert {lens["command"]["command"] for lens in lenses(peer)} == {
        "zsh.runScript",
        "zsh.rehearse",
    }
    assert {lens["range"]["start"]["line"] for lens in lenses(peer)} == {0}


def test_the_result_of_several_lines_stands_on_the_first_that_runs(
    real: Callable[..., Peer],
) -> None:
    peer = real({"workspace": {"inlayHint": {"refreshSupport": True}}})
    peer.open(URI, "#!/bin/zsh\n# What it does.\n\n  # More.\nfalse a\nfalse b\n")
    command = "# What it does.\n\n  # More.\nfalse a\nfalse b"
    where = {"uri": URI, "range": range_of((1, 0), (5, 7))}
    peer.call("zsh/run", {"command": command, "document": where, "yield_after": 60})
    peer.until(lambda it: it.get("method") == "workspace/inlayHint/refresh")
    asked = {"textDocument": {"uri": URI}, "range": range_of((0, 0), (6, 0))}
    [hint] = peer.call("textDocument/inlayHint", asked)
    assert hint["position"] == position(4, 7)


def test_results_stay_where_hints_of_history_are_off(real: Callable[..., Peer]) -> None:
    peer = real(initializationOptions={"history.hints": False})
    peer.open(URI, TEXT)
    where = {"uri": URI, "range": range_of((1, 0), (1, 9))}
    peer.call("zsh/run", {"command": "print é😀", "document": where, "yield_after": 60})
    asked = {"textDocument": {"uri": URI}, "range": range_of((0, 0), (2, 0))}
    [hint] = peer.call("textDocument/inlayHint", asked)
    assert hint["label"].startswith("✓ ")


def test_what_is_not_trusted_has_no_lens(real: Callable[..., Peer]) -> None:
    peer = real(initializationOptions={"trusted": False})
    peer.open(URI, TEXT)
    assert lenses(peer) == []
    peer.notify("workspace/didChangeConfiguration", {"settings": {"zshLs": {"trusted": True}}})
    assert len(lenses(peer)) == 3


def test_a_lens_says_what_fails_unnoticed_also_where_nothing_may_run(
    real: Callable[..., Peer],
) -> None:
    """FATE-8."""
    peer = real(initializationOptions={"trusted": False})
    peer.open(URI, "#!/bin/zsh\nmake | cat\nls\n")
    whole = {"textDocument": {"uri": URI}}
    assert lenses(peer) == [
        {
            "range": range_of((0, 0), (0, 0)),
            "command": {
                "title": "2 of 3 can fail unnoticed",
                "command": "zsh.failures",
                "arguments": [whole],
            },
        }
    ]
    peer.notify("workspace/didChangeConfiguration", {"settings": {"zshLs": {"trusted": True}}})
    assert [it["command"]["command"] for it in lenses(peer)] == [
        *("zsh.runScript", "zsh.runScript", "zsh.rehearse", "zsh.failures"),
    ]


def test_a_file_of_bats_is_run_by_bats(real: Callable[..., Peer], tmp_path: Path) -> None:
    """What a shell would refuse is not offered: to run it as a script, to trace and to rehearse it."""
    file = tmp_path / "of it.bats"
    text = '#!/usr/bin/env bats\n@test "it adds" {\n  [ $((1 + 1)) = 2 ]\n}\n'
    file.write_text(text)
    peer = real()
    peer.open(file.as_uri(), text)
    [offered] = peer.call("textDocument/codeLens", {"textDocument": {"uri": file.as_uri()}})
    assert offered["command"]["title"] == "▷ run"
    assert offered["command"]["command"] == "zsh.run"
    [run] = offered["command"]["arguments"]
    assert run["command"] == f"bats '{file}'"
    result = peer.call("zsh/run", {**run, "yield_after": 60})
    assert (result["exit"], "ok 1 it adds" in result["output"]) == (0, True)


ZUNIT = "#!/usr/bin/env zunit\n@setup {\n  load x\n}\n@test 'it (all) holds' {\n  run ls\n}\nf() { :; }\n"
BATS = '@test "costs \\$5" {\n  run ls\n\n  [ 1 ]\n}\n@test two {\n}\n'
SPEC = "# of it\nDescribe 'it'\n  It 'adds'\n    When call add 1\n  End\nEnd\n"


@pytest.mark.parametrize(
    ("name", "text", "whole", "of_lines"),
    [
        (
            "it.zunit",
            ZUNIT,
            "zunit {file}",
            {
                2: None,
                4: "zunit '{file}@it (all) holds'",
                5: "zunit '{file}@it (all) holds'",
                7: None,
            },
        ),
        (
            "it.bats",
            BATS,
            "bats {file}",
            {0: r"bats --filter '^costs \$5$' {file}", 3: r"bats --filter '^costs \$5$' {file}"}
            | {5: "bats --filter '^two$' {file}"},
        ),
        (
            "it_spec.sh",
            SPEC,
            "shellspec {file}",
            {0: None, 2: "shellspec {file}:3", 3: "shellspec {file}:4"},
        ),
    ],
)
def test_tests_are_run_by_their_runner_and_no_line_of_them_by_a_shell(
    real: Callable[..., Peer],
    tmp_path: Path,
    *,
    name: str,
    text: str,
    whole: str,
    of_lines: dict[int, str | None],
) -> None:
    file = tmp_path / name
    file.write_text(text)
    peer = real()
    peer.open(file.as_uri(), text)
    document = {"textDocument": {"uri": file.as_uri()}}
    [offered] = peer.call("textDocument/codeLens", document)
    assert offered["command"]["arguments"][0]["command"] == whole.format(file=file)
    for line, expected in of_lines.items():
        context = {"diagnostics": [], "only": ["zsh-ls.run"]}
        asked = {**document, "range": range_of((line, 2), (line, 2)), "context": context}
        found = peer.call("textDocument/codeAction", asked) or []
        commands = [it["command"]["arguments"][0]["command"] for it in found]
        assert commands == ([] if expected is None else [expected.format(file=file)])

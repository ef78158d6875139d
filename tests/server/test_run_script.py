"""`zsh/runScript` on the wire, as a request and as a command, with its figures on the lines (DOC-3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .rpc import Peer

pytestmark = pytest.mark.slow

URI = "file:///tmp/nowhere/a.zsh"
TEXT = "#!/bin/zsh\nfor i in 1 2; do\n  false | true\ndone\necho é😀 $1; exit 3\n"
LINES = [
    {"line": 1, "count": 1, "exit": 0},
    {"line": 2, "count": 2, "exit": 0},
    {"line": 4, "count": 1, "exit": 3},
]


def told(result: dict[str, Any]) -> list[dict[str, Any]]:
    return [{key: line[key] for key in ("line", "count", "exit")} for line in result["lines"]]


def test_what_is_open_runs_and_each_list_is_told(real: Callable[..., Peer]) -> None:
    peer = real()
    peer.open(URI, TEXT)
    asked = {"textDocument": {"uri": URI}, "args": ["x"], "yield_after": 60}
    result = peer.call("zsh/runScript", asked)
    assert (result["exit"], result["output"], result["traced"]) == (3, "é😀 x\n", True)
    assert told(result) == LINES
    assert result["lines"][1]["pipestatus"] == [1, 0]
    assert set(result["lines"][0]) == {"line", "count", "exit", "pipestatus", "total_ms", "max_ms"}
    again = peer.call(
        "workspace/executeCommand", {"command": "zsh.runScript", "arguments": [asked]}
    )
    assert told(again) == LINES
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    hints = peer.call("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": whole})
    on_line = {hint["position"]["line"]: hint["label"] for hint in hints}
    assert on_line[2].startswith("✓ ")
    assert on_line[2].endswith(" · 2×")
    assert on_line[4].startswith("✗ 3 · ")


def test_what_cannot_be_asked_is_refused_by_name(real: Callable[..., Peer]) -> None:
    peer = real()
    error = peer.refusal("zsh/runScript", {"textDocument": {"uri": "file:///not/open"}})
    assert (error["code"], "textDocument.uri" in error["message"]) == (-32602, True)
    peer.open(URI, TEXT)
    error = peer.refusal("zsh/runScript", {"textDocument": {"uri": URI}, "trace": "yes"})
    assert (error["code"], "trace" in error["message"]) == (-32602, True)


def test_untrusted_nothing_is_run(real: Callable[..., Peer]) -> None:
    peer = real(initializationOptions={"trusted": False})
    peer.open(URI, TEXT)
    assert peer.refusal("zsh/runScript", {"textDocument": {"uri": URI}})["code"] == -32803

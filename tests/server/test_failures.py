"""`zsh/failures` on the wire: positions of LSP, the text of today, strict params (FATE-7)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .rpc import Peer, range_of

pytestmark = pytest.mark.slow

URI = "file:///tmp/a.bash"
TEXT = "#!/bin/bash\nset -e\necho 😀; make | tee log\nif\n  a\nthen b; fi\n"


def test_each_command_has_its_range_and_lines_from_0(real_one: Peer) -> None:
    real_one.open(URI, TEXT)
    found = real_one.call("zsh/failures", {"textDocument": {"uri": URI}})
    assert found["counts"] == {
        "stops": 4,
        "stops_silently": 0,
        "handled": 1,
        "reported": 0,
        "unnoticed": 1,
        "unknown": 0,
    }
    assert found["commands"][2] == {
        "range": range_of((2, 9), (2, 13)),
        "command": "make",
        "fate": "unnoticed",
        "because": "only the last segment's exit counts (no pipefail)",
        "then_line": 4,
        "exit": 0,
    }
    assert [it["range"]["start"]["line"] for it in found["commands"]] == [1, 2, 2, 2, 4, 5]
    real_one.change(URI, 2, {"range": range_of((1, 0), (1, 6)), "text": "# é"})
    later = real_one.call("zsh/failures", {"textDocument": {"uri": URI}})
    assert later["counts"]["unnoticed"] == 3
    command = {"command": "zsh.failures", "arguments": [{"textDocument": {"uri": URI}}]}
    assert real_one.call("workspace/executeCommand", command) == later


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({}, "params.textDocument"),
        ({"textDocument": {"uri": 3}}, "params.textDocument.uri"),
        ({"textDocument": {"uri": URI}, "file": "x"}, "params.file"),
        ({"textDocument": {"uri": "file:///nowhere"}}, "expected the URI of an open document"),
    ],
)
def test_other_params_are_refused_by_name(
    real_one: Peer, params: dict[str, object], said: str
) -> None:
    error = real_one.refusal("zsh/failures", params)
    assert error["code"] == -32602
    assert said in error["message"]


def test_a_huge_script_holds_up_nobody(real: Callable[..., Peer]) -> None:
    peer = real()
    functions = "".join(f"f{n}() {{ cd /x | f{n}; a || b; }}\nf{n}\n" for n in range(600))
    peer.open(URI, functions)
    first = peer.ask("zsh/failures", {"textDocument": {"uri": URI}})
    assert peer.call("zsh/tasks", {}) == {"tasks": [], "count": 0}
    assert not [it for it in peer.received if it.get("id") == first]
    found = peer.until(lambda it: it.get("id") == first)
    assert len(found["result"]["commands"]) == 3_000

"""`textDocument/codeLens`: any client can send back the commands (DOC-7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .rpc import Peer, position, range_of

pytestmark = pytest.mark.slow

URI = "file:///tmp/a.zsh"
TEXT = "#!/bin/zsh\nprint é😀; false é\n"
REFRESHES = {"workspace": {"codeLens": {"refreshSupport": True}}}


def lenses(peer: Peer) -> list[Any]:
    found: list[Any] = peer.call("textDocument/codeLens", {"textDocument": {"uri": URI}})
    return found


def test_a_lens_carries_a_command_of_the_server(real: Callable[..., Peer]) -> None:
    peer = real(REFRESHES)
    peer.open(URI, TEXT)
    whole = {"textDocument": {"uri": URI}}
    assert [(it["range"], it["command"]) for it in lenses(peer)] == [
        (
            range_of((0, 0), (0, 0)),
            {"title": title, "command": "zsh.runScript", "arguments": [{**whole, "trace": traces}]},
        )
        for title, traces in (("▷ run", False), ("▷ trace", True))
    ]
    for _ in range(3):
        peer.call("zsh/run", {"command": "false é", "cwd": "/tmp"})
    peer.until(lambda it: it.get("method") == "workspace/codeLens/refresh")
    line = lenses(peer)[2]
    assert line["range"] == range_of((1, 11), (1, 11))
    assert line["command"]["title"] == "▷ run · 3 fails in a row"
    again = {key: line["command"][key] for key in ("command", "arguments")}
    result = peer.call("workspace/executeCommand", again)
    assert (result["command"], result["exit"], result["origin"]) == ("false é", 1, "lens")
    assert again["arguments"][0]["document"]["range"]["end"] == position(1, 18)


def test_what_is_not_trusted_has_no_lens(real: Callable[..., Peer]) -> None:
    peer = real(initializationOptions={"trusted": False})
    peer.open(URI, TEXT)
    assert lenses(peer) == []
    peer.notify("workspace/didChangeConfiguration", {"settings": {"zshLs": {"trusted": True}}})
    assert len(lenses(peer)) == 2


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
        *("zsh.runScript", "zsh.runScript", "zsh.failures"),
    ]

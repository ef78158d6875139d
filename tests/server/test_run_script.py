"""`zsh/runScript` on the wire, as a request and as a command, with its figures on the lines (DOC-3)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from .rpc import PATIENCE_S, Peer

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


def asked(text: str, peer: Peer, **more: Any) -> dict[str, Any]:
    """The answer to running `text`; ended or not."""
    peer.open(URI, text)
    result: dict[str, Any] = peer.call("zsh/runScript", {"textDocument": {"uri": URI}, **more})
    return result


def until(peer: Peer, task_id: str, pattern: str) -> dict[str, Any]:
    """The first poll by which a task has printed `pattern` and waits for input, or has ended."""
    end = time.monotonic() + PATIENCE_S
    while True:
        poll: dict[str, Any] = peer.call(
            "zsh/poll", {"task_id": task_id, "listen": 0.2, "full_output": True}
        )
        is_over = poll["status"] != "running" or poll["poll_meta"]["waiting_for_input"]
        if is_over and re.search(pattern, poll["output"]):
            return poll
        assert poll["status"] == "running", poll
        assert time.monotonic() < end, poll


ASKING = {
    "bash": '#!/bin/bash\nread -p "Continue? " a\necho "got $a"\n',
    "zsh": '#!/bin/zsh\nread "a?Continue? "\necho "got $a"\n',
    "sh": "#!/bin/sh\nprintf 'Continue? '; read a\necho \"got $a\"\n",
}


@pytest.mark.parametrize("traces", [True, False], ids=["traced", "untraced"])
@pytest.mark.parametrize("shell", ASKING)
def test_a_script_on_a_terminal_asks_and_is_answered(
    real: Callable[..., Peer], shell: str, traces: bool
) -> None:
    peer = real()
    first = asked(ASKING[shell], peer, pty=True, yield_after=0, trace=traces)
    assert (first["status"], first["is_pty"], first["has_stdin"]) == ("running", True, True)
    until(peer, first["task_id"], r"Continue\? ")
    assert peer.call("zsh/send", {"task_id": first["task_id"], "input": "yes"})["success"]
    last = until(peer, first["task_id"], "got")
    assert (last["status"], last["exit"]) == ("completed", 0)
    assert last["output"] == "Continue? yes\ngot yes\n"
    if traces and shell != "sh":
        assert [(line["line"], line["count"], line["exit"]) for line in last["lines"]] == [
            (1, 1, 0),
            (2, 1, 0),
        ]


def test_one_key_answers_what_asks_for_one(real: Callable[..., Peer]) -> None:
    peer = real()
    text = '#!/bin/zsh\nif read -q "a?Continue? "; then\n  echo " on with $a"\nfi\n'
    first = asked(text, peer, pty=True, yield_after=0)
    until(peer, first["task_id"], r"Continue\? ")
    peer.call("zsh/send", {"task_id": first["task_id"], "input": "y", "newline": False})
    last = until(peer, first["task_id"], "on with")
    assert last["output"] == "Continue? y on with y\n"
    assert [line["line"] for line in last["lines"]] == [1, 2]


@pytest.mark.parametrize("traces", [True, False], ids=["traced", "untraced"])
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_a_terminal_has_its_size_and_all_three_streams(
    real: Callable[..., Peer], shell: str, traces: bool
) -> None:
    peer = real()
    text = (
        f"#!/bin/{shell}\nstty size\nfor i in 0 1 2; do [[ -t $i ]] || echo no $i; done\n"
        "trap 'stty size' WINCH\necho ready\nread a\nread a </dev/tty\necho $a\n"
        "exec 3>&1 4</dev/tty 5>&- 9>/dev/null\necho three >&3\nread a <&4\necho $a\n"
    )
    first = asked(text, peer, pty=True, cols=91, rows=17, yield_after=0, trace=traces)
    task_id = first["task_id"]
    assert until(peer, task_id, "ready")["output"] == "17 91\nready\n"
    assert peer.call("zsh/resize", {"task_id": task_id, "cols": 70, "rows": 20})["success"]
    for word in ("one", "two", "three"):
        peer.call("zsh/send", {"task_id": task_id, "input": word})
    last = until(peer, task_id, r"three\n.*three\n$")
    assert "20 70\n" in last["output"]
    assert (last["exit"], last.get("traced")) == (0, traces)
    if traces:
        assert [(line["line"], line["exit"]) for line in last["lines"]][-1] == (11, 0)


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_ctrl_c_on_the_terminal_is_the_scripts(real: Callable[..., Peer], shell: str) -> None:
    peer = real()
    text = f"#!/bin/{shell}\ntrap 'echo cleaned; exit 7' INT\necho ready\nsleep 1000\necho no\n"
    first = asked(text, peer, pty=True, yield_after=0)
    task_id = first["task_id"]
    printed = first["output"]
    while "ready" not in printed:
        printed += peer.call("zsh/poll", {"task_id": task_id, "listen": 5})["output"]
    peer.call("zsh/send", {"task_id": task_id, "input": "\x03", "newline": False})
    last = peer.call("zsh/poll", {"task_id": task_id, "listen": 20, "until": "end"})
    assert (last["exit"], "cleaned" in last["output"], "no" in last["output"]) == (7, True, False)
    told_exits = {line["line"]: line["exit"] for line in last["lines"]}
    assert told_exits.keys() >= {1, 2, 3}


@pytest.mark.parametrize("traces", [True, False], ids=["traced", "untraced"])
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_standard_input_is_the_scripts(real: Callable[..., Peer], shell: str, traces: bool) -> None:
    peer = real()
    text = f"#!/bin/{shell}\nread a\nwhile read b; do echo $b; done\necho end $a\n"
    given = asked(text, peer, stdin="one\ntwo\nthree\n", yield_after=60, trace=traces)
    assert (given["output"], given["exit"]) == ("two\nthree\nend one\n", 0)
    open_end = asked(text, peer, interactive=True, yield_after=0, trace=traces)
    assert (open_end["has_stdin"], open_end["is_pty"]) == (True, False)
    task_id = open_end["task_id"]
    for word in ("one", "two"):
        peer.call("zsh/send", {"task_id": task_id, "input": word})
    peer.call("zsh/send", {"task_id": task_id, "input": "three", "eof": True})
    last = peer.call("zsh/poll", {"task_id": task_id, "listen": 20, "until": "end"})
    assert (last["output"], last["exit"]) == ("two\nthree\nend one\n", 0)
    empty = asked(text, peer, yield_after=60, trace=traces)
    assert (empty["output"], empty["has_stdin"]) == ("end\n", False)
    if traces:
        counts = [(line["line"], line["count"]) for line in given["lines"]]
        assert counts == [(line["line"], line["count"]) for line in last["lines"]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"pty": True, "interactive": True},
        {"pty": True, "cols": 0},
        {"rows": 65_536},
        {"pty": "yes"},
        {"stdin": 3},
        {"description": ["a"]},
    ],
    ids=str,
)
def test_what_a_run_refuses_a_script_refuses_in_the_same_words(
    real: Callable[..., Peer], wrong: dict[str, Any]
) -> None:
    peer = real()
    peer.open(URI, TEXT)
    of_run = peer.refusal("zsh/run", {"command": "true", **wrong})
    of_script = peer.refusal("zsh/runScript", {"textDocument": {"uri": URI}, **wrong})
    assert of_run["code"] == -32602
    assert (of_script["code"], of_script["message"]) == (of_run["code"], of_run["message"])


def test_a_size_without_a_terminal_and_words_of_its_own_are_taken(
    real: Callable[..., Peer],
) -> None:
    peer = real()
    done = asked(
        '#!/bin/zsh\nread a; echo "[$a]"\n', peer, cols=9, rows=9, description="x", yield_after=60
    )
    assert (done["output"], done["is_pty"]) == ("[]\n", False)
    task_id = asked("#!/bin/zsh\nsleep 1000\n", peer, yield_after=0)["task_id"]
    for refused in (
        peer.refusal("zsh/send", {"task_id": task_id, "input": "a"}),
        peer.refusal("zsh/resize", {"task_id": task_id, "cols": 9, "rows": 9}),
    ):
        assert refused["code"] == -32803
    peer.call("zsh/kill", {"task_id": task_id})

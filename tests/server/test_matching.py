"""One request waits for a line: `until: "match"` of `zsh/poll` and `zsh/send` (POLL-9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .rpc import Peer

# Prints, and goes on only when the test has let it: at each file that appears.
STEPS = (
    "print starting; until [[ -e go ]]; do sleep 0.02; done; print listening on 8080; sleep 1000"
)
ASKS = "print first; print -n 'name? '; read who; print hello $who; print -n 'more? '; read; exit 3"


@pytest.fixture
def server(real: Callable[..., Peer]) -> Iterator[Peer]:
    return real()


def begun(server: Peer, command: str, **more: object) -> str:
    result = server.call("zsh/run", {"command": command, "shell": "zsh", "yield_after": 0, **more})
    assert result["status"] == "running"
    task_id: str = result["task_id"]
    return task_id


def polled(server: Peer, task_id: str, pattern: str, listen: float = 25, **more: object) -> Any:
    wait = {"task_id": task_id, "listen": listen, "until": "match", "pattern": pattern, **more}
    return server.call("zsh/poll", wait)


def test_a_poll_ends_with_the_line_that_matches(server: Peer, tmp_path: Path) -> None:
    task_id = begun(server, STEPS, cwd=str(tmp_path))
    waiting = {
        "task_id": task_id,
        "listen": 25,
        "until": "match",
        "pattern": "listening on [0-9]+$",
    }
    asked = server.ask("zsh/poll", waiting)
    (tmp_path / "go").touch()
    result = server.answer_to(asked)["result"]
    assert result["matched"] == {"line": 2, "text": "listening on 8080"}
    assert result["status"] == "running"
    assert "listening on 8080" in result["output"]
    server.call("zsh/kill", {"task_id": task_id})


def test_a_line_that_is_there_already_is_found_once(server: Peer, tmp_path: Path) -> None:
    task_id = begun(server, "print one ready; print two ready; sleep 1000")
    assert polled(server, task_id, "ready")["matched"] == {"line": 1, "text": "one ready"}
    assert polled(server, task_id, "ready")["matched"] == {"line": 2, "text": "two ready"}
    assert polled(server, task_id, "ready", listen=0)["matched"] is None
    server.call("zsh/kill", {"task_id": task_id})


def test_the_end_of_the_task_ends_the_wait_without_a_match(server: Peer, tmp_path: Path) -> None:
    ends = "print one; until [[ -e go ]]; do sleep 0.02; done; exit 4"
    task_id = begun(server, ends, cwd=str(tmp_path))
    wait = {"task_id": task_id, "listen": 25, "until": "match", "pattern": "never"}
    asked = server.ask("zsh/poll", wait)
    (tmp_path / "go").touch()
    result = server.answer_to(asked)["result"]
    assert (result["status"], result["exit"], result["matched"]) == ("completed", 4, None)
    assert "matched" not in server.call("zsh/poll", {"task_id": task_id})


def test_a_line_of_one_that_has_ended_is_found_as_well(server: Peer) -> None:
    result = server.call("zsh/run", {"command": "print one; print two", "shell": "zsh"})
    found = polled(server, result["task_id"], "tw")
    assert found["matched"] == {"line": 2, "text": "two"}


def test_typing_waits_for_what_is_said_to_it(server: Peer) -> None:
    task_id = begun(server, ASKS, interactive=True)
    assert polled(server, task_id, r"name\? $")["matched"] == {"line": 2, "text": "name? "}
    typed = {"task_id": task_id, "input": "Ann", "listen": 25, "until": "match"}
    result = server.call("zsh/send", {**typed, "pattern": r"\? $"})
    assert result["matched"] == {"line": 3, "text": "more? "}
    assert "hello Ann" in result["output"]
    result = server.call("zsh/send", {**typed, "input": "", "until": "end"})
    assert (result["exit"], result["status"]) == (3, "completed")
    assert "matched" not in result


@pytest.mark.parametrize(
    ("wait", "said"),
    [
        ({"until": "match"}, 'pattern: expected with until: "match"'),
        ({"pattern": "x"}, 'pattern: only with until: "match"'),
        ({"until": "match", "pattern": "("}, "pattern: missing )"),
        ({"until": "match", "pattern": r"(a)\1"}, "pattern: invalid escape sequence"),
        ({"until": "match", "pattern": "x", "listen": 301}, "listen: expected 0 to 300 seconds"),
    ],
)
def test_a_wait_that_cannot_be_is_refused_before_anything(
    server: Peer, wait: dict[str, object], said: str
) -> None:
    task_id = begun(server, "read; sleep 1000", interactive=True)
    for method, more in (("zsh/poll", {}), ("zsh/send", {"input": "x", "listen": 1.0})):
        fault = server.refusal(method, {"task_id": task_id, **more, **wait})
        assert fault["code"] == -32602
        assert fault["message"].startswith(said)
    fault = server.refusal("zsh/send", {"task_id": task_id, "input": "x", "until": "end"})
    assert (fault["code"], fault["message"][:7]) == (-32602, "listen:")
    server.call("zsh/kill", {"task_id": task_id})


def test_a_line_after_a_long_output_is_found(server: Peer) -> None:
    """Longer than a piece, and with a line that is longer than a piece."""
    text = (
        "head -c 3000000 /dev/zero | tr '\\0' x; echo; yes | head -c 3000000; echo here; sleep 1000"
    )
    task_id = begun(server, text)
    assert polled(server, task_id, "^here$")["matched"] == {"line": 1_500_002, "text": "here"}
    server.call("zsh/kill", {"task_id": task_id})


def test_the_text_says_what_is_known_of_a_running_task(server: Peer) -> None:
    task_id = begun(server, "print -n 'name? '; read who", pty=True, timeout=120)
    result = polled(server, task_id, r"name\?")
    assert result["poll_meta"]["waiting_for_input"] in (True, False)
    asked = server.call("zsh/poll", {"task_id": task_id, "listen": 0.5})
    lines = asked["formatted"].splitlines()
    (status,) = (at for at, line in enumerate(lines) if line.startswith("[RUNNING"))
    assert lines[status - 2 : status] == [
        "waiting for input · ends at 120s",
        "Waiting for input. Use zsh_send.",
    ]
    server.call("zsh/kill", {"task_id": task_id})

"""Runs through the whole program by raw JSON-RPC, and their insights on the lines of documents."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from .rpc import Message, Peer, range_of

Start = Callable[..., Peer]
LINE = "echo test | grep nope"
SCRIPT = f"#!/bin/zsh\n{LINE}\necho done\n"
PULLS = {
    "textDocument": {"diagnostic": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}


def run_line(peer: Peer, uri: str, line: int = 1) -> Any:
    where = {"uri": uri, "range": range_of((line, 0), (line, len(LINE)))}
    return peer.call("zsh/run", {"command": LINE, "document": where})


def test_a_first_run_gives_the_result_of_the_protocol(real: Start, tmp_path: Path) -> None:
    peer = real(rootUri=tmp_path.as_uri())
    result = peer.call("zsh/run", {"command": LINE})
    task_id, elapsed = result.pop("task_id"), result.pop("elapsed_seconds")
    assert len(task_id) == 8
    assert set(task_id) <= set("0123456789abcdef")
    formatted = result.pop("formatted")
    assert formatted == (
        f"[FAILED task_id={task_id} elapsed={elapsed:.1f}s exit=1 pipestatus=[0,1]]\n"
        "[info: A.L.A.N.: New pattern. No history yet. | grep exit 1 = no match (normal)]"
    )
    assert result == {
        "command": LINE,
        "shell": "zsh",
        "cwd": str(tmp_path),
        "status": "completed",
        "success": False,
        "exit": 1,
        "pipestatus": [0, 1],
        "output": "",
        "from_line": None,
        "to_line": None,
        "new_bytes": 0,
        "has_stdin": False,
        "is_pty": False,
        "origin": "editor",
        "insights": {"info": ["New pattern. No history yet.", "grep exit 1 = no match (normal)"]},
        "annotations": {"audience": ["user", "assistant"], "priority": 0.3},
        "project": str(tmp_path),
        "verbosity": {
            "operation": "command",
            "level": "full",
            "state": "success",
            "total_lines": 0,
            "omitted_lines": 0,
            "escalated_by": [],
            "full_output": None,
        },
    }


def test_the_answer_comes_at_the_end_of_the_command_and_not_on_a_timer(real_one: Peer) -> None:
    peer = real_one
    peer.call("zsh/run", {"command": "true"})
    began = time.monotonic()
    took_s = peer.call("zsh/run", {"command": LINE, "yield_after": 60})["elapsed_seconds"]
    # A liveness bound, far below any yield: the wire adds milliseconds to what the command took.
    assert time.monotonic() - began < took_s + 1.0


# DOC-1
def test_a_diagnostic_stands_on_the_segment_follows_edits_and_goes_with_its_text(
    real_one: Peer, tmp_path: Path
) -> None:
    peer, uri = real_one, (tmp_path / "a.zsh").as_uri()
    peer.open(uri, SCRIPT)
    run_line(peer, uri)
    said = peer.news(
        "textDocument/publishDiagnostics", lambda it: it["uri"] == uri and it["diagnostics"]
    )
    (found,) = said["diagnostics"]
    assert said["version"] == 1
    assert found["range"] == range_of((1, 12), (1, 21))
    assert found["message"] == "grep exit 1 = no match (normal)"
    assert (found["severity"], found["source"]) == (3, "zsh-ls")
    assert found["code"] == "grep-no-match"
    page = Path(unquote(urlsplit(found["codeDescription"]["href"]).path))
    assert page.read_text().startswith("# grep-no-match\n")
    peer.change(uri, 2, {"range": range_of((0, 0), (0, 0)), "text": "# é😀\n"})
    said = peer.news(
        "textDocument/publishDiagnostics", lambda it: (it["uri"], it.get("version")) == (uri, 2)
    )
    assert [it["range"] for it in said["diagnostics"]] == [range_of((2, 12), (2, 21))]
    peer.change(uri, 3, {"range": range_of((2, 5), (2, 9)), "text": "nope"})
    said = peer.news(
        "textDocument/publishDiagnostics", lambda it: (it["uri"], it.get("version")) == (uri, 3)
    )
    assert said["diagnostics"] == []


@pytest.mark.slow
@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 4), ("utf-16", 2), ("utf-32", 1)])
def test_ranges_are_counted_in_the_clients_encoding(
    real: Start, tmp_path: Path, encoding: str, column: int
) -> None:
    peer, uri = real({"general": {"positionEncodings": [encoding]}}), (tmp_path / "a.sh").as_uri()
    peer.open(uri, f": 😀; {LINE}\n")
    begin = 2 + column + 2
    where = {"uri": uri, "range": range_of((0, begin), (0, begin + len(LINE)))}
    peer.call("zsh/run", {"command": LINE, "document": where})
    said = peer.news("textDocument/publishDiagnostics", lambda it: it["diagnostics"])
    (found,) = said["diagnostics"]
    assert found["range"] == range_of((0, begin + 12), (0, begin + 21))


# WIRE-6
def test_a_client_that_pulls_is_asked_to_and_never_pushed_to(real: Start, tmp_path: Path) -> None:
    peer, uri = real(PULLS), (tmp_path / "a.zsh").as_uri()
    document = {"textDocument": {"uri": uri}}
    peer.open(uri, SCRIPT)
    first = peer.call("textDocument/diagnostic", document)
    assert (first["kind"], first["items"]) == ("full", [])
    run_line(peer, uri)
    refresh = peer.until(lambda it: it.get("method") == "workspace/diagnostic/refresh")
    peer.send({"jsonrpc": "2.0", "id": refresh["id"], "result": None})
    report = peer.call("textDocument/diagnostic", document)
    assert [it["code"] for it in report["items"]] == ["grep-no-match"]
    known = {**document, "previousResultId": report["resultId"]}
    assert peer.call("textDocument/diagnostic", known)["kind"] == "unchanged"
    (whole,) = peer.call("workspace/diagnostic", {"previousResultIds": []})["items"]
    assert (whole["uri"], whole["version"], whole["items"]) == (uri, 1, report["items"])
    assert "textDocument/publishDiagnostics" not in {it.get("method") for it in peer.received}


def test_a_run_in_a_document_that_is_not_open_is_refused(real_one: Peer) -> None:
    where = {"uri": "file:///none.zsh", "range": range_of((0, 0), (0, 1))}
    error = real_one.refusal("zsh/run", {"command": "true", "document": where})
    assert error["code"] == -32602
    assert "file:///none.zsh" in error["message"]


# WIRE-5
@pytest.mark.slow
def test_a_long_run_yields_beats_and_ends_with_a_final_notification(real: Start) -> None:
    peer = real()
    result = peer.call("zsh/run", {"command": "sleep 4", "yield_after": 0.3})
    assert result["status"] == "running"
    assert not {"exit", "success", "pipestatus"} & result.keys()
    assert result["message"].startswith("Command running (0.")
    assert result["poll_meta"]["polls_since_output"] == 0
    assert result["poll_meta"]["alan_estimate"] is None
    seen = []
    while not seen or seen[-1]["status"] == "running":
        seen.append(peer.news("zsh/progress"))
    assert {it["task_id"] for it in seen} == {result["task_id"]}
    assert seen[0]["poll_meta"]["polls_since_output"] == 1
    assert (seen[-1]["status"], seen[-1]["exit"], seen[-1]["pipestatus"]) == ("completed", 0, [0])
    assert seen[-1]["formatted"].startswith("(no output)\n[COMPLETED ")
    assert "tag" not in seen[-1]


def test_polls_and_progress_take_no_output_from_each_other(real_one: Peer) -> None:
    peer = real_one
    command = "for i in 1 2 3; do echo line $i; sleep 0.3; done"
    began = peer.call("zsh/run", {"command": command, "yield_after": 0})
    polled, streamed = began["output"], ""
    while (poll := peer.call("zsh/poll", {"task_id": began["task_id"]}))["status"] == "running":
        polled += poll["output"]
    polled += poll["output"]
    while (news := peer.news("zsh/progress"))["status"] == "running":
        streamed += news["output"]
    streamed += news["output"]
    assert polled.splitlines() == streamed.splitlines() == ["line 1", "line 2", "line 3"]


# WIRE-4
def test_cancelling_a_run_or_a_poll_ends_the_waiting_and_not_the_task(real_one: Peer) -> None:
    peer = real_one
    waiting = peer.ask("zsh/run", {"command": "sleep 60", "yield_after": 60})
    while not (running := peer.call("zsh/tasks")["tasks"]):
        assert waiting not in {it.get("id") for it in peer.received}
    peer.notify("$/cancelRequest", {"id": waiting})
    assert peer.answer_to(waiting)["error"]["code"] == -32800
    (task,) = running
    polling = peer.ask("zsh/poll", {"task_id": task["task_id"], "listen": 60})
    peer.notify("$/cancelRequest", {"id": polling})
    assert peer.answer_to(polling)["error"]["code"] == -32800
    assert peer.call("zsh/tasks")["tasks"][0]["status"] == "running"
    assert peer.call("zsh/kill", {"task_id": task["task_id"]})["exit"] == 137


@pytest.mark.parametrize(
    ("method", "params", "code", "said"),
    [
        ("zsh/poll", {"task_id": "ffffffff"}, -32602, "Unknown task: ffffffff"),
        ("zsh/kill", {"task_id": "ffffffff"}, -32602, "Unknown task: ffffffff"),
        ("zsh/send", {"task_id": "x", "input": "y"}, -32602, "Unknown task: x"),
        ("zsh/resize", {"task_id": "x", "cols": 1, "rows": 1}, -32602, "Unknown task: x"),
        ("zsh/output", {"task_id": "ffffffff"}, -32602, "Unknown task: ffffffff"),
        ("zsh/run", {"command": "  "}, -32602, "command"),
        ("zsh/run", {"command": "a\0b"}, -32602, "command"),
        ("zsh/run", {"command": "true", "cwd": "/nowhere"}, -32602, "/nowhere"),
        ("zsh/run", {"command": "true", "shell": "/nowhere"}, -32602, "/nowhere"),
        ("zsh/run", {"command": "true", "timeout": -1}, -32602, "timeout"),
        ("zsh/run", {"command": "true", "yield_after": -1}, -32602, "yield_after"),
        ("zsh/run", {"command": "true", "cols": 0}, -32602, "cols"),
        ("zsh/run", {"command": "true", "env": {"A=B": "c"}}, -32602, "env"),
        ("zsh/run", {"command": "x", "pty": True, "interactive": True}, -32602, "pty"),
    ],
)
def test_what_cannot_be_done_is_refused_by_the_sidecar_in_its_words(
    real_one: Peer, method: str, params: Message, code: int, said: str
) -> None:
    error = real_one.refusal(method, params)
    assert error["code"] == code
    assert said in error["message"]
    assert error["data"]["answer"]["text"].startswith("[SUMMARY]\nFailed to execute: ")


def test_a_poll_beyond_the_longest_wait_and_input_nobody_reads_are_refused(real_one: Peer) -> None:
    task_id = real_one.call("zsh/run", {"command": "sleep 60", "yield_after": 0})["task_id"]
    error = real_one.refusal("zsh/poll", {"task_id": task_id, "listen": 301})
    assert (error["code"], "listen" in error["message"]) == (-32602, True)
    error = real_one.refusal("zsh/send", {"task_id": task_id, "input": "x"})
    assert error["code"] == -32803
    real_one.call("zsh/kill", {"task_id": task_id})
    assert real_one.refusal("zsh/kill", {"task_id": task_id})["code"] == -32803


def test_all_of_it_goes_through_execute_command_too(real_one: Peer) -> None:
    def command(name: str, **params: object) -> Any:
        return real_one.call("workspace/executeCommand", {"command": name, "arguments": [params]})

    task_id = command("zsh.run", command="cat", interactive=True, yield_after=0)["task_id"]
    assert command("zsh.send", task_id=task_id, input="hello")["success"]
    assert command("zsh.poll", task_id=task_id, listen=20)["output"].strip() == "hello"
    assert task_id in {task["task_id"] for task in command("zsh.tasks")["tasks"]}
    assert command("zsh.kill", task_id=task_id)["success"]
    assert command("zsh.output", task_id=task_id)["output"].strip() == "hello"
    assert command("zsh.stats")["observations"] >= 1
    assert command("zsh.stats", command="cat")["known"]
    assert command("zsh.circuit") == {"open": []}
    assert command("zsh.health")["status"] == "healthy"


@pytest.mark.slow
def test_a_text_too_long_for_one_message_is_paged(real_one: Peer) -> None:
    lines = 900_000
    run = {"command": f"seq {lines}", "yield_after": 60}
    task_id = real_one.call("zsh/run", run)["task_id"]
    page = real_one.call("zsh/poll", {"task_id": task_id, "full_output": True})
    assert page["more"] is True
    got, last = page["output"], page["to_line"]
    while page.get("more"):
        page = real_one.call("zsh/output", {"task_id": task_id, "from_line": last + 1})
        assert page["from_line"] == last + 1
        assert len(page["output"].encode()) <= 4 * 1024 * 1024
        got, last = f"{got.rstrip()}\n{page['output']}", page["to_line"]
    assert last == lines
    assert got.split() == [str(number) for number in range(1, lines + 1)]


@pytest.mark.slow
def test_runs_cancelled_at_any_moment_are_answered_once_and_leave_no_task_unknown(
    real_one: Peer,
) -> None:
    rng, asked = random.Random(5), []
    real_one.received.clear()
    for _ in range(150):
        asked.append(real_one.ask("zsh/run", {"command": "true", "yield_after": rng.random()}))
        for _ in range(rng.randrange(4)):
            real_one.notify("$/cancelRequest", {"id": rng.choice(asked[-8:])})
    answers = [real_one.until(lambda it: "method" not in it) for _ in asked]
    assert sorted(it["id"] for it in answers) == asked
    for it in answers:
        assert it["error"]["code"] == -32800 if "error" in it else it["result"]["exit"] == 0
    while real_one.call("zsh/tasks")["count"]:
        pass
    assert not [it for it in real_one.received if "id" in it and "method" not in it]


@pytest.mark.slow
def test_texts_are_coloured_for_who_declared_it_and_output_never_is(real: Start) -> None:
    peer = real({"experimental": {"zshLs": {"version": 1, "colour": True}}})
    result = peer.call("zsh/run", {"command": "print red; false"})
    assert result["formatted"].startswith("red\n\x1b[31m[FAILED\x1b[0m ")
    assert result["output"] == "red\n"
    task_id = peer.call("zsh/run", {"command": "print go; sleep 60", "yield_after": 0})["task_id"]
    polled = peer.call("zsh/poll", {"task_id": task_id, "full_output": True})
    assert polled["formatted"].startswith("1: go\n\x1b[36m[RUNNING\x1b[0m ")
    killed = peer.call("zsh/kill", {"task_id": task_id})
    assert killed["formatted_insight"].startswith("\x1b[2m[A.L.A.N.: ")


def test_who_declared_it_is_told_news_alone(real: Start) -> None:
    peer = real({"experimental": {"zshLs": {"version": 1, "only_news": True}}})
    result = peer.call("zsh/run", {"command": "true"})
    assert "insights" not in result
    assert "New pattern" not in result["formatted"]


@pytest.mark.slow
def test_a_client_that_does_not_read_costs_no_memory_and_hears_the_end(real: Start) -> None:
    peer = real()
    peer.call("zsh/health")
    size_mib = resident_mib(peer)
    flood = "yes 'a line of some length that nobody reads' | head -c 300000000; print the end"
    asked = peer.ask("zsh/run", {"command": flood, "yield_after": 0})
    task_id = peer.answer_to(asked)["result"]["task_id"]
    # Nothing is read from the wire while the command runs: its own end is seen in /proc.
    while children_of(peer.process.pid, b"head"):
        os.sched_yield()
    last = peer.news("zsh/progress", lambda it: it["status"] == "completed")
    assert last["task_id"] == task_id
    assert last["output"].rstrip().endswith("the end")
    assert resident_mib(peer) - size_mib < 150


def children_of(pid: int, name: bytes) -> list[int]:
    """The processes named `name` below `pid`."""
    found = []
    for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        try:
            found += [child] if name in Path(f"/proc/{child}/comm").read_bytes() else []
            found += children_of(child, name)
        except OSError:
            continue
    return found


def resident_mib(peer: Peer) -> float:
    """Memory of the server and its two supervisors."""
    pids = [peer.process.pid, *children_of(peer.process.pid, b"python")]
    sizes = (Path(f"/proc/{pid}/status").read_text().partition("VmRSS:")[2] for pid in pids)
    return sum(int(size.split()[0]) for size in sizes) / 1024


def test_an_agent_is_shown_no_secret_of_known_form_the_person_everything(real: Start) -> None:
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    peer = real()
    shown = peer.call("zsh/run", {"command": f"echo {token}", "origin": "agent"})
    task = {"task_id": shown["task_id"]}
    poll = {**task, "full_output": True, "listen": 0}
    for_agent = [
        shown,
        peer.call("zsh/poll", {**poll, "origin": "agent"}),
        peer.call("zsh/output", {**task, "origin": "agent"}),
    ]
    assert not [it for it in for_agent if token in str(it)]
    assert all("redacted" in it["output"] for it in for_agent)
    assert peer.call("zsh/poll", poll)["output"].strip() == token
    assert peer.call("zsh/output", task)["output"].strip() == token


def test_an_agent_gets_no_raw_bytes_for_they_may_hold_secrets(real: Start) -> None:
    peer = real()
    task = {"task_id": peer.call("zsh/run", {"command": "echo hi"})["task_id"]}
    refused = peer.refusal("zsh/output", {**task, "raw": True, "origin": "agent"})
    assert refused["code"] == -32602
    assert "raw" in refused["message"]

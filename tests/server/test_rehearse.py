"""`zsh/rehearse` on the wire: its fields, lens, hints, progress, cancellation and refusals (REH-2, REH-3)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .rpc import Peer, range_of

pytestmark = pytest.mark.slow

TEXT = """#!/bin/bash
set -e
version=$(python3 version.py)
rm -rf build
git push origin "v$version"
grep -c one notes.txt || true
"""
SHOWN = {"window": {"workDoneProgress": True}}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "build").mkdir()
    for number in range(3):
        (folder / "build" / str(number)).write_text("x")
    (folder / "notes.txt").write_text("one\n")
    return folder


def opened(peer: Peer, project: Path, text: str = TEXT, name: str = "deploy.sh") -> str:
    """Open a script that is on the disk with other text: what the editor has counts."""
    file = project / name
    file.write_text("#!/bin/bash\nexit 3\n")
    peer.open(file.as_uri(), text)
    return file.as_uri()


def hints(peer: Peer, uri: str) -> dict[int, dict[str, Any]]:
    asked = {"textDocument": {"uri": uri}, "range": range_of((0, 0), (99, 0))}
    return {it["position"]["line"]: it for it in peer.call("textDocument/inlayHint", asked)}


def test_the_lens_rehearses_and_lines_have_hints_until_they_change(
    real: Callable[..., Peer], project: Path
) -> None:
    peer = real(initializationOptions={"history": {"hints": False}})
    uri = opened(peer, project)
    found = peer.call("textDocument/codeLens", {"textDocument": {"uri": uri}})
    commands = [it["command"] for it in found]
    lens = next(it for it in commands if it["title"] == "▷ rehearse")
    assert (lens["command"], lens["arguments"]) == (
        "zsh.rehearse",
        [{"textDocument": {"uri": uri}}],
    )
    command = {"command": lens["command"], "arguments": lens["arguments"]}
    told = peer.call("workspace/executeCommand", command)
    assert told.keys() == {"lines", "exit"}
    assert told["exit"] == 0
    lines = {it["line"]: it for it in told["lines"]}
    assert lines[3]["writes"] == [{"path": f"{project}/build", "action": "remove", "count": 3}]
    assert lines[3]["marks"] == ["destroys"]
    assert lines[4]["commands"] == [
        {
            "argv": ["git", "push", "origin", "v"],
            "cwd": str(project),
            "kind": "stub",
            "exit": 0,
            "depends_on": [{"name": "version", "line": 2, "command": "python3 version.py"}],
        }
    ]
    assert lines[4]["marks"] == ["publishes", "network"]
    assert (project / "build" / "2").exists()
    shown = hints(peer, uri)
    assert shown[3]["label"].startswith("destroys · would remove build: 3 files")
    assert f"would remove {project}/build: 3 files" in shown[3]["tooltip"]
    assert shown[4]["label"].startswith("publishes · network · would run git")
    assert (
        "$version is empty here: 'python3 version.py' did not run (line 3)" in shown[4]["tooltip"]
    )
    peer.change(uri, 2, {"range": range_of((3, 0), (3, 0)), "text": "# "})
    assert set(hints(peer, uri)) == set(shown) - {3}


def test_a_line_that_fails_shows_what_becomes_of_the_script(
    real: Callable[..., Peer], project: Path
) -> None:
    peer = real()
    uri = opened(
        peer, project, "#!/bin/bash\npython3 a.py || { cat notes.txt; exit 8; }\npython3 b.py\n"
    )
    asked = {"textDocument": {"uri": uri}}
    told = peer.call("zsh/rehearse", {**asked, "fail": 1, "args": ["x"], "timeout": 30})
    assert told["exit"] == 8
    assert told["fates"] == [
        {
            "line": 1,
            "command": "python3 a.py",
            "said": "stops",
            "proven": "stops",
            "ran": [],
            "skipped": [2],
            "exit": 8,
        }
    ]


def test_each_command_fails_in_its_turn(real: Callable[..., Peer], project: Path) -> None:
    peer = real()
    uri = opened(peer, project, "#!/bin/bash\npython3 a.py || exit 8\npython3 b.py\n")
    each = peer.call("zsh/rehearse", {"textDocument": {"uri": uri}, "each": True})
    assert [(it["line"], it["command"], it["proven"]) for it in each["fates"]] == [
        (1, "python3 a.py", "stops"),
        (2, "python3 b.py", "reported"),
    ]
    assert "if it fails: stops" in hints(peer, uri)[1]["label"]


def test_a_limit_is_told_with_its_line(real: Callable[..., Peer], project: Path) -> None:
    peer = real()
    stopped = opened(peer, project, "#!/bin/bash\nwhile :; do :; done\n", "endless.sh")
    told = peer.call("zsh/rehearse", {"textDocument": {"uri": stopped}, "timeout": 1.5})
    assert (told["exit"], told["stopped"]) == (None, {"reason": "time", "line": 1})


def test_a_document_without_a_file_is_rehearsed_too(
    real: Callable[..., Peer], project: Path
) -> None:
    peer = real(rootUri=project.as_uri())
    peer.open("untitled:Untitled-1", "#!/bin/sh\npython3 x.py\n")
    told = peer.call("zsh/rehearse", {"textDocument": {"uri": "untitled:Untitled-1"}})
    assert [it["line"] for it in told["lines"] if it["commands"]] == [1]


def test_progress_is_shown_and_cancelling_it_ends_the_sandbox(
    real: Callable[..., Peer], project: Path
) -> None:
    peer = real(SHOWN)
    uri = opened(peer, project, "#!/bin/bash\nsleep 1000\n")
    asked = {"textDocument": {"uri": uri}, "timeout": 600, "workDoneToken": "r"}
    number = peer.ask("zsh/rehearse", asked)
    kinds = []
    while "report" not in kinds:
        news = peer.until(lambda it: it.get("method") == "$/progress")["params"]
        kinds.append(news["value"]["kind"])
    peer.notify("window/workDoneProgress/cancel", {"token": "r"})
    assert peer.answer_to(number)["error"]["code"] == -32800
    number = peer.ask("zsh/rehearse", asked)
    peer.until(lambda it: it.get("method") == "$/progress")
    peer.notify("$/cancelRequest", {"id": number})
    assert peer.answer_to(number)["error"]["code"] == -32800


def test_it_is_refused_where_nothing_may_run(real: Callable[..., Peer], project: Path) -> None:
    peer = real(initializationOptions={"trusted": False})
    uri = opened(peer, project)
    assert "zsh.rehearse" not in str(
        peer.call("textDocument/codeLens", {"textDocument": {"uri": uri}})
    )
    assert peer.refusal("zsh/rehearse", {"textDocument": {"uri": uri}})["code"] == -32803


def test_params_are_checked(real: Callable[..., Peer], project: Path) -> None:
    peer = real()
    uri = opened(peer, project)
    python = opened(peer, project, "#!/usr/bin/env python3\n", "x.py")
    here = {"textDocument": {"uri": uri}}
    for params, said in (
        ({}, "params.textDocument"),
        ({"textDocument": {"uri": "file:///nowhere"}}, "expected the URI of an open document"),
        ({**here, "fail": 6}, "params.fail: expected a line from 0 to 5, got 6"),
        ({**here, "fail": -1}, "params.fail: expected a line from 0 to 5, got -1"),
        ({**here, "timeout": 0}, "params.timeout: expected seconds above 0, at most 3600, got 0"),
        ({**here, "each": 1}, "params.each: expected true or false, got 1"),
        ({"textDocument": {"uri": python}}, "written for python3, not for zsh, bash or sh"),
    ):
        fault = peer.refusal("zsh/rehearse", params)
        assert (fault["code"], said in fault["message"]) == (-32602, True), (params, fault)

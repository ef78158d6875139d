"""Places in results and progress, by raw JSON-RPC: real tools in a real shell (PLACE-1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from .rpc import Peer


def project(folder: Path) -> Path:
    (folder / "src").mkdir()
    (folder / "src/a.c").write_text("int main(void) {\n    return missing;\n}\n")
    (folder / "Makefile").write_text("all:\n\tgcc -c src/a.c -o /dev/null\n")
    return folder


def test_a_failed_build_names_its_places(real_one: Peer, tmp_path: Path) -> None:
    folder = project(tmp_path)
    result = real_one.call("zsh/run", {"command": "make", "cwd": str(folder)})
    first, *_, last = result["places"]
    assert first == {
        "file": str(folder / "src/a.c"),
        "line": 2,
        "column": 12,
        "severity": "error",
        "message": "‘missing’ undeclared (first use in this function)",
        "source": "gcc",
    }
    assert (last["file"], last["line"], last["source"]) == (str(folder / "Makefile"), 2, "make")
    quiet = real_one.call("zsh/run", {"command": "echo nothing:1: here", "cwd": str(folder)})
    assert "places" not in quiet


def test_a_path_is_from_where_the_command_went(real_one: Peer, tmp_path: Path) -> None:
    folder = project(tmp_path)
    command = "cd src && echo 'a.c:1:5: warning: old'"
    [place] = real_one.call("zsh/run", {"command": command, "cwd": str(folder)})["places"]
    assert (place["file"], place["severity"]) == (str(folder / "src/a.c"), "warning")


def test_colours_and_carriage_returns_hide_no_place(real_one: Peer, tmp_path: Path) -> None:
    folder = project(tmp_path)
    command = r"""printf '10%%\r\e[1msrc/a.c:2:\e[31m12\e[0m: error: red\r\n'"""
    [place] = real_one.call("zsh/run", {"command": command, "cwd": str(folder)})["places"]
    assert (place["line"], place["column"], place["message"]) == (2, 12, "red")


def test_progress_brings_each_place_once_as_it_is_printed(real_one: Peer, tmp_path: Path) -> None:
    folder = project(tmp_path)
    gate = folder / "gate"
    command = (
        "echo 'src/a.c:1:1: error: first'; until [[ -e gate ]]; do sleep 0.05; done; "
        "echo 'src/a.c:2:1: error: second'"
    )
    began = real_one.call("zsh/run", {"command": command, "cwd": str(folder), "yield_after": 0})
    of_task = [it for it in (began.get("places") or ()) if it["message"] != "first"]
    assert of_task == []
    found: list[str] = []
    while "first" not in found:
        news = real_one.news("zsh/progress", lambda it: it["task_id"] == began["task_id"])
        found += [it["message"] for it in news.get("places", ())]
    running = real_one.call("zsh/poll", {"task_id": began["task_id"]})
    assert [it["message"] for it in running["places"]] == ["first"]
    gate.touch()
    while news["status"] == "running":
        news = real_one.news("zsh/progress", lambda it: it["task_id"] == began["task_id"])
        found += [it["message"] for it in news.get("places", ())]
    assert found == ["first", "second"]
    ended = real_one.call("zsh/poll", {"task_id": began["task_id"]})
    assert [it["message"] for it in ended["places"]] == ["first", "second"]


@pytest.mark.slow
def test_places_are_those_of_the_whole_of_a_long_output(real_one: Peer, tmp_path: Path) -> None:
    folder = project(tmp_path)
    command = (
        "yes 'a line of noise' | head -n 2000000; echo 'src/a.c:2:3: error: in the middle'; "
        "yes 'a line of noise' | head -n 2000000"
    )
    result = real_one.call("zsh/run", {"command": command, "cwd": str(folder), "yield_after": 60})
    assert [it["message"] for it in result["places"]] == ["in the middle"]


def test_a_script_names_its_own_lines(real_one: Peer, tmp_path: Path) -> None:
    (tmp_path / "a.zsh").write_text("#!/bin/zsh\necho fine\nnosuchcommand\n")
    [place] = real_one.call("zsh/run", {"command": "zsh a.zsh", "cwd": str(tmp_path)})["places"]
    assert place == {
        "file": str(tmp_path / "a.zsh"),
        "line": 3,
        "severity": "error",
        "message": "command not found: nosuchcommand",
        "source": "zsh",
    }


@pytest.mark.parametrize("shell", ["zsh", "bash", "sh"])
def test_a_script_whose_text_is_not_saved_names_its_own_lines(
    real_one: Peer, tmp_path: Path, shell: str
) -> None:
    """It runs from a copy, whose path its shell prints."""
    script = tmp_path / f"edited.{shell}"
    script.write_text("what was saved\n")
    real_one.open(script.as_uri(), f"#!/bin/{shell}\n\nno-such-command-here\n")
    params = {"textDocument": {"uri": script.as_uri()}, "yield_after": 20}
    result = real_one.call("zsh/runScript", params)
    assert [(it["file"], it["line"]) for it in result["places"]] == [(str(script), 3)]
    script.unlink()
    assert "places" not in real_one.call("zsh/runScript", params)

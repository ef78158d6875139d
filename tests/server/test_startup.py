"""`zsh/startup` on the wire: its fields, its progress, the lens and the hints (START-4)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .rpc import Peer, range_of

pytestmark = pytest.mark.slow

TEXT = "slow() {\n  sleep 0.05\n}\nslow\nsource ~/more.zsh\n"
SHOWN = {"window": {"workDoneProgress": True}}


def lens(peer: Peer, uri: str) -> dict[str, Any] | None:
    found = peer.call("textDocument/codeLens", {"textDocument": {"uri": uri}})
    commands = [it["command"] for it in found]
    return next((it for it in commands if it["title"] == "measure start"), None)


def hints(peer: Peer, uri: str) -> dict[int, str]:
    whole = range_of((0, 0), (9, 0))
    found = peer.call("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": whole})
    return {it["position"]["line"]: it["label"] for it in found}


def test_the_lens_measures_and_lines_have_hints_until_they_change(
    real: Callable[..., Peer], home: dict[str, str]
) -> None:
    folder = Path(home["HOME"])
    rc, more, other = folder / ".zshrc", folder / "more.zsh", folder / "other.zsh"
    plugin = folder / "plugin.zsh"
    rc.write_text(TEXT)
    more.write_text("sleep 0.05\nfor each in plugin; do source ~/$each.zsh; done\n")
    for file in (other, plugin):
        file.write_text("ls\n")
    peer = real()
    for file in (rc, more, other, plugin):
        peer.open(file.as_uri(), file.read_text())
    for file in (other, plugin):
        assert lens(peer, file.as_uri()) is None
    for uri in (rc.as_uri(), more.as_uri()):
        command = lens(peer, uri)
        assert command is not None
        assert (command["command"], command["arguments"]) == ("zsh.startup", [{"shell": "zsh"}])
    arguments = [{"shell": "zsh", "runs": 1, "workDoneToken": "start"}]
    told = peer.call("workspace/executeCommand", {"command": "zsh.startup", "arguments": arguments})
    assert told["first_prompt_ms"].keys() == {"median", "min", "max"}
    assert lens(peer, other.as_uri()) is None
    assert lens(peer, plugin.as_uri()) is not None, "seen to be read"
    rows = {(it["file"], it["line"]): it for it in told["lines"]}
    assert rows[str(rc), 1].keys() == {"file", "line", "own_ms", "total_ms", "count", "programs"}
    assert rows[str(rc), 1]["programs"] == ["sleep"]
    assert rows["(zsh)", None]["own_ms"] > 0
    assert not told.keys() & {"stuck", "left", "lag_ms", "since"}
    # A busy machine may take its time elsewhere as well.
    least_ms = max(2, told["traced_ms"] / 100)
    dear = {
        line for (file, line), it in rows.items() if file == str(rc) and it["total_ms"] > least_ms
    }
    assert set(hints(peer, rc.as_uri())) == dear >= {1, 3, 4}
    assert hints(peer, rc.as_uri())[4].endswith(" ms with what it calls")
    said = hints(peer, more.as_uri())[0]
    number, _, programs = said.partition(" ms · ")
    assert (int(number) >= 48, programs) == (True, "sleep")
    change = {"range": range_of((0, 0), (0, 0)), "text": "sleep 1; "}
    peer.change(more.as_uri(), 2, change)
    assert 0 not in hints(peer, more.as_uri())
    assert set(hints(peer, rc.as_uri())) == dear
    progress = []
    while not progress or progress[-1]["kind"] != "end":
        news = peer.until(lambda it: it.get("method") == "$/progress")["params"]
        assert news["token"] == "start"
        progress.append(news["value"])
    assert [progress[0]["kind"], progress[-1]["kind"]] == ["begin", "end"]
    assert progress[-1]["message"].startswith("zsh: first prompt after ")
    assert [it["percentage"] for it in progress[:-1]] == sorted(
        it["percentage"] for it in progress[:-1]
    )


def test_lines_that_have_moved_since_the_file_was_saved_have_their_hints(
    real: Callable[..., Peer], home: dict[str, str]
) -> None:
    """START-4: the shell reads the file, and the person has added a line above."""
    rc = Path(home["HOME"]) / ".zshrc"
    saved = "sleep 0.06\nsleep 0.05\nx=1; sleep 0.05\ny=1; sleep 0.05\n"
    rc.write_text(saved)
    peer = real()
    unsaved = "# more\n# and more\n" + saved.replace("y=1", "y=2") + "sleep 0.05\n"
    peer.open(rc.as_uri(), unsaved)
    arguments = [{"shell": "zsh", "runs": 1}]
    peer.call("workspace/executeCommand", {"command": "zsh.startup", "arguments": arguments})
    found = hints(peer, rc.as_uri())
    assert found.keys() == {2, 4}, "one of two that read alike, and one that was edited, have none"
    assert found[2].endswith(" ms · sleep")


def actions(peer: Peer, uri: str, first: int, last: int) -> list[dict[str, Any]]:
    context = {"diagnostics": [], "only": ["zsh-ls.startup"]}
    params = {
        "textDocument": {"uri": uri},
        "range": range_of((first, 0), (last, 0)),
        "context": context,
    }
    found = peer.call("textDocument/codeAction", params)
    return [it["command"] for it in found]


def test_a_code_action_measures_what_a_line_saves(
    real: Callable[..., Peer], home: dict[str, str]
) -> None:
    """START-2, START-4: from any line of a start-up file, as a person looks at a slow one."""
    rc, other = Path(home["HOME"]) / ".bashrc", Path(home["HOME"]) / "other.bash"
    rc.write_text("x=1\n\nsleep 0.1 &&\n  y=1\n# a comment\nfor z in 1; do\n  :\ndone\n")
    other.write_text("ls\n")
    peer = real()
    for file in (rc, other):
        peer.open(file.as_uri(), file.read_text())
    assert actions(peer, other.as_uri(), 0, 0) == []
    assert actions(peer, rc.as_uri(), 4, 4) == []
    asked = {
        (0, 0): f"{rc}:1",
        (3, 3): f"{rc}:3-4",
        (5, 5): f"{rc}:6-8",
        (6, 6): f"{rc}:7",
        (0, 4): f"{rc}:1-4",
    }
    for (first, last), without in asked.items():
        [command] = actions(peer, rc.as_uri(), first, last)
        assert command["command"] == "zsh.startup"
        assert command["arguments"] == [{"shell": "bash", "without": [without]}]
    [command] = actions(peer, rc.as_uri(), 2, 2)
    assert command["title"] == "Measure the start without these lines"
    arguments = [{**command["arguments"][0], "runs": 3}]
    told = peer.call("workspace/executeCommand", {"command": "zsh.startup", "arguments": arguments})
    [row] = told["without"]
    assert row["certain"]
    assert row["saves_ms"] > 60
    assert "without lines 3 to 4: " in hints(peer, rc.as_uri())[2]
    peer.change(rc.as_uri(), 2, {"range": range_of((0, 0), (0, 0)), "text": "\n"})
    assert actions(peer, rc.as_uri(), 1, 1) == [], "the lines of the file are other ones"


def test_the_folder_of_zdotdir_and_login_files_are_known(
    real: Callable[..., Peer], home: dict[str, str]
) -> None:
    folder = Path(home["HOME"])
    (folder / "zsh").mkdir()
    (folder / ".zshenv").write_text('export ZDOTDIR="$HOME/zsh"\n')
    files = {
        folder / ".zshenv": {"shell": "zsh"},
        folder / "zsh/.zshrc": {"shell": "zsh"},
        folder / "zsh/.zlogin": {"shell": "zsh", "login": True},
        folder / ".zshrc": None,
        folder / ".bashrc": {"shell": "bash"},
        folder / ".profile": {"shell": "bash", "login": True},
    }
    peer = real()
    for file, argument in files.items():
        if file.name != ".zshenv":
            file.write_text("ls\n")
        peer.open(file.as_uri(), file.read_text())
        command = lens(peer, file.as_uri())
        assert (command and command["arguments"]) == (argument and [argument]), file


def test_it_is_refused_where_nothing_may_run(
    real: Callable[..., Peer], home: dict[str, str]
) -> None:
    rc = Path(home["HOME"]) / ".zshrc"
    rc.write_text("print > ~/ran\n")
    peer = real(initializationOptions={"trusted": False})
    peer.open(rc.as_uri(), rc.read_text())
    assert lens(peer, rc.as_uri()) is None
    assert peer.refusal("zsh/startup", {})["code"] == -32803
    assert not (rc.parent / "ran").exists()


def test_params_are_checked(real: Callable[..., Peer]) -> None:
    peer = real()
    for params, said in (
        ({"runs": 0}, "runs: expected 1 to 100, got 0"),
        ({"without": ["x"]}, "without: expected FILE:LINE or FILE:LINE-LINE, got 'x'"),
        ({"shell": "fish"}, "shell: expected zsh, bash or an absolute path of one, got 'fish'"),
        ({"try": 1}, "params.try: expected true or false, got 1"),
    ):
        fault = peer.refusal("zsh/startup", params)
        assert (fault["code"], fault["message"]) == (-32602, said)


def test_progress_that_is_cancelled_ends_the_measurement(
    real: Callable[..., Peer], home: dict[str, str]
) -> None:
    began = Path(home["HOME"]) / "began"
    (began.parent / ".zshrc").write_text("print >| ~/began; sleep 100\n")
    peer = real(SHOWN)
    asked = peer.ask("zsh/startup", {"shell": "zsh", "workDoneToken": "start"})
    peer.until(lambda it: it.get("method") == "$/progress")
    peer.notify("window/workDoneProgress/cancel", {"token": "start"})
    assert peer.answer_to(asked)["error"]["code"] == -32800

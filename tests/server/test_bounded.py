"""FIFOs, devices and huge files where the server reads: nothing waits for them."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from .rpc import Peer, position

pytestmark = pytest.mark.slow
Real = Callable[..., Peer]
SCRIPT = "#!/bin/bash\necho it ran\n"


def in_order(peer: Peer, *asked: tuple[int, str]) -> list[str]:
    """The names of requests in the order of their answers."""
    names = dict(asked)
    order = []
    while len(order) < len(names):
        order.append(
            names[peer.until(lambda it: it.get("id") in names and "method" not in it)["id"]]
        )
    return order


@pytest.mark.parametrize("kind", ["fifo", "device", "huge"])
def test_a_script_whose_file_is_no_file_runs_from_its_text(
    real: Real, tmp_path: Path, kind: str
) -> None:
    file = tmp_path / "a.bash"
    if kind == "fifo":
        os.mkfifo(file)
    elif kind == "device":
        file.symlink_to("/dev/zero")
    else:
        with file.open("wb") as sparse:
            sparse.truncate(64 << 30)
    peer = real()
    peer.open(file.as_uri(), SCRIPT)
    run = peer.ask("zsh/runScript", {"textDocument": {"uri": file.as_uri()}, "yield_after": 30.0})
    other = peer.ask("zsh/tasks")
    assert in_order(peer, (run, "run"), (other, "other")) == ["other", "run"]


def test_a_fifo_that_a_script_sources_is_not_opened(real: Real, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "lib.zsh")
    peer = real(rootUri=tmp_path.as_uri())
    uri = (tmp_path / "a.zsh").as_uri()
    peer.open(uri, "source ./lib.zsh\nf() { :; }\nf\n")
    where = {"textDocument": {"uri": uri}, "position": position(2, 0)}
    both = {**where, "context": {"includeDeclaration": True}}
    assert [it["range"]["start"]["line"] for it in peer.call("textDocument/references", both)] == [
        1,
        2,
    ]


@pytest.mark.parametrize("ending", [".1", ".1.gz"])
def test_a_page_that_is_a_fifo_holds_up_nobody(
    real: Real, tmp_path: Path, home: dict[str, str], ending: str
) -> None:
    pages = tmp_path / "man" / "man1"
    pages.mkdir(parents=True)
    os.mkfifo(pages / f"frob{ending}")
    home["MANPATH"] = str(tmp_path / "man")
    peer = real()
    peer.open("file:///nowhere/a.zsh", "frob -x\n")
    where = {"textDocument": {"uri": "file:///nowhere/a.zsh"}, "position": position(0, 6)}
    assert peer.call("textDocument/hover", where) is None


def test_a_small_page_that_unpacks_to_gigabytes_is_read_up_to_the_bound(
    real: Real, tmp_path: Path, home: dict[str, str]
) -> None:
    pages = tmp_path / "man" / "man1"
    pages.mkdir(parents=True)
    piece = gzip.compress(b".TP\n.B \\-x\nDo it.\n" + b"\n" * (64 << 20))
    (pages / "frob.1.gz").write_bytes(gzip.compress(b".TH FROB 1\n.SH OPTIONS\n") + piece * 20)
    home["MANPATH"] = str(tmp_path / "man")
    peer = real()
    peer.call("zsh/run", {"command": "true"})
    before = most_memory_kib(server_of(peer))
    peer.open("file:///nowhere/a.zsh", "frob -x\n")
    where = {"textDocument": {"uri": "file:///nowhere/a.zsh"}, "position": position(0, 6)}
    assert "Do it." in json.dumps(peer.call("textDocument/hover", where))
    # Unpacked it has 1.25 GiB; 4 MiB of it are read and taken apart into lines.
    assert most_memory_kib(server_of(peer)) - before < 600 << 10


@pytest.mark.parametrize("left", ["fifo", "link to a fifo", "link to a device", "huge"])
def test_what_shells_left_is_learnt_whatever_lies_beside_it(
    real: Real, tmp_path: Path, home: dict[str, str], left: str
) -> None:
    database = tmp_path / "memory" / "alan.db"
    spool = database.parent / "terminal"
    spool.mkdir(parents=True, mode=0o700)
    odd = spool / "1.log"
    if left == "fifo":
        os.mkfifo(odd)
    elif left == "huge":
        with odd.open("wb") as sparse:
            sparse.truncate(64 << 30)
    else:
        os.mkfifo(tmp_path / "elsewhere")
        odd.symlink_to("/dev/zero" if "device" in left else tmp_path / "elsewhere")
    fields = ("session", "1700000000.0", "1700000004.0", "0", "0", "make everything")
    (spool / "2.log").write_bytes(b"".join(field.encode() + b"\0" for field in fields))
    home["ALAN_DB_PATH"] = str(database)
    peer = real()
    assert peer.call("zsh/stats", {"command": "make everything"})["known"] is True
    assert peer.call("zsh/health")["database"]["status"] == "ok"


def test_a_database_that_is_a_fifo_is_told_and_runs_go_on(
    real: Real, tmp_path: Path, home: dict[str, str]
) -> None:
    os.mkfifo(tmp_path / "alan.db")
    home["ALAN_DB_PATH"] = str(tmp_path / "alan.db")
    peer = real()
    assert peer.call("zsh/run", {"command": "echo a"})["output"] == "a\n"
    problem = peer.call("zsh/health")["database"]["problem"]
    assert "is a FIFO, not a regular file" in problem


def test_fifos_in_place_of_a_databases_own_files_hold_up_nobody(
    real: Real, tmp_path: Path, home: dict[str, str]
) -> None:
    database = tmp_path / "alan.db"
    home["ALAN_DB_PATH"] = str(database)
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
    for ending in ("-wal", "-shm"):
        os.mkfifo(f"{database}{ending}")
    peer = real()
    assert peer.call("zsh/run", {"command": "echo a"})["output"] == "a\n"
    assert peer.call("zsh/tasks")["count"] == 0


@pytest.mark.parametrize("name", ["task.json", "output", "lines"])
def test_kept_outputs_that_are_fifos_are_passed_over(
    real: Real, tmp_path: Path, home: dict[str, str], name: str
) -> None:
    first = real()
    command = "head -c 3000000 /dev/zero | tr '\\0' '\\n'"
    task_id = first.call("zsh/run", {"command": command, "yield_after": 30.0})["task_id"]
    assert first.leave() == 0
    (entry,) = (tmp_path / "state").rglob("task.json")
    (entry.parent / name).unlink()
    os.mkfifo(entry.parent / name)
    second = real()
    refused = second.refusal("zsh/output", {"task_id": task_id})
    assert refused["code"] == -32602
    assert second.call("zsh/tasks")["count"] == 0


def test_shells_remembered_in_a_fifo_are_asked_again(real: Real, home: dict[str, str]) -> None:
    cache = Path(home["XDG_CACHE_HOME"]) / "zsh-ls"
    cache.mkdir()
    os.mkfifo(cache / "shells.json")
    assert real().call("zsh/health")["shells"]


@pytest.mark.parametrize("program", ["exec yes", "exec sleep 600"])
def test_a_shell_that_does_not_tell_its_version_holds_up_nobody_for_long(
    real: Real, tmp_path: Path, home: dict[str, str], program: str
) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "zsh").write_text(f"#!/bin/sh\n{program}\n")
    (programs / "zsh").chmod(0o755)
    bash = shutil.which("bash")
    home["PATH"] = f"{programs}:{os.path.dirname(bash or '')}:{os.environ['PATH']}"
    peer = real()
    assert peer.call("zsh/run", {"command": "echo a", "shell": "bash"})["output"] == "a\n"


def server_of(peer: Peer) -> int:
    """The process that serves: the child of the one that was started."""
    task = f"/proc/{peer.process.pid}/task/{peer.process.pid}/children"
    children = Path(task).read_text().split()
    return max(map(int, children), key=most_memory_kib)


def most_memory_kib(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


HARD = r"(a|aa)+(a|aa)+(a|aa)+$x"


def test_a_pattern_that_backtracks_for_ever_hangs_no_run(
    real: Real, tmp_path: Path, home: dict[str, str]
) -> None:
    """A pattern matcher that backtracks would never finish with this command."""
    home["ALAN_DB_PATH"] = str(tmp_path / "alan.db")
    peer = real(initializationOptions={"redact": [HARD, r"nr=(\d+)"]})
    hostile = f"echo {'a' * 10_000}; echo nr=1234"
    run = peer.ask("zsh/run", {"command": hostile})
    assert "nr=1234" in peer.answer_to(run)["result"]["output"]
    assert peer.call("zsh/stats", {"command": hostile})["known"] is True
    assert peer.leave() == 0
    stored = b"".join(file.read_bytes() for file in tmp_path.glob("alan.db*"))
    assert b"nr=" in stored or b"1234" not in stored
    assert b"nr=1234" not in stored


def test_a_pattern_that_comes_later_holds_from_then_on_and_a_wrong_one_is_said_once(
    real: Real, tmp_path: Path, home: dict[str, str]
) -> None:
    home["ALAN_DB_PATH"] = str(tmp_path / "alan.db")
    peer = real()
    settings = {"redact": [r"nr=(\d+)", r"(?<=code )\d+"]}
    for _ in range(2):
        peer.notify("workspace/didChangeConfiguration", {"settings": {"zshLs": settings}})
    said = peer.news("window/showMessage")["message"]
    assert "redact" in said
    assert "look-around is not supported" in said
    peer.call("zsh/run", {"command": "echo nr=1234"})
    peer.call("zsh/run", {"command": "echo nr=5678"})
    assert not any(it.get("method") == "window/showMessage" for it in peer.received)
    assert peer.leave() == 0
    stored = b"".join(file.read_bytes() for file in tmp_path.glob("alan.db*"))
    assert b"1234" not in stored
    assert b"5678" not in stored


FUNCTIONS = "".join(f"f{number}() {{ :; }}\n" for number in range(200_000)) + "f7\n"
HUGE = "file:///nowhere/huge.zsh"
ABOUT_ALL = {
    "textDocument/documentSymbol": {},
    "textDocument/foldingRange": {},
    "textDocument/semanticTokens/full": {},
    "textDocument/codeLens": {},
    "textDocument/diagnostic": {},
    "textDocument/hover": {"position": position(200_000, 1)},
    "textDocument/completion": {"position": position(200_000, 2)},
    "textDocument/definition": {"position": position(200_000, 1)},
    "textDocument/references": {
        "position": position(200_000, 1),
        "context": {"includeDeclaration": True},
    },
    "textDocument/rename": {"position": position(200_000, 1), "newName": "another"},
}


def test_whatever_is_asked_of_200_000_functions_others_are_answered_before(real: Real) -> None:
    peer = real({"textDocument": {"diagnostic": {}}})
    peer.open(HUGE, FUNCTIONS)
    document = {"textDocument": {"uri": HUGE}}
    hard = [(peer.ask(name, {**document, **more}), name) for name, more in ABOUT_ALL.items()]
    run = peer.ask("zsh/run", {"command": "echo a"})
    tasks = peer.ask("zsh/tasks")
    first = in_order(peer, (run, "run"), (tasks, "tasks"))
    assert sorted(first) == ["run", "tasks"]
    early = {it.get("id") for it in peer.received}
    # Nothing can be said of the text before it is read, which takes longer than all the others' work.
    assert not early & {asked for asked, _ in hard}
    peer.notify("textDocument/didClose", document)
    assert peer.call("zsh/run", {"command": "echo b"})["output"] == "b\n"


def test_a_text_beyond_the_bound_is_told_on_its_first_line(real: Real) -> None:
    peer = real({"textDocument": {"diagnostic": {}}})
    peer.open(HUGE, "echo a | b\n" * 400_000)
    report = peer.call("textDocument/diagnostic", {"textDocument": {"uri": HUGE}})
    (said,) = report["items"]
    assert said["message"].startswith("This text of 4,400,000 characters costs too much to read")


def test_a_traced_script_of_ten_thousand_lists_holds_up_nobody(real: Real, tmp_path: Path) -> None:
    """The time for its placeholders once grew with the square of their number."""
    peer = real()
    uri = (tmp_path / "long.zsh").as_uri()
    peer.open(uri, "#!/bin/zsh\n" + ": a\n" * 10_000)
    run = peer.ask("zsh/runScript", {"textDocument": {"uri": uri}, "yield_after": 0.0})
    task_id = peer.answer_to(run)["result"]["task_id"]
    end = peer.ask("zsh/poll", {"task_id": task_id, "listen": 60.0, "until": "end"})
    other = peer.ask("zsh/tasks")
    assert in_order(peer, (end, "end"), (other, "other")) == ["other", "end"]
    hints = peer.call(
        "textDocument/inlayHint",
        {
            "textDocument": {"uri": uri},
            "range": {"start": position(0, 0), "end": position(10_001, 0)},
        },
    )
    assert len(hints) == 10_000


def test_a_script_that_is_too_long_to_trace_runs_and_says_so(real: Real, tmp_path: Path) -> None:
    peer = real()
    uri = (tmp_path / "long.zsh").as_uri()
    peer.open(uri, "#!/bin/zsh\n" + "# a comment\n" * 50_000 + "echo it ran\n")
    run = peer.call("zsh/runScript", {"textDocument": {"uri": uri}, "yield_after": 30.0})
    assert run["output"] == "it ran\n"
    assert run["message"] == (
        "Not traced: the script has 600,023 characters; up to 500,000 are traced."
    )

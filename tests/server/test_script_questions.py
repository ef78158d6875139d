"""`zsh/script`: what an editor asks before a script runs, and what runs it where its shell is missing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from .rpc import Peer, position
from .shared import place

pytestmark = pytest.mark.slow

SCRIPT = '#!/bin/zsh\nscp "$1" ${2:-web}:/srv\n'
LINE = {"start": position(1, 0), "end": position(1, 3)}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Peer]:
    """A server with all the programs of this machine but zsh."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("bash", "sh", "env", "cat", "stty"):
        (programs / name).symlink_to(shutil.which(name) or name)
    with place(tmp_path) as (home, project):
        server = Peer(env={**home, "PATH": str(programs), "SHELL": "/bin/sh"})
        server.initialize(rootUri=project.as_uri())
        yield server
        server.end()


def test_the_arguments_of_a_script_are_told_and_the_shell_that_stands_in(server: Peer) -> None:
    document = {"uri": "file:///tmp/deploy.zsh"}
    server.open(document["uri"], SCRIPT)
    assert server.call("zsh/script", {"textDocument": document}) == {
        "shell": "zsh",
        "stands_in": "bash",
        "arguments": [
            {"number": 1, "line": 1},
            {"number": 2, "line": 1, "default": "web"},
        ],
        "takes_more": False,
    }
    of_line = server.call("zsh/script", {"textDocument": document, "range": LINE})
    assert (of_line["stands_in"], of_line["arguments"]) == ("bash", [])


@pytest.mark.parametrize("shell", ["bash", "sh"])
def test_a_line_gets_the_arguments_that_it_reads(server: Peer, shell: str) -> None:
    """Without them a line with `$1/bin` in it would write to `/bin`."""
    document = {"uri": f"file:///tmp/install.{shell}"}
    text = f'#!/bin/{shell}\nprefix=${{1%/}}\nf() {{\n  echo $2\n}}\necho "$prefix:$*"\n'
    server.open(document["uri"], text)

    def asked(line: int) -> tuple[list[int], bool]:
        where = {"start": position(line, 0), "end": position(line + 1, 0)}
        told = server.call("zsh/script", {"textDocument": document, "range": where})
        return [it["number"] for it in told["arguments"]], told["takes_more"]

    assert [asked(line) for line in (1, 3, 5)] == [([1], False), ([], False), ([], True)]
    where = {"start": position(5, 0), "end": position(5, 17)}
    line = {
        "command": 'echo "$prefix:$*"',
        "document": {"uri": document["uri"], "range": where},
        "missing": "first",
        "args": ["/usr/", "it's"],
        "yield_after": 60,
    }
    result = server.call("zsh/run", line)
    assert result["output"].strip() == "/usr:/usr/ it's"


@pytest.mark.parametrize("shell", ["bash", "sh"])
def test_a_line_knows_the_script_it_is_of(server: Peer, tmp_path: Path, shell: str) -> None:
    """`${0%/*}`, the folder of the script, was `bash`."""
    uri = (tmp_path / f"where.{shell}").as_uri()
    server.open(uri, f'#!/bin/{shell}\necho "${{0%/*}}"\n')
    line = {
        "command": 'echo "${0%/*}"',
        "document": {"uri": uri, "range": {"start": position(1, 0), "end": position(1, 14)}},
        "yield_after": 60,
    }
    assert server.call("zsh/run", line)["output"].strip() == str(tmp_path)


def test_what_is_typed_as_arguments_is_told_as_words_with_the_files_that_patterns_find(
    server: Peer, tmp_path: Path
) -> None:
    for name in ("b.txt", "a.txt", ".hidden.txt"):
        (tmp_path / name).touch()
    document = {"uri": (tmp_path / "deploy.zsh").as_uri()}
    server.open(document["uri"], SCRIPT)
    asked = {"textDocument": document, "typed": "*.txt '*.txt' none*.txt $(touch no) ~/x"}
    told = server.call("zsh/script", asked)["args"]
    assert told[:-1] == ["a.txt", "b.txt", "*.txt", "none*.txt", "$(touch", "no)"]
    assert told[-1].endswith("/x")
    assert told[-1].startswith("/")
    assert not (tmp_path / "no").exists()


def test_a_script_is_run_by_the_shell_that_stands_in_which_says_so(server: Peer) -> None:
    document = {"uri": "file:///tmp/hello.zsh"}
    server.open(document["uri"], "#!/bin/zsh\necho by ${BASH_VERSION:+bash}\n")
    result = server.call("zsh/runScript", {"textDocument": document, "yield_after": 30})
    assert (result["output"], result["shell"]) == ("by bash\n", "bash")
    assert "zsh is not installed; bash stands in." in result["insights"]["info"]


def test_a_shell_that_is_there_needs_no_other(server: Peer) -> None:
    document = {"uri": "file:///tmp/plain.sh"}
    server.open(document["uri"], '#!/bin/sh\nexec cat -- "$@"\n')
    told = server.call("zsh/script", {"textDocument": document})
    assert (told["shell"], told.get("stands_in"), told["takes_more"]) == ("sh", None, True)

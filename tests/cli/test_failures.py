"""`zsh-ls failures`: the fates of a script's commands, as a page and as JSON (FATE-7)."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import termios
from collections.abc import Mapping
from pathlib import Path

import pytest

from zsh_ls.cli import main
from zsh_ls.cli.given_files import GivenFiles

DEPLOY = """\
#!/bin/bash
set -e
cd /srv
\tmake | tee log
if curl x; then
  restart
fi
sync &
notify
"""
PAGE = """\
                 1 │ #!/bin/bash
  stops          2 │ set -e
  stops          3 │ cd /srv
! unnoticed      4 │         make | tee log
                   │         ^^^^ only the last segment's exit counts (no pipefail)
  handled        5 │ if curl x; then
  stops          6 │   restart
                 7 │ fi
! unnoticed      8 │ sync &
                   │ ^^^^ nobody waits for it
  stops          9 │ notify
8 commands: 5 stop the script, 1 handled, 2 fail unnoticed
"""


@pytest.fixture
def deploy(tmp_path: Path) -> str:
    path = tmp_path / "deploy.sh"
    path.write_text(DEPLOY)
    return str(path)


def test_a_page_has_each_fate_beside_its_line_and_one_line_of_sum(
    deploy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["failures", deploy]) == 0
    assert capsys.readouterr().out == PAGE


def test_json_has_an_entry_for_each_command_of_each_file(
    deploy: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    other = tmp_path / "é.zsh"
    other.write_text("print 'é' | x\n")
    assert main(["failures", "--json", deploy, str(other)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [it["file"] for it in found["files"]] == [deploy, str(other)]
    first, second = found["files"]
    assert first["counts"] == {
        "stops": 5,
        "stops_silently": 0,
        "handled": 1,
        "reported": 0,
        "unnoticed": 2,
        "unknown": 0,
    }
    assert first["commands"][2] == {
        "line": 4,
        "column": 2,
        "end_line": 4,
        "end_column": 6,
        "command": "make",
        "fate": "unnoticed",
        "because": "only the last segment's exit counts (no pipefail)",
        "then_line": 5,
        "exit": 0,
    }
    # Nothing runs next where the script stops.
    assert "then_line" not in first["commands"][1]
    assert [(it["command"], it["column"]) for it in second["commands"]] == [
        ("print 'é'", 1),
        ("x", 13),
    ]


def test_standard_input_is_a_script_too(
    deploy: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path(deploy).open() as standard_input:
        monkeypatch.setattr("sys.stdin", standard_input)
        assert main(["failures", "-"]) == 0
    assert capsys.readouterr().out == PAGE


LOOKS_INSIDE = "`zsh-ls check Makefile` looks at the shell in it (Makefile)"


def test_what_cannot_be_read_is_said_and_the_others_are_told(
    deploy: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "binary").write_bytes(b"\x7fELF\0\0")
    (tmp_path / "tool").write_text("#!/usr/bin/env python3\nprint(1)\n")
    (tmp_path / "config.fish").write_text("set x (date)\n")
    (tmp_path / "run.erb").write_text("#!/bin/sh\nport=<%= p('port') %>\n")
    (tmp_path / "unit.bats").write_text('@test "x" { true; }\n')
    with (tmp_path / "huge.sh").open("wb") as huge:
        huge.truncate(17 << 20)
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "Makefile").write_text("all: app\n\t$(CC) app.c\n")
    (tmp_path / "app.c").write_text("int main(void) { return 0; }\n")
    names = ["missing", "binary", "tool", "config.fish", "unit.bats", "run.erb", "huge.sh", "fifo"]
    names += ["Makefile", "app.c"]
    given = [str(tmp_path / name) for name in names]
    assert main(["failures", *given, str(tmp_path), deploy]) == 2
    printed = capsys.readouterr()
    assert printed.err.replace(f"{tmp_path}/", "").splitlines() == [
        "zsh-ls failures: missing: No such file or directory",
        "zsh-ls failures: binary: no text, but binary data",
        "zsh-ls failures: tool: written for python3, not for zsh, bash or sh",
        "zsh-ls failures: config.fish: written for fish, not for zsh, bash or sh",
        "zsh-ls failures: unit.bats: written for bats, not for zsh, bash or sh",
        "zsh-ls failures: run.erb: written for a template engine, not for zsh, bash or sh",
        "zsh-ls failures: huge.sh is 17 MiB; at most 16 MiB is read",
        "zsh-ls failures: fifo is a FIFO that nobody writes to",
        f"zsh-ls failures: Makefile: no script; {LOOKS_INSIDE}",
        "zsh-ls failures: app.c: written for C, not for zsh, bash or sh",
        f"zsh-ls failures: {tmp_path} is a directory, not a regular file",
    ]
    assert printed.out.endswith(PAGE)
    assert main(["failures", "--json", *given, deploy]) == 2
    found = json.loads(capsys.readouterr().out)
    assert [it["file"] for it in found["files"]] == [deploy]


def test_what_only_asks_or_tells_is_marked_faintly_and_not_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    long = f"cp {'a' * 60} /srv"
    (tmp_path / "a.bash").write_text(
        "if [[ $x ]]; then y=1; fi\necho so\necho so > list\n"
        f"f() {{ local z=1; local z=$(ls); }}\n{long} | cat\nf\n:\n"
    )
    main(["failures", str(tmp_path / "a.bash")])
    shown = capsys.readouterr().out.splitlines()
    assert [line[0] for line in shown if re.search(r"\d │", line)] == list("··!!!! ")
    explained = [line.partition("│ ")[2].lstrip() for line in shown if "^" in line]
    assert [line.partition(" ")[0] for line in explained] == [
        *("^" * len("echo so > list"), "^" * len("local z=$(ls)"), "^" * len("ls")),
        *("^" * 40 + "…", "^" * len("cat")),
    ]


def test_no_text_fails_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, text in enumerate(
        ("", "\n", "# a\r\n", "if x; then", "a\x1b[31m b\r\nc", "é" * 99)
    ):
        path = tmp_path / f"{number}.sh"
        path.write_text(text, newline="")
        assert main(["failures", str(path)]) == 0
        shown = capsys.readouterr().out
        assert re.search(r"^\d+ commands?(: .*)?\n\Z", shown, re.MULTILINE), text
        assert "\x1b" not in shown


def test_the_page_of_the_docs_is_what_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "failures.md").read_text()
    (tmp_path / "deploy.sh").write_text(DEPLOY)
    main(["failures", str(tmp_path / "deploy.sh")])
    assert f"$ zsh-ls failures deploy.sh\n{capsys.readouterr().out}```" in page


@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_are_for_terminals_and_not_for_everybody(
    deploy: str, environment: Mapping[str, str], env: Mapping[str, str], coloured: bool
) -> None:
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 120))
    subprocess.run(
        [sys.executable, "-m", "zsh_ls", "failures", deploy],
        env={**environment, "TERM": "xterm-256color", **env},
        stdout=theirs,
        check=True,
    )
    os.write(theirs, b"END")
    os.close(theirs)
    shown = b""
    while not shown.endswith(b"END"):
        shown += os.read(ours, 4096)
    os.close(ours)
    told = shown.removesuffix(b"END").decode().replace("\r\n", "\n")
    assert ("\x1b[1;31m" in told) is coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", told) == PAGE


def fates_of(capsys: pytest.CaptureFixture[str], *files: Path) -> dict[str, tuple[str, str]]:
    """The fate of each command of the first file and what decides it, told of all these files."""
    assert main(["failures", "--json", *map(str, files)]) == 0
    told = json.loads(capsys.readouterr().out)["files"][0]["commands"]
    return {it["command"]: (it["fate"], it["because"]) for it in told}


@pytest.mark.parametrize(
    "word",
    [
        "./lib/common.sh",
        '"$(dirname "$0")/lib/common.sh"',
        '"${BASH_SOURCE[0]%/*}"/lib/common.sh',
        '"$(dirname -- "${BASH_SOURCE[0]}")/lib/../lib/common.sh"',
    ],
)
def test_a_sourced_file_among_those_that_are_given_is_looked_into(
    word: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """FATE-12."""
    script, library = tmp_path / "run.sh", tmp_path / "lib" / "common.sh"
    library.parent.mkdir()
    library.write_text("set -e\nfail() {\n  log no\n  exit 0\n}\n")
    script.write_text(f"#!/bin/bash\nsource {word}\nbuild\ntest_it || fail\nship\n")
    alone = fates_of(capsys, script)
    assert alone[f"source {word}"] == ("unknown", "it runs a file that is not looked into")
    assert (alone["build"][0], alone["test_it"][0]) == ("unnoticed", "handled")
    both = fates_of(capsys, script, library)
    assert both[f"source {word}"] == both["build"] == ("stops", "errexit is on")
    assert both["test_it"] == ("handled", "|| fail")


@pytest.mark.parametrize(
    "value",
    [
        '"$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"',
        '$(cd -P -- "$(dirname -- "$0")/." >/dev/null 2>&1; pwd -P)',
        '"$(dirname "$(readlink -f "$0")")"',
        '"${BASH_SOURCE%/*}"',
    ],
)
def test_a_variable_may_hold_the_folder_of_the_script(
    value: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """FATE-12."""
    script, library = tmp_path / "run.sh", tmp_path / "lib" / "common.sh"
    library.parent.mkdir()
    library.write_text("set -e\n")
    script.write_text(
        f'#!/bin/bash\nreadonly here={value}\n. "${{here}}/lib/common.sh"\nbuild\nship\n'
    )
    assert fates_of(capsys, script, library)["build"] == ("stops", "errexit is on")
    script.write_text(script.read_text().replace(". ", "here=/other\n. "))
    assert fates_of(capsys, script, library)["build"][0] == "unnoticed"


def test_a_pipe_among_the_files_is_not_read_twice(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    script, pipe = tmp_path / "run.sh", tmp_path / "lib.sh"
    os.mkfifo(pipe)
    script.write_text("#!/bin/bash\n. ./lib.sh\nbuild\n")
    # Opened for both, so that whoever reads it does not wait for a writer.
    held = os.open(pipe, os.O_RDWR)
    os.write(held, b"set -e\n")
    given = GivenFiles([str(script), str(pipe)])
    assert given.sources_of(str(script))("./lib.sh") is None
    assert os.read(held, 100) == b"set -e\n"
    os.close(held)


def test_the_fates_at_other_calls_of_a_function_are_counted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """FATE-2: the worst is told, and how many calls give another one."""
    script = tmp_path / "run.sh"
    script.write_text("#!/bin/bash\nset -e\nf() {\n  a\n  b\n}\nf || true\nf || c\nf\nf\nd\n")
    found = fates_of(capsys, script)
    why = "errexit is ignored before || (f is called on line 7)"
    assert found["a"] == ("unnoticed", f"{why} (at other calls: 2 stops)")
    assert found["b"] == ("unnoticed", "|| true (at other calls: 1 handled, 2 stops)")
    assert found["d"] == ("stops", "errexit is on")
    main(["failures", str(script)])
    assert "^ || true (at other calls: 1 handled, 2 stops)\n" in capsys.readouterr().out

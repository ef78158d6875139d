"""What a rehearsal says of real scripts in real shells (REH-1…4)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import psutil
import pytest

from zsh_ls.cli.rehearsing import page
from zsh_ls.rehearsal.rehearse import Cancelled, rehearse
from zsh_ls.rehearsal.report import Rehearsal
from zsh_ls.rehearsal.request import NotRehearsed, RehearsalRefused, RehearsalRequest
from zsh_ls.rehearsal.sandbox import Sandbox, StandIns
from zsh_ls.rehearsal.wording import line_details, line_notes
from zsh_ls.sidecar.rehearsing import as_plain

Rehearse = Callable[..., dict[str, Any]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "notes.txt").write_text("one\ntwo\n")
    return folder


def request_of(
    project: Path, text: str, environment: Mapping[str, str] | None = None, **options: Any
) -> RehearsalRequest:
    script = project / "script"
    script.write_text(text)
    return RehearsalRequest(
        str(script), cwd=str(project), environment={**os.environ, **(environment or {})}, **options
    )


def rehearsed(project: Path, text: str, **options: Any) -> Rehearsal:
    return rehearse(request_of(project, text, **options))


def plain(found: Rehearsal) -> dict[int, dict[str, Any]]:
    """The lines of the script by their numbers."""
    return {it["line"]: it for it in as_plain(found, first_line=1)["lines"] if "file" not in it}


def kinds(line: dict[str, Any]) -> list[tuple[str, str]]:
    return [(" ".join(it["argv"]), it["kind"]) for it in line["commands"]]


def writes(line: dict[str, Any]) -> dict[str, str]:
    return {it["path"]: it["action"] for it in line["writes"]}


SCRIPT = """#!{shell}
set -e
version=$(cargo-metadata-x || true; git rev-list --count HEAD 2>/dev/null || echo 7)
image=$(docker inspect me)
mkdir -p build/deep
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
  cp notes.txt build/$i
done
echo "$image" > build/image
sed -i s/one/won/ notes.txt
rm -rf build
echo x > /etc/zsh-ls-rehearsed
rm -f /etc/hostname
docker push "$image"
ls | xargs -n 1 wc -c > sizes
"""


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["zsh", "bash", "dash"])
def test_each_line_says_what_it_would_do(project: Path, shell: str) -> None:
    """REH-1, REH-2: in all three shells the same, and nothing of it happens."""
    docker = project.parent / "bin" / "docker"
    docker.parent.mkdir()
    docker.write_text("#!/bin/sh\necho not-run\n")
    docker.chmod(0o755)
    path = f"{docker.parent}:{os.environ['PATH']}"
    text = SCRIPT.format(shell=shutil.which(shell))
    found = rehearsed(project, text, environment={"PATH": path})
    lines = plain(found)
    assert (found.exit, found.stopped) == (0, None), found.output
    here = str(project)
    assert kinds(lines[4]) == [("docker inspect me", "stub")]
    assert lines[7]["count"] == 12
    assert len(lines[7]["commands"]) == 10
    assert writes(lines[7])[f"{here}/build/12"] == "create"
    assert writes(lines[8 + 1]) == {f"{here}/build/image": "create"}
    assert kinds(lines[10]) == [("sed -i s/one/won/ notes.txt", "real")]
    assert writes(lines[10]) == {f"{here}/notes.txt": "change"}
    assert lines[10]["marks"] == ["destroys"]
    assert lines[11]["writes"] == [{"path": f"{here}/build", "action": "remove", "count": 13}]
    assert lines[11]["marks"] == []
    assert writes(lines[12]) == {"/etc/zsh-ls-rehearsed": "create"}
    assert kinds(lines[13]) == [("rm -f /etc/hostname", "stub")]
    assert lines[13]["marks"] == (["destroys"] if os.path.exists("/etc/hostname") else [])
    assert lines[14]["marks"] == ["publishes", "network"]
    assert lines[14]["commands"][0]["depends_on"] == [
        {"name": "image", "line": 4, "command": "docker inspect me"}
    ]
    assert [it[0] for it in kinds(lines[15])][:2] in (
        ["ls", "xargs -n 1 wc -c"],
        ["xargs -n 1 wc -c", "ls"],
    )
    assert not Path("/etc/zsh-ls-rehearsed").exists()
    assert (project / "notes.txt").read_text() == "one\ntwo\n"
    assert not (project / "sizes").exists()


def test_a_workspace_in_a_temporary_folder_is_not_taken_for_a_write() -> None:
    """REH-2: the sandbox's own folders are nobody's writes."""
    with tempfile.TemporaryDirectory(dir="/tmp") as top:
        folder = Path(top) / "deep" / "project"
        (folder / ".git").mkdir(parents=True)
        found = rehearsed(folder, "#!/bin/bash\nls\nmktemp /tmp/own.XXXXXX\n")
        written = [it for line in found.lines for it in line.writes]
    assert [it.path.rpartition(".")[0] for it in written] == ["/tmp/own"]


def test_a_folder_of_programs_is_written_as_others_are(project: Path) -> None:
    """REH-2: what an installer writes into a folder of the PATH is told, and stays in its layer."""
    if not os.access("/usr/local/bin", os.W_OK):
        return  # CI is root
    text = """#!/bin/bash
set -e
[[ -w /usr/local/bin ]]
printf '#!/bin/sh\\n' > /usr/local/bin/zsh-ls-rehearsed
ls /usr/local/bin/zsh-ls-rehearsed
"""
    found = rehearsed(project, text)
    assert found.exit == 0, found.output
    assert writes(plain(found)[4]) == {"/usr/local/bin/zsh-ls-rehearsed": "create"}
    assert not os.path.lexists("/usr/local/bin/zsh-ls-rehearsed")


def test_files_directly_below_the_root_are_there(project: Path) -> None:
    """REH-1: what can be read outside can be read in the sandbox."""
    files = [it.path for it in os.scandir("/") if it.is_file() and it.stat().st_size < 1 << 16]
    text = "#!/bin/sh\n" + "".join(f"cat {it!r} >copy\n" for it in files)
    found = rehearsed(project, f"{text}cat notes.txt\n")
    assert found.exit == 0, found.output
    assert [it for line in found.lines for it in line.writes if it.path in files] == []


@pytest.mark.slow
def test_stand_ins_are_found_however_they_are_called(project: Path) -> None:
    """REH-1: absolute paths, `command`, an empty environment, xargs, find."""
    text = """#!/bin/bash
/usr/bin/make one
command make two
env -i /usr/bin/make three
PATH=/usr/bin make four
echo five | xargs make
find . -name notes.txt -exec make {} +
p=make; "$p" seven
nosuchprogram
"""
    found = rehearsed(project, text)
    lines = plain(found)
    assert found.exit == 127
    for number in range(2, 9):
        made = [it for it in lines[number]["commands"] if it["argv"][0] == "make"]
        assert [it["kind"] for it in made] == ["stub"], number


def test_what_a_substitution_gave_is_told_without_secrets(project: Path) -> None:
    """REH-2: `gave`, and no secret in words."""
    text = """#!/bin/bash
x=$(grep -c o notes.txt)
curl -H "Authorization: Bearer abcdef0123456789abcdef" "https://x.example/$DEPLOY_TOKEN"
"""
    found = rehearsed(project, text, environment={"DEPLOY_TOKEN": "s3cr3t-0123456789"})
    lines = plain(found)
    assert lines[2]["commands"][0]["gave"] == "2"
    told = str(as_plain(found, first_line=1))
    assert "s3cr3t" not in told
    assert "abcdef0123456789" not in told


def test_scripts_of_the_workspace_are_rehearsed_in_turn(project: Path) -> None:
    """REH-1: their lines have their file."""
    (project / "lib.sh").write_text("#!/bin/sh\nmake deep\n")
    (project / "lib.sh").chmod(0o755)
    found = rehearsed(project, "#!/bin/zsh\n./lib.sh\nbash lib.sh\n")
    deep = [it for it in found.lines if it.file is not None]
    assert {it.file for it in deep} == {str(project / "lib.sh")}
    assert [(it.line, len(it.commands)) for it in deep] == [(2, 2)]


@pytest.mark.parametrize("shell", ["zsh", "bash", "dash"])
def test_a_command_over_several_lines_is_told_on_its_first(project: Path, shell: str) -> None:
    """REH-2: bash names another of its lines, by which neither the page nor the analysis knows it."""
    text = f"""#!{shutil.which(shell)}
x="one
two"
make \\
  -s \\
  "$x
three" \\
  four
cp notes.txt \\
  copy; make \\
  last
"""
    lines = plain(rehearsed(project, text))
    told = {it: [words for words, _ in kinds(line)] for it, line in lines.items()}
    assert {it: words for it, words in told.items() if words} == {
        4: ["make -s one\ntwo\nthree four"],
        9: ["cp notes.txt copy"],
        10: ["make last"],
    }


@pytest.mark.parametrize("shell", ["zsh", "bash", "dash"])
def test_a_script_finds_no_hook_of_ours_in_its_environment(project: Path, shell: str) -> None:
    """REH-2: oh-my-zsh's installer put itself into `$ZDOTDIR`, which was a folder of ours."""
    text = f"""#!{shutil.which(shell)}
echo "own ${{ZDOTDIR-none}} ${{BASH_ENV-none}}"
zsh -c 'echo "zsh ${{ZDOTDIR-none}}"'
bash -c 'echo "bash ${{BASH_ENV-none}}"'
"""
    given = str(project)
    found = rehearsed(project, text, environment={"ZDOTDIR": given})
    assert found.output.splitlines() == [f"own {given} none", f"zsh {given}", "bash none"]


@pytest.mark.slow
def test_a_line_that_fails_shows_what_then_runs(project: Path) -> None:
    """REH-3: the `a` of `a || { b; exit 8; }`, each command in a run of its own."""
    text = """#!/bin/bash
make all || { cat notes.txt; exit 8; }
cp notes.txt copy; make install
false | cat
"""
    found = rehearsed(project, text, fail=2)
    assert found.exit == 8
    assert [it.kind for it in plain_commands(found, 2)] == ["failed", "real"]
    assert [
        (it.command, it.said, it.proven, it.ran, it.skipped, it.exit) for it in found.fates or ()
    ] == [("make all", "stops", "stops", (), (3, 4), 8)]
    each = rehearsed(project, text, each=True)
    assert each.exit == 0
    assert [(it.line, it.command, it.proven) for it in each.fates or ()] == [
        (2, "make all", "stops"),
        (3, "cp notes.txt copy", "unnoticed"),
        (3, "make install", "unnoticed"),
        (4, "false", "unnoticed"),
        (4, "cat", "reported"),
    ]
    assert all(it.said in {it.proven, "stops"} for it in each.fates or ())


def plain_commands(found: Rehearsal, line: int) -> list[Any]:
    return [
        it for each in found.lines if each.line == line and not each.file for it in each.commands
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("while :; do :; done", "time"),
        ("yes", "output"),
        ("f() { f & f & wait; }; f", "processes"),
        ("x=x; while :; do x=$x$x$x$x; done", "memory"),
    ],
)
def test_a_limit_stops_it_and_is_told(project: Path, text: str, reason: str) -> None:
    """REH-4: `stopped` with its line, no exit, and nothing is left."""
    found = rehearsed(project, f"#!/bin/bash\n{text}\n", timeout_s=2 if reason == "time" else 50)
    assert found.stopped is not None
    assert (found.stopped.reason, found.stopped.line, found.exit) == (reason, 2, None)
    assert left_behind() == []


def left_behind() -> list[str]:
    own = f"zsh-ls-rehearsal-{os.getpid()}-"
    return [it for place in ("/tmp", "/dev/shm") for it in os.listdir(place) if it.startswith(own)]


def test_cancelling_ends_it_and_leaves_nothing(project: Path) -> None:
    cancelled = threading.Event()
    timer = threading.Timer(0.3, cancelled.set)
    timer.start()
    with pytest.raises(Cancelled):
        rehearse(request_of(project, "#!/bin/bash\nsleep 600\n"), cancelled=cancelled)
    assert left_behind() == []


def test_cancelling_while_it_begins_leaves_no_process(project: Path) -> None:
    """REH-5: bubblewrap ties its first process to itself only a moment after that has begun."""
    cancelled = threading.Event()
    cancelled.set()
    for _ in range(8):
        with pytest.raises(Cancelled):
            rehearse(request_of(project, "#!/bin/bash\nsleep 600\n"), cancelled=cancelled)
    left = [
        it for it in psutil.process_iter(["cmdline"]) if str(project) in str(it.info["cmdline"])
    ]
    for process in left:
        process.kill()
    assert left == []
    assert left_behind() == []


def test_what_makes_a_workspace_too_large_is_named(project: Path) -> None:
    """REH-4."""
    (project / "videos").mkdir()
    (project / "videos" / "one").write_bytes(b"x" * (3 << 20))
    with pytest.raises(
        RehearsalRefused, match=r"above the 2 MB of --max-copy \(most of it: videos 3 MB"
    ):
        rehearsed(project, "#!/bin/sh\ntrue\n", max_copy_mb=2)


@pytest.mark.slow
def test_what_fills_the_disk_is_stopped(project: Path) -> None:
    """REH-4: a file is bounded by the size of a copy, all of them by twice as much and some room."""
    text = """#!/bin/bash
head -c 9000000 /dev/zero > one
for i in {1..900}; do head -c 7000000 /dev/zero > "$i"; done
"""
    found = rehearsed(project, text, max_copy_mb=8)
    assert found.stopped is not None
    assert (found.stopped.reason, found.stopped.line) == ("output", 3)
    assert [it["exit"] for it in plain(found)[2]["commands"]] == [1]
    assert left_behind() == []


def test_a_process_without_a_root_of_its_own_has_not_begun(project: Path) -> None:
    """REH-4: until bubblewrap had given it one, all processes of the machine counted as the sandbox's."""
    with StandIns(os.defpath) as stand_ins, Sandbox(project, stand_ins) as sandbox:
        sandbox.pid = os.getpid()
        assert (sandbox.processes(), sandbox.used_bytes()) == (0, 0)


def test_another_interpreter_is_refused(project: Path) -> None:
    with pytest.raises(NotRehearsed, match="written for python3, not for zsh, bash or sh"):
        rehearsed(project, "#!/usr/bin/env python3\n")


@pytest.mark.parametrize("shell", ["zsh", "bash", "dash"])
def test_what_a_shell_says_names_the_script_and_none_of_our_files(
    project: Path, shell: str
) -> None:
    path = shutil.which(shell)
    found = rehearsed(project, f"#!{path}\ntrue\nnosuchprogram now\n")
    assert "nosuchprogram" in found.output
    assert "script" in found.output
    assert "/run/" not in found.output
    assert found.exit == 127


def test_a_program_is_not_rehearsed(project: Path) -> None:
    request = RehearsalRequest(sys.executable, cwd=str(project), environment=dict(os.environ))
    with pytest.raises(NotRehearsed, match="no script, but binary data"):
        rehearse(request)


def test_a_program_that_is_not_there_is_told_with_its_words(project: Path) -> None:
    """REH-1: 127, as without us, but on its line; the shell's own message stays."""
    for shell in ("zsh", "bash", "dash"):
        text = f"""#!{shutil.which(shell)}
x='a b'
nosuchprogram install "$x" 2>/dev/null
A=1 nosuchprogram | cat
if ! command -v nosuchprogram; then echo none; fi
f() {{
  nosuchprogram deep
}}
f || echo "got $?"
"""
        found = rehearsed(project, text)
        lines = plain(found)
        told = {it: line["commands"] for it, line in lines.items() if line["commands"]}
        missing = {
            number: [(it["argv"][1:], it["kind"], it["exit"])]
            for number, commands in told.items()
            for it in commands
            if it["argv"][0] == "nosuchprogram"
        }
        assert missing == {
            3: [(["install", "a b"], "stub", 127)],
            4: [([], "stub", 127)],
            7: [(["deep"], "stub", 127)],
        }, shell
        assert "none" in found.output, shell
        assert "got 127" in found.output, shell
        assert found.output.count("not found") == 2, found.output
        assert any(
            row.endswith("is not found here, exit 127")
            for line in found.lines
            for row in line_details(line)
        )


def test_a_function_of_sh_that_is_read_later_is_no_missing_program(project: Path) -> None:
    (project / "lib").write_text("deploy() { cat notes.txt; }\n")
    found = rehearsed(project, "#!/bin/sh\n. ./lib\nX=1 deploy || exit 9\n")
    assert found.exit == 0, found.output
    assert [it.kind for line in found.lines for it in line.commands] == ["real"]


@pytest.mark.parametrize("shell", ["bash", "dash"])
def test_what_a_trap_for_the_end_runs_is_told_where_the_trap_is_set(
    project: Path, shell: str
) -> None:
    """REH-2: bash names the first line of the script, dash none."""
    text = f"""#!{shutil.which(shell)}
for i in 1 2
do
  cat notes.txt
done
trap 'rm -f one; rm -f two' EXIT
make all
"""
    told = {it: kinds(line) for it, line in plain(rehearsed(project, text)).items()}
    assert [words for words, _ in told[6]] == ["rm -f one", "rm -f two"]
    assert [words for words, _ in told[7]] == ["make all"]
    assert 1 not in told


def test_a_folder_that_a_stand_in_made_is_known(project: Path) -> None:
    """REH-4: no line is marked for what is as it would be."""
    if not os.access("/opt", os.W_OK):
        return  # CI is root
    text = """#!/bin/bash
mkdir -p /opt/zsh-ls-rehearsed/deep
ls -A /opt/zsh-ls-rehearsed
"""
    found = rehearsed(project, text)
    (line,) = [it for it in found.lines if it.line == 2]
    assert [(it.path, it.count) for it in line.writes] == [("/opt/zsh-ls-rehearsed", None)] or [
        it.path for it in line.writes
    ] == ["/opt/zsh-ls-rehearsed/deep"]
    assert all(it.depends_on is None for each in found.lines for it in each.commands)


def test_a_script_reads_its_answers(project: Path) -> None:
    """REH-2: the same text in each run; a script that asks in vain is told."""
    text = """#!/bin/bash
read -p "sure? " answer
[[ $answer == y ]] || exit 3
while read -r name; do echo "name $name"; done < notes.txt
read again
echo "again $again"
"""
    alone = rehearsed(project, text)
    assert (alone.exit, alone.asked) == (3, (2,))
    answers = project.parent / "answers"
    answers.write_text("y\nyes\n")
    with answers.open() as file:
        found = rehearsed(project, text, stdin=file.fileno())
    assert (found.exit, found.asked) == (0, ())
    assert "again yes" in found.output
    with answers.open() as file:
        failed = rehearsed(project, text, stdin=file.fileno(), fail=6)
    assert "again yes" not in failed.output
    assert [it.line for it in failed.fates or ()] == [6]


def test_answers_without_an_end_are_cut(project: Path) -> None:
    with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as endless:
        assert endless.stdout is not None
        found = rehearsed(
            project, "#!/bin/bash\nread x; echo got $x\n", stdin=endless.stdout.fileno()
        )
        endless.kill()
    assert found.output == "got y\n"


def test_what_tells_of_a_program_alone_runs(project: Path) -> None:
    """REH-1: an installer that asks `curl --version` goes on; what else curl does is a stand-in."""
    found = rehearsed(project, "#!/bin/bash\ncurl --version\ncurl -o x https://example.invalid\n")
    assert [(it.argv[1], it.kind) for line in found.lines for it in line.commands] == [
        ("--version", "real"),
        ("-o", "stub"),
    ]


@pytest.mark.parametrize(
    ("bubblewrap", "said"),
    [
        (None, r"needs bwrap, which is not on the PATH: .*apt-get install bubblewrap"),
        ("echo bubblewrap 0.4.1", r"0\.8 or newer, and .* is 0\.4: .*apt-get install bubblewrap"),
        (
            "[ $1 = --version ] && echo bubblewrap 0.11.0 && exit; echo not permitted >&2; exit 1",
            r"user namespaces \(not permitted\): as root, allow them",
        ),
    ],
)
def test_a_sandbox_that_cannot_be_had_is_refused_with_what_to_do(
    project: Path, monkeypatch: pytest.MonkeyPatch, bubblewrap: str | None, said: str
) -> None:
    """REH-4: nothing is run."""
    folder = project.parent / "programs"
    folder.mkdir()
    if bubblewrap is not None:
        (folder / "bwrap").write_text(f"#!/bin/sh\n{bubblewrap}\n")
        (folder / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    with pytest.raises(RehearsalRefused, match=said):
        rehearsed(project, f"#!/bin/sh\n: >{project}/ran\n")
    assert not (project / "ran").exists()


def test_a_wrapper_has_the_marks_of_what_it_runs(project: Path) -> None:
    """REH-2: also where `sudo` itself is not there."""
    text = "#!/bin/bash\nsudo -n git push origin main\nls\n"
    assert plain(rehearsed(project, text))[2]["marks"] == ["publishes", "network"]


def test_what_a_stand_in_made_is_told_once(project: Path) -> None:
    """REH-2: though the next command of its pipeline has begun when the folder is there."""
    if not os.access("/opt", os.W_OK):
        return  # CI is root
    text = """#!/bin/bash
git clone https://example.invalid/x /opt/zsh-ls-rehearsed 2>&1 |
  cat
"""
    lines = plain(rehearsed(project, text))
    assert writes(lines[2]) == {"/opt/zsh-ls-rehearsed": "create"}
    assert writes(lines[3]) == {}


def test_of_a_long_script_only_what_ran_is_printed(project: Path) -> None:
    """REH-2: with a few lines around it; the end is always there."""
    text = "#!/bin/bash\nf() {\n" + ":\n" * 200 + "}\ncat notes.txt\n" + "# no\n" * 20
    found = rehearsed(project, text)
    rows = [row.plain.strip() for row in page(text, found)]
    assert rows[0] == "… 201 lines that did not run"
    assert rows[1].startswith("202 │")
    assert "ran cat notes.txt" in rows
    assert any(row.startswith("224 │") for row in rows)
    short = text.replace(":\n" * 200, ":\n")
    assert len([row for row in page(short, rehearsed(project, short)) if "│" in row.plain]) == 25


def test_hints_say_what_is_news(project: Path) -> None:
    """REH-2: a line that only ran often has none; what is not there, and what was asked in vain, has."""
    text = """#!/bin/bash
for i in 1 2 3; do
  : "$i"
done
read answer
nosuchprogram
"""
    notes = line_notes(rehearsed(project, text))
    assert {number: note.hint for number, note in notes.items()} == {
        5: "asked for input, had none",
        6: "nosuchprogram is not found here",
    }


@pytest.mark.parametrize("shell", ["zsh", "bash", "dash"])
def test_what_a_group_writes_is_told_where_its_redirection_stands(
    project: Path, shell: str
) -> None:
    """REH-2: not on the command before it, and what it overwrites is destroyed once."""
    text = f"""#!{shutil.which(shell)}
set -e
out=notes.txt
{{
  echo three
  echo two
}} > "$out"
cp notes.txt copy
{{ echo a; echo b; }} >> copy
for i in 1 2 3; do
  echo "$i"
done > "list"
"""
    lines = plain(rehearsed(project, text))
    here = str(project)
    assert {number: writes(line) for number, line in lines.items() if line["writes"]} == {
        7: {f"{here}/notes.txt": "change"},
        8: {f"{here}/copy": "create"},
        9: {f"{here}/copy": "change"},
        12: {f"{here}/list": "create"},
    }
    assert [number for number, line in lines.items() if line["marks"]] == [7]


def test_builtins_that_rely_on_what_is_not_known_are_marked(project: Path) -> None:
    """REH-4: a test decides more than a command, and has none of its own."""
    text = """#!/bin/bash
id=$(docker images -q app)
[[ -n $id ]] || exit 5
"""
    programs = project.parent / "bin"
    programs.mkdir()
    (programs / "docker").write_text("#!/bin/sh\n")
    (programs / "docker").chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    found = rehearsed(project, text, environment={"PATH": path})
    said = "$id is empty here: 'docker images -q app' did not run (line 2)"
    assert found.exit == 5
    assert said in [row.plain.strip() for row in page(text, found)]
    note = line_notes(found)[3]
    assert (note.hint, note.details) == ("relies on what is not known here", said)


def test_what_is_only_added_to_is_not_destroyed(project: Path) -> None:
    """REH-2: also where a stand-in would add it."""
    text = "#!/bin/sh\necho x | tee -a /etc/hostname\necho y | tee /etc/hostname\n"
    lines = plain(rehearsed(project, text))
    assert (writes(lines[2]), lines[2]["marks"]) == ({"/etc/hostname": "change"}, [])
    assert lines[3]["marks"] == ["destroys"]

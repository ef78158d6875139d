"""`zsh-ls check` and `zsh-ls rules`: findings in every format, exit statuses, and messages on a terminal."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import attrs
import pytest

from zsh_ls.cli import main
from zsh_ls.insights import registry
from zsh_ls.insights.script_model import ScriptModel

from .conftest import Cli

FAULTY = "#!/bin/bash\nmake test | tee log\n"
BROKEN = "#!/bin/bash\nif true; fi\n"
LOST = "a failure of 'make test' is lost: the exit is that of tee"


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


Here = Callable[..., Done]


@pytest.fixture
def here(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Here:
    """Run `zsh-ls` in this process; `input` is its standard input."""

    def run(*arguments: str, input: str = "") -> Done:  # noqa: A002
        given = tmp_path / "standard input"
        given.write_text(input)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        with given.open() as standard_input:
            monkeypatch.setattr("sys.stdin", standard_input)
            status = main(arguments)
        printed = capsys.readouterr()
        return Done(status, printed.out, printed.err)

    return run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "scripts"
    folder.mkdir()
    return folder


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


# CLI-2
def test_a_finding_is_a_line_with_its_place_and_the_exit_says_that_there_was_one(
    cli: Cli, project: Path
) -> None:
    write(project, build=FAULTY)
    done = cli("check", f"{project}/build")
    assert done.stdout == f"{project}/build:2:1: warning[masked-build-failure] {LOST}\n"
    assert (done.returncode, done.stderr) == (1, "")


def test_a_clean_script_prints_nothing_and_exits_0(here: Here, project: Path) -> None:
    write(project, build="#!/bin/bash\nmake test\n")
    done = here("check", str(project))
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


@pytest.mark.parametrize(
    ("scripts", "expected"),
    [
        (0, "0 files checked, nothing found\r\n"),
        (1, "1 file checked, nothing found\r\n"),
        (2, "2 files checked, nothing found\r\n"),
    ],
)
def test_a_terminal_shows_how_many_files_were_checked_where_nothing_was_found(
    environment: Mapping[str, str], project: Path, scripts: int, expected: str
) -> None:
    write(project, **{f"build{n}": "#!/bin/bash\nmake test\n" for n in range(scripts)})
    assert on_terminal(environment, project) == (0, "", expected)


def test_a_terminal_shows_no_count_beside_findings_or_problems(
    environment: Mapping[str, str], project: Path
) -> None:
    write(project, build=FAULTY)
    status, printed, shown = on_terminal(environment, project)
    assert (status, shown) == (1, "")
    assert LOST in printed
    status, _, shown = on_terminal(environment, project / "missing")
    assert status == 2
    assert "checked" not in shown


def on_terminal(environment: Mapping[str, str], path: Path) -> tuple[int, str, str]:
    """The exit status, standard output and what a terminal got as standard error."""
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "zsh_ls", "check", str(path)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        check=False,
    )
    os.write(theirs, b"END")
    os.close(theirs)
    shown = b""
    while not shown.endswith(b"END"):
        shown += os.read(ours, 4096)
    os.close(ours)
    return done.returncode, done.stdout, seen(shown.removesuffix(b"END").decode())


def seen(shown: str) -> str:
    """What stays on a terminal: a line of progress is written over."""
    first, *others = shown.split("\r\x1b[K")
    for piece in others:
        first = first[: first.rfind("\n") + 1] + piece
    return first


def test_findings_are_printed_as_they_are_found_and_kept_at_an_interrupt(
    environment: Mapping[str, str], project: Path
) -> None:
    """CLI-2. The second file is a pipe that stays open, so that the check cannot end."""
    write(project, build=FAULTY)
    os.mkfifo(project / "endless")
    files = [f"{project}/build", f"{project}/endless"]
    for form in ("text", "json"):
        ours, theirs = pty.openpty()
        with subprocess.Popen(
            [sys.executable, "-m", "zsh_ls", "check", f"--format={form}", *files],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=theirs,
            text=True,
        ) as checking:
            assert checking.stdout is not None
            with (project / "endless").open("w"):
                printed = ""
                if form == "text":
                    printed = checking.stdout.readline()
                    assert LOST in printed
                shown = b""
                while b"checked 1 of 2 files" not in shown:
                    shown += os.read(ours, 4096)
                checking.send_signal(signal.SIGINT)
                printed += checking.stdout.read()
                assert checking.wait(60) == 130
        os.write(theirs, b"END")
        os.close(theirs)
        while not shown.endswith(b"END"):
            shown += os.read(ours, 4096)
        os.close(ours)
        assert printed.count(LOST) == 1
        if form == "json":
            assert [it["rule"] for it in json.loads(printed)] == ["masked-build-failure"]
        last = "zsh-ls check: interrupted, 1 of 2 files checked\r\nEND"
        assert seen(shown.decode()) == last


def test_below_a_folder_scripts_are_found_by_name_and_first_line(here: Here, project: Path) -> None:
    write(
        project,
        **{
            "by_shebang": FAULTY,
            "deep__by_name.bash": FAULTY.replace("#!/bin/bash", "set +e +o pipefail"),
            "prose.txt": FAULTY.replace("#!/bin/bash", ""),
            "with_a_shebang.txt": FAULTY,
            "notes.md": FAULTY,
            "other.py": "#!/usr/bin/env python3\n",
            "not_a_shell.sh": "#!/usr/bin/env python3\n",
            ".git__hook": FAULTY,
            "node_modules__x.sh": FAULTY,
            "binary.sh": "#!/bin/sh\n\0make | tee log\n",
        },
    )
    (project / "huge.sh").write_text(FAULTY + "#" * 3_000_000)
    (project / "link.sh").symlink_to(project / "by_shebang")
    done = here("check", str(project), "--format", "json")
    files = [Path(each["file"]).name for each in json.loads(done.stdout)]
    assert files == ["by_shebang", "by_name.bash"]
    assert done.stderr == f"zsh-ls check: {project}/huge.sh: too long, not checked\n"


def test_below_a_folder_of_fixtures_a_name_makes_no_script(here: Here, project: Path) -> None:
    write(
        project,
        **{
            "tests__fixtures__part.sh": "done\n",
            "tests__fixtures__whole.sh": FAULTY,
            "tests__lint-fixtures__part.bash": "done\n",
        },
    )
    done = here("check", str(project), "--format", "json")
    assert [Path(each["file"]).name for each in json.loads(done.stdout)] == ["whole.sh"]
    named = here("check", str(project / "tests/fixtures/part.sh"), "--format", "json")
    assert [each["rule"] for each in json.loads(named.stdout)] == ["syntax-error"]


def test_standard_input_is_checked_too(here: Here) -> None:
    done = here("check", "-", input=FAULTY)
    assert done.stdout.startswith("-:2:1: warning[masked-build-failure]")


def test_one_rule_alone_can_be_asked_for(here: Here) -> None:
    text = "#!/bin/bash\nset -e\nmake | tee log\nread -d '' x < f\necho\n"
    done = here("check", "-", "--rule", "errexit-on-read-to-end", input=text)
    assert done.stdout.startswith("-:4:1: warning[errexit-on-read-to-end]")
    assert done.stdout.count("\n") == 1
    assert here("check", "-", "--rule", "unchecked-cd", input=text).returncode == 0


def test_comments_silence_a_rule_and_unknown_names_in_them_are_reported(here: Here) -> None:
    text = "#!/bin/bash\nmake | tee log # zsh-ls: ignore=masked-build-failure\n"
    assert here("check", "-", input=text).returncode == 0
    done = here("check", "-", input=text.replace("failure", "failing"))
    assert "-:2:33: warning[unknown-ignore] no rule is called 'masked-build-failing'" in done.stdout


def test_what_the_shell_itself_cannot_read_is_an_error(here: Here) -> None:
    done = here("check", "-", input=BROKEN)
    assert done.stdout.startswith("-:2:1: error[syntax-error] syntax error near unexpected token")
    assert here("check", "-", "--rule", "unchecked-cd", input=BROKEN).returncode == 0


def test_json_has_the_whole_place(here: Here) -> None:
    (found,) = json.loads(here("check", "-", "--format", "json", input=FAULTY).stdout)
    assert found == {
        "file": "-",
        "line": 2,
        "column": 1,
        "end_line": 2,
        "end_column": 10,
        "level": "warning",
        "rule": "masked-build-failure",
        "message": LOST,
        "because": "only the last segment's exit counts (no pipefail)",
    }


def test_columns_count_characters_and_lines_end_where_the_shell_ends_them(here: Here) -> None:
    text = "#!/bin/bash\necho 'é\u2028😀'; make test | tee log\n"
    (found,) = json.loads(here("check", "-", "--format", "json", input=text).stdout)
    assert (found["line"], found["column"]) == (2, 13)


def test_sarif_names_the_rules_and_places_the_results(here: Here, project: Path) -> None:
    write(project, **{"a b.sh": FAULTY})
    log = json.loads(here("check", str(project), "--format", "sarif").stdout)
    (run,) = log["runs"]
    (result,) = run["results"]
    rules = run["tool"]["driver"]["rules"]
    assert log["version"] == "2.1.0"
    assert run["columnKind"] == "unicodeCodePoints"
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "masked-build-failure"
    assert (result["level"], result["message"]["text"]) == ("warning", LOST)
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == f"file://{project}/a%20b.sh"
    assert place["region"] == {"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 10}


def test_github_shows_a_finding_on_its_line(here: Here) -> None:
    done = here("check", "-", "--format", "github", input=FAULTY)
    assert done.stdout == (
        f"::warning file=-,line=2,col=1,endLine=2,endColumn=10,title=masked-build-failure::{LOST}\n"
    )


@pytest.mark.parametrize("style", ["json", "sarif", "github", "text"])
def test_without_findings_every_format_is_still_whole(here: Here, style: str) -> None:
    done = here("check", "-", "--format", style, input="ls\n")
    assert done.returncode == 0
    if style in {"json", "sarif"}:
        json.loads(done.stdout)
    else:
        assert done.stdout == ""


def test_a_path_that_cannot_be_read_is_reported_and_the_others_are_checked(
    here: Here, project: Path
) -> None:
    write(project, build=FAULTY)
    done = here("check", f"{project}/missing", f"{project}/build")
    assert done.stderr == f"zsh-ls check: {project}/missing: No such file or directory\n"
    assert "masked-build-failure" in done.stdout
    assert done.returncode == 2


# DOC-5
def test_a_renamed_rule_is_looked_for_by_its_old_name(
    here: Here, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = registry.rule_named("masked-build-failure")
    assert found is not None
    renamed = attrs.evolve(found, formerly=("build-masked",))
    others = [it for it in registry.all_rules() if it is not found]
    monkeypatch.setattr(registry, "all_rules", lambda: (*others, renamed))
    write(project, build=FAULTY)
    done = here("check", f"{project}/build", "--rule", "build-masked", "--no-cache")
    assert (done.returncode, done.stderr) == (1, "")
    assert "warning[masked-build-failure]" in done.stdout


def test_an_unknown_rule_is_refused_with_the_nearest_names(here: Here) -> None:
    done = here("check", "-", "--rule", "uncheked-cd", input="")
    assert done.stderr == (
        "zsh-ls check: no rule is called 'uncheked-cd'; did you mean unchecked-cd?\n"
    )
    assert done.returncode == 2


def test_rules_are_listed_and_one_has_its_page(here: Here) -> None:
    listing = here("rules").stdout
    assert "  unchecked-cd " in listing
    assert "  grep-no-match " in listing
    page = here("rules", "unchecked-cd").stdout
    assert page.startswith("# unchecked-cd\n\n*warning, static*\n\nWhen `cd` fails")
    assert here("rules", "syntax-error").stdout.startswith("# syntax-error\n")
    unknown = here("rules", "grep-no-mach")
    assert unknown.stderr.endswith(
        "no rule is called 'grep-no-mach'; did you mean grep-no-match?\n"
    )
    assert unknown.returncode == 2


def test_file_names_of_any_bytes_are_printed_whole_and_on_one_line(cli: Cli, project: Path) -> None:
    for name in (b"a\nb.sh", b"bad\xff.sh"):
        (project / os.fsdecode(name)).write_text(FAULTY)
    (project / "loop").symlink_to(project)
    done = cli("check", "--format", "sarif", str(project))
    results = json.loads(done.stdout)["runs"][0]["results"]
    uris = [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results]
    assert [uri.rpartition("/")[2] for uri in uris] == ["a%0Ab.sh", "bad%FF.sh"]


def test_a_binary_file_is_refused_and_not_taken_for_a_script(here: Here, project: Path) -> None:
    (project / "tool.sh").write_bytes(b"\x7fELF\0\0")
    done = here("check", f"{project}/tool.sh")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no text, but binary data" in done.stderr
    assert here("check", str(project)).returncode == 0


def test_rules_speak_behind_a_library_that_is_checked_too(here: Here, project: Path) -> None:
    """FATE-12: what it sets counts, and one that is not known may set anything."""
    write(
        project,
        **{
            "cd.sh": '#!/bin/bash\n. ./names.sh\ncd "$1"\nrm -rf build\n',
            "count.sh": "#!/bin/bash\n. ./strict.sh\nn=0\n((n++))\necho $n\n",
            "names.sh": 'say() { echo "$1"; }\n',
            "strict.sh": "set -e\n",
        },
    )

    def rules(*names: str) -> list[str]:
        done = here("check", "--format", "json", *(str(project / name) for name in names))
        return [each["rule"] for each in json.loads(done.stdout)]

    assert rules("cd.sh") == []
    assert rules("cd.sh", "names.sh") == ["unchecked-cd"]
    assert rules("count.sh") == []
    assert rules("count.sh", "strict.sh") == ["errexit-on-zero-arithmetic"]


def test_a_sourced_file_is_looked_into_where_it_is_checked_too(
    here: Here, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FATE-12."""
    write(
        project,
        **{
            "run.sh": "#!/bin/bash\nsource ./common.sh\nmake test | tee log\nship\n",
            "common.sh": "#!/bin/bash\nset -eo pipefail\n",
            "other.sh": "#!/bin/bash\nset -e\n",
        },
    )
    run, other, common = (str(project / name) for name in ("run.sh", "other.sh", "common.sh"))
    models: list[ScriptModel] = []
    make = ScriptModel.__init__

    def noted(model: ScriptModel, *arguments: Any) -> None:
        models.append(model)
        make(model, *arguments)

    monkeypatch.setattr(ScriptModel, "__init__", noted)
    here("check", run, other)
    here("check", run, common)
    found = [models[at].fate(models[at].script.pipelines[1].segments[0]) for at in (0, 2)]
    assert [it and it.because for it in found] == [
        "only the last segment's exit counts (no pipefail)",
        "errexit is on, and with pipefail its exit is the pipeline's",
    ]


# CLI-41
@pytest.mark.slow
def test_ctrl_c_ends_check_while_it_reads_its_input(environment: Mapping[str, str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "zsh_ls", "check", "-"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    # More than a pipe holds: when all of it is written, the command is reading.
    process.stdin.write("# a script that goes on\n" * 20_000)
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    try:
        assert process.wait(60) == 130
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()
    finally:
        process.kill()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()


def test_all_rules_are_looked_for_at_once(here: Here) -> None:
    text = '#!/bin/bash\ncd "$1"\nrm -rf build\nif\n'
    done = here("check", "-", "--all-rules", input=text)
    assert done.returncode == 1
    assert "[unchecked-cd]" in done.stdout
    assert "[syntax-error]" in done.stdout
    alone = here("check", "-", "--all-rules", "--rule", "unchecked-cd", input=text)
    assert "[syntax-error]" not in alone.stdout


# CLI-2
def test_without_the_cache_nothing_is_kept(
    cli: Cli, project: Path, environment: Mapping[str, str]
) -> None:
    write(project, build=FAULTY)
    kept = Path(environment["XDG_CACHE_HOME"]) / "zsh-ls" / "check"
    done = cli("check", "--no-cache", str(project))
    assert (done.returncode, kept.exists()) == (1, False)
    assert cli("check", str(project)).stdout == done.stdout
    assert kept.exists()
    # Nothing of it is needed: there is a file where the folder should be.
    for file in kept.iterdir():
        file.unlink()
    kept.rmdir()
    kept.write_text("")
    assert cli("check", str(project)).stdout == done.stdout


def test_shell_inside_other_files_is_checked_where_it_is_asked_for(
    here: Here, project: Path
) -> None:
    """DOC-10."""
    write(
        project,
        **{
            ".github/workflows/ci.yml": (
                "jobs:\n  a:\n    steps:\n      - run: |\n"
                "          pg_dump x | gzip > x.gz\n      - run: |\n          fi\n"
            ),
            "README.md": "# x\n\n```zsh\nprint one\nfi\n```\n",
            "Dockerfile": "FROM x\nRUN wget -O - x.org | sort\n",
            "values.yaml": "if: then\n",
            "broken.gitlab-ci.yml": "a: [\n",
            "run.sh": "#!/bin/sh\nls\n",
        },
    )
    assert here("check", str(project)).returncode == 0
    done = here("check", "--embedded", "--format", "json", str(project))
    assert done.returncode == 1
    found = {
        (Path(it["file"]).name, it["line"], it["column"], it["rule"])
        for it in json.loads(done.stdout)
    }
    assert found == {
        ("ci.yml", 5, 11, "masked-segment"),
        ("ci.yml", 7, 11, "syntax-error"),
        ("README.md", 5, 1, "syntax-error"),
        ("Dockerfile", 2, 5, "pipe-without-pipefail"),
    }
    named = here("check", str(project / "README.md"))
    assert (named.returncode, named.stdout.count("syntax-error")) == (1, 1)

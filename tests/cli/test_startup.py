"""`zsh-ls startup` as a person meets it (START-1…3)."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.cli.test_screens import on_terminal
from zsh_ls.cli.starting import ALL_READ, IN_TMUX, NO_LAG, report_page
from zsh_ls.model.startup import (
    BackgroundJob,
    BusyMachine,
    FileCost,
    FirstPrompt,
    LineCost,
    SlowerSince,
    StartupReport,
    Stuck,
)

RC = "slow() {\n  sleep 0.05\n}\nslow\nx=$(sleep 0.05)\n"


def startup(
    home: Path, *arguments: str, where: Path | None = None, own_shell: str = "/usr/bin/zsh"
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(home), "SHELL": own_shell, "COLUMNS": "120"}
    environment.pop("ZDOTDIR", None)
    command = [sys.executable, "-m", "zsh_ls", "startup", *arguments]
    return subprocess.run(
        command,
        cwd=where or home,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / ".zshrc").write_text(RC)
    return tmp_path


def test_the_page_names_lines_with_their_text(home: Path) -> None:
    done = startup(home, "--runs", "1")
    assert (done.returncode, done.stderr) == (0, "")
    first, cost, *rest = done.stdout.splitlines()
    assert first.startswith("zsh: first prompt after ")
    assert cost.startswith("Traced: ")
    assert any("~/.zshrc:2  [sleep]  sleep 0.05" in line for line in rest)
    assert any("~/.zshrc:5  [sleep]  x=$(sleep 0.05)" in line for line in rest)
    assert any("(zsh)  before the first and after the last command" in line for line in rest)
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("third", "shown"),
    [
        ("sleep 0.1", r"~/\.zshrc:2  \[sleep\]  (\([\d.]+ in another start\)  )?(?=sleep)"),
        # As on a busy machine: the shortest start has a line that took less in the other one.
        ("(( n == 5 )) || sleep 0.5", r"~/\.zshrc:2  \[sleep\]  \([\d.]+ in another start\)  "),
    ],
)
def test_ctrl_c_shows_what_is_known(third: str, shown: str, home: Path) -> None:
    """START-2: start 6, the third untraced one, stands still; of two traced ones the shorter is shown.

    That is start 3, whatever else the machine does: start 5 sleeps as long as it was from the second to the
    fourth, and so for longer than the third took.
    """
    count = "zmodload zsh/datetime; n=$(( $(wc -l <~/starts) + 1 )); print -r $EPOCHREALTIME >>~/starts\n"
    slower = "(( n != 5 )) || { began=($(<~/starts)); sleep $(( began[4] - began[2] )); }"
    (home / ".zshrc").write_text(
        f"{count}{third}\n{slower}\nif (( n == 6 )); then : >~/there; read <~/never; fi\n"
    )
    (home / "starts").touch()
    for name in ("there", "never"):
        os.mkfifo(home / name)
    environment = {**os.environ, "HOME": str(home), "SHELL": "/usr/bin/zsh"}
    environment.pop("ZDOTDIR", None)
    with subprocess.Popen(
        [sys.executable, "-m", "zsh_ls", "startup"],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as measuring:
        (home / "there").read_text()
        measuring.send_signal(signal.SIGINT)
        told, _ = measuring.communicate(timeout=60)
    assert measuring.returncode == 130
    first, head, *rest = told.splitlines()
    assert first.startswith("Stopped at: start 3 of 5")
    assert head.startswith("zsh: first prompt after ")
    assert any(re.search(f"{shown}{re.escape(third)}", line) for line in rest), told


def test_json_has_the_fields_of_the_protocol(home: Path) -> None:
    without = f"{home}/.zshrc:5"
    profile = home / "start.json"
    arguments = ("--json", "--runs", "1", "--without", without, "--speedscope", str(profile))
    done = startup(home, *arguments)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told.keys() - {"busy"} == {
        *("shell", "first_prompt_ms", "traced_ms", "lines", "files", "plugins", "causes"),
        *("without", "background"),
    }
    assert told["shell"] == "zsh"
    assert told["first_prompt_ms"].keys() == {"median", "min", "max"}
    assert told["lines"][0].keys() == {"file", "line", "own_ms", "total_ms", "count", "programs"}
    assert told["files"][0].keys() == {"file", "own_ms", "total_ms", "count"}
    assert any(it["file"] == "(zsh)" and it["line"] == 0 for it in told["lines"])
    [row] = told["without"]
    assert row.keys() == {"range", "saves_ms", "spread_ms", "certain"}
    assert row["range"] == without
    assert row["saves_ms"] > 20
    written = json.loads(profile.read_text())
    assert sum(written["profiles"][0]["weights"]) == pytest.approx(told["traced_ms"], rel=0.01)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--without", "x"), "--without: expected FILE:LINE or FILE:LINE-LINE, got 'x'"),
        (("--without", "/nowhere:1"), "--without: there is no file /nowhere"),
        (("--shell", "fish"), "--shell: expected zsh, bash or an absolute path of one, got 'fish'"),
        (("--runs", "0"), "--runs: expected 1 to 100, got 0"),
        (("--cause", "x"), "--cause: expected one of compinit-twice, "),
    ],
)
def test_wrong_usage_is_said_and_exits_2(home: Path, arguments: tuple[str, ...], told: str) -> None:
    done = startup(home, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"zsh-ls startup: {told}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("own_shell", "told"),
    [
        ("/usr/bin/fish", "zsh-ls startup: zsh was measured; your own shell, fish, cannot be\n"),
        ("/usr/bin/zsh", ""),
        ("", ""),
    ],
)
def test_a_shell_that_is_not_the_persons_own_is_named(
    home: Path, own_shell: str, told: str
) -> None:
    found = startup(home, "--runs", "1", "--json", own_shell=own_shell)
    assert (json.loads(found.stdout)["shell"], found.stderr) == ("zsh", told)


def test_what_the_shell_says_is_wrong_is_told(home: Path) -> None:
    (home / ".zshrc").write_text("sleep 0.01\nif true; then\n  :\n")
    found = startup(home, "--runs", "1")
    assert "zsh says: ~/.zshrc:4: parse error near `\\n'" in found.stdout.splitlines()[2:4]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "exec zsh",
            "bash becomes zsh (exec), whose lines are told as well, within that line's total",
        ),
        ("[[ ! -x $(command -v zsh) ]] || exec -a -zsh zsh -i", "bash becomes zsh (exec), whose"),
        ("ZDOTDIR=~ exec zsh -l 2>/dev/null", "bash becomes zsh (exec), whose"),
        (
            "exec env ZDOTDIR=$HOME zsh",
            "bash becomes zsh (exec), which counts to that line as a whole; by",
        ),
        ("exec bash --norc", "bash becomes bash (exec), which counts to that line as a whole"),
        ("exec 3>/dev/null", None),
    ],
)
def test_a_shell_that_gives_its_place_to_another_is_told(
    home: Path, text: str, told: str | None
) -> None:
    """START-1: where bash is the login shell and `.bashrc` starts zsh, both have their lines."""
    (home / ".bashrc").write_text(f"x=1\n[[ -z $INNER ]] || return\nexport INNER=1\n{text}\n")
    found = startup(home, "--runs", "1", own_shell="/usr/bin/bash").stdout.splitlines()
    assert found[0].startswith("bash: first prompt after ")
    becomes = [it for it in found if " becomes " in it]
    assert len(becomes) == (told is not None)
    assert all(it.startswith(told or "") for it in becomes)
    if told and " zsh " in told:
        [row] = [it for it in found if "~/.bashrc:4" in it]
        own_ms, total_ms, *_ = map(float, row.split()[:2])
        assert total_ms >= 100 - 4, "both delays of .zshrc"
        is_followed = "which counts" not in told
        assert any("~/.zshrc:" in it for it in found) == is_followed
        assert (own_ms < 100 - 4) == is_followed


def test_a_cause_has_a_page(home: Path) -> None:
    done = startup(home, "--cause", "compinit-twice")
    assert done.returncode == 0
    assert done.stdout.startswith("compinit reads or builds the table of all completions.")


def shown(report: StartupReport) -> list[str]:
    return [row.plain for row in report_page(report)]


def report_with(**fields: Any) -> StartupReport:
    """A start of 100 ms without a trace, 200 ms with one: 10,000 commands, 10 µs each."""
    lines = (
        LineCost("/rc", 1, 100.0, 190.0, 9_000, (), 9_000, 9_900),
        LineCost("/rc", 2, 80.0, 80.0, 1, (), 10, 10),
        LineCost("/rc", 3, 20.0, 200.0, 1, (), 990, 10_000),
    )
    files = (FileCost("/rc", 200.0, 200.0, 1, 10_000, 10_000),)
    told = StartupReport("zsh", 200.0, lines, files, (), (), (), (), 10_000, ())
    return attrs.evolve(told, **{"first_prompt_ms": FirstPrompt(100.0, 99.0, 101.0), **fields})


def test_a_busy_machine_is_told_with_what_to_do() -> None:
    told = "\n".join(shown(report_with(busy=BusyMachine(12.4, 2))))
    assert (
        "The machine is busy (load 12 beside these starts, 2 processors): times are longer here"
        in told
    )
    assert "--runs 20" in told
    assert "The machine is busy" not in "\n".join(shown(report_with()))


def test_times_less_what_tracing_cost_stand_in_their_order() -> None:
    page = shown(report_with())
    rows = [it.split() for it in page if "/rc:" in it]
    assert [it[:2] for it in rows] == [["79.9", "79.9"], ["10.1", "100.0"], ["10.0", "91.0"]]
    assert [it[-1] for it in rows] == ["/rc:2", "/rc:3", "/rc:1"]


def test_a_plugin_is_not_blamed_for_what_tracing_took_on_a_busy_machine() -> None:
    """START-1: oh-my-zsh with autosuggestions under load, where each traced command took 50 µs."""
    busy = report_with(
        commands=9_000, traced_ms=1400.0, first_prompt_ms=FirstPrompt(950, 600, 1500)
    )
    rows = [it.split()[0] for it in shown(busy) if "/rc:" in it]
    assert rows == ["79.5"]
    # So few commands cannot have taken that: other processes did.
    disturbed = attrs.evolve(busy, commands=4_000)
    rows = [it.split()[0] for it in shown(disturbed) if "/rc:" in it]
    assert rows == ["100.0", "80.0", "20.0"]


def test_a_line_that_was_disturbed_says_what_it_took_undisturbed() -> None:
    """START-1: on a busy machine the shown start may be disturbed in a line; another one was not."""
    lines = (
        LineCost("/rc", 1, 120.0, 120.0, 1, ("python3",), 1, 1, 51.4),
        LineCost("/rc", 2, 80.0, 80.0, 1, (), 1, 1),
    )
    page = shown(report_with(lines=lines, commands=2))
    assert "Other processes disturbed these starts: 1 line took less in another one" in page[2]
    rows = [it for it in page if "/rc:" in it]
    assert [it.split(maxsplit=2)[2].strip() for it in rows] == [
        "/rc:1  [python3]  (51.4 in another start)",
        "/rc:2",
    ]


def test_a_row_has_as_much_of_its_line_as_the_terminal_is_wide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rc = tmp_path / "rc"
    rc.write_text("for each in one two three four five six seven; do : $each; done\n")
    deep = tmp_path / ("deep" * 20)
    deep.write_text(":\n")
    lines = tuple(
        LineCost(str(file), 1, 100.0, 100.0, 1, ("ls",), 1, 1, None) for file in (rc, deep)
    )
    place = len(f"{rc}:1  [ls]")
    monkeypatch.setattr("zsh_ls.cli.starting.columns", lambda: 35 + place + 2 + 20)
    row, _ = [it for it in shown(report_with(lines=lines, commands=2)) if "[ls]" in it]
    assert row.endswith("[ls]  for each in one two…")
    assert len(row) == 35 + place + 2 + 20
    monkeypatch.setattr("zsh_ls.cli.starting.columns", lambda: 80)
    _, whole = [it for it in shown(report_with(lines=lines, commands=2)) if "[ls]" in it]
    assert whole.split()[-2:] == [f"/…/{deep.name}:1", "[ls]"]


def test_jobs_of_no_time_are_not_listed() -> None:
    jobs = (
        BackgroundJob("/rc", 4, 0.0),
        BackgroundJob("/rc", 5, 2.0),
        BackgroundJob("/rc", 6, 9.0),
    )
    page = shown(report_with(background=jobs))
    assert [
        it.split() for it in page[page.index("\nBeside the start, in nobody's time") + 1 :]
    ] == [
        ["9.0", "/rc:6"],
        ["2.0", "/rc:5"],
    ]
    assert not any("Beside" in it for it in shown(report_with(background=jobs[:1])))


def test_a_profile_that_cannot_be_written_costs_no_figures(home: Path) -> None:
    done = startup(home, "--runs", "1", "--speedscope", "missing/start.json")
    assert done.returncode == 2
    assert done.stdout.startswith("zsh: first prompt after ")
    assert done.stderr == "zsh-ls startup: missing/start.json: No such file or directory\n"


def test_a_profile_follows_no_link_out_of_the_project(home: Path) -> None:
    """Whoever wrote the project chose where `start.json` leads."""
    project, kept = home / "project", home / "kept"
    (project / ".git").mkdir(parents=True)
    kept.write_text("mine\n")
    (project / "start.json").symlink_to(kept)
    done = startup(home, "--runs", "1", "--speedscope", "start.json", where=project)
    assert (done.returncode, kept.read_text()) == (2, "mine\n")
    assert f"start.json: a link leads out of the project, to {kept}" in done.stderr


def test_a_lag_that_cannot_be_told_says_so(home: Path) -> None:
    """By a line editor that announces no bracketed paste."""
    (home / ".zshrc").write_text("unset zle_bracketed_paste\n")
    done = startup(home, "--runs", "1", "--lag")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"\n\n{NO_LAG}\n")


def test_a_slower_line_is_told_with_its_day() -> None:
    rc = f"{Path.home()}/.zshrc"
    slower = SlowerSince(rc, 41, 82.4, "2026-11-12T12:00:00+00:00")
    assert shown(report_with(since=(slower,)))[-1] == "slower since 12 Nov: +82 ms, ~/.zshrc:41"


def test_lost_starts_are_told() -> None:
    stood = Stuck("/rc", 26, "command pyenv rehash\n:", 30000.0, 9000.0)
    told = "Starts that came to no prompt, left out: "
    assert f"{told}1" in shown(report_with(lost=(None,)))
    assert f"{told}3; stood at /rc:26: command pyenv rehash" in shown(
        report_with(lost=(None, stood, stood))
    )


@pytest.mark.parametrize(
    ("still_ms", "exit_status", "told"),
    [
        (29_000.0, None, "zsh stands still before its first prompt, after 30.0 s, at /rc:7: read"),
        (10.0, None, "zsh is still busy after 30.0 s, with no prompt yet, at /rc:7: read"),
        (10.0, 3, "zsh ends with exit 3 before its first prompt, after 30.0 s, at /rc:7: read"),
    ],
)
def test_a_start_without_a_prompt_says_how_it_stood(
    still_ms: float, exit_status: int | None, told: str
) -> None:
    stuck = Stuck("/rc", 7, "read", 30_000.0, still_ms, exit_status)
    assert shown(report_with(first_prompt_ms=None, stuck=stuck))[0] == told


def test_a_shell_that_ends_at_once_says_after_how_many_milliseconds() -> None:
    stuck = Stuck("/rc", 7, "exit", 41.6, 0.1, 3)
    told = "zsh ends with exit 3 before its first prompt, after 42 ms, at /rc:7: exit"
    assert shown(report_with(first_prompt_ms=None, stuck=stuck))[0] == told


@pytest.mark.parametrize(
    ("stuck", "told"),
    [
        (Stuck("/rc", 7, "exec tmux new -A", 30_000.0, 29_000.0, None), IN_TMUX),
        (Stuck("(zsh)", 0, "", 30_000.0, 29_000.0, None), ALL_READ),
        (
            Stuck("/rc", 7, "/usr/bin/zsh -l", 30_000.0, 29_000.0, None),
            "Another shell has the terminal there; by line: zsh-ls startup --shell zsh",
        ),
    ],
)
def test_a_start_that_stands_for_a_usual_reason_says_what_helps(stuck: Stuck, told: str) -> None:
    first, second, *_ = shown(report_with(first_prompt_ms=None, stuck=stuck))
    assert first.endswith(f"at {stuck.file}{f':7: {stuck.command}' if stuck.line else ''}")
    assert second == told


DEEP = ".framework/custom/plugins/autosuggestions/autosuggestions.plugin.zsh"


@pytest.fixture
def deep(home: Path) -> Path:
    """A home whose plugins stand where frameworks have them."""
    plugin = home / DEEP
    plugin.parent.mkdir(parents=True)
    (home / ".zshrc").write_text(f"source ~/{DEEP}\n")
    plugin.write_text("sleep 0.05\nx=$(sleep 0.04) # what it does\nsleep 0.03 &!\n")
    return home


def test_the_page_of_a_framework_fits_the_terminal(deep: Path) -> None:
    """CLI-42: where its plugins are below many folders, some of these are left out."""
    own = {name: it for name, it in os.environ.items() if name not in ("COLUMNS", "ZDOTDIR")}
    environment = {**own, "HOME": str(deep), "SHELL": "/usr/bin/zsh"}
    words = ("startup", "--runs", "1", "--without", f"{deep}/{DEEP}:2")
    written = on_terminal(environment, deep, *words)
    lines = [it for line in written for it in line.split("\x1b[K")]
    assert not [it for it in lines if len(it) > 80]
    shown = [it for it in lines if "autosuggestions.plugin.zsh:" in it]
    assert any(re.search(r"~/…/autosuggestions\.plugin\.zsh:1", it) for it in shown)
    assert any("/…/autosuggestions.plugin.zsh:2" in it and "without" in it for it in shown)


def test_progress_fits_its_terminal_where_the_page_goes_elsewhere(deep: Path) -> None:
    """`zsh-ls startup | less`: of a line of progress that went on in the next one only that was erased."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("4H", 24, 60, 0, 0))
    own = {name: it for name, it in os.environ.items() if name not in ("COLUMNS", "ZDOTDIR")}
    with subprocess.Popen(
        [sys.executable, "-m", "zsh_ls", "startup", "--runs", "1", "--without", f"{deep}/{DEEP}:2"],
        env={**own, "HOME": str(deep), "SHELL": "/usr/bin/zsh"},
        stdout=subprocess.PIPE,
        stderr=its,
        start_new_session=True,
    ) as measuring:
        os.close(its)
        written = b""
        with contextlib.suppress(OSError):  # Linux says so at the end of a terminal
            while piece := os.read(ours, 1 << 16):
                written += piece
        measuring.communicate(timeout=60)
    os.close(ours)
    told = written.decode().split("\r\x1b[K")
    assert any(" without autosuggestions.plugin.zsh:2, pair 2" in it for it in told)
    assert max(map(len, told)) == 59

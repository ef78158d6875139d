"""Starts of real shells, with delays at known places (START)."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import attrs
import pytest

from tests.startup import planted, real
from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.startup import FirstPrompt, LineCost, StartupReport, StartupRequest
from zsh_ls.sidecar import Sidecar
from zsh_ls.sidecar.config import Settings, SidecarOptions
from zsh_ls.sidecar.startup import Starts, kind_of, ranges_of
from zsh_ls.startup.trace import read_trace
from zsh_ls.tasks.process import processes
from zsh_ls.tasks.starts import shell_start
from zsh_ls.tasks.starts.shell_start import Started, StartPlan, whole_beginning, whole_end
from zsh_ls.tasks.supervision import process_tags

SHELLS = {"zsh": "/usr/bin/zsh", "bash": "/usr/bin/bash"}
# A start that stands still is ended after 30 s; tests need not wait that long.
SOON_S = 2.0
# sleep(1) may end a little early by the clock that the shells read.
CLOCK_MS = 2
# A process's own beginning is known to a hundredth of a second, where a busy machine looks more rarely.
TICK_MS = 10
# A line with which a `.zshrc` knows the number of its start.
COUNT = "n=$(( $(wc -l <~/starts) + 1 )); echo >>~/starts\n"


def environment(home: Path) -> dict[str, str]:
    kept = {name: it for name, it in os.environ.items() if name not in ("ZDOTDIR", "SHELL")}
    return {**kept, "HOME": str(home), "TERM": "xterm-256color"}


async def measured(home: Path, kind: str, request: StartupRequest) -> StartupReport:
    starts = Starts(request, kind, SHELLS[kind], environment(home), lambda *_: None)
    return (await starts.measured()).report


def home_with(folder: Path, kind: str, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / f".{kind}rc").write_text(text)
    return folder


def is_alive(command: str) -> bool:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
            except OSError:
                continue
            if words.strip() == command.encode():
                return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", planted.names())
async def test_each_delay_is_found_where_it_is(name: str, tmp_path: Path) -> None:
    """START-1: at its file and line, with its time; and own times add up to the whole start."""
    await assert_each_is_found(planted.made(name, tmp_path / "home"))


@pytest.mark.slow
@pytest.mark.parametrize("configuration", real.PACKAGED, ids=lambda it: it.name)
async def test_delays_in_real_frameworks_are_found(
    configuration: real.Configuration, tmp_path: Path
) -> None:
    """START-1: in functions, hooks, `eval` and programs of what Debian packages."""
    await assert_each_is_found(real.made(configuration, tmp_path / "home"))


async def assert_each_is_found(home: planted.Home) -> None:
    """Each planted delay at its file and line, with its time; own times add up to the whole start."""
    request = StartupRequest(login=home.login, runs=1)
    report = await measured(home.path, home.shell, request)
    rows = {(row.file, row.line): row for row in report.lines}
    beside = {(job.file, job.line) for job in report.background}
    for delay in home.planted:
        row = rows.get((str(delay.file), delay.line))
        if delay.background:
            assert row is None or row.own_ms < 100, f"a job is accused: {delay}"
            assert (str(delay.file), delay.line) in beside
        else:
            assert row is not None, f"not found: {delay}"
            unknown_ms = CLOCK_MS * delay.count + TICK_MS * delay.ends_unseen
            assert row.own_ms >= delay.ms - unknown_ms, delay
            assert row.total_ms >= row.own_ms
            assert row.count == delay.count
    own_ms = sum(row.own_ms for row in report.lines)
    assert own_ms == pytest.approx(report.traced_ms, rel=0.01)
    assert sum(row.own_ms for row in report.files) == pytest.approx(own_ms, rel=0.001)
    shell = rows[f"({home.shell})", 0]
    assert shell.total_ms == shell.own_ms, "only what is nobody else's"
    assert report.first_prompt_ms is not None
    jobs = [line for it in home.planted if it.background for line in [text_of(it)]]
    for left in report.left or ():
        assert any(left.command in job for job in jobs), (
            "on a busy machine a job may outlive its start"
        )


def text_of(delay: planted.Planted) -> str:
    return delay.file.read_text().splitlines()[delay.line - 1]


async def test_programs_begin_where_they_say_however_rarely_is_looked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """START-1: on a busy machine the time of `sleep 0.3` went to the list behind it."""
    monkeypatch.setattr(shell_start, "_LOOKS_EVERY_S", 0.25)
    home = home_with(tmp_path / "home", "zsh", "source ~/inner.zsh && sleep 0.4\n")
    (home / "inner.zsh").write_text("quick() { x=1 }\nquick && sleep 0.3\n")
    report = await measured(home, "zsh", StartupRequest(runs=1))
    rows = {(Path(row.file).name, row.line): row.own_ms for row in report.lines}
    assert rows["inner.zsh", 2] >= 300 - CLOCK_MS - TICK_MS
    assert rows[".zshrc", 1] >= 400 - CLOCK_MS


async def test_programs_plugins_and_callers_are_told(tmp_path: Path) -> None:
    home = planted.made("zsh-framework", tmp_path / "home").path
    report = await measured(home, "zsh", StartupRequest(runs=1))
    rows = {(Path(row.file).name, row.line): row for row in report.lines}
    assert rows["starts-programs.plugin.zsh", 2].programs == ("sleep",)
    plugins = {it.name: it for it in report.plugins}
    assert plugins["slow"].folder == str(home / ".oh-my-zsh/plugins/slow")
    assert plugins["slow"].own_ms >= 50 - CLOCK_MS
    assert plugins["oh-my-zsh"].total_ms >= plugins["slow"].total_ms
    files = {Path(it.file).name: it for it in report.files}
    assert files[".zshrc"].count == files["slow.plugin.zsh"].count == 1
    assert files[".zshrc"].total_ms >= files["slow.plugin.zsh"].total_ms + 100 - CLOCK_MS
    assert ("eval-init", 7) in {(it.code, it.line) for it in report.causes}
    assert "plugin-starts-programs" in {it.code for it in report.causes}


async def test_the_row_of_the_shell_itself_is_no_line_that_ran_often(tmp_path: Path) -> None:
    """START-1: it said `3×` of what a prompt's text ran."""
    home = home_with(tmp_path / "home", "bash", "PS1='$(:)$(:)$(:)'\n")
    report = await measured(home, "bash", StartupRequest(runs=1))
    [shell] = [it for it in report.lines if not it.line]
    assert shell.count == 1


@pytest.mark.parametrize("kind", SHELLS)
async def test_a_program_that_an_eval_starts_is_told(kind: str, tmp_path: Path) -> None:
    text = "later() { sleep 0.02; }\neval 'x=1; sleep 0.02; later'\n"
    home = home_with(tmp_path / "home", kind, text)
    report = await measured(home, kind, StartupRequest(runs=1))
    rows = {it.line: it for it in report.lines if it.file == str(home / f".{kind}rc")}
    assert rows[2].programs == ("sleep",)
    assert rows[2].own_ms >= 20 - CLOCK_MS
    assert rows[2].count == 1


@pytest.mark.parametrize(
    ("before", "line"),
    [
        ("y=1", "x=$(f)"),
        ("[[ y ]]", "x=`:`"),
        ("case y in y) export y ;; esac", "export x=$(\n  f\n)"),
        ("y+=1", "[[ $(f) ]]"),
        ("y[0]=1", "for x in $(f); do :; done"),
        (":", "case $(f) in *) : ;; esac"),
        ("case y in y) ;; esac", "g"),
    ],
)
async def test_a_process_that_bash_makes_for_a_substitution_is_that_lines_time(
    before: str, line: str, tmp_path: Path
) -> None:
    """START-1: bash tells the command afterwards; a large shell needs some time to make a process."""
    text = (
        "printf -v big '%030000000d' 0; f() { :; }\ng() {\n:\nx=$(f)\n}\n"
        f"for i in {{1..5}}; do\n{before}\n{line}\ndone\n"
    )
    home = home_with(tmp_path / "home", "bash", text)
    report = await measured(home, "bash", StartupRequest(runs=1))
    rows = {it.line: it for it in report.lines if it.file == str(home / ".bashrc")}
    assert rows[7].own_ms < rows[8].total_ms / 4
    if line == "g":
        assert rows[3].own_ms + rows[8].own_ms < rows[4].own_ms / 4
    assert sum(it.own_ms for it in report.lines) == pytest.approx(report.traced_ms, rel=0.01)


@pytest.mark.parametrize("kind", SHELLS)
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('eval "$(pyenv init -)"', "version-manager"),
        ('command -v pyenv >/dev/null && eval "$(pyenv init -)"', "version-manager"),
        ('setup="$(conda shell.posix hook 2>/dev/null)"', "version-manager"),
        ("[ -s ~/nvm.sh ] && \\. ~/nvm.sh", "version-manager"),
        ('eval "$(starship init bash)"', "eval-init"),
        ("source <(starship init bash)", "eval-init"),
        (". <(pyenv init -)", "version-manager"),
    ],
)
async def test_a_tool_that_is_set_up_as_its_installer_writes_it_is_a_known_cause(
    kind: str, line: str, code: str, tmp_path: Path
) -> None:
    """START-3: bash tells `eval` with what it evaluates, and before that the program that printed it."""
    home = home_with(tmp_path / "home", kind, f"PATH=~/bin:$PATH\n{line}\n")
    (home / "bin").mkdir()
    for name in ("pyenv", "conda", "starship"):
        tool = home / "bin" / name
        tool.write_text("#!/bin/sh\nsleep 0.1; echo 'x=$(echo bash); export y=2'\n")
        tool.chmod(0o755)
    (home / "nvm.sh").write_text("sleep 0.1\n")
    report = await measured(home, kind, StartupRequest(runs=1))
    rc = str(home / f".{kind}rc")
    assert (code, rc, 2) in {(it.code, it.file, it.line) for it in report.causes}
    set_up = {"version-manager", "eval-init"}
    assert {it.code for it in report.causes} & set_up == {code}, "said once"


@pytest.mark.parametrize("kind", SHELLS)
async def test_what_is_not_there_is_no_program(kind: str, tmp_path: Path) -> None:
    """START-1: prezto without its submodules runs `async_job`, of which zsh says that it is not found."""
    text = "no_such_worker a\nno_such_worker b; /bin/sleep 0.01\n"
    report = await measured(home_with(tmp_path / "home", kind, text), kind, StartupRequest(runs=1))
    rows = {it.line: it.programs for it in report.lines if it.file.endswith("rc") and it.line}
    assert report.errors
    assert "no_such_worker" not in {name for programs in rows.values() for name in programs}
    assert rows[2] == ("sleep",)


@pytest.mark.parametrize("kind", SHELLS)
@pytest.mark.parametrize(
    "line",
    [
        "x=$(python3 -c 1)",
        "python3 -c 1 >/dev/null",
        # What a shim becomes at once, which may be all that is seen of it.
        "x=$(~/.pyenv/libexec/pyenv exec python3)",
        "~/.pyenv/libexec/pyenv-exec python3",
    ],
)
async def test_a_program_that_is_a_shim_is_a_known_cause(
    kind: str, line: str, tmp_path: Path
) -> None:
    """START-3: `x=$(python3 ...)` of an rc file took half of a start, all of it pyenv's."""
    home = home_with(
        tmp_path / "home", kind, f"PATH=~/.pyenv/shims:$PATH\n{line}\n/bin/sleep 0.1\n"
    )
    shim = home / ".pyenv/shims/python3"
    shim.parent.mkdir(parents=True)
    libexec = home / ".pyenv/libexec"
    libexec.mkdir()
    for file in (shim, libexec / "pyenv", libexec / "pyenv-exec"):
        file.write_text("#!/usr/bin/env bash\nsleep 0.1\nexec true\n")
        file.chmod(0o755)
    report = await measured(home, kind, StartupRequest(runs=1))
    rc = str(home / f".{kind}rc")
    found = [(it.file, it.line) for it in report.causes if it.code == "version-manager-shim"]
    assert found == [(rc, 2)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", SHELLS)
async def test_lines_are_left_out_to_see_what_that_saves(kind: str, tmp_path: Path) -> None:
    """START-2: measured, with the file as it was; what cannot be left out is refused with the reason."""
    text = "cheap=1\nslow() {\n  sleep 0.1\n}\nslow\n# a comment\n"
    home = home_with(tmp_path / "home", kind, text)
    rc = home / f".{kind}rc"
    other = tmp_path / "other"
    other.write_text("echo\n")
    without = (f"{rc}:5", f"{rc}:2-3", f"{rc}:6", f"{other}:1")
    report = await measured(home, kind, StartupRequest(runs=3, without=without))
    call, body, comment, unread = report.without
    for row in (call, body):
        assert row.saves_ms is not None
        assert row.saves_ms > 60, row
        assert row.certain
    assert [it.range for it in report.without] == list(without)
    assert comment.refused == "nothing runs there in a start"
    assert unread.refused == "no start reads this file where its lines could be left out"
    assert rc.read_text() == text


def home_that_becomes_zsh(folder: Path, zshrc: str) -> Path:
    home = home_with(folder, "bash", "[ -z $BASH_EXECUTION_STRING ] && exec zsh\n")
    (home / ".zshrc").write_text(zshrc)
    return home


@pytest.mark.slow
async def test_a_line_of_the_shell_that_takes_the_place_is_left_out(tmp_path: Path) -> None:
    """START-2: also where bash has given its place to zsh; and what zsh says there is zsh's."""
    home = home_that_becomes_zsh(tmp_path / "home", ":\nsleep 0.1\nnope_it\n")
    request = StartupRequest(runs=3, without=(f"{home}/.zshrc:2", f"{home}/.bashrc:1"))
    report = await measured(home, "bash", request)
    line, becoming = report.without
    assert line.certain
    assert (line.saves_ms or 0) > 60
    assert (becoming.saves_ms or 0) > (line.saves_ms or 0) - 40
    [error] = report.errors or ()
    assert (error.file, error.line, error.said_by) == (str(home / ".zshrc"), 3, "zsh")


async def test_a_start_that_stands_still_in_the_next_shell_is_told_in_its_time(
    tmp_path: Path,
) -> None:
    """START-7: with the line of that shell, and within the limit of one start."""
    home = home_that_becomes_zsh(tmp_path / "home", ":\nread -k1 '?Update? '\n")
    began = time.monotonic()
    report = await measured(home, "bash", StartupRequest(limit_s=10 * SOON_S))
    assert time.monotonic() - began < 20 * SOON_S
    assert report.stuck is not None
    assert (report.stuck.file, report.stuck.line) == (str(home / ".zshrc"), 2)


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("zle-line-init() {\n  sleep 0.01\n  sleep 0.02\n}\nzle -N zle-line-init\n", ".zshrc"),
        ("emulate sh -c '. ~/.profile'\n", ".profile"),
    ],
)
async def test_a_line_that_zsh_does_not_tell_from_others_is_not_left_out(
    text: str, file: str, tmp_path: Path
) -> None:
    """START-2: each command there has the same number: all of them would be skipped."""
    home = home_with(tmp_path / "home", "zsh", text)
    (home / ".profile").write_text("if :; then\n  sleep 0.01\n  sleep 0.02\nfi\n")
    request = StartupRequest(runs=1, without=(f"{home / file}:3",))
    (without,) = (await measured(home, "zsh", request)).without
    assert without.refused is not None
    assert without.refused.endswith("where zsh does not tell lines apart")


async def test_how_far_it_is_goes_on_while_lines_are_left_out(tmp_path: Path) -> None:
    """START-4: of one pair after another, and not done before the last."""
    home = home_with(tmp_path / "home", "bash", "x=1\ny=2\n")
    told: list[tuple[str, int]] = []
    request = StartupRequest(runs=1, without=(f"{home}/.bashrc:1",))
    starts = Starts(request, "bash", SHELLS["bash"], environment(home), lambda *it: told.append(it))
    await starts.measured()
    pairs = [percent for message, percent in told if ", pair " in message]
    assert len(pairs) >= 3
    assert pairs == sorted(pairs)
    assert pairs[2] > pairs[1] > pairs[0]
    assert pairs[2] < 90


class EnoughAt:
    """Told how far a measurement is; no more is wanted once it says this."""

    def __init__(self, message: str) -> None:
        self.told: list[str] = []
        self._message = message

    def tell(self, message: str, _percent: int) -> None:
        self.told.append(message)

    def is_enough(self) -> bool:
        return any(self._message in it for it in self.told)


@pytest.mark.parametrize("message", ["start 3 of 5", ":2, pair 3", ":3"])
async def test_a_measurement_that_is_ended_says_what_it_knows(message: str, tmp_path: Path) -> None:
    """START-2: within a start, a line's pairs, or before them; and ends what it started."""
    home = home_with(tmp_path / "home", "zsh", "x=1\nsleep 0.1\nsleep 0.1\n")
    rc = home / ".zshrc"
    ending = EnoughAt(message)
    starts = Starts(
        StartupRequest(without=(f"{rc}:2", f"{rc}:3")),
        *("zsh", SHELLS["zsh"], environment(home), ending.tell),
        is_enough=ending.is_enough,
    )
    report = (await starts.measured()).report
    assert report.stopped_at is not None
    assert message in report.stopped_at
    assert message in ending.told[-1]
    dear = {it.line for it in report.lines if it.file == str(rc) and it.own_ms >= 100 - CLOCK_MS}
    assert dear == {2, 3}
    assert report.first_prompt_ms is not None
    lines = [it.range for it in report.without]
    assert lines == ([] if message.startswith("start") else [f"{rc}:2"])
    assert all(it.refused is None and it.saves_ms is not None for it in report.without)


async def test_a_start_that_hangs_is_told_before_its_limit_where_that_is_wanted(
    tmp_path: Path,
) -> None:
    """START-7: whoever does not wait for 30 s learns where it stands all the same."""
    # On one line: it is stopped as soon as the file is there.
    home = home_with(tmp_path / "home", "zsh", "x=1\n:\n: >~/there; read <~/never\n")
    os.mkfifo(home / "never")
    starts = Starts(
        StartupRequest(),
        *("zsh", SHELLS["zsh"], environment(home), lambda *_: None),
        is_enough=(home / "there").exists,
    )
    report = (await starts.measured()).report
    assert report.stuck is not None
    assert (report.stuck.line, report.stuck.exit) == (3, None)
    assert report.stopped_at == "a first start, traced"


@pytest.mark.parametrize("kind", SHELLS)
@pytest.mark.parametrize("how", ["tool", "tool &"])
async def test_what_a_start_leaves_running_may_clean_up(
    how: str, kind: str, tmp_path: Path
) -> None:
    """START-7: a lock that pyenv holds while it runs, the socket of an agent: else the next shell waits."""
    waits = "" if "&" in how else "; : never"
    home = home_with(tmp_path / "home", kind, f"PATH=~:$PATH\n{how}{waits}\nread -r <~/there\n")
    os.mkfifo(home / "there")
    tool = home / "tool"
    tool.write_text(
        "#!/usr/bin/env bash\nset -o noclobber\n: >~/lock || exit\ntrap 'sleep 0.3; rm ~/lock' EXIT\n"
        "echo >|~/there & sleep 60\n"
    )
    tool.chmod(0o755)
    if "&" in how:
        report = await measured(home, kind, StartupRequest(runs=1))
        assert f"bash {tool}" in {it.command for it in report.left or ()}
    else:
        report = await measured(home, kind, StartupRequest(limit_s=SOON_S))
        assert report.stuck is not None
    assert not (home / "lock").exists()


async def test_pairs_are_not_made_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """START-2: more of them while the spread is large, until a time; as many as asked if they can tell."""
    home = home_with(tmp_path / "home", "zsh", f"{COUNT}sleep 1\n(( n % 4 )) || sleep 0.5\n")
    (home / "starts").touch()
    monkeypatch.setattr("zsh_ls.sidecar.startup._LONGEST_AGAIN_S", 0.0)
    without = (f"{home}/.zshrc:2",)
    await measured(home, "zsh", StartupRequest(runs=4, without=without))
    assert len((home / "starts").read_text()) == (1 + 2 * 4) + (1 + 2 * 4)


async def test_what_pairs_cannot_tell_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """START-2: where starts differ by a second, no number of pairs tells of a line that takes nothing.

    The twelfth start is as it is, the fourteenth without the line.
    """
    text = f"{COUNT}x=1\n(( n == 12 || n == 14 )) && sleep 1\n"
    home = home_with(tmp_path / "home", "zsh", text)
    (home / "starts").touch()
    monkeypatch.setattr("zsh_ls.sidecar.startup._LONGEST_AGAIN_S", 0.0)
    report = await measured(home, "zsh", StartupRequest(runs=4, without=(f"{home}/.zshrc:2",)))
    assert len((home / "starts").read_text()) == (1 + 2 * 4) + (1 + 2 * 3)
    (without,) = report.without
    assert without.told.startswith(f"without {home}/.zshrc:2: cannot be told from noise (± ")


async def test_a_busy_machine_is_told_while_it_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """START-2: with the load of others, of which this one is none."""
    home = home_with(tmp_path / "home", "bash", "x=1\n")
    for load, is_busy in ((1000.0, True), (0.0, False)):
        monkeypatch.setattr(os, "getloadavg", lambda now=load: (now, now, now))
        told: list[str] = []
        request = StartupRequest(runs=1)
        own = environment(home)
        starts = Starts(request, "bash", SHELLS["bash"], own, lambda it, _, to=told: to.append(it))
        busy = (await starts.measured()).report.busy
        assert (busy is not None, told[-1].endswith(", busy machine")) == (is_busy, is_busy)
        assert busy is None or busy.load > 998


@pytest.mark.slow
async def test_the_dearest_lines_are_tried(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", "bash", "sleep 0.05\nx=$(sleep 0.1)\n:\n")
    report = await measured(home, "bash", StartupRequest(runs=2, try_dearest=True))
    tried = {it.range.rpartition(":")[2]: it for it in report.without}
    assert {"1", "2"} <= tried.keys()
    assert (tried["2"].saves_ms or 0) > (tried["1"].saves_ms or 0) > 20


async def test_why_no_line_can_be_tried_is_told(tmp_path: Path) -> None:
    """START-2: bash-preexec sets a DEBUG trap, and nothing at all was said of any line."""
    text = "trap : DEBUG\nsleep 0.02\nsleep 0.03\n"
    home = home_with(tmp_path / "home", "bash", text)
    report = await measured(home, "bash", StartupRequest(runs=1, try_dearest=True))
    (row,) = report.without
    assert row.refused is not None
    assert row.refused.startswith("the start-up files set a DEBUG trap")


def test_ranges_are_checked_before_anything_starts(tmp_path: Path) -> None:
    (tmp_path / "rc").write_text(":\n")
    for wrong in ("", "rc", f"{tmp_path}/rc", f"{tmp_path}/rc:0", f"{tmp_path}/rc:3-1"):
        with pytest.raises(InvalidRequest, match=r"^without: expected"):
            ranges_of([wrong])
    with pytest.raises(InvalidRequest, match="there is no file"):
        ranges_of([f"{tmp_path}/missing:1"])
    [found] = ranges_of([f"{tmp_path}/./rc:1-1"])
    assert (found.file, found.first, found.last) == (f"{tmp_path}/rc", 1, 1)
    assert found.text == f"{tmp_path}/./rc:1-1"


def test_the_shell_is_the_persons_own(tmp_path: Path) -> None:
    there = {"zsh": "/usr/bin/zsh", "bash": "/usr/bin/bash"}
    assert kind_of(None, {"SHELL": "/usr/bin/bash"}, there)[0] == "bash"
    assert kind_of(None, {"SHELL": "/usr/bin/fish"}, there)[0] == "zsh"
    assert kind_of("/usr/bin/bash", {}, there) == ("bash", "/usr/bin/bash")
    built = tmp_path / "zsh"
    assert kind_of(None, {"SHELL": str(built)}, there) == ("zsh", "/usr/bin/zsh")
    built.symlink_to("/usr/bin/zsh")
    assert kind_of(None, {"SHELL": str(built)}, there) == ("zsh", str(built))
    assert kind_of("zsh", {"SHELL": str(built)}, there) == ("zsh", "/usr/bin/zsh")
    for wrong in ("fish", "sh", "bin/zsh", "/nowhere/zsh"):
        with pytest.raises(InvalidRequest, match=r"^shell: "):
            kind_of(wrong, {}, there)


@pytest.mark.parametrize(
    ("kind", "text", "line"),
    [
        ("zsh", ":\nask() {\n  read -k1 '?Update? '\n}\nask\n", 3),
        ("zsh", "x=1\ncat\n", 2),
        ("zsh", "read -rs 'secret?Passphrase: '\n", 1),
        ("zsh", "unset zle_bracketed_paste\nread -rsk1\n", 2),
        ("zsh", "unset zle_bracketed_paste\nvared -c name\n", 2),
        ("zsh", "name=\nvared -p 'Name? ' name\n", 2),
        ("zsh", "select it in a b; do :; done\n", 1),
        ("bash", ":\nread -n1 -p 'Update? '\n", 2),
        ("bash", "read -rep 'Name? ' name\n", 1),
        ("bash", ":\n:\nstty raw -echo; cat\n", 3),
    ],
)
async def test_a_start_that_stands_still_is_ended(
    kind: str, text: str, line: int, tmp_path: Path
) -> None:
    """START-7: with the line where it stands."""
    home = home_with(tmp_path / "home", kind, text)
    report = await measured(home, kind, StartupRequest(runs=1, limit_s=SOON_S))
    assert report.stuck is not None
    assert (report.stuck.file, report.stuck.line) == (str(home / f".{kind}rc"), line)
    assert report.stuck.still_ms > SOON_S * 100
    assert report.stuck.exit is None
    assert report.first_prompt_ms is None


@pytest.mark.parametrize(("kind", "text"), [("zsh", "unsetopt zle\n"), ("bash", "set +o emacs\n")])
async def test_a_shell_without_line_editor_stands_in_none_of_its_files(
    kind: str, text: str, tmp_path: Path
) -> None:
    """START-7: nothing tells its prompt from a question, but no line is accused."""
    home = home_with(tmp_path / "home", kind, text)
    report = await measured(home, kind, StartupRequest(runs=1, limit_s=SOON_S))
    assert report.stuck is not None
    assert (report.stuck.file, report.stuck.line, report.stuck.command) == (f"({kind})", 0, "")


async def test_a_shell_that_ends_says_so_on_its_line(tmp_path: Path) -> None:
    """START-4: in an editor, where nobody sees what ended it."""
    home = home_with(tmp_path / "home", "zsh", "x=1\nexit 3\n")
    request = StartupRequest(runs=1)
    starts = Starts(request, "zsh", SHELLS["zsh"], environment(home), lambda *_: None)
    hints = starts.hints((await starts.measured()).report)
    assert hints[str(home / ".zshrc")] == {1: ("exit 3", "ends here, exit 3")}


@pytest.mark.parametrize("kind", SHELLS)
async def test_a_program_that_takes_the_place_of_the_shell_is_told_at_its_line(
    kind: str, tmp_path: Path
) -> None:
    """START-7: as `exec tmux`, behind which no prompt is seen; the shell lets go of its files there."""
    home = home_with(tmp_path / "home", kind, "x=1\n[ -n $NO ] && exec cat\n")
    request = StartupRequest(runs=1, limit_s=SOON_S)
    starts = Starts(request, kind, SHELLS[kind], environment(home), lambda *_: None)
    report = (await starts.measured()).report
    rc = str(home / f".{kind}rc")
    assert report.stuck is not None
    assert (report.stuck.file, report.stuck.line) == (rc, 2)
    assert "exec cat" in report.stuck.command
    assert starts.hints(report)[rc][1][1] == f"no prompt after {SOON_S:.0f} s"


@pytest.mark.parametrize(
    ("times", "behind"), [("1000", ""), ("20", "(( ! ${+_zls_fd} )) || sleep 60; : never")]
)
async def test_a_dump_that_takes_too_long_to_trace_is_built_by_an_untraced_start(
    times: str, behind: str, tmp_path: Path
) -> None:
    """START-7: 140,000 commands of oh-my-zsh's first compinit, traced on a busy machine, took above 30 s.

    Or much of them, so that what came behind it was cut off.
    """
    text = """\
compinit() {
  [[ ! -e ~/.zcompdump ]] || return 0
  if (( ${+_zls_fd} )); then repeat TIMES; do sleep 0.05; done; fi
  : > ~/.zcompdump; BEHIND
}
compinit
sleep 0.02
"""
    text = text.replace("TIMES", times).replace("BEHIND", behind)
    home = home_with(tmp_path / "home", "zsh", text)
    report = await measured(home, "zsh", StartupRequest(runs=1, limit_s=SOON_S))
    assert report.stuck is None
    rows = {(it.file, it.line): it for it in report.lines}
    assert rows[str(home / ".zshrc"), 7].own_ms >= 20 - CLOCK_MS
    assert not (home / ".zcompdump").exists()


async def test_a_start_that_is_still_busy_is_told_from_one_that_stands_still(
    tmp_path: Path,
) -> None:
    text = "while :; do\n  sleep 0.01\ndone\n"
    home = home_with(tmp_path / "home", "zsh", text)
    report = await measured(home, "zsh", StartupRequest(runs=1, limit_s=SOON_S))
    assert report.stuck is not None
    assert report.stuck.line in (1, 2)
    assert report.stuck.still_ms < report.stuck.after_ms / 2


@pytest.mark.parametrize("kind", SHELLS)
@pytest.mark.parametrize("largest", [1 << 18, 1 << 30])
async def test_a_start_that_spins_is_told_at_once_and_from_a_bounded_trace(
    kind: str, largest: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """START-7: half a minute of `while :` is hundreds of thousands of commands, in memory."""
    kept = 1 << 17
    monkeypatch.setattr("zsh_ls.tasks.starts.shell_start._LARGEST_TRACE_BYTES", largest)
    monkeypatch.setattr("zsh_ls.tasks.starts.shell_start._KEPT_BYTES", kept)
    text = ":\nspin() {\n  while :; do\n    count=1\n  done\n}\nsleep 0.05\nspin\n"
    home = home_with(tmp_path / "home", kind, text)
    plan = StartPlan(kind=kind, path=SHELLS[kind], environment=environment(home), traces=True)
    with Started(attrs.evolve(plan, zdotdir=str(home))) as started:
        written = Path(started.folder) / "trace"
        while b"count=1" not in written.read_bytes()[-4000:]:
            assert started.prompt_comes(time.time() + 0.01, lambda: False) is None
        started.prompt_comes(time.time() + 1, lambda: False)
        assert len(started.trace(is_whole=False)) <= 2 * kept
    report = await measured(home, kind, StartupRequest(runs=1, limit_s=2 * SOON_S))
    rc = str(home / f".{kind}rc")
    assert report.stuck is not None
    assert report.stuck.file == rc
    assert report.stuck.line in (3, 4), report.stuck
    rows = {it.line: it for it in report.lines if it.file == rc}
    assert rows[7].programs == ("sleep",)
    assert sum(it.own_ms for it in report.lines) == pytest.approx(report.traced_ms, rel=0.01)
    assert report.commands < 10_000


@pytest.mark.parametrize("kind", SHELLS)
async def test_a_start_that_spins_does_not_go_on_while_it_is_looked_at(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """START-7: on a busy machine what it traced until its time was over was gone by then."""
    states: list[str] = []
    alive = Started.alive

    def looked_at(self: Started) -> dict[int, float]:
        process = processes.stat(self.process.pid)
        states.append("" if process is None else process.state)
        return alive(self)

    monkeypatch.setattr(Started, "alive", looked_at)
    home = home_with(tmp_path / "home", kind, "while :; do\n  x=1\ndone\n")
    report = await measured(home, kind, StartupRequest(runs=1, limit_s=0.5))
    assert report.stuck is not None
    assert states == ["T"]


@pytest.mark.parametrize("kind", ["zsh", "bash"])
def test_no_event_is_made_of_the_two_ends_where_a_trace_was_cut(kind: str) -> None:
    """START-7: line 3 and line 3 were line 33, where all of the later part came too late to count."""
    told = {
        "zsh": "\1{at}\0027\2003%2%spin\2/rc:2\2/\2count=1",
        "bash": "\1\1{at}\0027\0023\0022\2spin\2/rc\2/\2count=1\n",
    }[kind].replace("\2003", "\0023")
    one, other = (
        "".join(told.format(at=f"{start + it / 1000:.3f}") for it in range(9)).encode()
        for start in (1764.0, 1765.0)
    )
    real = {it.at for it in read_trace(one + other, 7, "/hooks").events}
    assert len(real) == 18
    for cut in range(60):
        joined = whole_beginning(one[: len(one) - cut]) + whole_end(other[cut:])
        events = read_trace(joined, 7, "/hooks").events
        assert {it.at for it in events} < real
        assert {(it.line, it.depth, it.name) for it in events} == {
            (it.line, it.depth, it.name) for it in read_trace(one, 7, "/hooks").events
        }
    assert whole_beginning(b"cut off") == whole_end(b"cut off") == b""


@pytest.mark.parametrize("kind", SHELLS)
async def test_one_start_without_a_prompt_does_not_spoil_the_others(
    kind: str, tmp_path: Path
) -> None:
    """Starts 1 to 5: traced, then untraced and traced twice."""
    count = "echo >>~/starts; read -r first <~/fails; n=0; while read -r _; do n=$((n + 1)); done <~/starts\n"
    home = home_with(
        tmp_path / "home", kind, f"{count}[ $n -lt $first ] || [ $n -gt $first ] || exit\n"
    )
    (home / "fails").write_text("4\n")
    report = await measured(home, kind, StartupRequest(runs=2))
    assert report.lost == (None,)
    assert report.first_prompt_ms is not None
    (home / f".{kind}rc").write_text(f"{count}[ $n -lt 2 ] || exit\n")
    (home / "starts").unlink()
    with pytest.raises(RequestRejected, match="nothing can be said of such starts") as refused:
        await measured(home, kind, StartupRequest(runs=2))
    assert f" One stood at {home}/.{kind}rc:2: " in str(refused.value)


@pytest.mark.slow
async def test_a_dump_is_written_by_the_first_start_and_gone_at_the_end(tmp_path: Path) -> None:
    """START-7: what is measured are the starts that come after one, with and without the lines."""
    text = (
        "want=one\nwant=two\n"
        "[[ -f ~/.zcompdump && $(<~/.zcompdump) == $want ]] ||\n"
        "  { sleep 0.3; print $want >| ~/.zcompdump }\n"
    )
    home = home_with(tmp_path / "home", "zsh", text)
    rc = home / ".zshrc"
    report = await measured(home, "zsh", StartupRequest(runs=1, without=(f"{rc}:2",)))
    assert not any("sleep" in row.programs for row in report.lines)
    [row] = report.without
    assert row.saves_ms is not None
    assert abs(row.saves_ms) < 150
    assert not (home / ".zcompdump").exists()


@pytest.mark.slow
async def test_a_dump_that_settles_in_two_starts_is_not_measured_while_it_does(
    tmp_path: Path,
) -> None:
    """START-7: as two compinits that share one; so do the starts without lines, which have their own."""
    text = (
        "want=one\nwant=two\n"
        "dump=$(cat ~/.zcompdump 2>/dev/null)\n"
        "if [[ $dump != $want$want ]]; then\n"
        "  sleep 0.3\n"
        "  [[ $dump == $want ]] || dump=\n"
        "  print -r -- $dump$want >| ~/.zcompdump\n"
        "fi\n"
    )
    home = home_with(tmp_path / "home", "zsh", text)
    without = (f"{home}/.zshrc:2",)
    report = await measured(home, "zsh", StartupRequest(runs=1, without=without))
    assert not any("sleep" in row.programs for row in report.lines)
    [row] = report.without
    assert row.saves_ms is not None
    assert abs(row.saves_ms) < 150
    assert not (home / ".zcompdump").exists()


async def test_a_file_behind_a_link_has_its_hints_under_both_names(tmp_path: Path) -> None:
    """START-4: start-up files are often links into a folder of dotfiles, where they are edited."""
    (tmp_path / "home").mkdir()
    kept, linked = tmp_path / "zshrc", tmp_path / "home" / ".zshrc"
    kept.write_text("sleep 0.02\n")
    linked.symlink_to(kept)
    request = StartupRequest(runs=1)
    starts = Starts(request, "zsh", SHELLS["zsh"], environment(linked.parent), lambda *_: None)
    hints = starts.hints((await starts.measured()).report)
    text, told = hints[str(kept)][0]
    assert (text, told.endswith(" ms · sleep")) == ("sleep 0.02", True)
    assert hints[str(linked)] == hints[str(kept)]


@pytest.mark.slow
async def test_lines_of_a_file_behind_a_link_are_left_out_by_either_name(tmp_path: Path) -> None:
    """START-2, START-4: and the hint of the line says what that saves."""
    (tmp_path / "home").mkdir()
    kept, linked = tmp_path / "zshrc", tmp_path / "home" / ".zshrc"
    kept.write_text("sleep 0.1\nx=1\ny=1\n")
    linked.symlink_to(kept)
    without = (f"{kept}:1", f"{linked}:2-3")
    request = StartupRequest(runs=3, without=without)
    starts = Starts(request, "zsh", SHELLS["zsh"], environment(linked.parent), lambda *_: None)
    report = (await starts.measured()).report
    slow, fast = report.without
    assert slow.certain
    assert fast.refused is None
    hints = starts.hints(report)
    assert re.search(r"^without it: \d+ ms less · \d+ ms · sleep$", hints[str(kept)][0][1])
    less = fast.difference if fast.certain else "noise (± "
    assert hints[str(kept)][1][1].startswith(f"without lines 2 to 3: {less}")
    assert hints[str(linked)] == hints[str(kept)]


@pytest.mark.parametrize("kind", SHELLS)
async def test_a_line_has_a_hint_for_what_it_calls(kind: str, tmp_path: Path) -> None:
    """START-4: in a framework's rc file one line, `source $ZSH/oh-my-zsh.sh`, takes all the time."""
    text = "slow() {\n  sleep 0.05\n}\n. ~/more\nslow $(sleep 0.03)\nx=1\n"
    home = home_with(tmp_path / "home", kind, text)
    (home / "more").write_text("sleep 0.05\n")
    starts = Starts(StartupRequest(runs=1), kind, SHELLS[kind], environment(home), lambda *_: None)
    hints = starts.hints((await starts.measured()).report)
    rc = {line: told for line, (_, told) in hints[str(home / f".{kind}rc")].items()}
    assert re.fullmatch(r"\d+ ms · sleep", rc[1])
    assert re.search(r"\d+ ms with what it calls$", rc[3])
    assert re.fullmatch(r"\d+ ms · sleep · \d+ ms with what it calls", rc[4])
    assert re.fullmatch(r"\d+ ms · sleep", hints[str(home / "more")][0][1])


async def test_hints_are_less_what_tracing_cost_where_the_page_says_so(tmp_path: Path) -> None:
    """START-1, START-4: of 9,000 commands in 100 ms half of the traced time is the trace's."""
    rc = tmp_path / ".zshrc"
    rc.write_text("highlight\nsleep 0.08\nsource ~/more\nx=1\n")
    lines = (
        LineCost(str(rc), 1, 100.0, 100.0, 1, (), 9_000, 9_000),
        LineCost(str(rc), 2, 80.0, 80.0, 1, ("sleep",), 10, 10),
        LineCost(str(rc), 3, 1.0, 19.0, 1, (), 10, 989),
        LineCost(str(rc), 4, 1.0, 1.0, 1, (), 1, 1),
    )
    report = StartupReport("zsh", 200.0, lines, (), (), (), (), (), 10_000, ())
    report = attrs.evolve(report, first_prompt_ms=FirstPrompt(100.0, 99.0, 101.0))
    starts = Starts(StartupRequest(), "zsh", SHELLS["zsh"], environment(tmp_path), lambda *_: None)
    told = {line: told for line, (_, told) in starts.hints(report)[str(rc)].items()}
    assert told == {0: "10 ms", 1: "80 ms · sleep", 2: "9 ms with what it calls"}


@pytest.mark.parametrize(
    ("kind", "text", "line", "said"),
    [
        ("zsh", ":\nnope_it\n", 1, "zsh: command not found: nope_it"),
        (
            "zsh",
            "sleep 0.02; nope_it\n",
            0,
            " ms · sleep · zsh: command not found: nope_it",
        ),
        ("zsh", "if true; then\n  :", 1, "zsh: parse error near"),
        ("bash", ":\nnope_it\n", 1, "bash: nope_it: command not found"),
        ("bash", "if true; then\n  :\n", 2, "bash: syntax error: unexpected end of file"),
    ],
)
async def test_a_line_of_which_the_shell_complains_has_a_hint(
    kind: str, text: str, line: int, said: str, tmp_path: Path
) -> None:
    """START-4: whoever measures in an editor sees there what ended a file, or was not found."""
    home = home_with(tmp_path / "home", kind, text)
    starts = Starts(StartupRequest(runs=1), kind, SHELLS[kind], environment(home), lambda *_: None)
    hints = starts.hints((await starts.measured()).report)
    there, told = hints[str(home / f".{kind}rc")][line]
    assert there == text.split("\n")[line]
    assert said in told


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("zsh", "unset zle_bracketed_paste\n"),
        ("bash", "bind 'set enable-bracketed-paste off'\n"),
    ],
)
async def test_a_line_editor_that_announces_nothing_is_a_prompt(
    kind: str, text: str, tmp_path: Path
) -> None:
    """START-7: it does not stand still; START-5: but what is felt cannot be told."""
    home = home_with(tmp_path / "home", kind, text)
    report = await measured(home, kind, StartupRequest(runs=1, lag=True))
    assert (report.stuck, report.lag_ms) == (None, None)
    assert report.first_prompt_ms is not None


@pytest.mark.parametrize(
    "text",
    [
        "print -n '\\e[?2004h'\nsleep 0.3\n",
        # As an instant prompt and a question to the terminal leave it.
        "print -n '\\e[?2004h'; stty -icanon; sleep 0.3\n",
        "stty raw -echo; print -n '\\e[?2004h'; sleep 0.3; stty sane\n",
        "stty raw -echo; read -t 0.3 -k1; stty sane; sleep 0.3\n",
        "stty -icanon -echo -icrnl; print -n '\\e[?2004h'; x=$(sleep 0.3); stty sane\n",
        "unsetopt monitor; stty -icanon -echo -icrnl; print -n '\\e[?2004h'; sleep 0.3; stty sane\n",
    ],
)
async def test_a_start_that_says_early_that_its_line_editor_is_there(
    text: str, tmp_path: Path
) -> None:
    """START-1: what a start-up file writes and sets is no prompt while the shell waits for no keys."""
    home = home_with(tmp_path / "home", "zsh", text)
    report = await measured(home, "zsh", StartupRequest(runs=1))
    assert report.first_prompt_ms is not None
    assert report.first_prompt_ms.min >= 300 - CLOCK_MS
    assert sum(it.own_ms for it in report.lines if it.line) >= 300 - CLOCK_MS


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (
            "zsh",
            "print -n '\\e[?2004h'\n: >~/said\nread <~/goes_on\nzle-line-init() { : >~/there }\n",
        ),
        ("bash", "printf '\\e[?2004h'\n: >~/said\nread <~/goes_on\nPROMPT_COMMAND=': >~/there'\n"),
    ],
)
async def test_a_prompt_is_not_dated_back_where_we_look_late(
    kind: str, text: str, tmp_path: Path
) -> None:
    """START-1: this program may stand still between two looks, while the shell comes to its prompt."""
    home = home_with(
        tmp_path / "home", kind, f"{text}{'zle -N zle-line-init' if kind == 'zsh' else ''}\n"
    )
    for name in ("said", "goes_on", "there"):
        os.mkfifo(home / name)
    went_on_at: list[float] = []
    plan = StartPlan(kind=kind, path=SHELLS[kind], environment=environment(home))

    with Started(plan) as started:

        def looks_late() -> bool:
            if not went_on_at and b"\x1b[?2004h" in started.output:
                (home / "said").read_text()
                went_on_at.append(time.time())
                (home / "goes_on").write_text("\n")
                (home / "there").read_text()
            return False

        prompt_at = await asyncio.to_thread(started.prompt_comes, time.time() + 30, looks_late)
    assert prompt_at is not None
    assert prompt_at >= went_on_at[0]


@pytest.mark.slow
async def test_a_shell_that_ends_before_its_prompt_is_told(tmp_path: Path) -> None:
    home = home_with(tmp_path / "home", "zsh", ":\nexit 3\n")
    # One of 20 was looked at in the moment between its end and that of its files.
    for _ in range(40):
        report = await measured(home, "zsh", StartupRequest(runs=1))
        assert report.stuck is not None
        assert (report.stuck.line, report.stuck.exit) == (2, 3)


@pytest.mark.parametrize(
    ("kind", "text", "line", "message"),
    [
        ("zsh", "if true; then\n  :\n", 3, "parse error"),
        ("zsh", ":\ncall(() {\n:\n", 4, "parse error"),
        ("zsh", ":\necho 'open\n", 3, "unmatched '"),
        ("zsh", ":\nsource ./nope\n", 2, "source: no such file or directory: ./nope"),
        ("zsh", "called() {\n  :\n  nope_it\n}\ncalled\n", 3, "command not found: nope_it"),
        ("bash", "if true; then\n  :\n", 3, "syntax error"),
        ("bash", ":\ncall(() {\n:\n", 2, "syntax error"),
        ("bash", ":\n:\nnope_it here\n", 3, "nope_it: command not found"),
        ("bash", ":\n. /nope/it\n", 2, "/nope/it: No such file or directory"),
    ],
)
async def test_what_the_shell_says_is_wrong_has_its_line(
    kind: str, text: str, line: int, message: str, tmp_path: Path
) -> None:
    """START-1: a start that ended in the middle of a file looks like a fast one."""
    home = home_with(tmp_path / "home", kind, text)
    error, *_ = (await measured(home, kind, StartupRequest(runs=1))).errors or (None,)
    assert error is not None
    assert (error.file, error.line) == (str(home / f".{kind}rc"), line)
    assert error.message.startswith(message)


async def test_what_is_not_there_has_its_line_also_where_zsh_counts_none(tmp_path: Path) -> None:
    """START-1: of a file that `emulate sh -c` reads zsh says the line behind the statement."""
    home = home_with(tmp_path / "home", "zsh", "emulate sh -c '. ~/.profile'\n")
    (home / ".profile").write_text("if :; then\n  :\n  nope_it\n  :\nfi\n:\n")
    [error] = (await measured(home, "zsh", StartupRequest(runs=1))).errors or ()
    assert (error.file, error.line) == (str(home / ".profile"), 3)
    assert error.message == "command not found: nope_it"


async def test_nothing_of_the_person_is_changed(tmp_path: Path) -> None:
    """START-7: no history, dumps as they were or gone, nothing left running; START-5: what is felt."""
    folder = tmp_path / "home"
    seconds = 4_000 + os.getpid()
    text = f"""HISTFILE=~/.zsh_history; HISTSIZE=10; SAVEHIST=10
setopt inc_append_history share_history
print changed >| ~/.zcompdump
print new >| ~/.zcompdump-host-5.9
print ': old' >| ~/made.zsh; zcompile ~/made.zsh
rm -f ~/gone.zwc
TRAPEXIT() {{ touch ~/exit-hook-ran }}
sleep {seconds} &!
(setsid env -i sleep {seconds + 1} >/dev/null 2>&1 </dev/null &)
"""
    home = home_with(folder, "zsh", text)
    (home / ".zsh_history").write_text(": 1:0;old\n")
    (home / ".zcompdump").write_text("as it was\n")
    (home / "gone.zwc").write_text("compiled\n")
    report = await measured(home, "zsh", StartupRequest(runs=1, lag=True))
    assert (home / ".zsh_history").read_text() == ": 1:0;old\n"
    assert (home / ".zcompdump").read_text() == "as it was\n"
    assert (home / "gone.zwc").read_text() == "compiled\n"
    assert not (home / ".zcompdump-host-5.9").exists()
    assert not (home / "made.zsh.zwc").exists()
    assert not (home / "exit-hook-ran").exists()
    left = {it.command for it in report.left or ()}
    assert left == {f"sleep {seconds}", f"sleep {seconds + 1}"}
    assert not any(is_alive(command) for command in left)
    assert report.lag_ms is not None
    assert report.lag_ms.first_command >= report.lag_ms.first_prompt > 0
    assert report.lag_ms.command > 0
    assert report.lag_ms.input > 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="orphans are adopted by init")
async def test_what_a_start_leaves_does_not_stay_dead(tmp_path: Path) -> None:
    """START-7: a server adopts orphans of its tasks, and so what starts leave; each was a zombie of it."""
    text = "(exec sleep 4321 &)\n(exec sleep 0.01 &)\nsleep 0.02\n"
    home = home_with(tmp_path / "home", "zsh", text)
    adoption = process_tags.Adoption()
    try:
        report = await measured(home, "zsh", StartupRequest(runs=1))
        left = [it for it in process_tags.children() if processes.is_zombie(it)]
    finally:
        adoption.end()
    assert [it.command for it in report.left or ()] == ["sleep 4321"]
    assert left == []


async def test_two_starts_with_one_number_leave_each_other_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """START-7: what one ends is its own; processes are found by a number that both may have chosen."""
    monkeypatch.setattr("random.choice", lambda numbers: numbers[0])
    homes = [
        home_with(tmp_path / name, "zsh", f"sleep {seconds}\n")
        for name, seconds in (("quick", 0.1), ("slow", 0.8))
    ]
    reports = await asyncio.gather(
        *(measured(home, "zsh", StartupRequest(runs=2)) for home in homes)
    )
    assert [(it.left, it.lost, it.stuck) for it in reports] == [(None, (), None)] * 2


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the number is Linux's")
def test_who_has_the_number_of_a_start_by_chance_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """START-7: a task of a server that an editor started, which raises the number of what it starts."""
    own = int(Path("/proc/self/oom_score_adj").read_text())
    monkeypatch.setattr("random.choice", lambda numbers: 251)
    raised = f"echo {own + 251} >/proc/self/oom_score_adj; echo; exec sleep 1000"
    home = home_with(tmp_path / "home", "zsh", "true\n")
    # Below a process that has another number, as a task is below its server.
    command = ["sh", "-c", f"sh -c '{raised}' & wait"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, process_group=0) as other:
        try:
            assert other.stdout is not None
            other.stdout.readline()
            report = asyncio.run(measured(home, "zsh", StartupRequest(runs=1)))
            assert report.left is None
            (task,) = process_tags.children(other.pid)
            assert processes.stat(task) is not None
        finally:
            os.killpg(other.pid, signal.SIGKILL)


async def test_a_history_of_bash_is_not_written(tmp_path: Path) -> None:
    """START-7: although the prompt appends to it, and the exit hook would."""
    text = """HISTFILE=~/.bash_history; HISTSIZE=10; HISTCONTROL=
shopt -s histappend
PROMPT_COMMAND='history -a'
trap 'touch ~/exit-hook-ran' EXIT
"""
    home = home_with(tmp_path / "home", "bash", text)
    (home / ".bash_history").write_text("old\n")
    report = await measured(home, "bash", StartupRequest(runs=1, lag=True))
    assert report.lag_ms is not None
    assert (home / ".bash_history").read_text() == "old\n"
    assert {it.name for it in home.iterdir()} == {".bashrc", ".bash_history"}


async def test_a_cancelled_measurement_leaves_nothing(tmp_path: Path) -> None:
    seconds = 6_000 + os.getpid()
    text = f"print $$ >~/began; exec {{held}}>~/held; sleep {seconds}\n"
    home = home_with(tmp_path / "home", "zsh", text)
    for name in ("began", "held"):
        os.mkfifo(home / name)
    waiting = asyncio.ensure_future(measured(home, "zsh", StartupRequest(runs=1)))
    # Opening a pipe waits for its writer; its end comes when the last process that has it is gone.
    began = await asyncio.to_thread((home / "began").read_text)
    held = await asyncio.to_thread((home / "held").open)
    assert int(began) > 0
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    with held:
        assert await asyncio.to_thread(held.read) == ""
    assert not is_alive(f"sleep {seconds}")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("zsh", "sleep 0.05\n"),
        ("zsh", "autoload -Uz slowly\nprecmd() { slowly }\nsleep 0.05\n"),
        ("zsh", "x=1\n"),
        ("bash", "sleep 0.05\n"),
    ],
)
async def test_reading_a_long_history_is_no_lines_time(
    kind: str, text: str, tmp_path: Path
) -> None:
    """START-1: behind its last start-up file, by which no line runs longer; a link to a file is that file."""
    home = tmp_path / "home"
    (home / "functions").mkdir(parents=True)
    (home / "functions" / "slowly").write_text("sleep 0.05\n")
    history = f"HISTFILE=~/history; HISTSIZE=400000; SAVEHIST=400000; HISTFILESIZE=400000\n{text}"
    (home / "rc").write_text(f"fpath=(~/functions $fpath)\n{history}" if kind == "zsh" else history)
    (home / f".{kind}rc").symlink_to("rc")
    (home / "history").write_text("".join(f"echo {it}\n" for it in range(400_000)))
    report = await measured(home, kind, StartupRequest(runs=2))
    told = {(it.file, it.line): it.own_ms for it in report.lines}
    own = told[f"({kind})", 0]
    slept = [it.own_ms for it in report.lines if "sleep" in it.programs]
    assert len(slept) == text.count("sleep") + text.count("slowly }")
    assert all(it >= 50 - CLOCK_MS for it in slept)
    assert own > report.traced_ms / 2


async def test_an_untrusted_workspace_starts_nothing(tmp_path: Path) -> None:
    options = SidecarOptions(
        session="one", workspace=str(tmp_path), settings=Settings(trusted=False)
    )
    sidecar = await Sidecar.open(options)
    try:
        with pytest.raises(RequestRejected):
            await sidecar.startup(StartupRequest())
        for runs in (0, 101):
            sidecar.configure(Settings(trusted=True))
            with pytest.raises(InvalidRequest, match="runs: expected 1 to 100"):
                await sidecar.startup(StartupRequest(runs=runs))
    finally:
        await sidecar.close()


async def test_what_disturbs_one_start_is_not_remembered_of_a_line(tmp_path: Path) -> None:
    """START-6: start 3 is a traced one, and each other is disturbed too, in another line."""
    count = "n=$(( $(wc -l <~/starts) + 1 )); echo >>~/starts\n"
    lines = "(( n == 3 )) && sleep 0.1\n(( n != 3 )) && sleep 0.1\nsleep 0.02\n"
    home = home_with(tmp_path / "home", "zsh", count + lines)
    (home / "starts").touch()
    starts = Starts(
        StartupRequest(runs=2), "zsh", SHELLS["zsh"], environment(home), lambda *_: None
    )
    report = (await starts.measured()).report
    told = {it.line: it.own_ms for it in report.lines if it.file == str(home / ".zshrc")}
    assert max(told[2], told[3]) >= 100 - CLOCK_MS
    kept = {it.line: it.own_ms for it in starts.remembered(report, ())}
    assert kept[4] >= 20 - CLOCK_MS
    assert max(kept.get(2, 0.0), kept.get(3, 0.0)) < 90


@pytest.mark.parametrize(("runs", "is_assumed"), [(1, True), (5, False)])
async def test_one_start_does_not_tell_how_far_starts_differ(
    runs: int, is_assumed: bool, tmp_path: Path
) -> None:
    """START-6: what one start of a busy machine took more is no news of the line."""
    home = home_with(tmp_path / "home", "zsh", "sleep 0.2\n")
    starts = Starts(
        StartupRequest(runs=runs), "zsh", SHELLS["zsh"], environment(home), lambda *_: None
    )
    report = (await starts.measured()).report
    [line] = [it for it in starts.remembered(report, ()) if it.file == str(home / ".zshrc")]
    if is_assumed:
        assert line.spread_ms == pytest.approx(line.own_ms / 10, abs=0.01)
    else:
        assert line.spread_ms != pytest.approx(line.own_ms / 10, abs=0.01)


async def test_a_start_that_was_disturbed_is_traced_again(tmp_path: Path) -> None:
    """START-1: each of the first two traced starts, 3 and 5, is disturbed in a line; the next one is not."""
    count = "n=$(( $(wc -l <~/starts) + 1 )); echo >>~/starts\n"
    lines = "(( n == 3 )) && sleep 0.3 || sleep 0.02\n(( n == 5 )) && sleep 0.3 || sleep 0.02\nsleep 1\n"
    home = home_with(tmp_path / "home", "zsh", count + lines)
    (home / "starts").touch()
    report = await measured(home, "zsh", StartupRequest(runs=2))
    told = {it.line: it.own_ms for it in report.lines if it.file == str(home / ".zshrc")}
    assert max(told[2], told[3]) < 250
    assert len((home / "starts").read_text()) >= 6


async def test_starts_that_agree_are_as_many_as_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """START-1: one traced, then so many untraced and traced in turns; no line is long enough to disagree."""
    monkeypatch.setattr("zsh_ls.sidecar.startup._COMPARED_S", 60.0)
    text = "echo >>~/starts\n"
    home = home_with(tmp_path / "home", "zsh", text)
    await measured(home, "zsh", StartupRequest(runs=5))
    assert len((home / "starts").read_text()) == 11


async def test_a_line_that_always_differs_ends_the_measurement_all_the_same(
    tmp_path: Path,
) -> None:
    """And says what it took in another start; at most three times as many traced starts as asked."""
    count = "n=$(( $(wc -l <~/starts) + 1 )); echo >>~/starts\n"
    lines = "(( n == 3 )) && sleep 0.1\n(( n != 3 )) && sleep 0.1\nsleep 0.02\n"
    home = home_with(tmp_path / "home", "zsh", count + lines)
    (home / "starts").touch()
    starts = Starts(
        StartupRequest(runs=2), "zsh", SHELLS["zsh"], environment(home), lambda *_: None
    )
    report = (await starts.measured()).report
    assert len((home / "starts").read_text()) == 1 + 2 * 2 + 2 * 2
    least = [it.least_ms for it in report.lines if it.line in (2, 3) and it.own_ms > 90]
    assert least
    assert least[0] is not None
    assert least[0] < 50
    hints = starts.hints(report)[str(home / ".zshrc")].values()
    assert any(told.endswith(" ms in another start") for _, told in hints)


async def test_a_slow_line_in_a_file_that_cost_nothing_is_told_at_once(tmp_path: Path) -> None:
    """START-6: an rc file whose lines take no time was measured all the same."""
    home = home_with(tmp_path / "home", "zsh", "source ~/more\n")
    (home / "more").write_text("sleep 0.02\n")
    settings = Settings(database=str(tmp_path / "alan.db"))
    for text in ("source ~/more\n", "sleep 0.3\nsource ~/more\n"):
        (home / ".zshrc").write_text(text)
        sidecar = await Sidecar.open(SidecarOptions(session="one", settings=settings))
        try:
            request = StartupRequest(shell="zsh", runs=1, environment=environment(home))
            report = await sidecar.startup(request)
        finally:
            await sidecar.close()
    # A busy machine may add a line that is a little slower; the worst comes first.
    row = (report.since or ())[0]
    assert (row.file, row.line) == (str(home / ".zshrc"), 1)
    assert row.more_ms > 200


async def test_memory_tells_since_when_a_line_is_slower(tmp_path: Path) -> None:
    """START-6: measured, made slower, measured again in another process's sidecar."""
    home = home_with(tmp_path / "home", "zsh", ":\nsleep 0.02\n")
    settings = Settings(database=str(tmp_path / "alan.db"))
    reports = []
    for text in (":\nsleep 0.02\n", ":\nsleep 0.02\n", ":\n# more\nsleep 0.3\n"):
        (home / ".zshrc").write_text(text)
        sidecar = await Sidecar.open(SidecarOptions(session="one", settings=settings))
        try:
            request = StartupRequest(shell="zsh", runs=1, environment=environment(home))
            reports.append(await sidecar.startup(request))
        finally:
            await sidecar.close()
    rows = [it for it in reports[2].since or () if it.file == str(home / ".zshrc")]
    assert [(it.line, it.more_ms > 200) for it in rows] == [(3, True)]
    assert reports[0].since is None

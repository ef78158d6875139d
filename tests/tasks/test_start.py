"""What a command is given, what it cannot be started with, and what it finds (RUN-3, 4, 13, 16)."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from zsh_ls.model.clock import SystemClock
from zsh_ls.model.words import Status
from zsh_ls.tasks import Engine, StartRequest, find_shell, find_shells
from zsh_ls.tasks.process.environment import WITHOUT_TERMINAL
from zsh_ls.tasks.process.exit_reports import RC_FOLDER

from .conftest import Run, request_for, whole

REPOSITORY = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(("shell", "pipestatus"), [("zsh", (1, 0)), ("bash", (1, 0)), ("sh", (0,))])
async def test_a_command_longer_than_an_argument_may_be_runs(
    run: Run, shell: str, pipestatus: tuple[int, ...]
) -> None:
    words = "x" * 150_000
    task = await run(f"v={words}\necho ${{#v}} $#\nfalse | true", shell)
    assert whole(task) == b"150000 0\n"
    assert (task.exit, task.pipestatus) == (0, pipestatus)


async def test_a_long_command_leaves_no_file_behind(engine: Engine) -> None:
    task = await engine.start(request_for(f": {'x' * 150_000}; print -r -- $0"))
    await task.wait_end()
    text_file = whole(task).decode().strip()
    assert text_file.startswith("/")
    assert not await asyncio.to_thread(os.path.exists, text_file)


@pytest.mark.parametrize(
    "fields",
    [
        {"shell_path": "/nonexistent/zsh"},
        {"shell_path": "/etc/passwd"},
        {"shell_path": "/tmp"},
        {"cwd": "/nonexistent"},
        {"command": "echo a\0b"},
        {"env": {"A": "b\0c"}},
    ],
    ids=str,
)
@pytest.mark.parametrize("pty", [False, True])
async def test_what_cannot_be_started_is_an_error_with_its_reason(
    engine: Engine, fields: dict[str, object], pty: bool
) -> None:
    given: dict[str, object] = {
        "command": "true",
        "shell_path": "/bin/sh",
        "shell": "sh",
        "cwd": "/",
        "pty": pty,
    }
    task = await engine.start(StartRequest(**{**given, **fields}))  # type: ignore[arg-type]
    await task.wait_end()
    assert task.status is Status.ERROR
    assert task.error
    assert (task.exit, task.output.size_bytes) == (None, 0)
    assert not await task.kill()


async def test_the_environment_is_the_base_with_what_was_asked(run: Run) -> None:
    task = await run(
        "env | grep -v -e ^_= -e PWD= -e SHLVL= | sort",
        base_env={"PATH": os.environ["PATH"], "KEPT": "1", "CHANGED": "1", "GONE": "1"},
        env={"CHANGED": "2", "GONE": None, "NEW": "ü\n"},
    )
    lines = whole(task).decode().splitlines()
    assert f"ZSH_LS_TASK={task.task_id}" in lines
    lines.remove(f"ZSH_LS_TASK={task.task_id}")
    assert {"CHANGED=2", "KEPT=1", "NEW=ü", f"PATH={os.environ['PATH']}"} <= set(lines)
    assert not [line for line in lines if line.startswith(("GONE", "CHANGED=1"))]


@pytest.mark.parametrize("shell", ["zsh", "bash", "sh"])
@pytest.mark.parametrize("pty", [False, True])
async def test_a_command_sees_no_trace_but_the_variables_of_the_contract(
    run: Run, shell: str, pty: bool, tmp_path: Path
) -> None:
    text = "env -0 >$OUT; export -p; set"
    out = tmp_path / "environment"
    before = {**os.environ, "OUT": str(out)}
    seen = whole(await run(text, shell, pty=pty, base_env=before))
    for trace in (b"ZSH_LS_REPORT", b"ZSH_LS_HOOKS", b"ZSH_LS_THEN", b"_zls", RC_FOLDER.encode()):
        assert trace not in seen
    names = {word.split(b"=")[0] for word in seen.split() if b"ZSH_LS" in word}
    assert names == {b"ZSH_LS_TASK"}
    found = dict(line.split("=", 1) for line in out.read_text().split("\0") if line)
    new = {name for name, it in found.items() if before.get(name) != it}
    new -= {"_", "PWD", "OLDPWD", "SHLVL", "TERM", "LOGNAME"}  # the shells' and the terminal's own
    assert new == {"ZSH_LS_TASK"} | (set() if pty else set(WITHOUT_TERMINAL))


LISTINGS = {
    "zsh": (
        "set",
        "typeset -p",
        "typeset",
        "functions",
        "typeset +f",
        "print -rl ${(kv)parameters}",
    ),
    "bash": ("set", "declare -p", "declare -F", "declare -f", "compgen -v", "compgen -A function"),
}
WITH_TRAPS = (
    "true | false; {} | cat",
    "trap '{}' EXIT; true | false",
    "trap '{}' EXIT INT; cleaned() {{ true; }}; cleaned; {}",
    "trap '{}' 0; true | false | true; trap '{}' INT",
)


@pytest.mark.parametrize(
    ("shell", "listing"), [(shell, it) for shell, listed in LISTINGS.items() for it in listed]
)
@pytest.mark.parametrize("text", WITH_TRAPS)
async def test_no_listing_shows_a_name_of_ours_beside_traps_of_the_command(
    run: Run, shell: str, listing: str, text: str
) -> None:
    task = await run(text.format(listing, listing), shell)
    shown = whole(task)
    assert b"_zls" not in shown
    assert b"ZSH_LS_" not in shown.replace(b"ZSH_LS_TASK", b"")
    assert RC_FOLDER.encode() not in shown


@pytest.mark.parametrize("shell", ["zsh", "bash"])
@pytest.mark.parametrize(
    "text", ["trap", "trap 'echo x' INT; trap; true", "trap 'echo bye' EXIT; trap"]
)
async def test_traps_are_listed_as_if_there_was_none_of_ours(
    run: Run, shell: str, text: str
) -> None:
    alone = await asyncio.create_subprocess_exec(
        shell, "-c", text, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    printed, _ = await alone.communicate()
    assert whole(await run(text, shell)) == printed


@pytest.mark.parametrize(
    ("shell", "variable", "name"), [("zsh", "ZDOTDIR", ".zshenv"), ("bash", "BASH_ENV", "env")]
)
async def test_the_user_s_own_start_file_is_read_and_their_variable_put_back(
    run: Run, tmp_path: Path, shell: str, variable: str, name: str
) -> None:
    (tmp_path / name).write_text(
        f'FROM_RC="${variable} $1"\nzshexit() {{ print their hook; true | true; }}\n'
    )
    value = str(tmp_path) if shell == "zsh" else str(tmp_path / name)
    task = await run(
        f'echo "$FROM_RC|${variable}"; env | grep ^{variable}; false | true',
        shell,
        env={variable: value},
    )
    expected = f"{value} |{value}\n{variable}={value}\n".encode()
    assert whole(task) == expected + (b"their hook\n" if shell == "zsh" else b"")
    assert task.pipestatus == (1, 0)


async def test_the_user_s_start_file_at_home_is_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / ".zshenv").write_text(
        "setopt noclobber ksharrays; FROM=home; alias -g G='| grep'\n"
    )
    task = await run(
        "echo $FROM ${+ZDOTDIR}; false | true", env={"HOME": str(tmp_path), "ZDOTDIR": None}
    )
    assert whole(task) == b"home 0\n"
    assert task.pipestatus == (1, 0)


@pytest.mark.parametrize(
    ("inherited", "told"),
    [("/", "real"), ("relative", "real"), (None, "real"), ("link", "link"), ("real", "real")],
)
@pytest.mark.parametrize("shell", ["a program", "zsh", "bash", "sh"])
async def test_what_starts_is_told_its_folder(
    engine: Engine, tmp_path: Path, shell: str, inherited: str | None, told: str
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    program = tmp_path / "program"
    program.write_text(f"#!{sys.executable} -IS\nimport os\nprint(os.environ['PWD'])\n")
    program.chmod(0o755)
    value = inherited if inherited not in ("link", "real") else str(tmp_path / inherited)
    base = {"PATH": os.environ["PATH"], **({} if value is None else {"PWD": value})}
    at = {"shell": "sh", "shell_path": str(program)} if shell == "a program" else {"shell": shell}
    request = request_for("echo $PWD", cwd=str(tmp_path / "real"), base_env=base, **at)
    task = await engine.start(request)
    await task.wait_end()
    assert whole(task).decode() == f"{tmp_path / told}\n"


async def test_a_folder_by_a_link_has_its_real_name_in_a_shell(run: Run, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(".")
    task = await run("pwd; print -r -- $PWD", cwd=str(tmp_path / "link"), base_env={"PWD": "/"})
    assert whole(task).decode() == f"{tmp_path}\n" * 2


async def test_a_variable_of_the_folder_that_was_asked_for_stays(
    engine: Engine, tmp_path: Path
) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!{sys.executable} -IS\nimport os\nprint(os.environ.get('PWD'))\n")
    program.chmod(0o755)
    for asked, told in (("/usr", "/usr"), (None, None)):
        request = request_for("", env={"PWD": asked}, shell="sh", shell_path=str(program))
        task = await engine.start(request)
        await task.wait_end()
        assert whole(task).decode() == f"{told}\n"


async def test_a_shell_by_path_reports_as_its_kind(engine: Engine, tmp_path: Path) -> None:
    zsh = find_shell("zsh")
    assert zsh
    link = tmp_path / "zsh"
    link.symlink_to(zsh.path)
    found = find_shell(str(link))
    assert found
    assert (found.kind, found.path) == ("zsh", str(link))
    task = await engine.start(
        StartRequest(command="false | true", shell=found.kind, shell_path=found.path, cwd="/")
    )
    await task.wait_end()
    assert task.pipestatus == (1, 0)


def test_shells_are_found_in_the_order_they_stand_in(tmp_path: Path) -> None:
    assert [shell.kind for shell in find_shells()] == ["zsh", "bash", "sh"]
    assert find_shells(path=str(tmp_path)) == ()
    assert find_shell("no-such-shell") is None
    zsh = find_shell("zsh")
    assert zsh
    assert zsh.version[0].isdigit()


async def test_an_answer_does_not_wait_for_a_timer(run: Run) -> None:
    times = [(await run("true", timeout_s=600)).elapsed_s for _ in range(10)]
    assert min(times) < 0.5


async def test_ids_have_eight_hexadecimal_digits_and_tasks_are_kept(engine: Engine) -> None:
    tasks = [await engine.start(request_for("true")) for _ in range(5)]
    assert all(len(task.task_id) == 8 and int(task.task_id, 16) >= 0 for task in tasks)
    assert [engine.get(task.task_id) for task in tasks] == tasks == engine.all()
    assert engine.get("nope") is None


class SlowClock:
    """Unix time that a test moves on."""

    unix = 1_000_000.0

    def now(self) -> float:
        return self.unix

    def monotonic(self) -> float:
        return self.unix


async def test_tasks_are_kept_an_hour_and_the_last_hundred(tmp_path: Path) -> None:
    clock = SlowClock()
    engine = Engine(clock=clock, spool_root=tmp_path)
    quick = StartRequest(command="echo", shell="sh", shell_path="/bin/sh", cwd="/")

    async def ended() -> str:
        task = await engine.start(quick)
        await task.wait_end()
        return task.task_id

    old = [await ended() for _ in range(103)]
    clock.unix += 3000
    assert len(engine.all()) == 103
    clock.unix += 601
    recent = await ended()
    assert [task.task_id for task in engine.all()] == [*old[3:], recent] or len(engine.all()) == 101
    assert engine.get(old[0]) is None
    await engine.close()


async def test_reports_of_a_server_that_crashed_are_swept(tmp_path: Path) -> None:
    crash = (
        "import asyncio, os, sys; from pathlib import Path; from zsh_ls.tasks import Engine\n"
        "from zsh_ls.model.clock import SystemClock\n"
        "async def main():\n"
        "    engine = Engine(clock=SystemClock(), spool_root=Path(sys.argv[1]))\n"
        "    print(engine.reports.folder, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
        "asyncio.run(main())\n"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    crashed = await asyncio.create_subprocess_exec(
        sys.executable, "-c", crash, str(tmp_path), stdout=subprocess.PIPE, env=environment
    )
    folder = (await crashed.communicate())[0].decode().strip()
    assert await asyncio.to_thread(os.path.isdir, folder)
    engine = Engine(clock=SystemClock(), spool_root=tmp_path)
    await (await engine.start(request_for("true"))).wait_end()
    await engine.close()
    assert not await asyncio.to_thread(os.path.exists, folder)


@pytest.mark.slow
def test_the_files_shells_read_are_part_of_a_built_package(tmp_path: Path) -> None:
    copy = tmp_path / "source"
    subprocess.run(["git", "clone", "-q", str(REPOSITORY), str(copy)], check=True)
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "-w",
        str(tmp_path),
        str(copy),
    ]
    built = subprocess.run(build, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"zsh_ls/tasks/process/rc/.zshenv", "zsh_ls/tasks/process/rc/bash_env"} <= set(names)
    editor = zipfile.ZipFile(wheel).getinfo("zsh_ls/tasks/process/no-editor")
    assert editor.external_attr >> 16 & 0o111 == 0o111, "installers keep what may be executed"

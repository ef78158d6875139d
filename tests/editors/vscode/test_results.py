"""What a run leaves: on its line, after a reload, after a trace, in the list, in the folder that is set."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path

import pytest

from .studio import REAL_EDITOR, STARTED_BY, Studio
from .studio import studio as opened
from .workbench import PATIENCE_MS, expect

pytestmark = REAL_EDITOR


def link_all_but_zsh(programs: Path) -> None:
    """All programs of this machine in a folder, but for zsh."""
    for found in (*Path("/usr/bin").iterdir(), *Path("/bin").iterdir(), shutil.which("node")):
        link = programs / Path(found or "node").name
        if found and link.name not in {"zsh", "zsh5", "rzsh"} and not link.is_symlink():
            link.symlink_to(found)


async def run_line(studio: Studio, line: int) -> None:
    """Run one, counted from 0."""
    await studio.host.ask("select", [line, 0], [line, 0])
    await studio.host.ask("command", "zsh-ls.runLine")


async def run_line_unwaited(studio: Studio, line: int) -> None:
    """The same for one that runs long: the command of the editor is answered at its end."""
    await studio.screen.go_to(line + 1)
    await studio.screen.command("zsh-ls: Run Line")


async def test_results_traces_the_list_and_outputs_are_there_after_a_reload(
    vsixes: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with opened(tmp_path_factory.mktemp("reloaded"), vsixes) as studio:
        await studio.ready()
        path = await studio.show(
            "kept.zsh", "#!/bin/zsh\nprint kept-output\n(exit 3)\nprint a | grep -q z-normal\n"
        )
        await run_line(studio, 1)
        await run_line(studio, 2)
        await run_line(studio, 3)
        traced = await studio.show("traced.zsh", "#!/bin/zsh\nset -e\ntrue\nfalse\n")
        await studio.host.ask("command", "zsh-ls.traceScript")
        await studio.host.until("hints", traced, holds=lambda it: len(it) >= 3)
        await studio.reload()
        await studio.screen.open(STARTED_BY)
        await expect(studio.screen.lens("run")).to_be_visible()
        await studio.host.ask("open", path)
        hints = await studio.host.until("hints", path, holds=lambda it: len(it) >= 2)
        told = {it["line"]: it["label"] for it in hints if it["label"][0] in "✓✗"}
        assert told[1].startswith("✓ ")
        assert told[2].startswith("✗ 3 · ")
        await studio.host.ask("open", traced)
        hints = await studio.host.until("hints", traced, holds=lambda it: len(it) >= 3)
        assert any(it["label"].startswith("✗ 1") for it in hints if it["line"] == 3)
        await studio.screen.command("zsh-ls: Focus on Tasks View")
        await expect(studio.screen.task("print kept-output")).to_be_visible()
        normal = studio.screen.task("print a | grep -q z-normal")
        await expect(normal.locator(".codicon-circle-outline")).to_be_visible()
        await studio.screen.task("print kept-output").hover()
        button = studio.screen.task("print kept-output").get_by_role(
            "button", name="Show Full Output"
        )
        await button.click()
        page = studio.screen.page.locator(".view-lines", has_text="kept-output")
        await expect(page.last).to_be_visible()


async def test_the_run_of_a_script_leaves_its_result_on_its_first_line(studio: Studio) -> None:
    """Where its lens stands, until any of it changes."""
    path = await studio.show("whole.zsh", "#!/bin/zsh\nprint of-a-script\nexit 3\n")
    await studio.screen.lens("▷ run").click()
    hints = await studio.host.until("hints", path)
    assert [it["line"] for it in hints] == [0]
    assert re.fullmatch(r"✗ 3 · \d+\.\ds", hints[0]["label"])
    await studio.host.ask("replace", path, [[1, 6], [1, 8]], "of this")
    await studio.host.until("hints", path, holds=lambda it: not it)


async def test_a_trace_says_where_errexit_ended_the_script(studio: Studio) -> None:
    text = "#!/bin/zsh\nset -e\nprint begun\nprint one | grep -q two\nprint never\n"
    path = await studio.show("errexit.zsh", text)
    await studio.host.ask("command", "zsh-ls.traceScript")
    found = await studio.host.until(
        "diagnostics", path, holds=lambda it: "errexit ended the script here" in str(it)
    )
    of_line = [it["message"] for it in found if it["from"][0] == 3]
    assert any("errexit ended the script here" in it for it in of_line)
    assert not any("(normal)" in it for it in of_line)


async def test_why_a_script_was_not_traced_is_said(studio: Studio) -> None:
    await studio.show("loud.bash", '#!/bin/bash\n[ -n "$LOUD" ] && set -x\necho not traced\n')
    await studio.host.ask("command", "zsh-ls.traceScript")
    told = studio.screen.notifications.filter(has_text="the script turns xtrace on")
    await expect(told).to_be_visible()


async def test_the_icon_of_a_task_is_its_verdict(studio: Studio) -> None:
    """A normal exit is neither red nor green, a failure that a pipe hides is a warning."""
    text = (
        "#!/bin/zsh\nprint a | grep -q z-normal\nls /none-masked | cat\n(exit 7)\nprint went-well\n"
    )
    await studio.show("verdicts.zsh", text)
    for line in (1, 2, 3, 4):
        await run_line(studio, line)
    await studio.screen.command("zsh-ls: Focus on Tasks View")
    for command, icon in (
        ("z-normal", "circle-outline"),
        ("none-masked", "warning"),
        ("(exit 7)", "error"),
        ("went-well", "pass"),
    ):
        row = studio.screen.task(command)
        await expect(row.locator(f".codicon-{icon}")).to_be_visible()


async def test_the_icon_of_a_task_that_another_server_ran_is_its_verdict_too(
    studio: Studio,
) -> None:
    """Its line of the list has the exit alone."""
    program = str(studio.environment.home / "bin/zsh-ls")
    verdicts = {"print b | grep -q z-other": "circle-outline", "ls /none-other | cat": "warning"}
    for command in verdicts:
        run = await asyncio.create_subprocess_exec(
            program,
            "run",
            command,
            cwd=studio.environment.project,
            env=dict(studio.environment.env),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        await run.wait()
    await studio.screen.command("zsh-ls: Focus on Tasks View")
    for command, icon in verdicts.items():
        await expect(studio.screen.task(command).locator(f".codicon-{icon}")).to_be_visible()


async def test_what_ran_when_its_server_was_killed_is_in_the_list(
    vsixes: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """In the next window, which knows it from what the server had written down."""
    async with opened(tmp_path_factory.mktemp("killed"), vsixes) as studio:
        await studio.ready()
        await studio.show("long.zsh", "#!/bin/zsh\nprint begun; sleep 300\n")
        await run_line_unwaited(studio, 1)
        home = studio.environment.home
        async with asyncio.timeout(PATIENCE_MS / 1000):
            while not any(home.rglob("begun.json")):
                await asyncio.sleep(0.1)
        (await studio.server.language_server()).kill()
        await studio.reload()
        await studio.screen.open("long.zsh")
        await expect(studio.screen.lens("run")).to_be_visible()
        await studio.host.ask("command", "zsh-ls.tasks.focus")
        task = studio.screen.task("print begun; sleep 300")
        # The window may have noted its end before the reload, or only the server's note tells of it.
        await expect(task).to_contain_text(re.compile("killed|ended with its server"))


async def test_a_line_runs_in_the_folder_that_is_set_and_says_so(studio: Studio) -> None:
    below = studio.environment.project / "deep"
    below.mkdir(exist_ok=True)
    await studio.show("deep/where.zsh", "#!/bin/zsh\npwd\n")
    for setting, folder in (
        ("document", "/project/deep"),
        ("workspace", "/project"),
        ("project", "/project"),
    ):
        await studio.host.ask("configure", "zshLs.run.cwd", setting)
        await studio.host.ask("command", "zsh-ls.restart")  # what the line ran with before is gone
        await run_line(studio, 1)
        rows = studio.screen.terminal.locator("> div")
        said = rows.filter(has_text=re.compile(rf"^in.~{folder}\s*$"))
        await expect(said).to_be_visible()
    await studio.host.ask("configure", "zshLs.run.cwd", None)


async def test_a_task_that_waits_says_nothing_in_the_words_of_agents(studio: Studio) -> None:
    # The name of a script is seen however deep its folder lies.
    deep = "/".join(["a-rather-long-folder"] * 5)
    (studio.environment.project / deep).mkdir(parents=True, exist_ok=True)
    await studio.show(f"{deep}/waits.zsh", "#!/bin/zsh\nread 'name?Who? '; print hello $name\n")
    await studio.screen.lens("▷ run").click()
    await expect(studio.screen.terminal).to_contain_text("Who?")
    await studio.screen.command("zsh-ls: Focus on Tasks View")
    task = studio.screen.task("waits.zsh")
    await expect(task).to_contain_text("waits for input")
    await expect(studio.screen.status_bar).to_contain_text("Waiting for input.")
    said = await studio.screen.page.locator("body").inner_text()
    assert not re.search(r"zsh_\w+", said)
    await studio.screen.command("zsh-ls: Stop Task")


async def test_what_there_is_to_do_is_said_as_it_is_done_in_an_editor(studio: Studio) -> None:
    path = await studio.show("advised.zsh", "#!/bin/zsh\necho *.nosuch\n")
    await run_line(studio, 1)
    [found] = await studio.host.until("diagnostics", path)
    assert "shell=" not in found["message"]
    assert "#!/bin/bash as the first line" in found["message"]
    await expect(studio.screen.terminal).to_contain_text("the setting shell")
    await studio.host.ask("replace", path, [[0, 0], [0, 10]], "#!/bin/bash")
    await run_line(studio, 1)
    await expect(studio.screen.terminal).to_contain_text("Begin the session of this document")
    await studio.screen.command("zsh-ls: Begin the Session of This Document Anew")
    await run_line(studio, 1)
    await expect(studio.screen.terminal).to_contain_text("exit 0")


async def test_the_code_action_of_the_cursors_line_runs_it(studio: Studio) -> None:
    path = await studio.show("action.zsh", "#!/bin/zsh\nprint by action\n")
    offered = await studio.host.until("actions", path, [[1, 2], [1, 2]])
    assert "Run this line" in [it["title"] for it in offered]
    await studio.host.ask("act", path, [[1, 2], [1, 2]], "Run this line")
    await expect(studio.screen.terminal).to_contain_text(re.compile(r"by.action"))


async def test_a_line_runs_with_all_that_its_list_joins(studio: Studio) -> None:
    joined = "  false || {\n    print fell $((20 + 3))\n  }\n"
    await studio.show(
        "joined.zsh", f"#!/bin/zsh\nif true; then\n{joined}  print not $((20 + 4))\nfi\n"
    )
    # The cursor stands in the indentation, as it does after one goes to a line.
    await studio.screen.go_to(3)
    await studio.screen.command("zsh-ls: Run Line")
    await expect(studio.screen.terminal).to_contain_text(re.compile(r"fell.23"))
    await expect(studio.screen.terminal).to_contain_text("exit 0")
    await expect(studio.screen.terminal).not_to_contain_text(re.compile(r"not.24"))


async def test_a_line_of_a_test_runs_that_test_by_its_runner(studio: Studio) -> None:
    text = '#!/usr/bin/env bats\n@test "first" {\n  false\n}\n@test "second" {\n  true\n}\n'
    await studio.show("two.bats", text)
    await studio.screen.go_to(6)
    await studio.screen.command("zsh-ls: Run Line")
    await expect(studio.screen.terminal).to_contain_text(re.compile("1.test,.0.failures"))


async def test_where_zsh_is_missing_that_is_asked_before_bash_stands_in(
    vsixes: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> None:
    programs = tmp_path_factory.mktemp("without-zsh")
    link_all_but_zsh(programs)
    home = tmp_path_factory.mktemp("bash-only")
    env = {"PATH": f"{home}/bin:{programs}"}
    async with opened(home, vsixes, env=env) as studio:
        await studio.ready()
        await studio.show("stand.zsh", "#!/bin/zsh\nprintf '%s\\n' ${BASH_VERSION:+by-bash}\n")
        await studio.screen.lens("▷ run").click()
        said = await studio.screen.in_dialog("Cancel")
        assert "zsh is not installed here" in said
        assert await studio.host.ask("terminals") == []
        await studio.screen.lens("▷ run").click()
        await studio.screen.in_dialog("Run with bash")
        await expect(studio.screen.terminal).to_contain_text("by-bash")
        await studio.screen.lens("▷ trace").click()  # asked once
        await expect(studio.screen.terminal).to_contain_text("by-bash")

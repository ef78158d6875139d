"""What VS Code's own API sees of the extension, asked inside the extension host."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import Any

import pytest

from .host import Failed
from .studio import REAL_EDITOR, Studio
from .workbench import ROWS, expect

pytestmark = REAL_EDITOR

ID = "zsh-ls.zsh-ls"
BUILD = "#!/bin/bash\nmake test | tee test.log\n"


async def run_line(studio: Studio, line: int) -> Any:
    await studio.host.ask("select", [line, 0], [line, 0])
    return await studio.host.ask("command", "zsh-ls.runLine")


async def test_the_server_that_is_set_runs(studio: Studio) -> None:
    """The server under test is that of this checkout, not one that another setting or PATH names."""
    server = await studio.server.language_server()
    assert server.cmdline()[:3] == [sys.executable, "-m", "zsh_ls"]


# What the server says reaches the editor


async def test_a_finding_has_its_place_its_rule_and_its_page(studio: Studio) -> None:
    script = await studio.show("build.sh", BUILD)
    [found] = await studio.host.until("diagnostics", script)
    assert (found["source"], found["code"]) == ("zsh-ls", "masked-build-failure")
    assert (found["severity"], found["from"], found["to"]) == ("warning", [1, 0], [1, 9])
    assert "masked-build-failure" in found["page"]


async def test_hover_explains_a_command(studio: Studio) -> None:
    script = await studio.show("hover.zsh", "#!/bin/zsh\necho hello | grep nothing\n")
    [text] = await studio.host.until("hover", script, [1, 14])
    assert "grep" in text


async def test_the_calls_of_a_function_are_told_both_ways(studio: Studio) -> None:
    text = "#!/bin/zsh\nlog() { print $1 }\nbuild() { log a }\nbuild\n"
    script = await studio.show("calls.zsh", text)
    found = await studio.host.until("calls", script, [2, 1])
    assert found == {"from": ["calls.zsh"], "to": ["log"]}


async def test_lenses_run_and_trace_the_script(studio: Studio) -> None:
    script = await studio.show("lens.zsh", "#!/bin/zsh\nprint hi\n")
    lenses = await studio.host.until("lenses", script)
    assert [(it["line"], it["title"], it["command"]) for it in lenses] == [
        (0, "▷ run", "zsh.runScript"),
        (0, "▷ trace", "zsh.runScript"),
        (0, "▷ rehearse", "zsh.rehearse"),
    ]


async def test_the_lens_opens_the_list_of_what_fails_unnoticed(studio: Studio) -> None:
    """FATE-8."""
    text = "#!/bin/bash\nset -e\nls\nmake x | cat\n"
    script = await studio.show("fates.sh", text)
    lenses = await studio.host.until("lenses", script, holds=lambda it: len(it) == 4)
    lens = lenses[3]
    assert (lens["line"], lens["title"], lens["command"]) == (
        *(0, "1 of 4 can fail unnoticed", "zsh.failures"),
    )
    chosen = asyncio.ensure_future(studio.host.ask("command", lens["command"], *lens["args"]))
    row = studio.screen.page.locator(ROWS)
    await expect(row).to_have_count(1)
    await expect(row).to_contain_text("make x")
    await expect(row).to_contain_text("only the last segment's exit counts (no pipefail)")
    await studio.screen.page.keyboard.press("Enter")
    await chosen
    assert await studio.host.ask("selected") == [[3, 0], [3, 6]]


async def test_a_hover_says_what_follows_if_the_command_fails(studio: Studio) -> None:
    """FATE-8."""
    script = await studio.show("hovered.sh", "#!/bin/bash\nset -e\nmake x | cat\n")
    texts = await studio.host.until("hover", script, [2, 1])
    assert "If this fails, nothing notices: only the last segment" in " ".join(texts)


async def test_a_hint_tells_how_often_a_line_succeeds(studio: Studio) -> None:
    script = await studio.show("hint.zsh", "#!/bin/zsh\nfalse hint\n")
    for _ in range(3):
        result = await run_line(studio, 1)
        assert (result["command"], result["exit"]) == ("false hint", 1)
    hints = await studio.host.until("hints", script, holds=lambda it: len(it) == 2)
    assert {it["line"] for it in hints} == {1}
    assert "· 0% of 3" in {it["label"] for it in hints}  # behind how the last run went


async def test_what_history_warns_of_stands_on_its_line_where_that_is_wanted(
    studio: Studio,
) -> None:
    script = await studio.show("streak.zsh", "#!/bin/zsh\nfalse streak\n")
    for _ in range(3):
        await run_line(studio, 1)
    await studio.host.until("hints", script, holds=lambda it: "0% of 3" in str(it))

    def warns(found: Any) -> bool:
        return "failing-streak" in [it["code"] for it in found]

    assert not warns(await studio.host.ask("diagnostics", script))
    await studio.host.ask("configure", "zshLs.history.warnings", True)
    found = await studio.host.until("diagnostics", script, holds=warns)
    assert {it["from"][0] for it in found} == {1}
    await studio.host.ask("configure", "zshLs.history.warnings", False)
    await studio.host.until("diagnostics", script, holds=lambda it: not warns(it))


async def test_a_run_leaves_its_result_on_its_line(studio: Studio) -> None:
    """It goes with the line's text, and no lens comes: nothing moves."""
    script = await studio.show("result.zsh", "#!/bin/zsh\ntrue\n(exit 2)\n")
    before = await studio.host.until("lenses", script)
    for line in (1, 2):
        await run_line(studio, line)
    hints = await studio.host.until("hints", script, holds=lambda it: len(it) == 2)
    labels = {it["line"]: it["label"] for it in hints}
    assert re.fullmatch(r"✓ \d+\.\ds", labels[1])
    assert re.fullmatch(r"✗ 2 · \d+\.\ds", labels[2])
    assert await studio.host.ask("lenses", script) == before
    await studio.host.ask("replace", script, [[1, 4], [1, 4]], " now")
    left = await studio.host.until("hints", script, holds=lambda it: len(it) == 1)
    assert left[0]["line"] == 2


async def test_a_quick_fix_mends_the_text(studio: Studio) -> None:
    script = await studio.show("fix.sh", '#!/bin/bash\ncd "$build"\nrm -rf *\n')
    await studio.host.until("diagnostics", script)
    actions = await studio.host.until("actions", script, [[1, 0], [1, 0]])
    fixes = [it["title"] for it in actions if it["kind"] == "quickfix"]
    await studio.host.ask("act", script, [[1, 0], [1, 0]], fixes[0])
    assert 'cd "$build" || exit' in await studio.host.ask("text", script)
    assert await studio.host.until("diagnostics", script, holds=lambda it: it == []) == []


async def test_what_is_said_of_a_line_can_be_ignored_there(studio: Studio) -> None:
    script = await studio.show("ignored.sh", '#!/bin/bash\ncd "$build"\nrm -rf *\n')
    await studio.host.until("diagnostics", script)
    actions = await studio.host.until("actions", script, [[1, 0], [1, 0]])
    [ignore] = [it["title"] for it in actions if it["title"].startswith("Ignore")]
    await studio.host.ask("act", script, [[1, 0], [1, 0]], ignore)
    assert "# zsh-ls: ignore=" in await studio.host.ask("text", script)
    await studio.host.until("diagnostics", script, holds=lambda it: it == [])


async def test_a_name_is_completed_from_the_document(studio: Studio) -> None:
    text = "#!/bin/zsh\ngreet_everyone() { print hi }\ngreet_\n"
    script = await studio.show("complete.zsh", text)
    labels = await studio.host.until("completions", script, [2, 6])
    assert "greet_everyone" in labels


async def test_functions_are_in_the_outline(studio: Studio) -> None:
    script = await studio.show("outline.zsh", "#!/bin/zsh\ngreet() { print hi }\n")
    assert await studio.host.until("symbols", script) == ["greet"]


async def test_what_a_function_holds_can_be_folded(studio: Studio) -> None:
    script = await studio.show("fold.zsh", "#!/bin/zsh\ngreet() {\n  print hi\n}\n")
    assert await studio.host.until("folds", script) == [[1, 2]]


# Commands


async def test_run_line_gives_the_result_of_the_line_at_the_cursor(studio: Studio) -> None:
    await studio.show("line.zsh", "#!/bin/zsh\nprint one\nprint two && false two\n")
    result = await run_line(studio, 2)
    assert (result["command"], result["exit"], result["shell"]) == (
        "print two && false two",
        1,
        "zsh",
    )


async def test_run_selection_runs_what_is_selected(studio: Studio) -> None:
    await studio.show("part.zsh", "#!/bin/zsh\nprint first; print second\n")
    await studio.host.ask("select", [1, 0], [1, 11])
    result = await studio.host.ask("command", "zsh-ls.runSelection")
    assert (result["command"], result["exit"]) == ("print first", 0)


async def test_run_block_runs_the_whole_statement_around_the_cursor(studio: Studio) -> None:
    loop = "for i in 1 2; do\n  print tick $i\ndone"
    await studio.show("block.zsh", f"#!/bin/zsh\nprint before\n{loop}\nprint after\n")
    await studio.host.ask("select", [3, 4], [3, 4])
    result = await studio.host.ask("command", "zsh-ls.runBlock")
    assert (result["command"], result["exit"]) == (loop, 0)


async def test_run_script_runs_the_text_that_is_not_saved(studio: Studio) -> None:
    script = await studio.show("unsaved.zsh", "#!/bin/zsh\nexit 3\n")
    await studio.host.ask("replace", script, [[1, 5], [1, 6]], "4")
    result = await studio.host.ask("command", "zsh-ls.runScript")
    assert result["exit"] == 4


async def test_a_traced_script_tells_of_every_line_and_shows_it(studio: Studio) -> None:
    text = "#!/bin/zsh\nfor i in 1 2 3; do\n  print $i\ndone\nfalse\ntrue\n"
    script = await studio.show("traced.zsh", text)
    result = await studio.host.ask("command", "zsh-ls.traceScript")
    assert result["traced"] is not False
    assert {it["line"]: (it["count"], it["exit"]) for it in result["lines"]}[4] == (1, 1)
    assert await studio.host.until("hints", script)


async def test_a_line_begins_with_what_the_lines_before_it_left(studio: Studio) -> None:
    """SESS-2."""
    await studio.show("session.zsh", "#!/bin/zsh\nname=kept\n[[ $name == kept ]]\n")
    await run_line(studio, 1)
    assert (await run_line(studio, 2))["exit"] == 0


async def test_a_line_without_its_names_is_asked_about_once(studio: Studio) -> None:
    """SESS-3."""
    text = "#!/bin/zsh\nname=given\nother=not-needed\n[[ $name == given ]]\n"
    await studio.show("missing.zsh", text)
    running = asyncio.create_task(run_line(studio, 3))
    question = studio.screen.page.locator(".monaco-dialog-box")
    await expect(question).to_contain_text("name given on line 2, not in this session.")
    await expect(question).to_contain_text("2: name=given")  # what would run first can be read
    await expect(question).not_to_contain_text("not-needed")
    await question.get_by_role("button", name="Run What Gives Them First").click()
    assert (await running)["exit"] == 0


async def test_stop_ends_what_runs(studio: Studio) -> None:
    await studio.show("long.zsh", "#!/bin/zsh\nsleep 300\n")
    running = asyncio.create_task(run_line(studio, 1))
    await expect(studio.screen.badge).to_have_text("1")
    await studio.host.ask("command", "zsh-ls.stop")
    assert (await running)["status"] == "killed"


async def test_input_reaches_a_command_that_asks(studio: Studio) -> None:
    await studio.show("asks.zsh", "#!/bin/zsh\nread name && print hello $name\n")
    running = asyncio.create_task(run_line(studio, 1))
    await expect(studio.screen.badge).to_have_text("1")
    await studio.host.ask("command", "zsh-ls.sendInput", None, "Ada")
    assert (await running)["exit"] == 0
    await expect(studio.screen.terminal).to_contain_text("hello")


async def test_what_failed_last_is_answered(studio: Studio) -> None:
    await studio.show("ask.zsh", "#!/bin/zsh\nfalse ask\n")
    await run_line(studio, 1)
    answer = await studio.host.ask("command", "zsh-ls.ask", "what failed last")
    assert "false ask" in answer["text"]


async def test_explain_says_what_the_command_at_the_cursor_does(studio: Studio) -> None:
    await studio.show("explain.zsh", "#!/bin/zsh\ngrep -c root /etc/passwd\n")
    await studio.host.ask("select", [1, 2], [1, 2])
    answer = await studio.host.ask("command", "zsh-ls.explain")
    assert "grep" in answer["text"]


async def test_restart_starts_another_server(studio: Studio) -> None:
    before = await studio.server.language_server()
    await studio.host.ask("command", "zsh-ls.restart")
    script = await studio.show("again.zsh", BUILD)
    assert await studio.host.until("lenses", script)
    after = await studio.server.language_server()
    assert after.pid != before.pid
    assert not before.is_running()


async def test_a_server_that_falls_is_started_again(studio: Studio) -> None:
    before = await studio.server.language_server()
    before.kill()
    script = await studio.show("fallen.zsh", BUILD)
    assert await studio.host.until("lenses", script)
    after = await studio.server.language_server()
    assert after.pid != before.pid


@pytest.mark.parametrize("name", ["Line", "Selection", "Block", "Script"])
async def test_nothing_of_another_machine_is_run_and_where_it_lies_is_said(
    studio: Studio, name: str
) -> None:
    ran = studio.environment.project / "ran"
    where = f"scp://prod/etc/{name}.zsh"
    assert await studio.host.ask("elsewhere", where, f"#!/bin/zsh\ntouch {ran}\n") == "shellscript"
    await studio.host.ask("select", [1, 0], [1, 5])
    assert await studio.host.ask("command", f"zsh-ls.run{name}") is None
    said = f"{where} lies on `prod` by scp, not on this machine; nothing was run."
    # In the list of all: of more than three within 800 ms VS Code shows none by itself.
    await studio.host.ask("command", "notifications.showList")
    listed = studio.screen.page.locator(".notifications-center .notification-list-item")
    await expect(listed.filter(has_text=said)).to_be_visible()
    assert await studio.host.ask("terminals") == []
    assert not ran.exists()


# Tasks of VS Code


async def test_a_script_is_a_task_whose_exit_is_the_scripts(studio: Studio) -> None:
    await studio.show("task.zsh", "#!/bin/zsh\nprint hi\nexit 3\n")
    assert await studio.host.ask("tasks", "zsh") == ["run task.zsh"]
    assert await studio.host.ask("task", "zsh", "run task.zsh") == {"exit": 3}


async def test_a_task_of_tasks_json_runs_its_command(studio: Studio) -> None:
    folder = studio.environment.project / ".vscode"
    folder.mkdir()
    (folder / "tasks.json").write_text(
        '{"version": "2.0.0", "tasks": [{"type": "zsh", "label": "five", "command": "exit 5"}]}'
    )
    await studio.show("tasks.zsh", "#!/bin/zsh\nprint hi\n")
    await studio.host.until("tasks", "zsh", holds=lambda it: "five" in it)
    assert await studio.host.ask("task", "zsh", "five") == {"exit": 5}


# Tools of language models


async def test_the_tools_are_there(studio: Studio) -> None:
    assert await studio.host.ask("tools", "zsh_") == [
        "zsh_run",
        "zsh_poll",
        "zsh_stop",
        "zsh_output",
    ]


async def test_a_tool_runs_what_the_person_confirms(studio: Studio) -> None:
    running = asyncio.create_task(
        studio.host.ask("tool", "zsh_run", {"command": "print confirmed"})
    )
    assert "print confirmed" in await studio.screen.in_dialog("Yes")
    [told] = await running
    assert "[COMPLETED" in told
    assert "confirmed" in told


async def test_a_tool_runs_nothing_the_person_refuses(studio: Studio) -> None:
    touched = studio.environment.project / "refused"
    running = asyncio.create_task(
        studio.host.ask("tool", "zsh_run", {"command": f"touch {touched}"})
    )
    await studio.screen.in_dialog("Cancel")
    with pytest.raises(Failed, match="(?i)cancel"):
        await running
    assert not touched.exists()


async def test_a_long_run_of_a_tool_is_polled_and_stopped(studio: Studio) -> None:
    running = asyncio.create_task(
        studio.host.ask(
            "tool", "zsh_run", {"command": "print begun; sleep 300", "yield_after": 0.5}
        )
    )
    await studio.screen.in_dialog("Yes")
    [told] = await running
    task = told.partition("task_id=")[2].split()[0].rstrip("]")
    [polled] = await studio.host.ask("tool", "zsh_poll", {"task_id": task, "listen": 0.1})
    assert task in polled
    [output] = await studio.host.ask("tool", "zsh_output", {"task_id": task})
    assert output == "begun"
    stopping = asyncio.create_task(studio.host.ask("tool", "zsh_stop", {"task_id": task}))
    await studio.screen.in_dialog("Yes")
    assert "killed" in (await stopping)[0].lower()


# What the manifest promises


async def test_paths_and_what_decides_of_runs_never_come_from_an_untrusted_folder(
    studio: Studio,
) -> None:
    manifest = (await studio.host.ask("extension", ID))["manifest"]
    trust = manifest["capabilities"]["untrustedWorkspaces"]
    assert trust["supported"] == "limited"
    settings = manifest["contributes"]["configuration"]["properties"]
    paths = {it for it in settings if settings[it].get("scope") == "machine-overridable"}
    assert {"zshLs.path", "zshLs.interpreter"} <= paths == set(trust["restrictedConfigurations"])


async def test_every_command_of_the_manifest_is_there(studio: Studio) -> None:
    manifest = (await studio.host.ask("extension", ID))["manifest"]
    promised = {it["command"] for it in manifest["contributes"]["commands"]}
    assert promised <= set(await studio.host.ask("commands", "zsh-ls."))


async def test_a_task_of_the_list_is_run_again_copied_and_found(studio: Studio) -> None:
    script = await studio.show("list.zsh", "#!/bin/zsh\nprint listed\ntrue\n")
    first = await run_line(studio, 1)
    again = await studio.host.ask("command", "zsh-ls.rerun", first["task_id"])
    assert (again["command"], again["exit"]) == ("print listed", 0)
    assert again["task_id"] != first["task_id"]
    await studio.host.ask("select", [2, 0], [2, 0])
    await studio.host.ask("command", "zsh-ls.goToLine", first["task_id"])
    await studio.host.until("selected", holds=lambda it: it[0] == [1, 0])
    await studio.host.ask("command", "zsh-ls.copyCommand", again["task_id"])
    assert await studio.host.ask("clipboard") == "print listed"
    hints = await studio.host.until("hints", script)
    assert [it["line"] for it in hints] == [1]


async def test_the_list_is_cleared_of_what_has_ended(studio: Studio) -> None:
    await studio.show("clear.zsh", "#!/bin/zsh\nprint cleared-away\n")
    await run_line(studio, 1)
    await studio.screen.command("zsh-ls: Focus on Tasks View")
    await expect(studio.screen.task("cleared-away")).to_be_visible()
    await studio.screen.page.get_by_role("button", name=re.compile("^Clear")).first.click()
    await expect(studio.screen.task("cleared-away")).to_be_hidden()


async def test_a_script_task_obeys_its_folder_environment_and_shell(studio: Studio) -> None:
    folder = studio.environment.project / ".vscode"
    folder.mkdir(exist_ok=True)
    (studio.environment.project / "below").mkdir(exist_ok=True)
    studio.environment.write("told.sh", 'echo "$PWD $GIVEN $1 ${BASH_VERSION:+bash}" > seen\n')
    task = {
        "type": "zsh",
        "label": "obeying",
        "script": "told.sh",
        "args": ["one two"],
        "cwd": "below",
        "env": {"GIVEN": "given"},
        "shell": "bash",
        "timeout": 60,
    }
    (folder / "tasks.json").write_text(json.dumps({"version": "2.0.0", "tasks": [task]}))
    await studio.show("tasks.zsh", "#!/bin/zsh\nprint hi\n")
    await studio.host.until("tasks", "zsh", holds=lambda it: "obeying" in it)
    await studio.host.ask("task", "zsh", "obeying")
    below = studio.environment.project / "below"
    assert (below / "seen").read_text() == f"{below} given one two bash\n"


async def test_a_script_task_ends_at_its_time_limit(studio: Studio) -> None:
    folder = studio.environment.project / ".vscode"
    folder.mkdir(exist_ok=True)
    studio.environment.write("endless.sh", "echo begun > begun; exec sleep 307\n")
    task = {"type": "zsh", "label": "limited", "script": "endless.sh", "timeout": 1}
    (folder / "tasks.json").write_text(json.dumps({"version": "2.0.0", "tasks": [task]}))
    await studio.show("tasks.zsh", "#!/bin/zsh\nprint hi\n")
    await studio.host.until("tasks", "zsh", holds=lambda it: "limited" in it)
    await studio.host.ask("task", "zsh", "limited")
    assert (studio.environment.project / "begun").exists()
    await studio.screen.command("zsh-ls: Focus on Tasks View")
    await expect(studio.screen.task("endless.sh")).to_contain_text("timeout")


async def test_a_failed_line_says_why_it_failed(studio: Studio) -> None:
    """ANS-7: the action runs nothing; its answer names the file that is not there."""
    path = await studio.show("why.zsh", "cat /nothing-is-here.txt\ntrue\n")
    await studio.host.ask("select", [0, 0], [0, 0])
    await studio.host.ask("command", "zsh-ls.runLine")
    answer = await studio.host.ask("act", path, [[0, 0], [0, 0]], "Why did this fail?")
    assert "failed with exit 1" in answer["summary"]
    assert "`/nothing-is-here.txt` is not in `/`" in answer["details"]

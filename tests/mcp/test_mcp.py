"""`zsh-ls mcp`: the tools it lists, what calls answer, and the secrets that are masked."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import signal
import string
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.tasks.survivors import alive_with, eventually
from zsh_ls.mcp.schema import schema_of
from zsh_ls.mcp.tools import all_tools
from zsh_ls.model.results import TaskResult
from zsh_ls.sidecar.redact import redacted

from .session import by_hand, session, text_of

pytestmark = pytest.mark.slow
LONGEST_DESCRIPTION_WORDS = 80


def a_secret() -> str:
    """A token put together from pieces, so that no scanner reports this file as a leak."""
    letters = string.ascii_letters + string.digits
    return "gh" + "p_" + "".join(secrets.choice(letters) for _ in range(36))


async def test_every_tool_is_listed_with_its_schemas_and_hints(
    home: dict[str, str], project: Path
) -> None:
    async with session(home, project) as agent:
        tools = {tool.name: tool for tool in (await agent.list_tools()).tools}
    assert list(tools) == list(all_tools())
    for tool in tools.values():
        assert tool.description is not None
        assert len(tool.description.split()) <= LONGEST_DESCRIPTION_WORDS
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        jsonschema.Draft202012Validator.check_schema(tool.output_schema)
        for field in tool.input_schema["properties"].values():
            assert field["description"]
    hints = {name: tool.annotations for name, tool in tools.items()}
    assert all(hints[name].destructive_hint for name in ("zsh", "zsh_send", "zsh_kill"))
    assert all(
        hints[name].read_only_hint
        for name in ("zsh_poll", "zsh_output", "zsh_check", "zsh_rehearse")
    )


# MCP-1
async def test_every_tool_answers_by_its_schema(home: dict[str, str], project: Path) -> None:
    async with session(home, project) as agent:
        schemas = {tool.NAME: _of_agents(tool.RESULT) for tool in all_tools().values()}
        waiting = await agent.call_tool(
            "zsh", {"command": "read x; echo got $x; sleep 1000", "pty": True, "yield_after": 0.2}
        )
        task = waiting.structured_content["task_id"]
        script = project / "deploy.sh"
        script.write_text("#!/bin/bash\nrm -rf notes\npython3 b.py || exit 4\n")
        calls = {
            "zsh": {"command": "echo hi | grep nope"},
            "zsh_send": {"task_id": task, "input": "hello"},
            "zsh_poll": {"task_id": task},
            "zsh_tasks": {},
            "zsh_kill": {"task_id": task},
            "zsh_output": {"task_id": task, "search": "g.t"},
            "zsh_ask": {"query": "what failed last"},
            "zsh_why": {},
            "zsh_explain": {"command": "grep -i x f | wc -l"},
            "zsh_check": {"text": "#!/bin/zsh\nset -e\nlocal x=$(false)\n"},
            "zsh_rehearse": {"path": str(script), "fail": 3},
            "zsh_health": {},
            "zsh_alan_stats": {},
            "zsh_alan_query": {"command": "echo hi | grep nope"},
            "zsh_neverhang_status": {},
            "zsh_neverhang_reset": {},
        }
        assert calls.keys() == schemas.keys()
        texts = {}
        for name, arguments in calls.items():
            answer = await agent.call_tool(name, arguments)
            assert not answer.is_error, (name, answer)
            jsonschema.validate(answer.structured_content, schemas[name])
            texts[name] = answer.content[0].text
            if name == "zsh":
                assert answer.content[0].annotations.audience == ["user", "assistant"]
                assert answer.content[0].annotations.priority == 0.3
    assert "exit=1 pipestatus=[0,1]" in texts["zsh"]
    assert "grep exit 1 = no match (normal)" in texts["zsh"]
    assert "hello" in texts["zsh_poll"]
    assert f"{task} running" in texts["zsh_tasks"]
    assert f"Task {task} killed" in texts["zsh_kill"]
    assert texts["zsh_output"].endswith("got hello")
    assert "declaration-masks-exit" in texts["zsh_check"]
    assert "3: python3 b.py: if it fails: stops, exit 4" in texts["zsh_rehearse"]
    assert "\x1b" not in "".join(texts.values())


def _of_agents(kind: type) -> dict[str, Any]:
    """The schema of a result; of a task its agents are told the fields that its text tells."""
    schema = schema_of(kind)
    if kind is TaskResult:
        schema["required"] = ["task_id", "status", "output", "elapsed_seconds"]
    return schema


# DOC-10
async def test_a_check_of_a_workflow_is_of_the_shell_inside_it(
    home: dict[str, str], project: Path
) -> None:
    """Each line of the YAML was a command that fails unnoticed."""
    folder = project / ".github" / "workflows"
    folder.mkdir(parents=True)
    (folder / "ci.yml").write_text(
        "name: ci\non: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n"
        "      - run: |\n          set -e\n          local x=$(false)\n          if true; then\n"
    )
    async with session(home, project) as agent:
        answer = await agent.call_tool("zsh_check", {"path": ".github/workflows/ci.yml"})
    fields = answer.structured_content
    assert "failures" not in fields
    places = {(it["line"], it["rule"]) for it in fields["findings"]}
    assert (9, "declaration-masks-exit") in places
    assert any(rule == "syntax-error" for _, rule in places)
    assert all(line >= 8 for line, _ in places)
    assert "unnoticed" not in answer.content[0].text


# FATE-7
async def test_a_check_tells_what_fails_unnoticed_and_has_all_fates(
    home: dict[str, str], project: Path
) -> None:
    text = "#!/bin/bash\nset -e\nls\nmake doc | cat\n"
    async with session(home, project) as agent:
        answer = await agent.call_tool("zsh_check", {"text": text})
        script = {"text": "#!/bin/bash\n" + "frob\n" * 40}
        many = await agent.call_tool("zsh_check", script)
        rest = await agent.call_tool("zsh_check", {**script, "skip": 20})
    assert answer.content[0].text.splitlines()[-2:] == [
        "4 commands: 3 stop the script, 1 fails unnoticed",
        "4:1 unnoticed: make doc: only the last segment's exit counts (no pipefail)",
    ]
    failures = answer.structured_content["failures"]
    assert failures["counts"]["stops"] == 3
    assert failures["commands"][2] == {
        "line": 4,
        "column": 1,
        "end_line": 4,
        "end_column": 9,
        "command": "make doc",
        "fate": "unnoticed",
        "exit": 0,
        "because": "only the last segment's exit counts (no pipefail)",
    }
    lines = many.content[0].text.splitlines()
    assert (len(lines), lines[-1][:16]) == (23, "more: zsh_check ")
    assert lines[-1].endswith(" skip=20")
    assert many.structured_content["more"]
    # Who is shown the text alone, and who is shown the structure alone, has all of them.
    told = [*lines[2:-1], *rest.content[0].text.splitlines()]
    pages = (many.structured_content, rest.structured_content)
    commands = [it for page in pages for it in page["failures"]["commands"]]
    assert [it["line"] for it in commands] == list(range(2, 42))
    quiet = [f"{it['line']}:1 {it['fate']}" for it in commands if it["fate"] == "unnoticed"]
    assert [it.partition(": ")[0] for it in told] == quiet
    assert "more" not in rest.structured_content


async def test_a_check_does_not_list_what_hardly_ever_fails(
    home: dict[str, str], project: Path
) -> None:
    text = (
        '#!/bin/bash\nlocal a=b\n[ -f x ]\necho "<a> 2>&1" >&2\necho x > log\ncp x y\ncp y z\n'
        "test -f y && make | tee log\nexit 0\n"
    )
    async with session(home, project) as agent:
        answer = await agent.call_tool("zsh_check", {"text": text})
    unseen = "nothing looks at its exit (errexit is off)"
    lines = answer.content[0].text.splitlines()
    assert lines[
        lines.index("3 of these only test, print or declare something, and are not listed") :
    ] == [
        "3 of these only test, print or declare something, and are not listed",
        f"5:1 unnoticed: echo x > log: {unseen}",
        "6:1 unnoticed: cp x y",
        "7:1 unnoticed: cp y z",
        "8:14 unnoticed: make: only the last segment's exit counts (no pipefail)",
        f"8:21 unnoticed: tee log: {unseen}",
    ]
    assert len(answer.structured_content["failures"]["commands"]) == 9


async def test_a_wrong_call_gets_an_error_and_the_server_goes_on(
    home: dict[str, str], project: Path
) -> None:
    async with session(home, project) as agent:
        for tool, arguments, words in (
            ("zsh", {}, "command: a required field is missing"),
            ("zsh", {"command": "true", "comand": "x"}, "comand: unknown field"),
            ("zsh", {"command": "true", "timeout": "7"}, 'timeout: expected a number, got "7"'),
            ("zsh", {"command": ""}, "command: expected a command"),
            ("zsh", {"command": "true", "cwd": "/nowhere"}, "cwd: expected a folder that is there"),
            ("zsh_poll", {"task_id": "00000000"}, "Unknown task: 00000000"),
            ("zsh_output", {"search": "("}, "search: missing ): ("),
            ("zsh_check", {}, "path: expected path or text"),
            ("no_such_tool", {}, "Unknown tool: no_such_tool"),
            ("zsh", {"command": "true", "cwd": "/" + "n" * 100_000}, "/nnn"),
            ("zsh_output", {"task_id": "n" * 100_000}, "Unknown task: nnn"),
            ("zsh", {"n" * 100_000: 1}, "nnn"),
            ("n" * 100_000, {}, "Unknown tool: nnn"),
        ):
            answer = await agent.call_tool(tool, arguments)
            assert answer.is_error, (tool, arguments)
            assert words in answer.content[0].text
            assert len(answer.content[0].text) <= 4_000
        assert "a" in await text_of(agent, "zsh", command="echo a")


async def test_progress_is_reported_and_one_poll_waits_for_the_end(
    home: dict[str, str], project: Path
) -> None:
    reports: list[tuple[float, str | None]] = []

    async def hear(progress: float, _: float | None, message: str | None) -> None:
        reports.append((progress, message))
        (project / "heard").touch()

    async with session(home, project) as agent:
        command = "echo a; sleep 1; echo b; until [ -e heard ]; do sleep 0.1; done"
        first = await agent.call_tool("zsh", {"command": command, "yield_after": 0.2})
        task = first.structured_content["task_id"]
        assert "next_useful_poll_s" in first.structured_content["poll_meta"]
        last = await agent.call_tool(
            "zsh_poll",
            {"task_id": task, "until": "end", "listen": 60},
            progress_callback=hear,
        )
    assert (last.structured_content["status"], last.structured_content["output"]) == (
        "completed",
        "b\n",
    )
    assert reports
    assert [progress for progress, _ in reports] == sorted(progress for progress, _ in reports)


async def test_an_exit_without_a_word_is_told_as_its_program_means_it(
    home: dict[str, str], project: Path
) -> None:
    async with session(home, project) as agent:
        silent = await agent.call_tool("zsh", {"command": "curl() { return 7; }; curl -sf a"})
        spoken = await text_of(
            agent, "zsh", command="curl() { echo cannot connect; return 7; }; curl a"
        )
    meaning = "curl exit 7 = no connection to the host"
    assert silent.content[0].text.splitlines()[-1] == f"zsh-ls: {meaning}"
    assert meaning in silent.structured_content["insights"]["info"]
    assert "exit 7 =" not in spoken


async def test_a_relative_path_is_below_the_folder_of_the_client(
    home: dict[str, str], project: Path
) -> None:
    """Agents name files as they do in their shell; each refusal was a call more."""
    (project / "bin").mkdir()
    (project / "bin" / "a.sh").write_text("#!/bin/sh\ncd $1\npwd\n")
    async with session(home, project) as agent:
        ran = await text_of(agent, "zsh", command="pwd", cwd="bin")
        assert ran.splitlines()[0] == str((project / "bin").resolve())
        found = await agent.call_tool("zsh_check", {"path": "bin/a.sh"})
        assert found.structured_content["failures"]["commands"]
        gone = await agent.call_tool("zsh", {"command": "pwd", "cwd": "nosuch"})
        assert gone.is_error
        assert "nosuch" in gone.content[0].text


# MCP-3
async def test_cancelling_a_call_ends_the_wait_and_not_the_task(
    home: dict[str, str], project: Path
) -> None:
    async with session(home, project) as agent:
        waiting = asyncio.ensure_future(
            agent.call_tool("zsh", {"command": "sleep 1000", "yield_after": 300})
        )
        async with asyncio.timeout(60):
            while "running" not in (listed := await text_of(agent, "zsh_tasks")):
                await asyncio.sleep(0.02)
        waiting.cancel()
        task = listed.split()[0]
        assert task in await text_of(agent, "zsh_tasks")
        assert "killed" in await text_of(agent, "zsh_kill", task_id=task)


async def test_secrets_of_known_form_are_masked_and_the_whole_stays(
    home: dict[str, str], project: Path
) -> None:
    secret = a_secret()
    async with session(home, project) as agent:
        answer = await agent.call_tool("zsh", {"command": f"echo {secret}; echo plain"})
        searched = await agent.call_tool("zsh_output", {"search": "gh"})
    assert secret not in str(answer)
    assert secret not in str(searched)
    assert "plain" in answer.content[0].text
    assert any(secret.encode() in kept for kept in kept_outputs(home))


def kept_outputs(home: dict[str, str]) -> list[bytes]:
    return [path.read_bytes() for path in Path(home["XDG_STATE_HOME"]).rglob("*") if path.is_file()]


async def test_no_pattern_holds_up_a_search_or_the_other_calls(
    home: dict[str, str], project: Path
) -> None:
    async with session(home, project) as agent:
        await agent.call_tool("zsh", {"command": "printf 'x%.0s' {1..60}"})
        # By trying every way to part 60 letters this would take years.
        assert await text_of(agent, "zsh_output", search="(x+x+)+y") == "No line matches."
        ahead = await agent.call_tool("zsh_output", {"search": "x(?=y)"})
    assert ahead.is_error
    assert ahead.content[0].text.startswith("search: ")


# MCP-2
def test_secrets_are_masked_at_any_depth_of_an_answer() -> None:
    secret = a_secret()
    shown = redacted(
        {"output": secret, "list": [{"command": f"curl -H 'Authorization: Bearer {secret}'"}]}
    )
    assert secret not in str(shown)


async def test_colour_is_sent_only_where_asked_for(home: dict[str, str], project: Path) -> None:
    async with session(home, project, "--color") as agent:
        assert "\x1b[31m[FAILED" in (await text_of(agent, "zsh", command="false"))


async def test_nothing_runs_in_an_untrusted_workspace(home: dict[str, str], project: Path) -> None:
    from zsh_ls.mcp.server import call_result
    from zsh_ls.mcp.tool import ToolCall
    from zsh_ls.sidecar import Settings, Sidecar, SidecarOptions
    from zsh_ls.sidecar.config import Places

    places = Places(project / "alan.db", project / "outputs", project / "run")
    options = SidecarOptions(session="x", places=places, settings=Settings(trusted=False))
    sidecar = await Sidecar.open(options)
    answer = await call_result(all_tools()["zsh"], {"command": "echo a"}, ToolCall(sidecar))  # type: ignore[arg-type]
    await sidecar.close()
    assert answer.is_error
    assert "trusted" in answer.content[0].text  # type: ignore[union-attr]


def test_lines_that_are_no_messages_do_not_end_the_server(
    home: dict[str, str], project: Path
) -> None:
    with by_hand(home, project) as agent:
        for line in ("{", "null", "[1, 2", '{"jsonrpc": "2.0", "id": 5}', "\x00\x01", '"text"'):
            agent.send(line)
        assert agent.ask(7, "no/such/method")["error"]["code"] == -32601
        assert "structuredContent" in agent.call(8, "zsh", command="echo a")
        assert (
            agent.call(9, "zsh", command="printf '\\377\\033[2J'; print -n x")["isError"] is False
        )


@pytest.mark.parametrize("way", ["end of input", "TERM", "KILL"])
def test_nothing_outlives_the_server(home: dict[str, str], project: Path, way: str) -> None:
    token = f"{secrets.randbelow(10**9):09}"
    with by_hand(home, project) as agent:
        text = f"setsid sleep 1000.{token} & sleep 1000.{token}"
        assert agent.call(1, "zsh", command=text, yield_after=0.3)["isError"] is False
        assert eventually(lambda: len(alive_with(token)) >= 2)
        if way == "end of input":
            assert agent.process.stdin is not None
            agent.process.stdin.close()
        else:
            os.kill(agent.process.pid, getattr(signal, f"SIG{way}"))
        assert eventually(lambda: not alive_with(token))


async def test_an_agents_run_ends_at_its_limit_and_its_cut_output_is_saved_in_the_workspace(
    home: dict[str, str], project: Path
) -> None:
    numbers = {"NEVERHANG_TIMEOUT_DEFAULT": "0.2", "NEVERHANG_TIMEOUT_MAX": "0.3"}
    async with session({**home, **numbers}, project) as agent:
        assert "timed out after 0.2s" in await text_of(
            agent, "zsh", command="sleep 9", timeout=None
        )
        endless = await text_of(agent, "zsh", command="sleep 8; true", timeout=0, yield_after=60)
        assert "timed out after 0.3s" in endless
        assert "Time limit cut to 0.3s; a server or watcher runs with detached." in endless
        refused = await agent.call_tool("zsh", {"command": "true", "timeout": -1})
        assert refused.is_error
        assert "timeout" in refused.content[0].text
        text = await text_of(agent, "zsh", command="seq 500")
        assert "full output saved to .tmp/last-command-output.txt" in text
    assert len((project / ".tmp" / "last-command-output.txt").read_text().splitlines()) == 500


# SESS-1
async def test_an_agents_session_goes_on_where_it_was(home: dict[str, str], project: Path) -> None:
    async with session(home, project) as agent:
        await text_of(agent, "zsh", command="x=kept; cd /", session="s")
        assert "kept /" in await text_of(agent, "zsh", command="print $x $PWD", session="s")
        refused = await agent.call_tool("zsh", {"command": ":", "session": "s", "shell": "bash"})
    assert refused.is_error


# REH-2
async def test_a_long_rehearsal_says_how_long_and_a_large_workspace_how_large(
    home: dict[str, str], project: Path
) -> None:
    """As a client sees it that asked for progress; the limits have the words of the command line."""
    (project / "videos").mkdir()
    (project / "videos" / "one").write_bytes(b"x" * (3 << 20))
    script = project / "slow.sh"
    script.write_text("#!/bin/bash\nwhile :; do :; done\n")
    reports: list[tuple[float, str | None]] = []

    async def hear(elapsed_s: float, _: float | None, message: str | None) -> None:
        reports.append((elapsed_s, message))

    async with session(home, project) as agent:
        answer = await agent.call_tool(
            "zsh_rehearse", {"path": str(script), "timeout": 9}, progress_callback=hear
        )
        refused = await agent.call_tool("zsh_rehearse", {"path": str(script), "max_copy": 2})
        wrong = await agent.call_tool("zsh_rehearse", {"path": str(script), "max_copy": 0})
    assert "Stopped on line 2" in answer.content[0].text
    assert [elapsed_s for elapsed_s, _ in reports] == sorted(elapsed_s for elapsed_s, _ in reports)
    # A busy machine may tell of the time before the sandbox has begun.
    assert any(re.fullmatch(r"\d+s · whole run", message or "") for _, message in reports)
    assert "above the 2 MB of --max-copy (most of it: videos 3 MB" in refused.content[0].text
    assert "max_copy: expected megabytes from 1" in wrong.content[0].text


# REH-2
async def test_a_rehearsal_tells_agents_what_a_script_would_do(
    home: dict[str, str], project: Path
) -> None:
    (project / "build").mkdir()
    (project / "build" / "a").write_text("x")
    script = project / "deploy.sh"
    script.write_text('#!/bin/bash\nx=$(python3 a.py)\nrm -r build\ngit push origin "v$x"\n')
    async with session(home, project) as agent:
        answer = await agent.call_tool("zsh_rehearse", {"path": str(script)})
        many = project / "many.sh"
        many.write_text("#!/bin/bash\n" + "echo some more words | grep more\n" * 150)
        first = await agent.call_tool("zsh_rehearse", {"path": str(many)})
        skip = first.structured_content["skip"]
        second = await agent.call_tool("zsh_rehearse", {"path": str(many), "skip": skip})
        refused = await agent.call_tool("zsh_rehearse", {"path": str(script), "fail": 9})
    text = answer.content[0].text
    assert f"3: [destroys]\n  ran rm -r build\n  would remove {project}/build: 1 file" in text
    assert "4: [publishes] [network]\n  would run git push origin v\n    $x is empty here" in text
    assert text.endswith("The script's exit: 0")
    found = answer.structured_content
    assert (found["exit"], found["lines"][-1]["line"], "more" in found) == (0, 4, False)
    assert (project / "build" / "a").exists()
    assert first.structured_content["more"] is True
    assert first.content[0].text.splitlines()[-1].endswith(f"skip={skip}")
    told = [it["line"] for it in first.structured_content["lines"]]
    told += [it["line"] for it in second.structured_content["lines"]]
    assert told == sorted(set(told))
    assert told[-1] == 151
    for page in (first, second):
        assert len(page.content[0].text) < 48_000
        assert len(str(page.structured_content)) < 48_000
    assert "fail: expected a line from 1 to 4, got 9" in refused.content[0].text

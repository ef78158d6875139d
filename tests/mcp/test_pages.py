"""No answer is longer than clients hand on, and its last line names the call for the next page (VERB-9)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from zsh_ls.mcp.server import declared
from zsh_ls.mcp.tools import all_tools

from .session import ByHand, by_hand

pytestmark = pytest.mark.slow
LIMIT = 48_000


def called(agent: ByHand, tool: str, **arguments: object) -> tuple[str, dict[str, Any]]:
    """Both views of an answer, each within the limit."""
    called.number += 1  # type: ignore[attr-defined]
    answer = agent.call(called.number, tool, **arguments)  # type: ignore[attr-defined]
    text, fields = answer["content"][0]["text"], answer["structuredContent"]
    assert not answer["isError"], text
    assert len(text) < LIMIT
    assert len(json.dumps(fields, ensure_ascii=False)) < LIMIT
    assert not {"formatted", "formatted_insight", "markdown"} & fields.keys()
    assert text.splitlines()[-1].startswith("more: ") == (fields.get("more") is True)
    return text, fields


called.number = 0  # type: ignore[attr-defined]


def followed(text: str) -> tuple[str, dict[str, Any]]:
    """The call that the last line names."""
    found = re.fullmatch(r"more: (\w+) (.*)", text.splitlines()[-1])
    assert found, text[-300:]
    words = dict(it.partition("=")[::2] for it in found[2].split())
    values = {
        name: int(it) if it.isdigit() and name != "task_id" else it for name, it in words.items()
    }
    return found[1], values


def all_pages(agent: ByHand, tool: str, **arguments: object) -> str:
    """What all pages bring, each by the call that the one before names; structured answers alone."""
    brought = ""
    for _ in range(200):
        text, fields = called(agent, tool, **arguments)
        brought += fields["output"]
        if not fields.get("more"):
            return brought
        tool, arguments = followed(text)
    raise AssertionError("the pages never end")


def test_a_huge_output_comes_in_pages_and_nothing_is_lost(
    home: dict[str, str], project: Path
) -> None:
    (project / "big_tests.sh").write_text(
        'for n in {1..9000}; do echo "row $n of the test"; done; exit 1'
    )
    whole = "".join(f"row {n} of the test\n" for n in range(1, 9001))
    with by_hand(home, project) as agent:
        assert all_pages(agent, "zsh", command="bash big_tests.sh", yield_after=60) == whole
        assert all_pages(agent, "zsh_output") == whole
        (project / "long_tests.sh").write_text("head -c 150000 /dev/zero | tr '\\0' x; exit 1")
        one = all_pages(agent, "zsh", command="bash long_tests.sh", yield_after=60)
        assert one.rstrip("\n") == "x" * 150_000
        assert all_pages(agent, "zsh_output").rstrip("\n") == "x" * 150_000
        _, found = called(agent, "zsh_output", search="x")
        assert found["matches"]


def test_a_page_says_how_much_follows_and_what_says_it_shorter(
    home: dict[str, str], project: Path
) -> None:
    (project / "test_x.py").write_text(
        "def test_x():\n    print('row\\n' * 20_000)\n    assert 0\n"
    )
    with by_hand(home, project) as agent:
        command = "python3 -m pytest -q test_x.py"
        text, fields = called(agent, "zsh", command=command, yield_after=60)
        follows = text.splitlines()[-2]
        assert re.fullmatch(r"1\d{4} lines follow; zsh_why names the failed tests", follows)
        assert fields["message"] == follows


# VERB-9
def test_a_long_file_names_the_call_that_reads_on(home: dict[str, str], project: Path) -> None:
    """`offset` is an argument of no tool of ours."""
    (project / "long.txt").write_text("".join(f"row {n}\n" for n in range(1, 701)))
    (project / "long.json").write_text(json.dumps(list(range(700)), indent=1))
    with by_hand(home, project) as agent:
        for name in ("long.txt", "long.json"):
            text, fields = called(agent, "zsh", command=f"cat {name}")
            [row] = [it for it in text.split("\n") if "use offset to read more" in it]
            assert row in fields["output"].split("\n")
            tool, given = followed("more: " + row.partition("read more: ")[2])
            assert given["task_id"] == fields["task_id"]
            _, rest = called(agent, tool, **given)
            whole = (project / name).read_text().split("\n")
            assert rest["output"].rstrip("\n").split("\n") == [it for it in whole[50:] if it]
            assert whole[49] in fields["output"].split("\n")


def test_lists_and_checks_come_in_pages(home: dict[str, str], project: Path) -> None:
    with by_hand(home, project) as agent:
        for _ in range(3):
            called(agent, "zsh", command="true '" + "y" * 30_000 + "'")
        called(agent, "zsh_tasks", all=True)
        text = "#!/bin/bash\n" + "frob --some-flag | cat\n" * 900
        _, first = called(agent, "zsh_check", text=text)
        assert first["more"] is True
        lines, skip = 0, 0
        while True:
            _, page = called(agent, "zsh_check", text=text, skip=skip)
            entries = len(page["findings"]) + len(page["failures"]["commands"])
            lines += len(page["failures"]["commands"])
            skip += entries
            if not page.get("more"):
                break
        assert lines == 1_800
        called(agent, "zsh_explain", command="frob " + "z" * 60_000)
        called(agent, "zsh_ask", query="what was the full output")
        begun = called(agent, "zsh", command="sleep 0.2; seq 90000; sleep 1000", yield_after=0)[1]
        called(agent, "zsh_kill", task_id=begun["task_id"])


def test_what_memory_and_health_say_is_short_however_long_commands_are(
    home: dict[str, str], project: Path
) -> None:
    long_one = "false '" + "y" * 30_000 + "'"
    word = "f" + "z" * 20_000
    with by_hand(home, project) as agent:
        for _ in range(4):
            called(agent, "zsh", command=long_one)
            called(agent, "zsh", command=f"{word}; {word}")
        for command in (long_one, f"{word}; {word}"):
            _, fields = called(agent, "zsh_alan_query", command=command)
            assert fields["runs"] == 4
            assert all(len(it["command"]) <= 2_000 for it in fields["recent"])
        called(agent, "zsh_alan_stats")
        hanging = "sleep 1000; true '" + "y" * 20_000 + "'"
        for _ in range(3):
            called(agent, "zsh", command=hanging, timeout=0.3, yield_after=30)
        for tool, field in (("zsh_health", "circuit"), ("zsh_neverhang_status", None)):
            _, fields = called(agent, tool)
            [circuit] = (fields[field] if field else fields)["open"]
            assert circuit["command"].startswith("sleep 1000")
            assert len(circuit["command"]) <= 2_000
        _, fields = called(agent, "zsh_neverhang_reset", command="another")
        assert len(fields["open"]) == 1
        _, fields = called(agent, "zsh_neverhang_reset", command=hanging)
        assert fields["open"] == []


def test_the_list_of_tools_is_short() -> None:
    listed = [
        declared(it).model_dump(by_alias=True, exclude_none=True, mode="json")
        for it in all_tools().values()
    ]
    assert len(json.dumps(listed, separators=(",", ":"))) <= 11_900
    # Some models' interfaces take one type of an argument; who has no value leaves it out.
    given = [kind for tool in listed for kind in tool["inputSchema"]["properties"].values()]
    assert all(isinstance(kind["type"], str) for kind in given)


def test_why_names_the_tool_that_has_the_output_of_that_very_run(
    home: dict[str, str], project: Path
) -> None:
    with by_hand(home, project) as agent:
        tasks = []
        for n in range(3):
            (project / "n").write_text(str(n))
            _, run = called(agent, "zsh", command='echo "error: no rain on day $(cat n)"; false')
            tasks.append(run["task_id"])
            text, fields = called(agent, "zsh_why")
            assert f"`zsh_output task_id={tasks[-1]}`" in text
            assert f"no rain on day {n}" in text
            assert "zsh-ls output" not in text + json.dumps(fields)


def test_blanks_that_pad_lines_are_not_sent(home: dict[str, str], project: Path) -> None:
    padded = (
        "for n in {1..200}; do printf '%-500s\\n' \"bad tile $n\"; done; printf 'a   \\n'; false;"
    )
    with by_hand(home, project) as agent:
        text, fields = called(agent, "zsh", command=f"pytest() {{ {padded} }}; pytest")
    assert len(text) < 4_000
    rows = fields["output"].split("\n")
    assert rows[:200] == [f"bad tile {n}" for n in range(1, 201)]
    assert rows[200] == "a   "


def test_the_output_that_is_asked_for_is_in_both_halves(
    home: dict[str, str], project: Path
) -> None:
    with by_hand(home, project) as agent:
        called(agent, "zsh", command="seq -f 'plank %g' 400")
        text, fields = called(agent, "zsh_ask", query="show full output")
        for half in (text, fields["output"]):
            assert [it for it in half.split("\n") if it.startswith("plank ")] == [
                f"plank {n}" for n in range(1, 401)
            ]
        called(agent, "zsh", command="seq -f 'plank %g' 20000")
        first, _ = called(agent, "zsh_ask", query="show full output")
        last = first.splitlines()[-1]
        assert last.startswith('more: zsh_ask query="show full output" skip=')
        skip = int(last.rpartition("=")[2])
        second, more = called(agent, "zsh_ask", query="show full output", skip=skip)
        seen = int(first.splitlines()[-2].split()[1])
        assert second.startswith(f"plank {seen + 1}\n")
        assert more["output"].startswith(f"plank {seen + 1}\n")


def test_no_answer_has_an_empty_text(home: dict[str, str], project: Path) -> None:
    """An empty text block is refused by the interface of more than one model."""
    with by_hand(home, project) as agent:
        agent.call(1, "zsh", command="seq 3; echo")
        behind = agent.call(2, "zsh_output", from_line=9)
        blank = agent.call(3, "zsh_output", from_line=4)
        agent.call(4, "zsh", command="true")
        silent = agent.call(5, "zsh_output")
    assert behind["content"][0]["text"] == "(nothing there; 4 lines in all)"
    assert blank["content"][0]["text"] == "(nothing there; 4 lines in all)"
    assert silent["content"][0]["text"] == "(nothing there; 0 lines in all)"
    assert behind["structuredContent"]["output"] == ""


def test_a_page_of_signs_that_are_several_bytes_long_is_as_many_bytes(
    home: dict[str, str], project: Path
) -> None:
    """Codex cuts by bytes: of a page of 46,000 characters with drawn lines it left out 80 rows."""
    (project / "drawn_tests.sh").write_text(
        'for n in {1..1500}; do echo "FAIL row $n ──────────"; done; exit 1'
    )
    with by_hand(home, project) as agent:
        arguments: dict[str, object] = {"command": "bash drawn_tests.sh", "yield_after": 60}
        tool, rows = "zsh", 0
        while True:
            text, fields = called(agent, tool, **arguments)
            assert len(text.encode()) < LIMIT
            assert len(json.dumps(fields, ensure_ascii=False).encode()) < LIMIT
            rows += fields["output"].count("FAIL row")
            if not fields.get("more"):
                break
            tool, arguments = followed(text)
    assert rows == 1_500


def test_a_client_that_reads_a_limit_is_told_that_of_a_page() -> None:
    told = {name: declared(it).meta for name, it in all_tools().items()}
    paged = {name for name, meta in told.items() if meta}
    assert paged == {"zsh", "zsh_ask", "zsh_check", "zsh_output", "zsh_poll", "zsh_send"}
    assert all(told[it] == {"anthropic/maxResultSizeChars": LIMIT} for it in paged)

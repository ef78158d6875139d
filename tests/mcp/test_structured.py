"""The structured half of an answer is complete by itself and as light as one can be beside its text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from tests.verbosity import executions
from tests.verbosity.score import Case
from zsh_ls.insights.display import formatted
from zsh_ls.mcp.paging import split
from zsh_ls.mcp.structured import LEAST_PLACES_CHARS, PLACES_SHARE, structured
from zsh_ls.model.places import Place
from zsh_ls.model.results import Annotations, TaskResult
from zsh_ls.model.words import Origin, Status
from zsh_ls.places.scanner import PlaceScanner
from zsh_ls.places.surroundings import Surroundings
from zsh_ls.sidecar.folding import folded_result

from .session import session

CASES = executions.given() + executions.own() + executions.runners() + executions.runners_held_out()
FOLDER = "/home/me/project"
# The names of the fields, the quotes around them, and what the text leaves out as no news.
NAMES_CHARS = 360


def result_of(case: Case) -> TaskResult:
    """The answer to a run that printed what was recorded; every file that it names is there."""
    view = executions.shown(case)
    scanner = PlaceScanner(Surroundings.of(case["command"], FOLDER), lambda _: True)
    scanner.feed(case["combined"].encode())
    scanner.end()
    bare = TaskResult(
        task_id="3f9a01bc",
        command=case["command"],
        shell=case["shell"],
        cwd=FOLDER,
        status=Status.TIMEOUT if case["timed_out"] else Status.COMPLETED,
        output=view.output,
        from_line=1,
        to_line=view.verbosity.total_lines,
        new_bytes=len(case["combined"]),
        elapsed_seconds=0.3,
        has_stdin=False,
        is_pty=case["combined_via"] == "pty",
        origin=Origin.AGENT,
        annotations=Annotations(0.3),
        formatted="",
        project=FOLDER,
        success=case["exit"] == 0,
        exit=case["exit"],
        pipestatus=tuple(case["pipestatus"]) or None,
        insights={"info": ["New pattern. No history yet."]},
        verbosity=view.verbosity,
        places=tuple(scanner.places) or None,
    )
    text = formatted(bare, colour=False, numbered=False, of_run=(), shown=(), prospects=())
    return folded_result(attrs.evolve(bare, formatted=text))


def pages(result: TaskResult) -> Iterator[tuple[int, int, int]]:
    """Of each page the characters of the text, of the structured half, and of the places in it."""
    rest: TaskResult | None = result
    while rest is not None:
        page, rest = split(rest)
        fields = structured(page)
        places = size(fields["places"]) if "places" in fields else 0
        yield size(page.formatted), size(fields), places


def size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


@pytest.fixture(scope="module")
def sizes() -> dict[str, list[tuple[int, int, int]]]:
    return {case["id"]: list(pages(result_of(case))) for case in CASES}


def test_over_all_recordings_the_halves_are_as_heavy(
    sizes: dict[str, list[tuple[int, int, int]]],
) -> None:
    text, fields, places = map(sum, zip(*(it for its in sizes.values() for it in its), strict=True))
    # The output alone is 0.987 of the text; the names of the fields and what ALAN-16 keeps from the
    # text (`New pattern. …`) are the rest.
    assert fields - places <= 1.06 * text
    assert fields <= 1.13 * text
    assert places > 0


def test_no_answer_is_heavier_than_its_text_its_names_and_a_few_places(
    sizes: dict[str, list[tuple[int, int, int]]],
) -> None:
    for name, its in sizes.items():
        for text, fields, places in its:
            assert places <= max(text // PLACES_SHARE, LEAST_PLACES_CHARS), name
            assert fields - places <= text + NAMES_CHARS, name


def test_what_the_text_says_the_fields_say() -> None:
    for case in CASES:
        result = result_of(case)
        page, rest = split(result)
        fields = structured(page)
        assert {"task_id", "status", "output", "elapsed_seconds", "insights"} <= fields.keys()
        assert fields["output"] == page.output
        assert fields.get("exit") == case["exit"]
        assert (fields.get("more") is True) == (rest is not None)


def test_one_place_does_not_cost_a_page_the_room_of_many() -> None:
    rows = "".join(f"row {n} of the log\n" for n in range(6_000))
    place = Place(f"{FOLDER}/a.c", 3, "error", "expected expression", "gcc")
    result = attrs.evolve(
        result_of(CASES[0]), output=rows, formatted=f"{rows}[FAILED]", places=(place,)
    )
    page, rest = split(result)
    assert rest is not None
    assert len(page.output) > 38_000
    assert size(structured(page)) < 48_000


@pytest.mark.slow
async def test_a_failure_behind_or_true_is_told_in_both_halves(
    home: dict[str, str], project: Path
) -> None:
    (project / "Makefile").write_text("all:\n\tsh broken.sh\n")
    (project / "broken.sh").write_text(
        "echo 'part7.c:3:5: error: expected expression' >&2; exit 1\n"
    )
    async with session(home, project) as agent:
        answers = [await agent.call_tool("zsh", {"command": "make all || true"})]
        begun = await agent.call_tool(
            "zsh", {"command": "sleep 0.5; make all || true", "yield_after": 0}
        )
        task = begun.structured_content["task_id"]
        wait = {"task_id": task, "until": "end", "listen": 60}
        answers.append(await agent.call_tool("zsh_poll", wait))
        quiet = await agent.call_tool("zsh", {"command": "cat broken.sh || true"})
        unseen = await agent.call_tool("zsh", {"command": "make all >log 2>&1; echo finished"})
    for answer in answers:
        [said] = answer.structured_content["insights"]["warning"]
        assert said.startswith(
            "Exit 0 hides a failure of `make all`: || true. Its output: make: ***"
        )
        assert answer.content[0].text.splitlines()[-1] == f"zsh-ls: {said}"
    assert "hides" not in quiet.content[0].text
    [said] = unseen.structured_content["insights"]["warning"]
    assert said == (
        "Exit 0 does not say whether `make all >log 2>&1` succeeded: nothing looks at its exit"
        " (errexit is off); its output is in log."
    )
    assert unseen.content[0].text.splitlines()[-1] == f"zsh-ls: {said}"

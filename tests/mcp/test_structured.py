"""The structured half of an answer is complete by itself and as light as one can be beside its text."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from zsh_ls.mcp.paging import split
from zsh_ls.mcp.structured import LEAST_PLACES_CHARS, PLACES_SHARE, structured
from zsh_ls.model.places import Place

from .halves import FOLDER, all_cases, pages, result_of, size
from .session import session

# The names of the fields, the quotes around them, and what the text leaves out as no news.
NAMES_CHARS = 340
# What 2-protocol names of every answer.
NAMED = ("output", "status", "exit", "pipestatus", "insights")
Sizes = dict[str, list[tuple[int, dict[str, int]]]]


@pytest.fixture(scope="module")
def sizes() -> Sizes:
    return {case["id"]: list(pages(result_of(case))) for case in all_cases()}


def test_over_all_recordings_the_halves_are_as_heavy(sizes: Sizes) -> None:
    """The output is 0.99 of the text and what else 2-protocol names takes it above 1; places come on top."""
    every = [it for its in sizes.values() for it in its]
    text = sum(it for it, _ in every)
    total = sum(sum(fields.values()) for _, fields in every)
    places = sum(fields.get("places", 0) for _, fields in every)
    named = sum(fields.get(name, 0) for _, fields in every for name in NAMED)
    assert named > text
    assert total - places <= 1.03 * text
    assert total <= 1.055 * text
    assert places > 0


def test_no_answer_is_heavier_than_its_text_its_names_and_a_few_places(sizes: Sizes) -> None:
    for name, its in sizes.items():
        for text, fields in its:
            places = fields.get("places", 0)
            assert places <= max(text // PLACES_SHARE, LEAST_PLACES_CHARS) + len('"places":,'), name
            assert sum(fields.values()) - places <= text + NAMES_CHARS, name


def test_what_the_text_says_the_fields_say() -> None:
    for case in all_cases():
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
        result_of(all_cases()[0]), output=rows, formatted=f"{rows}[FAILED]", places=(place,)
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

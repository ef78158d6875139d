"""The two halves of the answers to all recorded executions: their texts, and their structured fields."""

from __future__ import annotations

import json
from collections.abc import Iterator

import attrs

from tests.verbosity import executions
from tests.verbosity.score import Case
from zsh_ls.insights.display import formatted
from zsh_ls.mcp.paging import split
from zsh_ls.mcp.structured import structured
from zsh_ls.model.results import Annotations, TaskResult
from zsh_ls.model.words import Origin, Status
from zsh_ls.places.scanner import PlaceScanner
from zsh_ls.places.surroundings import Surroundings
from zsh_ls.sidecar.folding import folded_result

FOLDER = "/home/me/project"


def all_cases() -> list[Case]:
    """Every recorded execution."""
    groups = (executions.given, executions.own, executions.all_labelled)
    return [case for group in groups for case in group()]


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


def pages(result: TaskResult) -> Iterator[tuple[int, dict[str, int]]]:
    """Of each page the characters of its text, and of each structured field with its name."""
    rest: TaskResult | None = result
    while rest is not None:
        page, rest = split(rest)
        fields = structured(page)
        # A comma stands between two of them.
        sizes = {name: size({name: it}) - len("{}") + 1 for name, it in fields.items()}
        yield size(page.formatted), sizes


def size(value: object) -> int:
    """The characters of a value as JSON."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))

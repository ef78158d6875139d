"""How many of the recorded places are found: `python -m tests.places.score [NAME…]`.

A place is found where one with its file, line, column and severity is given; it is exact where
message, source and test are as well (a recorded place without a message asks for none). One that
was given and nobody wrote down is wrong. `--baseline` scores the one pattern that every editor has.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import attrs

from zsh_ls.model.terminal_text import render_bytes
from zsh_ls.places import PlaceScanner, Surroundings

from .recorded import FOLDER, Recording, recordings

Found = list[dict[str, Any]]
GROUPS = ("kept aside", "the others", "second round")
PLAIN = re.compile(
    r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+)(?::(?P<column>\d+))?:(?P<message>.*)$", re.MULTILINE
)


@attrs.frozen
class Score:
    """Counts over recordings."""

    expected: int
    found: int
    exact: int
    wrong: int


def baseline(recording: Recording) -> Found:
    """`file:line[:col]:`, an error unless it says warning or note."""
    places: Found = []
    for match in PLAIN.finditer(render_bytes(recording.output)):
        file = match["file"].removeprefix("./")
        path = file if file.startswith("/") else f"{FOLDER}/{file}"
        if path in recording.files:
            message = match["message"].strip()
            severity = "warning" if message.startswith("warning") else "error"
            place = {"file": path, "line": int(match["line"]), "severity": severity}
            place |= {"message": message, "source": recording.command.split()[0]}
            places.append(place | ({"column": int(match["column"])} if match["column"] else {}))
    return places


def scanned(recording: Recording, piece_bytes: int = 1 << 20) -> PlaceScanner:
    """The scanner that has read a recording, as if it had come in pieces."""
    around = Surroundings.of(recording.command, FOLDER, (FOLDER,))
    scanner = PlaceScanner(around, recording.files.__contains__)
    for at in range(0, len(recording.output), piece_bytes):
        scanner.feed(recording.output[at : at + piece_bytes])
    scanner.end()
    return scanner


def found(recording: Recording) -> Found:
    """What is found in a recording, by the names of the wire."""
    return [
        {name: value for name, value in attrs.asdict(it).items() if value is not None}
        for it in scanned(recording).places
    ]


def _where(place: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(place.get(name) for name in ("file", "line", "column", "severity"))


def judged(expected: Iterable[dict[str, Any]], given: Found) -> Score:
    """The score of one output; of places that are the same in every word one is enough."""
    left = Counter(map(_where, given))
    found = exact = total = 0
    for place in {json.dumps(it): it for it in expected}.values():
        total += 1
        if left[_where(place)] > 0:
            left[_where(place)] -= 1
            found += 1
            exact += any(
                _where(one) == _where(place)
                and place.get("message", one["message"]) == one["message"]
                and place["source"] == one["source"]
                and place.get("test") == one.get("test")
                for one in given
            )
    return Score(total, found, exact, left.total())


def scored(finder: Callable[[Recording], Found], names: Iterable[str] = ()) -> dict[str, Score]:
    """The score of each recording, or of those named."""
    wanted = set(names)
    return {
        it.name: judged(it.places, finder(it))
        for it in recordings()
        if not wanted or it.name in wanted
    }


def _group(recording: Recording) -> str:
    if recording.round > 1:
        return "second round"
    return "kept aside" if recording.kept_aside else "the others"


def total(scores: Iterable[Score]) -> Score:
    """All in one."""
    listed = list(scores)
    return Score(*(sum(getattr(it, field.name) for it in listed) for field in attrs.fields(Score)))


def told(name: str, score: Score) -> str:
    """One line of the table."""
    share = 100 * score.found / score.expected if score.expected else 100.0
    exactly = 100 * score.exact / score.expected if score.expected else 100.0
    given = score.found + score.wrong
    wrong = 100 * score.wrong / given if given else 0.0
    return (
        f"{name:18} {score.found:4} of {score.expected:4} found ({share:5.1f}%), "
        f"exact {exactly:5.1f}%, wrong {score.wrong} ({wrong:.1f}%)"
    )


def main(arguments: list[str]) -> None:
    """Print the table; with names, those alone."""
    finder = baseline if "--baseline" in arguments else found
    names = [it for it in arguments if not it.startswith("--")]
    scores = scored(finder, names)
    groups = {it.name: _group(it) for it in recordings()}
    for name, score in scores.items():
        if names or score.found != score.expected or score.exact != score.expected or score.wrong:
            print(told(name, score))
    for group in GROUPS:
        print(told(group, total(score for name, score in scores.items() if groups[name] == group)))


if __name__ == "__main__":
    main(sys.argv[1:])

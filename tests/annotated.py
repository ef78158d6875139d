"""Reads annotated shell scripts: commands, how they ended, and the insights expected of them.

A run's line says how it ended, one status a segment, and perhaps how long it took:

    echo hello | grep nothing     #= 0|1 2.5s
    #            ^^^^^^^^^^^^ info[grep-no-match]: no match
    #< info: a message that points nowhere

A caret line marks the columns of the line above, exactly (`#^^` begins in the
first column); then the level, perhaps `[rule]`, and words the message holds.
In a transcript a command stands after `$ `, or after `~/project $ ` where it
matters which, and `+20m` lets time pass. In a
script without `#=` the carets mark what is to be said of its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import attrs

from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span

ENDED = re.compile(
    r"(?P<command>\S.*?)\s+#= (?P<outcome>timeout|killed|\d+(?:\|\d+)*)(?: (?P<seconds>[\d.]+)s)?"
)
SAID = re.compile(
    r"#(?P<place>< *| *\^+) +(?P<level>info|warning)(?:\[(?P<rule>[\w-]+)\])?: (?P<words>.*)"
)
PROMPT = re.compile(r"(?:(?P<project>~/\S+) )?\$ ")
PASSES = re.compile(r"\+(?P<number>\d+)(?P<unit>[smh])")
UNIT_S = {"s": 1.0, "m": 60.0, "h": 3600.0}


class Said(NamedTuple):
    """An insight that is expected; `columns` of its line, None where it points nowhere."""

    level: str
    words: str
    rule: str | None
    columns: Span | None

    def is_met_by(self, insight: Insight, line_start: int = 0) -> bool:
        place = None if self.columns is None else self.columns.shifted(line_start)
        return (
            insight.level.value == self.level
            and self.words in insight.message
            and self.rule in (None, insight.rule)
            and insight.span == place
        )


@attrs.frozen
class Line:
    """One command of an annotated script with the insights expected of it; `ended` if it was run."""

    number: int
    text: str
    outcome: str | None
    duration_s: float
    at_s: float
    said: tuple[Said, ...]
    project: str = ""

    @property
    def pipestatus(self) -> tuple[int, ...]:
        assert self.outcome is not None
        return tuple(int(code) for code in self.outcome.split("|"))


def read_said(line: str) -> Said | None:
    """The expectation written in a comment line, if it is one."""
    found = SAID.fullmatch(line)
    if found is None:
        return None
    start = 0 if found["place"].startswith("^") else found.end("place") - found["place"].count("^")
    columns = None if "<" in found["place"] else Span(start, found.end("place"))
    return Said(found["level"], found["words"], found["rule"], columns)


def read_lines(text: str) -> Iterator[Line]:
    """The commands of a transcript or of a script whose lines say how they ended."""
    lines: list[Line] = []
    now_s = 0.0
    for number, raw in enumerate(text.splitlines(), 1):
        if said := read_said(raw):
            assert lines, f"line {number}: nothing stands above it"
            lines[-1] = attrs.evolve(lines[-1], said=(*lines[-1].said, said))
        elif passes := PASSES.fullmatch(raw):
            now_s += float(passes["number"]) * UNIT_S[passes["unit"]]
        elif raw.strip() and not raw.startswith("#"):
            prompt = PROMPT.match(raw)
            line = _line(number, raw[prompt.end() :] if prompt else raw, now_s)
            if prompt and prompt["project"]:
                line = attrs.evolve(line, project=prompt["project"])
            now_s += line.duration_s
            lines.append(line)
    yield from lines


def _line(number: int, raw: str, now_s: float) -> Line:
    found = ENDED.fullmatch(raw)
    if found is None:
        return Line(number, raw, None, 0.0, now_s, ())
    duration_s = float(found["seconds"] or 1)
    return Line(number, found["command"], found["outcome"], duration_s, now_s, ())


def read_expectations(script: str) -> list[tuple[int, Said]]:
    """What carets say of a script's text, each with the offset of the line it stands below."""
    found: list[tuple[int, Said]] = []
    line_start = at = 0
    for line in script.splitlines(keepends=True):
        if said := read_said(line.rstrip("\n")):
            found.append((line_start, said))
        else:
            line_start = at
        at += len(line)
    return found


def blocks(page: str) -> list[str]:
    """The indented blocks of a page, each an example of its own."""
    found: list[list[str]] = []
    inside = False
    for line in page.splitlines():
        if line.startswith("    "):
            if not inside:
                found.append([])
            found[-1].append(line.removeprefix("    "))
        inside = line.startswith("    ") or (inside and not line.strip())
        if inside and not line.strip():
            found[-1].append("")
    return ["\n".join(block).rstrip("\n") + "\n" for block in found]

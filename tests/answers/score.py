"""How many questions people asked are answered right, in the world of tests/data/answers/asked.

`python -m tests.answers.score [--list] [--table FILE] [NAME…]`: NAME is a style, all styles without one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import attrs

from zsh_ls.model.answer import Answer

from .real_world import real_world

ASKED = Path(__file__).parent.parent / "data" / "answers" / "asked"
STYLES = ("terse", "polite", "misspelt", "nonnative", "dictated")
ADVERSARIAL = ("adversarial", "adversarial2")
EVERY_SET = (*STYLES, "fresh", "dev2", "fresh2", "fresh3", *ADVERSARIAL)
NOT_KNOWN = "NOT-KNOWN"
Verdict = Literal["right", "not known", "wrong"]


@attrs.frozen
class Asked:
    """A question with what its answer has to hold: of each group one text, and none of `must_not`.

    `by_name` is the kind of answer that is right instead (ANS-4: templates and recipes are known by name).
    """

    style: str
    question: str
    must: tuple[tuple[str, ...], ...]
    must_not: tuple[str, ...] = ()
    by_name: str = ""

    def verdict(self, given: Answer) -> Verdict:
        """Whether the answer is right; an honest `Unable to determine` is never wrong."""
        if given.kind == "fallback":
            return "right" if not self.must else "not known"
        if self.by_name:
            return "right" if given.kind == self.by_name else "wrong"
        told = f"{given.text}\n{given.output or ''}".lower()
        holds = all(any(text in told for text in group) for group in self.must)
        clean = not any(text in told for text in self.must_not)
        return "right" if self.must and holds and clean else "wrong"


def asked(style: str) -> list[Asked]:
    """The questions of a style's file."""
    found = []
    for line in (ASKED / f"{style}.tsv").read_text().splitlines()[1:]:
        question, must, must_not, *_ = [*line.split("\t"), "", "", ""]
        groups = () if must.strip() == NOT_KNOWN else _texts(must)
        found.append(
            Asked(
                style,
                question,
                tuple(_alternatives(group) for group in groups),
                tuple(text.lower() for text in _texts(must_not)),
            )
        )
    return found


def adversarial(name: str = "adversarial") -> list[Asked]:
    """Questions that must not get an answer, but for templates and recipes that are asked for by name."""
    lines = (ASKED / f"{name}.tsv").read_text().splitlines()
    rows = [[*line.split("\t"), ""] for line in lines if line.strip()]
    return [Asked(name, question, (), by_name=kind) for question, kind, *_ in rows]


def _texts(column: str) -> list[str]:
    return [text.strip() for text in column.split(" ; ") if text.strip()]


def _alternatives(group: str) -> tuple[str, ...]:
    return tuple(text.strip().lower() for text in group.split("|") if text.strip())


async def answers_to(questions: Sequence[Asked]) -> list[Answer]:
    """The answers, in one world."""
    with tempfile.TemporaryDirectory() as folder:
        async with real_world(Path(folder)) as world:
            return [await world.ask(it.question) for it in questions]


def in_the_worlds_zone() -> None:
    """Let this process be two hours east of Greenwich."""
    os.environ["TZ"] = "Etc/GMT-2"
    time.tzset()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("styles", nargs="*", metavar="NAME")
    parser.add_argument("--list", action="store_true", help="each question with its answer")
    parser.add_argument("--table", type=Path, help="write each question with its answer")
    arguments = parser.parse_args()
    in_the_worlds_zone()
    styles = arguments.styles or (EVERY_SET if arguments.table else STYLES)
    questions = [
        it for name in styles for it in (adversarial(name) if name in ADVERSARIAL else asked(name))
    ]
    given = asyncio.run(answers_to(questions))
    verdicts = [it.verdict(answer) for it, answer in zip(questions, given, strict=True)]
    if arguments.list:
        for it, answer, verdict in zip(questions, given, verdicts, strict=True):
            print(f"{verdict:9} {it.style:9} {it.question}\n{'':20}{answer.summary!r}")
    if arguments.table:
        arguments.table.write_text("\n".join(_table(questions, given, verdicts)) + "\n")
    print(f"{'style':12} {'right':>5} {'not known':>9} {'wrong':>5} {'of':>5}")
    for style in [*styles, "all"]:
        counts = Counter(
            v for it, v in zip(questions, verdicts, strict=True) if style in (it.style, "all")
        )
        row = f"{counts['right']:5} {counts['not known']:9} {counts['wrong']:5}"
        print(f"{style:12} {row} {sum(counts.values()):5}")


# The folder of one run of this script is as WORLD.md has it.
_IN_A_FOLDER = re.compile(r"(?<=`)/[^`]*?/me/")


def _scores() -> list[str]:
    """The scores of whole sets, the oldest first."""
    rows = (ASKED / "scores.tsv").read_text().splitlines()[1:]
    return [row for row in rows if row.split("\t")[1] not in STYLES]


def _table(
    questions: Sequence[Asked], given: Sequence[Answer], verdicts: Sequence[Verdict]
) -> list[str]:
    lines = [
        "# Each question with its answer",
        "",
        "The scores in their order, then the summary of each answer as it is now; made by",
        "`.venv/bin/python -m tests.answers.score --table FILE`.",
        "",
        "| when | set | right | not known | wrong | of |",
        "|---|---|---|---|---|---|",
        *(f"| {' | '.join(row.split(chr(9)))} |" for row in _scores()),
        "",
        "| style | question | answer | |",
        "|---|---|---|---|",
    ]
    for it, answer, verdict in zip(questions, given, verdicts, strict=True):
        summary = _IN_A_FOLDER.sub("/home/me/", answer.summary.replace("\n", " "))
        texts = (it.style, it.question, summary, verdict)
        lines.append(f"| {' | '.join(text.replace('|', chr(92) + '|') for text in texts)} |")
    return lines


if __name__ == "__main__":
    main()

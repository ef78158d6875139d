"""How often fates said of scripts are what the real shells do, by shell and by construct.

`python -m tests.shell.fates.score [--scripts N] [--first SEED] [--guess baseline] [--wrong] [--people]`
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

import attrs

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.fates import fates
from zsh_ls.shell.syntax.parser import parse

from .baseline import baseline
from .generator import script
from .oracle import Laboratory, Verdict, laboratory

# The fate said of each command, by the offset where the command begins.
Guess = Callable[[str, Dialect], Mapping[int, str]]


def analysed(text: str, dialect: Dialect) -> Mapping[int, str]:
    """What the analysis says."""
    return {fate.span.start: str(fate.fate) for fate in fates(parse(text, dialect))}


GUESSES: dict[str, Guess] = {"analysis": analysed, "baseline": baseline}
UNNOTICED = frozenset({"unnoticed", "stops-silently"})


@attrs.frozen
class Answer:
    """What was said of a command, and what the shell did."""

    text: str
    dialect: Dialect
    verdict: Verdict
    said: str

    @property
    def is_right(self) -> bool:
        """Whether it is right; `unknown` is neither."""
        return self.said in self.verdict.right

    @property
    def is_reversed(self) -> bool:
        """Whether a noticed failure was called unnoticed, or the reverse."""
        known = self.said != "unknown" and not self.is_right
        return known and (self.said in UNNOTICED) != (self.verdict.fate in UNNOTICED)

    def shown(self) -> str:
        """The disagreement in one line."""
        place = self.verdict.place
        line = self.text.count("\n", 0, place.start) + 1
        command = self.text[slice(*place.span)].partition("\n")[0]
        return f"  line {line}: `{command}` ({place.kind}) is {self.verdict.fate}, said {self.said}"


@attrs.define
class Tally:
    """Counts of answers."""

    right: int = 0
    wrong: int = 0
    unknown: int = 0
    reversed: int = 0

    def add(self, answer: Answer) -> None:
        """Count one answer."""
        self.right += answer.is_right
        self.unknown += answer.said == "unknown" and not answer.is_right
        self.wrong += answer.said != "unknown" and not answer.is_right
        self.reversed += answer.is_reversed

    @property
    def total(self) -> int:
        """How many commands were judged."""
        return self.right + self.wrong + self.unknown

    def __str__(self) -> str:
        told = max(self.right + self.wrong, 1)
        total = max(self.total, 1)
        return (
            f"{self.total:6} commands  {self.right / told:7.2%} right"
            f"  {self.unknown / total:6.2%} unknown  {self.reversed / total:6.2%} reversed"
        )


def answers(
    lab: Laboratory, texts: Iterable[tuple[str, Dialect]], guess: Guess, workers: int = 0
) -> Iterator[list[Answer]]:
    """What is right of what `guess` says, script by script."""

    def judged(item: tuple[str, Dialect]) -> list[Answer]:
        text, dialect = item
        return compared(text, dialect, lab.judge(text, dialect), guess)

    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        yield from pool.map(judged, texts)


def compared(
    text: str, dialect: Dialect, verdicts: Iterable[Verdict], guess: Guess
) -> list[Answer]:
    """The verdicts on a script beside what is said of it; what is said of no command is `missing`."""
    said = guess(text, dialect)
    return [Answer(text, dialect, it, said.get(it.place.start, "missing")) for it in verdicts]


def main() -> None:
    """Print the scores of generated scripts."""
    parser = argparse.ArgumentParser(prog="python -m tests.shell.fates.score")
    parser.add_argument("--scripts", type=int, default=50, help="scripts a shell")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--guess", choices=sorted(GUESSES), default=min(GUESSES))
    parser.add_argument("--shell", choices=[str(it) for it in Dialect])
    parser.add_argument("--wrong", action="store_true", help="show what is wrong, with the scripts")
    options = parser.parse_args()
    with laboratory() as lab:
        for dialect in Dialect if options.shell is None else [Dialect(options.shell)]:
            seeds = range(options.first, options.first + options.scripts)
            texts = [(script(seed, dialect), dialect) for seed in seeds]
            whole, kinds = Tally(), dict[str, Tally]()
            confused = Counter[tuple[str, str]]()
            found = answers(lab, texts, GUESSES[options.guess])
            for seed, each in zip(seeds, found, strict=True):
                for answer in each:
                    whole.add(answer)
                    kinds.setdefault(answer.verdict.place.kind, Tally()).add(answer)
                    if not answer.is_right:
                        confused[answer.verdict.fate, answer.said] += 1
                wrong = [it for it in each if not it.is_right]
                if options.wrong and wrong:
                    print(f"--- {dialect} seed {seed}\n{wrong[0].text.rstrip()}")
                    print("\n".join(it.shown() for it in wrong))
            print(f"{dialect:25}{whole}")
            for kind, tally in sorted(kinds.items()):
                print(f"  {kind:23}{tally}")
            print(
                "  is/said: " + ", ".join(f"{a}/{b} {n}" for (a, b), n in confused.most_common(8))
            )


if __name__ == "__main__":
    main()

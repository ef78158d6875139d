"""Scripts in people's style, kept aside: what the shells did with them is data beside them.

`python -m tests.shell.fates.people record` asks the shells about the scripts that have no verdicts yet and
writes `people/verdicts.json`;
`python -m tests.shell.fates.people` says how often the analysis agrees, by shell.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypedDict

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.fates import FateKind

from .oracle import Laboratory, laboratory
from .score import UNNOTICED, analysed

FOLDER = Path(__file__).parent / "people"
VERDICTS = FOLDER / "verdicts.json"
DIALECTS = {".zsh": Dialect.ZSH, ".bash": Dialect.BASH, ".sh": Dialect.SH}


class Recorded(TypedDict):
    """What the shell did where a command failed; `right` are the fates that are right."""

    start: int
    command: str
    right: list[str]


def scripts() -> list[Path]:
    """The scripts, in order."""
    return sorted(path for path in FOLDER.iterdir() if path.suffix in DIALECTS)


def recorded() -> dict[str, list[Recorded]]:
    """The shells' verdicts as they were written down, by the names of the scripts."""
    found: dict[str, list[Recorded]] = json.loads(VERDICTS.read_text())
    return found


def judged(lab: Laboratory, path: Path) -> list[Recorded]:
    """What the real shell does with a script."""
    text = path.read_text()
    return [
        {
            "start": it.place.start,
            "command": text[slice(*it.place.span)].partition("\n")[0],
            "right": [it.fate, *sorted(it.right - {it.fate})],
        }
        for it in lab.judge(text, DIALECTS[path.suffix])
    ]


def record() -> None:
    """Ask the real shells about scripts that have no verdicts yet, and write these down."""
    found = recorded()
    new = [path for path in scripts() if path.name not in found]
    with laboratory() as lab, ThreadPoolExecutor(2) as pool:
        verdicts = pool.map(lambda it: judged(lab, it), new)
        found |= {path.name: each for path, each in zip(new, verdicts, strict=True)}
    VERDICTS.write_text(json.dumps(dict(sorted(found.items())), indent=1) + "\n")


def disagreements(path: Path, verdicts: list[Recorded]) -> Iterator[tuple[Recorded, str]]:
    """The commands of a script of which something else is said than the shell did, or `unknown`."""
    said = analysed(path.read_text(), DIALECTS[path.suffix])
    for verdict in verdicts:
        fate = said.get(verdict["start"], "missing")
        if fate not in verdict["right"]:
            yield verdict, fate


def mistakes(path: Path, verdicts: list[Recorded]) -> Iterator[tuple[Recorded, str]]:
    """Those of them of which something wrong is said; `unknown` is never wrong."""
    return (it for it in disagreements(path, verdicts) if it[1] != FateKind.UNKNOWN)


def main() -> None:
    """Print the score, and what is wrong."""
    if sys.argv[1:] == ["record"]:
        record()
    known = recorded()
    for suffix, dialect in DIALECTS.items():
        total = wrong = unknown = reversed_ = 0
        for path in scripts():
            if path.suffix != suffix:
                continue
            total += len(known[path.name])
            text = path.read_text()
            for verdict, fate in disagreements(path, known[path.name]):
                if fate == FateKind.UNKNOWN:
                    unknown += 1
                else:
                    wrong += 1
                    reversed_ += (fate in UNNOTICED) != (verdict["right"][0] in UNNOTICED)
                line = text.count("\n", 0, verdict["start"]) + 1
                print(
                    f"{path.name}:{line}: `{verdict['command']}` is {verdict['right']}, said {fate}"
                )
        right = 1 - wrong / (total - unknown)
        print(
            f"{dialect:5}{total:4} commands, {right:.2%} right, {unknown / total:.2%} unknown,"
            f" {reversed_} reversed"
        )


if __name__ == "__main__":
    main()

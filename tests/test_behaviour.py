"""docs/behaviour.md is the contract: no reference without a promise, no promise without a test."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
CONTRACT = "docs/behaviour.md"
# Those that have promises today, and those that will: a reference to what is not promised yet fails.
FAMILIES = (
    "RUN|POLL|ALAN|KILL|MAN|VERB|ANS|DOC|WIRE|TRUST|KEEP|CLI|MCP"
    "|SESS|FATE|PLACE|TEAM|PROMPT|START|REH|HOOK"
)
# `RUN-2`, `RUN-11, 13`, `KILL-2…4`.
REFERENCE = re.compile(rf"\b({FAMILIES})-(\d+)((?:(?:, ?|…|–)\d+)*)\b")
PROMISE = re.compile(rf"^- \*\*((?:{FAMILIES})-\d+)\*\* ", re.MULTILINE)
# What others wrote, recorded or keep: nobody refers to our promises there.
FOREIGN = ("tests/data/", "tests/transcripts/golden/", "tests/test_behaviour.py", CONTRACT)
TEXTS = {".py", ".md", ".ts", ".mts", ".mjs", ".js", ".lua", ".zsh", ".sh", ".toml", ".el", ".txt"}


@cache
def promises() -> tuple[str, ...]:
    return tuple(PROMISE.findall((ROOT / CONTRACT).read_text()))


def referred_to(text: str) -> Iterator[str]:
    """The names in a text, ranges and lists spelt out."""
    for family, first, more in REFERENCE.findall(text):
        last = int(first)
        yield f"{family}-{last}"
        for sign, number in re.findall(r"(, ?|…|–)(\d+)", more):
            begin = int(number) if sign.startswith(",") else last + 1
            yield from (f"{family}-{it}" for it in range(begin, int(number) + 1))
            last = int(number)


@cache
def references() -> dict[str, set[str]]:
    """Name → the files of the project that mention it."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    found: dict[str, set[str]] = {}
    for file in listed:
        path = ROOT / file
        if file.startswith(FOREIGN) or path.suffix not in TEXTS or not path.is_file():
            continue
        for name in referred_to(path.read_text(errors="replace")):
            found.setdefault(name, set()).add(file)
    return found


def test_lists_and_ranges_are_understood() -> None:
    told = "RUN-2, 3 and KILL-2…4 (ALAN-9), MAN-1, MAN-2; UTF-8, TERM-1"
    assert list(referred_to(told)) == [
        *("RUN-2", "RUN-3", "KILL-2", "KILL-3", "KILL-4", "ALAN-9", "MAN-1", "MAN-2"),
    ]


def test_each_promise_is_made_once() -> None:
    assert len(promises()) > 60
    assert sorted(promises()) == sorted(set(promises()))


def test_every_reference_has_a_promise() -> None:
    unknown = {
        name: sorted(files) for name, files in references().items() if name not in promises()
    }
    assert unknown == {}


def test_every_promise_has_a_test() -> None:
    tested = {
        name for name, files in references().items() if any(it.startswith("tests/") for it in files)
    }
    assert [name for name in promises() if name not in tested] == []

"""Whose status is read (FATE-4) is what the real shells read: each command ends with its own number."""

from __future__ import annotations

import itertools
import random
import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.fates import ReadKind, StatusRead, status_reads
from zsh_ls.shell.syntax.parser import parse

FIRST_CODE = 10
MOST_COMMANDS = 200
RUNS = 12
# Each command succeeds or ends with its own number, as chance (a number that follows from the one
# before) has it; after many of them the shell ends, for a loop might not.
PRELUDE = """exec 9>"$1"
_n=$2 _t=0
_r() {{ _n=$(( (_n * 75 + 74) % 65537 )); _t=$((_t + 1)); [ $_t -lt 300 ] || exit 0; }}
{commands}
"""
SHELLS = {
    Dialect.ZSH: ("zsh", "-f"),
    Dialect.BASH: ("bash", "--norc"),
    Dialect.SH: ("dash",),
}


class Writer:
    """Writes a script of a seed; readings are `R<number>` and what they read, on descriptor 9."""

    def __init__(self, seed: int, dialect: Dialect) -> None:
        self.chance = random.Random(f"{dialect}{seed}")
        self.dialect = dialect
        self.count = FIRST_CODE - 1
        self.reading = 0
        self.functions: list[str] = []
        self.in_function = False

    def script(self) -> str:
        lines = ["set -o pipefail"] if self.has(0.3) and self.dialect is not Dialect.SH else []
        for number in range(self.chance.choice((0, 1, 2))):
            self.in_function = True
            body = self.lines(2)
            if self.has(0.4):
                body += "\n" + self.chance.choice(("return", "return 7", f"{self.name()}; return"))
            self.in_function = False
            lines.append(f"f{number}() {{\n{body}\n}}")
            self.functions.append(f"f{number}")
        return "\n".join([*lines, *(self.line(3) for _ in range(8)), self.read()]) + "\n"

    def has(self, share: float) -> bool:
        return self.chance.random() < share

    def name(self) -> str:
        if self.functions and self.has(0.15):
            return self.chance.choice(self.functions)
        return self.command()

    def command(self) -> str:
        """A command; each run of it counts towards the end of a loop that stands in the same shell."""
        self.count += 1
        return f"c{self.count}"

    def read(self) -> str:
        self.reading += 1
        what = "$?"
        if self.dialect is not Dialect.SH and self.has(0.4):
            what = "${PIPESTATUS[*]}" if self.dialect is Dialect.BASH else "$pipestatus"
        return f'echo "R{self.reading} {what}" >&9'

    def lines(self, depth: int) -> str:
        return "\n".join(self.line(depth) for _ in range(self.chance.choice((1, 2, 3))))

    def line(self, depth: int) -> str:
        if self.has(0.35) or self.count > MOST_COMMANDS:
            return self.read()
        if depth <= 0 or self.has(0.5):
            return self.plain()
        name = self.name

        def inner() -> str:
            return self.lines(depth - 1)

        forms: list[Callable[[], str]] = [
            lambda: f"if {self.plain()}; then\n{inner()}\nfi",
            lambda: (
                f"if {name()}; then\n{inner()}\nelif {name()}; then\n{inner()}\nelse\n{inner()}\nfi"
            ),
            lambda: f"while {self.command()}; do\n{inner()}\ndone",
            lambda: f"until {self.command()}; do\n{inner()}\n{name()} && break\ndone",
            lambda: f"for i in 1 2; do\n{inner()}\n{name()} || continue\n{name()}\ndone",
            lambda: f"case $_t in *[13579])\n{inner()}\n;; *2) {name()} ;; *4) x=1 ;; esac",
            lambda: "{\n" + inner() + "\n}",
            lambda: "(\n" + inner() + "\n)",
            lambda: f"{name()} | {{\n{inner()}\n}}",
            lambda: f"{name()} || {{\n{inner()}\n}}",
        ]
        if self.dialect is Dialect.ZSH:
            forms += [lambda: "{\n" + inner() + "\n} always {\n" + inner() + "\n}"]
            forms += [lambda: "() {\n" + inner() + "\n}"]
        return self.chance.choice(forms)()

    def plain(self) -> str:
        name = self.name
        forms: list[Callable[[], str]] = [
            name,
            name,
            lambda: f"{name()} && {name()}",
            lambda: f"{name()} || {name()}",
            lambda: f"{name()} | {name()}",
            lambda: f"{name()} | {name()} | {name()}",
            lambda: f"! {name()}",
            lambda: "x=1",
            lambda: f"x=$({name()})",
            lambda: f"x=$({name()}; {name()})",
            lambda: f': "$({name()})"',
            lambda: f"{name()} &\nwait $!",
            lambda: f"{name()} || x=$?",
            lambda: ": <<X\n$(" + name() + ")\nX",
            lambda: "[ -n x ]",
        ]
        if self.dialect is not Dialect.SH:
            forms += [lambda: "[[ -n x ]]", lambda: "(( _t ))", lambda: "set -o pipefail"]
        if self.in_function:
            forms += [lambda: f"{name()} && return", lambda: f"{name()} || return 8"]
        return self.chance.choice(forms)()


def observed(text: str, dialect: Dialect, folder: Path) -> dict[int, set[tuple[int, ...]]]:
    """What each reading of a script read in some runs of the real shell, by its number."""
    numbers = sorted(set(map(int, re.findall(r"\bc(\d+)", text))))
    commands = "\n".join(f"c{it}() {{ _r; return $((_n % 2 * {it})); }}" for it in numbers)
    script, log = folder / "script", folder / "log"
    script.write_text(PRELUDE.format(commands=commands) + text)
    program, *options = SHELLS[dialect]
    found: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    for run in range(RUNS):
        subprocess.run(
            [
                shutil.which(program) or program,
                *options,
                str(script),
                str(log),
                str(run * 1237 + 5),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )
        for line in log.read_text().splitlines():
            number, *values = line[1:].split()
            found[int(number)].add(tuple(map(int, values)))
    return found


def disagreements(text: str, dialect: Dialect, folder: Path) -> tuple[list[str], int, int]:
    """What was read of a command that is no source; how many sources were said, and how many seen."""
    parsed = parse(text, dialect)
    bodies = {
        parsed.source(it.words[0]): parsed.source(it.span) for it in parsed.functions if it.words
    }

    def may_be(code: int, written: str) -> bool:
        if code < FIRST_CODE or re.search(rf"\bc{code}\b|^wait", written):
            return True
        calls = re.findall(r"\bf\d\b", written)
        return any(
            it in bodies and bodies[it] != written and may_be(code, bodies[it][4:]) for it in calls
        )

    by_place = {it.span.start: it for it in status_reads(parse(text, dialect))}
    said = {
        int(it[1]): by_place[it.start(2)] for it in re.finditer(r'echo "R(\d+) (\$[^"]*)"', text)
    }
    wrong: list[str] = []
    told = seen = 0
    for number, values in observed(text, dialect, folder).items():
        read = said[number]
        for each in values:
            if read.kind is ReadKind.STATUS:
                right = any(may_be(each[0], it.command) for it in read.sources) or not each[0]
            else:
                right = any(
                    len(pipeline) == len(each)
                    and all(
                        may_be(code, it.command) for code, it in zip(each, pipeline, strict=True)
                    )
                    for pipeline in read.pipelines
                ) or not any(each[:1] + each[1:])
            if not right:
                wrong.append(f"R{number} {each} is none of {[it.command for it in read.sources]}")
        if read.kind is ReadKind.STATUS:
            plain = [it.command for it in read.sources if re.fullmatch(r"c\d+", it.command)]
            told += len(plain)
            seen += sum((int(it[1:]),) in values for it in plain)
    return wrong, told, seen


@pytest.mark.parametrize("dialect", list(Dialect))
def test_what_is_read_is_of_a_command_that_is_told(dialect: Dialect, tmp_path: Path) -> None:
    told = seen = 0
    for seed in range(25):
        text = Writer(seed, dialect).script()
        wrong, sources, observed_sources = disagreements(text, dialect, tmp_path)
        assert not wrong, (seed, text, wrong)
        told += sources
        seen += observed_sources
    # Many can be read only where they succeeded, which has no number of its own.
    assert seen >= 0.4 * told, (seen, told)


# The shells, a script, and of each reading its line and the commands that it reads the status of.
CASES = [
    ("zsh bash sh", 'make\necho "made"\n[ $? -eq 0 ] || exit $?', [(3, ["echo"]), (3, ["["])]),
    ("zsh bash sh", 'v=$(x)\necho "$v"\ncode=$?', [(3, ["echo"])]),
    ("zsh bash sh", "a || b\nr=$?\ns=$?", [(2, ["a", "b"]), (3, ["r"])]),
    ("zsh bash sh", "if a; then b; fi\necho $?", [(2, ["if", "b"])]),
    ("zsh bash sh", "if a; then b; else echo $?; exit; fi", [(1, ["a"]), (1, ["echo"])]),
    ("zsh bash sh", "while a; do b; done\necho $?", [(2, ["while", "b"])]),
    ("zsh bash sh", "f() { echo $?; g; return; }\na\nf\nb; f", [(1, ["a", "b"]), (1, ["g"])]),
    ("zsh bash sh", "f() { a; }\nf\necho $?", [(3, ["f"])]),
    ("zsh bash sh", "a | b\necho $?", [(2, ["b"])]),
    ("zsh bash", "set -o pipefail\na | b\necho $?", [(3, ["a", "b"])]),
    ("zsh bash sh", "a & wait $!\necho $?", [(2, ["wait"])]),
    ("zsh bash sh", "a || exit 3\necho '$?' \"$?\"", [(2, ["a"])]),
    ("zsh bash", 'echo "$(a) $?"', [(1, ["a"])]),
    ("zsh bash sh", "a\ncat <<X\n$? '$?'\nX", [(3, ["a"]), (3, ["a"])]),
    ("bash", "a | b\nx=${PIPESTATUS[0]}\ny=${PIPESTATUS[1]}", [(2, ["a"]), (3, [])]),
    ("zsh", "a | b\nx=$pipestatus[1]\ny=$pipestatus[2]", [(2, ["a"]), (3, ["b"])]),
    ("zsh", "a | b\nif (( pipestatus[1] )); then c; fi", [(2, ["a"])]),
    ("zsh", "a\nx=$status y=$PIPESTATUS", [(2, ["a"])]),
    ("bash", "a\nx=$status y=$pipestatus", []),
    ("bash", "a | b\nx=$(c ${PIPESTATUS[1]})", [(2, ["b"])]),
]


def shown(read: StatusRead) -> tuple[int, list[str]]:
    return read.line, [re.split(r"[\s=]", it.command)[0] for it in read.sources]


@pytest.mark.parametrize(("shells", "text", "expected"), CASES, ids=lambda it: str(it)[:40])
def test_whose_status_is_read(
    shells: str, text: str, expected: list[tuple[int, list[str]]]
) -> None:
    for dialect in map(Dialect, shells.split()):
        said = [shown(read) for read in status_reads(parse(text, dialect))]
        assert said == expected, dialect


def test_what_cannot_be_told_says_why() -> None:
    text = "echo $?\ntrap 'rc=$?' EXIT\nf() { echo $?; }\nexit 0\necho $?"
    reads = status_reads(parse(text, Dialect.BASH))
    assert [(it.line, text[slice(*it.span)]) for it in reads] == [
        (1, "$?"),
        (2, "$?"),
        (3, "$?"),
        (5, "$?"),
    ]
    assert [it.unknown.split(",")[0] for it in reads] == [
        "no command has run before it",
        "it runs in a trap",
        "it is the status before the function is called",
        "nothing gets here",
    ]


@given(
    st.text(alphabet="ab $?(){};|&<>!'\"`\n=[]exit return pipestatus", max_size=80),
    st.sampled_from(Dialect),
)
def test_any_text_has_reads(text: str, dialect: Dialect) -> None:
    for read in status_reads(parse(text, dialect)):
        assert read.text == text[slice(*read.span)]
        assert read.sources or read.unknown or read.kind is ReadKind.SEGMENTS


def test_depth_and_recursion_end() -> None:
    for opening, closing in (("( ", " )"), ("{ ", "; }"), ("while a; do ", "; done"), ("$(", ")")):
        for each, end in itertools.product((opening,), (closing, "")):
            assert isinstance(status_reads(parse(each * 300 + "a; b $?" + end * 300)), tuple)
    mutual = "f() { g; echo $?; }\ng() { f; return; }\nf"
    assert [it.line for it in status_reads(parse(mutual))] == [1, 2]

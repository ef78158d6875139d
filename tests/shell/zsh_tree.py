"""Zsh's own parse tree of a script, read from what `zcompile` writes.

The layout is that of zsh 5.9 (Src/parse.c, "wordcode"): 32-bit words whose low
five bits are a code, the rest data; strings are offsets or held in the word.
"""

import re
import struct
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

VERSION = "5.9"
MAGIC = 0x04050607
PRELUDE_WORDS = 12

END, LIST, SUBLIST, PIPE, REDIR, ASSIGN, SIMPLE, TYPESET, SUBSH, CURSH, TIMED = range(11)
FUNCDEF, FOR, SELECT, WHILE, REPEAT, CASE, IF, COND, ARITH, AUTOFN, TRY = range(11, 22)
CONNECTORS = {0: "", 1: "&&", 2: "||"}
PLAIN_NAME = re.compile(rb"[A-Za-z0-9_./:+-]+")


class Command(NamedTuple):
    """A command: its kind, its first word if that is plain, and the lists inside it."""

    kind: str
    name: str = ""
    bodies: tuple[list["Tree"], ...] = ()


class Tree(NamedTuple):
    """A pipeline as zsh compiled it."""

    commands: list[Command]
    connector: str
    negated: bool
    coproc: bool


def compiled(scripts: Iterable[Path], folder: Path) -> list[Path | None]:
    """The compiled form of each script, all made by one zsh process; None if zsh rejects the script."""
    program = "i=0; setopt noaliases; for f; do zcompile -U -- $DIR/$((i++)) $f 2>/dev/null; done"
    names = [str(script) for script in scripts]
    subprocess.run(
        ["zsh", "-fc", f"DIR=$1; shift; {program}", "zsh", str(folder), *names],
        check=False,
        timeout=300,
    )
    outputs = [folder / f"{number}.zwc" for number in range(len(names))]
    return [output if output.exists() else None for output in outputs]


def tree(compiled_file: Path) -> list[Tree]:
    """The pipelines of a compiled script."""
    return _Reader(compiled_file.read_bytes()).trees()


class _Reader:
    def __init__(self, data: bytes) -> None:
        assert struct.unpack_from("<I", data)[0] == MAGIC
        start, length, _, strings = struct.unpack_from("<4I", data, 4 * PRELUDE_WORDS)
        self.code = struct.unpack_from(f"<{(length + 3) // 4}I", data, 4 * start)
        self.raw = data[4 * start : 4 * start + length]
        self.strings = strings
        self.at = 0

    def next(self) -> int:
        self.at += 1
        return self.code[self.at - 1]

    def string(self) -> bytes:
        word = self.next()
        if word in (6, 7):
            return b""
        if word & 2:
            return bytes([(word >> 3) & 255, (word >> 11) & 255, (word >> 19) & 255]).rstrip(b"\0")
        start = self.strings + (word >> 2)
        return self.raw[start : self.raw.index(b"\0", start)]

    def skip(self, strings: int) -> None:
        for _ in range(strings):
            self.string()

    def trees(self) -> list[Tree]:
        found: list[Tree] = []
        while (word := self.next()) & 31 != END:
            assert word & 31 == LIST
            kind = (word >> 5) & 63
            if kind & 32:  # simplified: the command alone
                self.next()
                found.append(Tree([self.command()], "", negated=False, coproc=False))
            else:
                found += self.sublist()
            if kind & 16:  # the last one
                break
        return found

    def sublist(self) -> list[Tree]:
        found = []
        while True:
            data = self.next() >> 5
            simplified, negated, coproc = data & 16, bool(data & 8), bool(data & 4)
            if simplified:
                self.next()
            commands = [self.command()] if simplified else self.pipe()
            found.append(Tree(commands, CONNECTORS[data & 3], negated, coproc))
            if not data & 3:
                return found

    def pipe(self) -> list[Command]:
        commands = []
        while True:
            data = self.next() >> 5
            if data & 1:
                self.next()
            commands.append(self.command())
            if not data & 1:
                return commands

    def assignment(self, word: int) -> None:
        self.string()
        self.skip((word >> 5) >> 2 if (word >> 5) & 1 else 1)

    def command(self) -> Command:
        assigned = False
        while (word := self.next()) & 31 in {REDIR, ASSIGN}:
            if word & 31 == ASSIGN:
                assigned = True
                self.assignment(word)
            else:
                here = word >> 5
                self.at += 2 + bool(here & 0x20) + 2 * bool(here & 0x40)
        if word & 31 in {SIMPLE, TYPESET}:
            return self.simple(word, assigned)
        return READERS[word & 31](self, word >> 5)

    def simple(self, word: int, assigned: bool) -> Command:
        count = word >> 5
        words = [self.string() for _ in range(count)]
        if word & 31 == TYPESET:
            for _ in range(self.next()):
                self.assignment(self.next())
        if not words:
            return Command("assignments" if assigned else "redirections")
        name = words[0].replace(b"\x9b", b"-")
        return Command("simple", name.decode("latin-1") if PLAIN_NAME.fullmatch(name) else "?")

    def group(self, data: int, kind: str) -> Command:
        end = self.at + data
        self.next()
        body = self.trees()
        self.at = end
        return Command(kind, bodies=(body,))

    def timed(self, data: int) -> Command:
        return Command("time", bodies=(self.sublist(),) if data else ())

    def function(self, data: int) -> Command:
        end = self.at + data
        names = self.next()
        self.skip(names)
        offset = self.next()
        self.at += 3
        outer, self.strings = self.strings, self.strings + offset
        body = self.trees()
        self.strings, self.at = outer, end
        if not names:
            self.next()
            self.skip(self.next())
        return Command("function", bodies=(body,))

    def loop(self, data: int) -> Command:
        if data & 3 == 2:
            self.skip(3)
        else:
            self.skip(self.next())
            if data & 3 == 1:
                self.skip(self.next())
        return Command("for", bodies=(self.trees(),))

    def select(self, data: int) -> Command:
        self.string()
        if data & 1:
            self.skip(self.next())
        return Command("select", bodies=(self.trees(),))

    def conditional_loop(self, _data: int) -> Command:
        return Command("while", bodies=(self.trees(), self.trees()))

    def repeat(self, _data: int) -> Command:
        self.string()
        return Command("repeat", bodies=(self.trees(),))

    def case(self, data: int) -> Command:
        end = self.at + (data >> 3)
        self.string()
        bodies = []
        while self.at < end:
            self.next()
            for _ in range(self.next()):
                self.string()
                self.next()
            bodies.append(self.trees())
        self.at = end
        return Command("case", bodies=tuple(bodies))

    def branches(self, data: int) -> Command:
        end = self.at + (data >> 2)
        bodies = []
        while self.at < end:
            is_else = (self.next() >> 5) & 3 == 3
            bodies += [self.trees()] if is_else else [self.trees(), self.trees()]
        self.at = end
        return Command("if", bodies=tuple(bodies))

    def condition(self, _data: int) -> Command:
        self.at -= 1
        self.condition_part()
        return Command("condition")

    def condition_part(self) -> None:
        word = self.next()
        kind = (word >> 5) & 127
        if kind == 0:
            self.condition_part()
        elif kind in {1, 2}:
            self.condition_part()
            self.condition_part()
        elif kind == 18:
            self.skip(1 + (word >> 12))
        elif kind == 19:
            self.skip(3)
        elif kind < 18:
            self.skip(2)
            self.at += kind in {3, 4, 5}
        else:
            self.string()

    def arithmetic(self, _data: int) -> Command:
        self.string()
        return Command("arithmetic")

    def always(self, data: int) -> Command:
        end = self.at + data
        always_at = self.at + 1 + (self.code[self.at] >> 5)
        self.next()
        body = self.trees()
        self.at = always_at
        always = self.trees()
        self.at = end
        return Command("try", bodies=(body, always))


READERS: dict[int, Callable[[_Reader, int], Command]] = {
    SUBSH: lambda reader, data: reader.group(data, "subshell"),
    CURSH: lambda reader, data: reader.group(data, "group"),
    TIMED: _Reader.timed,
    FUNCDEF: _Reader.function,
    FOR: _Reader.loop,
    SELECT: _Reader.select,
    WHILE: _Reader.conditional_loop,
    REPEAT: _Reader.repeat,
    CASE: _Reader.case,
    IF: _Reader.branches,
    COND: _Reader.condition,
    ARITH: _Reader.arithmetic,
    TRY: _Reader.always,
}


def flattened(trees: Iterable[Tree]) -> list[str]:
    """One line for each pipeline, also for the one that `time` measures."""
    lines: list[str] = []
    for each in trees:
        bodies = [body for command in each.commands for body in command.bodies]
        if each.commands[0].kind != "time":
            lines.append(_line(each))
        for body in bodies:
            lines += flattened(body)
    return lines


def _line(each: Tree) -> str:
    segments = "|".join(f"{command.kind} {command.name}".strip() for command in each.commands)
    marks = "! " * each.negated + "coproc " * each.coproc
    return f"{marks}{segments} {each.connector}".strip()

"""A copy of a script of sh in which each command says where it stands; dash has no trap for that.

Nor has dash a function that it calls for a program that is not there. Commands whose program is not
there when the rehearsal begins are called by one of the copy, which looks once more.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from zsh_ls.model.syntax import Dialect, Script, SegmentKind
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.words.vocabulary import BUILTINS, RESERVED_WORDS

from .decision import MISSING

LOG = "/run/rehearse/log"
# Words at which no redirection may stand: they open a compound command.
_PLAIN = re.compile(r"[\w./$\"'{}\[:-]")
_DIGIT_IN_USE = re.compile(r"\b([3-9])[<>]|[<>]&([3-9])|(?:flock|-u)\s+(?:-\w+\s+)*([3-9])\b")
LONGEST_NAME = 150
# As the hooks of bash and zsh say which command it is.
_LETTERS = re.compile(r"[^a-zA-Z0-9_.-]")
MOST_LETTERS = 80
_PROGRAM = re.compile(r"[A-Za-z0-9_][\w.+-]*")
_OWN_WORDS = BUILTINS[Dialect.SH] | RESERVED_WORDS
_LOOKING = "_rehearse_missing"
# dash's own message, and the call that is told; `$1` is the line.
_LOOKS = (
    f"{_LOOKING}() {{ "
    'if command -v "$2" >/dev/null 2>&1; then shift; "$@"; else'
    """ printf '%s: %s: %s: not found\\n' "$0" "$1" "$2" >&2; shift;"""
    f' {MISSING} "$@"; fi; }}; '
)


def name_of(path: str) -> str:
    """A path within the name of a file; the end of one that is too long."""
    return path.replace("/", "%")[-LONGEST_NAME:]


def marked(text: str, path: str, is_there: Callable[[str], bool] = lambda _: True) -> str:
    """The copy. Before each simple command stands a redirection to a file whose name says which.

    A program that the command starts has the file open, by which it knows its line. `is_there` says
    whether a program can be found by its name.
    """
    used = {digit for found in _DIGIT_IN_USE.findall(text) for digit in found if digit}
    free = next((digit for digit in "9876543" if digit not in used), None)
    script = parse(text, Dialect.SH)
    if free is None or any(problem.fatal for problem in script.problems):
        return text
    lines, name = LineIndex(text), name_of(path)
    quoted = re.sub(r"([^\w.@%/-])", r"\\\1", name)
    functions = {text[slice(*word)] for it in script.functions for word in it.words}
    places: dict[int, str] = {}

    def mark(part: Script, shift: int) -> None:
        """Note the marks of a script, or of a trap's text, which begins `shift` characters later."""
        for pipeline in part.every_pipeline():
            for segment in pipeline.segments:
                is_command = segment.kind is SegmentKind.SIMPLE and (
                    segment.words or segment.assignments
                )
                start = segment.span.start + shift
                if not is_command or not _PLAIN.match(text[start : start + 1]):
                    continue
                line = lines.line_of(start) + 1
                said = _LETTERS.sub("", part.source(segment.span))[:MOST_LETTERS]
                places[start] = f"{free}>|{LOG}/m{line}@{said}@{quoted} "
                word = segment.command_word
                own = word in functions or word in _OWN_WORDS
                if _PROGRAM.fullmatch(word) and not own and not is_there(word):
                    program = segment.words[0].start + shift
                    places[program] = f"{places.get(program, '')}{_LOOKING} {line} "
                if word == "trap" and len(segment.words) > 1:
                    mark_trap(part.source(segment.words[1]), segment.words[1].start + shift)

    def mark_trap(written: str, start: int) -> None:
        inner = written[1:-1]
        if written[:1] == "'" == written[-1:] and "'" not in inner + quoted:
            commands = parse(inner, Dialect.SH)
            if not commands.problems:
                mark(commands, start + 1)

    mark(script, 0)
    is_missing = any(_LOOKING in put for put in places.values())
    pieces, at = [_LOOKS] if is_missing else [], 0
    for start, put in sorted(places.items()):
        pieces += [text[at:start], put]
        at = start
    return "".join(pieces) + text[at:]

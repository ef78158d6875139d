"""Finds the parameters that a range of shell text mentions: `$x`, `${(f)x[i]:-$y}`, `$(( n++ ))`.

Quotes are minded, and what is code of its own (`holes`) is passed over. The
text is read once from left to right, whatever it is; nothing is raised.
References: zshexpn(1) PARAMETER EXPANSION, zshmisc(1) ARITHMETIC EVALUATION.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax._regex import compiled


class Use(StrEnum):
    """How a mention uses a name. A call of a function is a READ."""

    DECLARED = "declared"
    WRITTEN = "written"
    READ = "read"


class Mode(StrEnum):
    """The syntax by which a range of text is read; the value is the character that ends it."""

    WORDS = "words"
    DOUBLE = '"'
    HEREDOC = "<<"
    BRACES = "}"
    ARITHMETIC = ")"
    SUBSCRIPT = "]"


class Mention(NamedTuple):
    """A mention of a parameter.

    `subject` is the parameter in whose subscript a bare name is: if the subject is an
    associative array, the name is a key and no parameter.
    """

    name: str
    span: Span
    use: Use = Use.READ
    subject: str = ""


class _Frame(NamedTuple):
    """An open bracket or quote: the mode within, whether it is in double quotes, the subscript's array."""

    mode: Mode
    is_quoted: bool = False
    subject: str = ""
    takes_names: bool = True


_NEXT = {
    Mode.WORDS: re.compile(r"['\"\\$]"),
    Mode.DOUBLE: re.compile(r"[\"\\$]"),
    Mode.HEREDOC: re.compile(r"[\\$]"),
    Mode.BRACES: re.compile(r"['\"\\${}]"),
    Mode.ARITHMETIC: re.compile(r"['\"\\$()]|[^\W\d]\w*|\d[\w#.]*"),
    Mode.SUBSCRIPT: re.compile(r"['\"\\$\[\]]|[^\W\d]\w*|\d[\w#.]*"),
}
_OPENS = {Mode.ARITHMETIC: "(", Mode.SUBSCRIPT: "[", Mode.BRACES: "{"}
_PLAIN = re.compile(r"\$([+=~^#]*)([^\W\d]\w*|\d|[@*?$!#-])")
_PLAIN_OTHERS = re.compile(r"\$()([^\W\d]\w*|\d|[@*?$!#-])")
_BRACED = re.compile(
    r"\$\{(?:\((?:[^()\\\n]|\\.)*\))?[+=~^#!]*([^\W\d]\w*|\d+|[@*?$!-](?=[}\[:%#/]))?"
)
_ANSI = compiled(r"\$'(?:[^'\\]|\\.)*+'?", re.DOTALL)
_SUBSCRIPT_FLAGS = re.compile(r"\[\([^()\s]*\)")
_CLOSED_SUBSCRIPT = re.compile(r"\[[^\n]{0,400}?\]")
_ASSIGNS = re.compile(
    r"(?:\[[^\]\n]{0,400}\])?\s*(?:=(?!=)|(?:[-+*/%&|^]|\*\*|&&|\|\||\^\^|<<|>>)=|\+\+|--)"
)
_STEPS = re.compile(r"(?:\+\+|--)\s*\Z")
_SETS = re.compile(r"(?:\[[^\]\n]{0,400}\])?:{0,2}=")
# ${x:from:length}, and zsh's history modifiers, which look similar: ${x:t}.
_OFFSETS = re.compile(r":(?![-=?+:]) ?\(?(?:([^\W\d]\w*)|[^:}\"'\n]{0,80})(?:: ?\(?([^\W\d]\w*))?")
_MODIFIERS = re.compile(r":(?:g?[st&]\W|[aAcehlpPqQrtuxWg]\d*\b)")


class _Scanner:
    """One pass over a range of text."""

    def __init__(self, text: str, span: Span, holes: Sequence[Span], dialect: Dialect) -> None:
        self.text = text
        self.at, self.end = span
        self.holes = holes
        self.hole = 0
        self.is_zsh = dialect is Dialect.ZSH
        self.frames: list[_Frame] = []

    def scan(self, first: _Frame) -> Iterator[Mention]:
        """The mentions in order."""
        self.frames = [first]
        while self.at < self.end and self.frames:
            limit = self.skip_holes()
            found = _NEXT[self.frames[-1].mode].search(self.text, self.at, limit)
            if found is None:
                self.at = limit
                continue
            self.at = found.start()
            yield from self.take(found.group())

    def skip_holes(self) -> int:
        """Move past the hole at the position, if any; returns the start of the next one."""
        while self.hole < len(self.holes) and self.holes[self.hole].start <= self.at:
            self.at = max(self.at, self.holes[self.hole].end)
            self.hole += 1
        return self.holes[self.hole].start if self.hole < len(self.holes) else self.end

    def take(self, found: str) -> Iterator[Mention]:
        """Move past the syntax that begins with `found` at the position."""
        frame = self.frames[-1]
        if found == "\\":
            self.at += 2
        elif found == "$":
            yield from self.dollar(frame)
        elif found == "'":
            self.single_quote(frame)
        elif found == '"':
            self.double_quote(frame)
        elif found == frame.mode.value:
            self.at += 1
            self.frames.pop()
        elif found == _OPENS.get(frame.mode):
            self.at += 1
            if frame.mode is not Mode.BRACES or not frame.is_quoted:
                self.frames.append(frame)
        elif frame.takes_names and not found[0].isdigit():
            yield from self.bare_name(found, frame)
        else:
            self.at += len(found)

    def single_quote(self, frame: _Frame) -> None:
        """`'…'`, unless within double quotes."""
        closing = -1 if frame.is_quoted else self.text.find("'", self.at + 1, self.end)
        self.at = closing + 1 if closing >= 0 else self.at + 1

    def double_quote(self, frame: _Frame) -> None:
        self.at += 1
        if frame.mode is Mode.DOUBLE:
            self.frames.pop()
        else:
            self.frames.append(_Frame(Mode.DOUBLE, is_quoted=True))

    def bare_name(self, name: str, frame: _Frame) -> Iterator[Mention]:
        """A name without `$` in arithmetic."""
        span = Span(self.at, self.at + len(name))
        self.at = span.end
        if self.text.startswith("(", span.end):
            return
        is_written = _ASSIGNS.match(self.text, span.end, self.end) or _STEPS.search(
            self.text, max(span.start - 4, 0), span.start
        )
        yield Mention(name, span, Use.WRITTEN if is_written else Use.READ, frame.subject)
        self.subscript(name, frame)

    def subscript(self, name: str, frame: _Frame) -> None:
        """Enter the `[…]` after a parameter's name, if there is one."""
        if not _CLOSED_SUBSCRIPT.match(self.text, self.at, self.end):
            return
        flags = _SUBSCRIPT_FLAGS.match(self.text, self.at, self.end)
        self.at = flags.end() if flags else self.at + 1
        self.frames.append(_Frame(Mode.SUBSCRIPT, frame.is_quoted, name, takes_names=not flags))

    def dollar(self, frame: _Frame) -> Iterator[Mention]:
        """An expansion, which begins with `$`."""
        opener = self.text[self.at + 1 : self.at + 3]
        if opener[:1] == "{":
            yield from self.braced(frame)
        elif opener == "((":
            self.at += 3
            self.frames += [_Frame(Mode.ARITHMETIC, frame.is_quoted)] * 2
        elif opener[:1] == "[":
            self.at += 2
            self.frames.append(_Frame(Mode.SUBSCRIPT, frame.is_quoted))
        elif opener[:1] == "'" and not frame.is_quoted:
            ansi = _ANSI.match(self.text, self.at, self.end)
            self.at = ansi.end() if ansi else self.at + 2
        else:
            yield from self.plain(frame)

    def plain(self, frame: _Frame) -> Iterator[Mention]:
        """`$name`, in zsh with flags before the name and a subscript after it."""
        pattern = _PLAIN if self.is_zsh else _PLAIN_OTHERS
        found = pattern.match(self.text, self.at, self.end)
        if found is None:
            self.at += 1
            return
        self.at = found.end()
        yield Mention(found[2], Span(*found.span(2)))
        if self.is_zsh:
            self.subscript(found[2], frame)

    def braced(self, frame: _Frame) -> Iterator[Mention]:
        """`${…}`: the parameter, after which the rest is read in Mode.BRACES."""
        found = _BRACED.match(self.text, self.at, self.end)
        if found is None:
            self.at += 2
            return
        self.at = found.end()
        self.frames.append(_Frame(Mode.BRACES, frame.is_quoted))
        name = found[1]
        if not name:
            return
        is_set = _SETS.match(self.text, self.at, self.end)
        yield Mention(name, Span(*found.span(1)), Use.WRITTEN if is_set else Use.READ)
        yield from self.offsets()
        self.subscript(name, frame)

    def offsets(self) -> Iterator[Mention]:
        """The bare names in `${x:from:length}`."""
        found = _OFFSETS.match(self.text, self.at, self.end)
        if found is None or (self.is_zsh and _MODIFIERS.match(self.text, self.at, self.end)):
            return
        for group in (1, 2):
            if found[group]:
                yield Mention(found[group], Span(*found.span(group)))


def mentions(
    text: str, span: Span, dialect: Dialect, mode: Mode, holes: Sequence[Span] = ()
) -> Iterator[Mention]:
    """The mentions of parameters in `text[span]`, in order; `holes`, sorted, are skipped."""
    scanner = _Scanner(text, span, holes, dialect)
    return scanner.scan(_Frame(mode, mode is Mode.HEREDOC))

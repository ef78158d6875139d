r"""Reads the source of a manual page as lines of text and macros, and replaces escapes by characters.

Supports as much of roff(7) as manual pages use: comments, conditions (as for a
terminal), `\fB`, `\-`, `\(bu`, `\*(lq`. Definitions and unknown escapes are dropped;
nothing is executed and no file is opened. Pages are untrusted: time is linear in the
length, and lines after MAX_LINES are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple

# groff_char(7), the glyphs that manual pages use.
GLYPHS: Mapping[str, str] = {
    "aq": "'",
    "dq": '"',
    "cq": "’",
    "oq": "‘",
    "lq": "“",
    "rq": "”",
    "ga": "`",
    "aa": "´",
    "bu": "•",
    "em": "—",
    "en": "-",
    "hy": "-",
    "mi": "-",
    "pl": "+",
    "mu": "×",
    "+-": "±",
    "co": "©",
    "rg": "®",
    "tm": "™",
    "rs": "\\",
    "ti": "~",
    "ha": "^",
    "ba": "|",
    "bv": "|",
    "la": "<",
    "ra": ">",
    "lB": "[",
    "rB": "]",
    "lC": "{",
    "rC": "}",
    "sl": "/",
    "at": "@",
    "<=": "≤",
    ">=": "≥",
    "!=": "≠",
    "->": "→",
    "<-": "←",
    "**": "*",
    "de": "°",
    "sh": "#",
    "Do": "$",
    "ss": "ß",
    "fo": "‹",
    "fc": "›",
    "Fo": "«",
    "Fc": "»",
    "tf": "∴",
    "Cs": "¤",
}
# Strings that man(7), mdoc(7) and the preambles of pod2man and DocBook define.
STRINGS: Mapping[str, str] = {
    "lq": "“",
    "rq": "”",
    "Aq": "'",
    "R": "®",
    "Tm": "™",
    "--": "-",
    "C+": "C++",
    "PI": "π",
    'L"': '"',
    'R"': '"',
    "C`": "",
    "C'": "",
    "S": "",
    "q": '"',
    "Lq": "“",
    "Rq": "”",
    "Le": "<=",
    "Ge": ">=",
    "Lt": "<",
    "Gt": ">",
    "Ne": "!=",
    "Pm": "±",
    "Am": "&",
    "Ba": "|",
}
# The longest page of a distribution has some 60,000 lines.
MAX_LINES = 100_000
# Nested conditions on one line.
MAX_CONDITIONS = 50
# A name cannot contain an escape, so that an unclosed one is not searched to the page's end.
_NAME = r"(?:\((?P<{0}2>..)|\[(?P<{0}n>[^\]\\]*)\]|(?P<{0}1>.))"
_ESCAPE = re.compile(
    r"\\(?:"
    r"(?P<comment>[\"#].*)"
    r"|[fFkmMgVY](?:\(..|\[[^\]\\]*\]|.)"
    r"|s(?:[-+]?\d|[-+]?\(..|\[[^\]\\]*\]|[-+]?'[^']*')"
    r"|[nO][-+]?(?:\(..|\[[^\]\\]*\]|.)"
    r"|(?P<move>[hvwlLbDoxNRXZABHSC])'(?P<moved>[^']*)'"
    r"|\*" + _NAME.format("s") + r"|\((?P<two>..)|\[(?P<long>[^\]\\]*)\]"
    r"|(?P<one>.)|$)",
    re.DOTALL,
)
_ONE: Mapping[str, str] = {
    "-": "-",
    "e": "\\",
    "E": "\\",
    "\\": "\\",
    " ": " ",
    "~": " ",
    "0": " ",
    "t": "\t",
    "'": "'",
    "`": "`",
    ".": ".",
    "_": "_",
    '"': "",
}
_ARGUMENT = re.compile(r'"((?:[^"]|"")*)"?|((?:\\.|[^\s\\])+)')
_MACRO = re.compile(r"[.'][ \t]*([A-Za-z0-9!\[\]%-]+)?[ \t]*(.*)", re.DOTALL)
_COMMENT = re.compile(r"[.'][ \t]*\\[\"#]")
_CONDITION = re.compile(
    r"\s*(!?)\s*(?:([nteo])(?=\s|\\\{|$)|('[^']*'[^']*'|\"[^\"]*\"[^\"]*\"|\S+))\s*(.*)", re.DOTALL
)


_CONDITIONS = frozenset({"if", "ie", "el"})
_DEFINITIONS = frozenset({"de", "de1", "am", "ig"})


class RoffLine(NamedTuple):
    """A line of a page: a macro with the text after its name, or plain text, whose `macro` is `""`."""

    macro: str
    text: str


def lines_of(source: str) -> Iterator[RoffLine]:
    """The lines to be rendered, in order, with escapes as in the source."""
    return _LineReader(_joined(islice(source.splitlines(), MAX_LINES))).lines()


def plain(text: str) -> str:
    """`text` with escapes replaced by characters; those that change the font are dropped."""
    return _ESCAPE.sub(_escaped, text) if "\\" in text else text


def arguments(text: str) -> list[str]:
    """The arguments of a macro, without quotes, and with escapes replaced by characters."""
    found = (match for match in _ARGUMENT.finditer(text.split('\\"', maxsplit=1)[0]))
    return [
        plain(match[2] if match[2] is not None else match[1].replace('""', '"')) for match in found
    ]


def _escaped(found: re.Match[str]) -> str:
    name = found["s2"] or found["sn"] or found["s1"]
    if name is not None:
        return STRINGS.get(name, "")
    glyph = found["two"] or found["long"]
    if glyph is not None:
        return _glyph(glyph)
    if found["move"]:
        return {"h": " ", "o": found["moved"][:1], "C": _glyph(found["moved"])}.get(
            found["move"], ""
        )
    return _ONE.get(found["one"] or "", "")


def _glyph(name: str) -> str:
    if re.fullmatch(r"u[0-9A-F]{4,6}", name) and int(name[1:], 16) <= 0x10FFFF:
        return chr(int(name[1:], 16))
    return GLYPHS.get(name, name[:1] if len(name) == 2 and name[1] in "'`^:~," else "")


def _joined(lines: Iterable[str]) -> Iterator[str]:
    """The lines without comments; a line that ends with a backslash is joined to the next."""
    buffered = ""
    for line in lines:
        if _COMMENT.match(line):
            continue
        if (len(line) - len(line.rstrip("\\"))) % 2:
            buffered += line[:-1]
            continue
        yield buffered + line
        buffered = ""
    if buffered:
        yield buffered


class _LineReader:
    """Reads the lines of a source, evaluating conditions."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.rest = iter(lines)
        self.last_condition = True

    def lines(self) -> Iterator[RoffLine]:
        """The lines to be rendered; conditions and definitions may span several lines."""
        for raw in self.rest:
            line: str | None = raw
            for _ in range(MAX_CONDITIONS):
                if line is None:
                    break
                macro = _MACRO.fullmatch(line) if line[:1] in {".", "'"} else None
                if macro is None or (line[0] == "'" and len(macro[1] or "") != 2):
                    yield RoffLine("", line.replace("\\}", ""))
                    break
                name, line = macro[1] or "", None
                if name in _CONDITIONS:
                    line = self.guarded(name, macro[2])
                elif name in _DEFINITIONS:
                    for definition in self.rest:
                        if re.match(r"\.[ \t]*\.", definition):
                            break
                elif name:
                    yield RoffLine(name, macro[2])

    def guarded(self, name: str, text: str) -> str | None:
        """The text after a condition if it is true for a terminal; unknown ones are false."""
        if name == "el":
            holds, then = not self.last_condition, text.strip()
        else:
            found = _CONDITION.fullmatch(text)
            holds = found is not None and (found[2] == "n") is not bool(found[1])
            then = found[4] if found else ""
            self.last_condition = holds
        if holds:
            return then.removeprefix("\\{").lstrip() or None
        # Skip to the brace that closes the one on this line, if there is one.
        depth = then.count("\\{") - then.count("\\}")
        while depth > 0 and (raw := next(self.rest, None)) is not None:
            depth += raw.count("\\{") - raw.count("\\}")
        return None

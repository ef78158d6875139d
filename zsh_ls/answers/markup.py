"""The subset of Markdown that answers may use, and rules that find anything else (ANS-2).

Allowed: bold, italic, inline code, fenced code, lists, `##` headings, links. A
line inside a fence is code, whatever it looks like; emoji and control
characters are refused there too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple

FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})(.*)")
LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?=\S)")

# One line each: the rule's name, what it looks for, what a reader is told.
_REFUSED_LINES = (
    ("horizontal-rule", re.compile(r"\s{0,3}([-*_])(\s*\1){2,}\s*"), "a horizontal rule"),
    ("heading", re.compile(r"\s{0,3}=+\s*"), "an underlined heading"),
    ("heading", re.compile(r"\s{0,3}#(?!#)(\s.*)?"), "a `#` heading; use `##`"),
    ("heading", re.compile(r"\s{0,3}#{3,6}(\s.*)?"), "a heading that is not `##`"),
    ("block-quote", re.compile(r"\s{0,3}>.*"), "a block quote"),
    ("table", re.compile(r"\s{0,3}\|.*"), "a table row"),
    ("table", re.compile(r"\s{0,3}:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*"), "a table's delimiter row"),
)
# Emoji=Yes of Unicode's emoji-data, without digits, `#`, `*`, signs like © and plain arrows, which
# are text unless U+FE0F follows; U+20E3 and U+FE0F make emoji of their neighbours.
_EMOJI = re.compile(
    "[\u200d\u20e3\ufe0f\u231a\u231b\u2328\u23cf\u23e9-\u23f3\u23f8-\u23fa\u25fd\u25fe\u2600-\u2604"
    "\u260e\u2611\u2614\u2615\u2618\u261d\u2620\u2622\u2623\u2626\u262a\u262e\u262f\u2638-\u263a"
    "\u2640\u2642\u2648-\u2653\u265f\u2660\u2663\u2665\u2666\u2668\u267b\u267e\u267f\u2692-\u2697"
    "\u2699\u269b\u269c\u26a0\u26a1\u26a7\u26aa\u26ab\u26b0\u26b1\u26bd\u26be\u26c4\u26c5\u26c8"
    "\u26ce\u26cf\u26d1\u26d3\u26d4\u26e9\u26ea\u26f0-\u26f5\u26f7-\u26fa\u26fd\u2702\u2705"
    "\u2708-\u270d\u270f\u2712\u2714\u2716\u271d\u2721\u2728\u2733\u2734\u2744\u2747\u274c\u274e"
    "\u2753-\u2755\u2757\u2763\u2764\u2795-\u2797\u27a1\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55\u3030"
    "\u303d\u3297\u3299\U0001f000-\U0001faff\U000e0020-\U000e007f]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


class Breach(NamedTuple):
    """A rule broken on a line, 1-based."""

    line: int
    rule: str
    message: str


class MarkupLine(NamedTuple):
    """A line of text, its 1-based number, and whether it is in fenced code (fences included)."""

    number: int
    text: str
    code: bool


def lines_of(text: str) -> list[MarkupLine]:
    """The lines of `text`."""
    fence, lines = "", []
    for number, line in enumerate(text.split("\n"), 1):
        opened, fence = bool(fence), _fence_after(fence, line)
        lines.append(MarkupLine(number, line, opened or bool(fence)))
    return lines


def _fence_after(fence: str, line: str) -> str:
    """The fence that is open after `line`, `""` if none; a closing fence is as long as the opening one."""
    found = FENCE.fullmatch(line)
    if found is None:
        return fence
    marks, info = found.groups()
    if not fence:
        return "" if marks[0] == "`" and "`" in info else marks
    closes = marks.startswith(fence) and not info.strip()
    return "" if closes else fence


def breaches(lines: Sequence[MarkupLine]) -> Iterator[Breach]:
    """All breaches of the Markdown rules, in the order of the lines."""
    for line in lines:
        if found := _EMOJI.search(line.text):
            yield Breach(line.number, "emoji", f"an emoji (U+{ord(found[0]):04X})")
        if found := _CONTROL.search(line.text):
            yield Breach(line.number, "control-character", f"a control character ({found[0]!r})")
        if not line.code:
            yield from _line_breaches(line)
    # Lists with blank lines between items of one line.
    current: _List | None = None
    for line in [*lines, *_END]:
        previous, current = current, _list_after(current, line)
        if previous and not current and previous.gap and not previous.several_lines:
            message = "a blank line between list items of one line each"
            yield Breach(previous.gap, "loose-list", message)


def _line_breaches(line: MarkupLine) -> Iterator[Breach]:
    content = line.text
    while item := LIST_ITEM.match(content):
        content = content[item.end() :]
    for rule, pattern, message in _REFUSED_LINES:
        if pattern.fullmatch(line.text) or pattern.fullmatch(content):
            yield Breach(line.number, rule, message)
            return


class _List(NamedTuple):
    """State of the current list: the blank line between items, if any, and whether an item is long."""

    blank: int = 0
    gap: int = 0
    several_lines: bool = False


# What ends every list: a blank line and words that are no item.
_END = (MarkupLine(-1, "", False), MarkupLine(-1, "end", False))


def _list_after(state: _List | None, line: MarkupLine) -> _List | None:
    if not line.code and LIST_ITEM.match(line.text):
        state = state or _List()
        return state._replace(gap=state.gap or state.blank, blank=0)
    if state is None:
        return None
    if not line.text:
        return state._replace(blank=state.blank or line.number)
    continues = line.text[0].isspace() or not state.blank
    return state._replace(several_lines=True, blank=0) if continues else None


def as_text(text: str) -> str:
    """`text` on one line, with characters that ANS-2 forbids replaced by escapes.

    Of a line that a shell takes as continued the backslash is left out.
    """
    flat = " ".join(text.replace("\\\n", " ").split()) or "(nothing)"
    if flat.isascii() and flat.isprintable():
        return flat
    return _CONTROL.sub(_escape, _EMOJI.sub(_escape, flat))


def list_item(text: str) -> str:
    """`text` as an item of a list, as inline code if it would be forbidden Markdown otherwise."""
    flat = as_text(text)
    fine = not any(_line_breaches(MarkupLine(1, f"- {flat}", False)))
    return f"- {flat if fine else code_span(flat)}"


def code_span(text: str) -> str:
    """`text` as inline code on one line, with enough backquotes around it."""
    flat = as_text(text)
    longest = max((len(run) for run in re.findall(r"`+", flat)), default=0)
    marks = "`" * (longest + 1)
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{marks}{pad}{flat}{pad}{marks}"


def _escape(found: re.Match[str]) -> str:
    return f"\\U{ord(found[0]):X}"

"""Placeholders of template engines in shell text (FATE-11): ERB, Jinja, Go templates, Mustache.

A text with placeholders is not read by a shell, but what an engine makes of it is. The same signs
mean other things in scripts: `docker ps --format '{{.Names}}'` has a placeholder for docker, and a
here-document may hold a whole template. So a sign counts where a shell would read it as code:
outside quotes, comments and here-documents. Where the file is named after an engine (`x.sh.j2`), or one
sign counts, all of them do.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from zsh_ls.lazy import re
from zsh_ls.model.span import Span, span_of

from .lines import LineIndex

SUFFIXES = frozenset(
    {
        *(".erb", ".epp", ".ejs", ".eex", ".j2", ".jinja", ".jinja2", ".njk", ".liquid", ".tera"),
        *(".tmpl", ".tpl", ".gotmpl", ".template", ".mustache", ".hbs", ".handlebars"),
    }
)
# A longer text between the signs is no placeholder.
LONGEST = 1000
# Findings so many lines from a placeholder are left out: what it becomes may change their commands.
NEAR_LINES = 2

# Each here-document without an end is looked for in the whole text.
MOST_MISSED = 50

# One placeholder. What ERB and the blocks of the others hold between their signs is code with blanks
# around it; zsh's prompts have `%{%F{red}%}` and brace expansions `{{a,b},c}`.
# A placeholder never holds the sign that opens another, so that hostile texts are searched in linear time.
_ERB_CODE = r"(?:[^%<]|%(?!>)|<(?!%))"
_ERB = rf"<%(?:[=#-]|==)?[ \t\n]{_ERB_CODE}{{0,{LONGEST}}}+%>|<%={_ERB_CODE}{{1,200}}+%>"
_BLOCK = rf"\{{%[-+]?[ \t\n]+[a-z](?:[^%{{]|%(?!\}})|\{{(?!%)){{0,{LONGEST}}}+%\}}"
_COMMENT = (
    rf"\{{\#[ \t\n](?:[^#{{]|\#(?!\}})){{0,{LONGEST}}}+\#\}}"
    rf"|\{{\{{!--(?:[^-{{]|-(?!-\}})){{0,{LONGEST}}}+--\}}\}}"
)
_VALUE = (
    rf"\{{\{{(?:-?[ \t]+(?:[^{{}};\n]|\}}(?!\}})){{1,{LONGEST}}}+"
    r"|[#/^!&>][ \t]*[\w.-][^{}\n]{0,200}+|[A-Za-z_][\w.]*+(?:[ \t|(][^{},\n]{0,200}+)?)\}\}"
)
PLACEHOLDER = re.compile(f"{_ERB}|{_BLOCK}|{_COMMENT}|{_VALUE}")
# A value of Go's templates without blanks is also what `docker ps --format {{.Names}}` passes on: it counts
# in a file that is named after an engine.
_IN_NAMED = re.compile(
    rf"{PLACEHOLDER.pattern}|\{{\{{-?\.[A-Za-z_][\w.]*+(?:[ \t|(][^{{}}\n]{{0,200}}+)?\}}\}}"
)
_SIGNS = ("<%", "{%", "{{", "{#")
# What an engine puts nothing in the place of, or text that is commands of their own.
_CONTROL = re.compile(
    r"<%(?!=)|\{[%#]|\{\{-?[ \t]*(?:[#/^!>]|/\*|\$\w+[ \t]*:?=|"
    r"(?:if|else|end|range|with|define|block|template|include|break|continue)\b)"
)
_DELIMITER = re.compile(r"(?<!<)<<(?!<)(-?)[ \t]*(?:(['\"])([^'\"\n]+)\2|\\?([\w.-]+))")
_COMMENT_LINE = re.compile(r"#[^\n]*")
_MARKED = re.compile(r"[\\'\"()#<{\n]")


def placeholders(text: str, name: str | None = None) -> tuple[Span, ...]:
    """Where the placeholders of a template stand; none where the text is a script.

    `name` is the file's name or path.
    """
    if not any(sign in text for sign in _SIGNS):
        return ()
    if PurePosixPath(name or "").suffix.lower() in SUFFIXES:
        return tuple(span_of(match.span()) for match in _IN_NAMED.finditer(text))
    found = tuple(span_of(match.span()) for match in PLACEHOLDER.finditer(text))
    return found if _has_one_in_code(text, frozenset(span.start for span in found)) else ()


def is_template(text: str, name: str | None = None) -> bool:
    """Whether a template engine makes a script of the text."""
    return bool(placeholders(text, name))


def without_placeholders(text: str, spots: Sequence[Span]) -> str:
    """The text with a word for each placeholder, or blanks for one that controls; as long as before."""
    parts, at = [], 0
    for start, end in spots:
        filler = " " if _CONTROL.match(text, start) else "x"
        parts += [text[at:start], re.sub(r"[^\n]", filler, text[start:end])]
        at = end
    return "".join([*parts, text[at:]])


def lines_near(text: str, spots: Sequence[Span]) -> frozenset[int]:
    """The lines (from 0) that are at most NEAR_LINES from a placeholder."""
    lines = LineIndex(text)
    return frozenset(
        line
        for start, end in spots
        for line in range(lines.line_of(start) - NEAR_LINES, lines.line_of(end) + NEAR_LINES + 1)
    )


def _has_one_in_code(text: str, starts: frozenset[int]) -> bool:
    """Whether one of the placeholders that begin at `starts` stands where a shell reads code.

    Follows quotes and the `$(…)` in them, here-documents and comments, but not the grammar: it must
    work on text that no shell can read.
    """
    # What is open, innermost last: `"`, and `(` of `$(…)` and of other parentheses.
    opened: list[str] = []
    awaited: list[tuple[str, str]] = []
    at, end, missed = 0, len(text), 0
    while at < end:
        quoted = opened[-1:] == ['"']
        char = text[at]
        if at in starts and (not quoted or char == "<"):
            return True
        next_at = at + 1
        if char == "\\":
            next_at = at + 2
        elif char in '"()':
            _open_or_close(char, text, at, opened)
        elif char == "\n" and awaited:
            missed += len(awaited)
            behind = _behind_heredocs(text, at, awaited) if missed < MOST_MISSED else at
            missed = 0 if behind > at else missed
            awaited = []
            next_at = max(behind, next_at)
        elif not quoted:
            next_at = _behind_inert(text, at, awaited)
        following = _MARKED.search(text, next_at)
        at = following.start() if following else end
    return False


def _open_or_close(char: str, text: str, at: int, opened: list[str]) -> None:
    """Note what the quote or parenthesis at `at` begins or ends."""
    quoted = opened[-1:] == ['"']
    opens = not quoted if char == '"' else char == "(" and (not quoted or text[at - 1 : at] == "$")
    if opens:
        opened.append(char)
    elif opened and opened[-1] == {'"': '"', ")": "("}.get(char):
        opened.pop()


def _behind_inert(text: str, at: int, awaited: list[tuple[str, str]]) -> int:
    """The offset behind the single-quoted string, comment or here-document's delimiter at `at`."""
    char = text[at]
    if char == "'":
        return text.find("'", at + 1) + 1 or at + 1
    if char == "#" and text[at - 1 : at] in {"", " ", "\t", "\n", ";", "("}:
        comment = _COMMENT_LINE.match(text, at)
        return comment.end() if comment else at + 1
    if char == "<" and (heredoc := _DELIMITER.match(text, at)):
        awaited.append((heredoc[1], heredoc[3] or heredoc[4]))
        return heredoc.end()
    return at + 1


def _behind_heredocs(text: str, at: int, awaited: Sequence[tuple[str, str]]) -> int:
    """The offset of the line end after the here-documents whose lines begin behind `at`."""
    for strips, delimiter in awaited[:MOST_MISSED]:
        indent = r"\t*" if strips else ""
        closing = re.compile(rf"^{indent}{re.escape(delimiter)}$", re.MULTILINE).search(
            text, at + 1
        )
        # Without its last line it was no here-document, such as `1 << 2`.
        at = closing.end() if closing else at
    return at

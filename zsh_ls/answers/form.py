"""Parses, formats and validates the text form of an answer (ANS-1…3). Nothing here raises.

The canonical text is `[SUMMARY]`, perhaps `[DETAILS]`, perhaps `[COMMANDS]`,
one blank line between, no line break at its end. Formatting what was parsed
gives the same text, parsing what was formatted the same sections; what breaks
the form comes back as breaches that name line and rule. Answers are made in
`build`, whose words this form carries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.lazy import attrs, re
from zsh_ls.model.answer import Kind, ProposedCommand

from .markup import Breach, MarkupLine, breaches, lines_of

SUMMARY, DETAILS, COMMANDS = MARKERS = ("[SUMMARY]", "[DETAILS]", "[COMMANDS]")
PROMPTS = {"user": "$ ", "root": "# "}
MAX_SUMMARY_LINES = 2
TO_COLLECT = "To collect this information:"

_MARKER_LIKE = re.compile(r"\[[A-Z][A-Z ]*\]")
_COMMAND = re.compile(r"([$#]) (\S(?:.*\S)?)")


@attrs.frozen
class Sections:
    """The content of an answer, before it has a kind."""

    summary: str
    details: str | None = None
    commands: tuple[ProposedCommand, ...] | None = None


@attrs.frozen
class ParsedForm:
    """The result of parsing: `sections` is None if there are breaches."""

    sections: Sections | None
    breaches: tuple[Breach, ...] = ()


@attrs.frozen
class _Shape:
    """The sections of a kind (ANS-3): required ones and forbidden ones."""

    needs: frozenset[str]
    never: frozenset[str] = frozenset()


SHAPES: dict[Kind, _Shape] = {
    "deterministic": _Shape(frozenset({SUMMARY}), never=frozenset({COMMANDS})),
    "template": _Shape(frozenset({SUMMARY, COMMANDS})),
    "recipe": _Shape(frozenset(MARKERS)),
    "llm": _Shape(frozenset({SUMMARY, DETAILS})),
    "fallback": _Shape(frozenset(MARKERS)),
    "error": _Shape(frozenset({SUMMARY, DETAILS})),
}
# Words ANS-3 fixes: how the summary of a kind begins, and what its details hold.
_OPENINGS: dict[Kind, tuple[str, ...]] = {
    "fallback": ("Unable to determine ",),
    "error": (
        "Failed to execute: ",
        "System telemetry unavailable.",
        "Action plan generation failed.",
    ),
}
_PHRASES: dict[Kind, tuple[str, ...]] = {
    "fallback": ("Reason: ", "Missing: ", TO_COLLECT),
    "error": ("Reason: ",),
}


def format_text(sections: Sections) -> str:
    """The canonical text of `sections`."""
    parts = [f"{SUMMARY}\n{sections.summary}"]
    if sections.details is not None:
        parts.append(f"{DETAILS}\n{sections.details}")
    if sections.commands is not None:
        parts.append("\n".join([COMMANDS, *map(command_line, sections.commands)]))
    return "\n\n".join(parts)


def command_line(proposed: ProposedCommand) -> str:
    """The line of a proposed command: prompt `$ ` for the user, `# ` for root."""
    return PROMPTS[proposed.privilege] + proposed.command


def parse(text: str) -> ParsedForm:
    """The sections of `text`, or all breaches of the rules."""
    lines = lines_of(text)
    found = tuple(sorted(set(_all_breaches(lines))))
    if found:
        return ParsedForm(None, found)
    bodies = {lines[at].text: lines[at + 1 : end] for at, end in _extents(lines)}
    details = _body_text(bodies[DETAILS]) if DETAILS in bodies else None
    commands = None
    if COMMANDS in bodies:
        commands = tuple(
            ProposedCommand(line.text[2:], "root" if line.text[:2] == PROMPTS["root"] else "user")
            for line in bodies[COMMANDS]
        )
    return ParsedForm(Sections(_body_text(bodies[SUMMARY]), details, commands))


def validate(text: str, kind: Kind | None = None) -> tuple[Breach, ...]:
    """All breaches in `text`, with `kind` also of that kind's rules; empty if it is valid."""
    parsed = parse(text)
    if parsed.sections is None or kind is None:
        return parsed.breaches
    return tuple(_kind_breaches(parsed.sections, kind, lines_of(text)))


def _extents(lines: Sequence[MarkupLine]) -> list[tuple[int, int]]:
    """For each section the indexes of its marker and of its body's end."""
    starts = [at for at, line in enumerate(lines) if not line.code and line.text in MARKERS]
    ends = [start - 1 for start in starts[1:]] + [len(lines)]
    return list(zip(starts, ends, strict=False))


def _body_text(body: Sequence[MarkupLine]) -> str:
    return "\n".join(line.text for line in body)


def _all_breaches(lines: Sequence[MarkupLine]) -> Iterator[Breach]:
    yield from _marker_breaches(lines)
    for line in lines:
        if line.text != line.text.rstrip():
            yield Breach(line.number, "trailing-space", "white space at the end of the line")
    prose = list(lines)
    for at, end in _extents(lines):
        body = lines[at + 1 : end]
        yield from _body_breaches(lines[at], body)
        if lines[at].text == COMMANDS:
            prose = [*lines[: at + 1], *lines[end:]]
            # A `# ` line among commands is root's prompt, no heading, so only characters are checked.
            yield from breaches([line._replace(code=True) for line in body])
    yield from breaches(prose)
    # An unclosed fence would swallow the sections after it: is a line further on still code?
    if lines_of("\n".join(line.text for line in lines) + "\n\n")[-1].code:
        number = max((line.number for line in lines if not line.code), default=0) + 1
        yield Breach(number, "open-fence", "fenced code that is never closed")


def _marker_breaches(lines: Sequence[MarkupLine]) -> Iterator[Breach]:
    """Breaches by missing, unknown, repeated, unordered sections, or other than one blank line between."""
    if not lines or lines[0].text != SUMMARY:
        yield Breach(1, "summary-first", f"an answer begins with {SUMMARY}")
    reached = -1
    for line in lines:
        if line.code or not _MARKER_LIKE.fullmatch(line.text):
            continue
        if line.text not in MARKERS:
            yield Breach(line.number, "unknown-section", f"{line.text} is no section")
            continue
        place = MARKERS.index(line.text)
        if place <= reached:
            yield Breach(line.number, "section-order", f"{line.text} is there twice or too late")
        reached = max(reached, place)
        before = [one.text for one in lines[max(0, line.number - 3) : line.number - 1]]
        if before and (before[-1] or before[0] == ""):
            yield Breach(line.number, "section-gap", f"one blank line belongs before {line.text}")


def _body_breaches(marker: MarkupLine, body: Sequence[MarkupLine]) -> Iterator[Breach]:
    """Breaches by empty bodies, blank first or last lines, long summaries, commands without prompt."""
    if not body or not body[0].text or not body[-1].text:
        yield Breach(marker.number, "section-body", f"{marker.text} is empty or has a blank edge")
        return
    if marker.text == SUMMARY:
        for line in body:
            if not line.text:
                yield Breach(line.number, "summary-blank", "a blank line within the summary")
        if len(body) > MAX_SUMMARY_LINES:
            number = body[MAX_SUMMARY_LINES].number
            yield Breach(
                number, "summary-length", f"more than {MAX_SUMMARY_LINES} lines of summary"
            )
    if marker.text == COMMANDS:
        for line in body:
            if not _COMMAND.fullmatch(line.text):
                yield Breach(line.number, "command-prompt", "a command line begins `$ ` or `# `")


def _kind_breaches(sections: Sections, kind: Kind, lines: Sequence[MarkupLine]) -> Iterator[Breach]:
    """Breaches of the rules of ANS-3 for `kind`."""
    starts = {lines[at].text: lines[at].number for at, _ in _extents(lines)}
    shape = SHAPES[kind]
    for name in MARKERS:
        if name in shape.needs - starts.keys():
            yield Breach(len(lines), "kind-sections", f"an answer of kind {kind} has {name}")
        if name in shape.never & starts.keys():
            yield Breach(starts[name], "kind-sections", f"one of kind {kind} never has {name}")
    openings = _OPENINGS.get(kind)
    if openings and not sections.summary.startswith(openings):
        yield Breach(starts[SUMMARY] + 1, "kind-words", f"{kind} begins: {' or '.join(openings)}")
    for phrase in _PHRASES.get(kind, ()):
        if phrase not in f"{sections.details} ":
            line = starts.get(DETAILS, len(lines))
            yield Breach(line, "kind-words", f"the details of {kind} say `{phrase.strip()}`")

"""Templates: a command with its changing parts replaced by `*` (`pip install requests` → `pip install *`).

Kept are the program, the words that name what it does (template_tables), the
names of options, and the targets of build tools. Everything else is a value and
becomes `*`: no template holds an argument's value, also of programs nobody
knows. Wrappers (sudo, env, timeout …), assignments, redirections, heredocs and
preparations (`cd x &&`) are left out. The text given is already redacted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Pipeline, Segment, SegmentKind

from .reading import ParsedWords, read
from .simple_template import CommandPlace, Template, template_of_words
from .template_tables import PREPARATIONS
from .template_words import VALUE

MAX_COMMANDS = 6
MAX_LENGTH = 200

# Compound commands whose own words say what they do; the others are only what is in them.
_HEADED = frozenset(
    {SegmentKind.FOR, SegmentKind.SELECT, SegmentKind.CASE, SegmentKind.REPEAT}
    | {SegmentKind.ARITHMETIC, SegmentKind.CONDITION, SegmentKind.FUNCTION}
)


class Templates:
    """The templates of one text; each of its simple commands is judged once."""

    def __init__(self, reading: ParsedWords, place: CommandPlace | None = None) -> None:
        self.reading = reading
        self.place = place or _TOP
        self._simple: dict[Span, Template] = {}

    def of_all(self) -> Template:
        """The template of the whole text, preparations left out where something else is done."""
        walker = _Walker(self)
        walker.walk(self.reading.script.pipelines)
        return walker.joined()

    def of(self, segment: Segment) -> Template:
        """The template of one segment of a pipeline."""
        walker = _Walker(self)
        walker.segment(segment, ";")
        return walker.joined()

    def of_simple(self, segment: Segment) -> Template:
        """The template of a segment's own words, without what stands in its bodies."""
        known = self._simple.get(segment.span)
        if known is None:
            known = self._simple[segment.span] = self._judged(segment)
        return known

    def _judged(self, segment: Segment) -> Template:
        if segment.kind is not SegmentKind.SIMPLE:
            word = segment.command_word or segment.kind.value
            return Template(f"{word} {VALUE}", word)
        return template_of_words(self.reading.commands[segment.span].words, self.place)


def _of_text(text: str, place: CommandPlace) -> Template:
    return Templates(read(text), place).of_all()


_TOP = CommandPlace(_of_text)


class _Walker:
    """Collects the templates of simple commands, each with the operator behind it."""

    def __init__(self, templates: Templates) -> None:
        self.templates = templates
        self.parts: list[tuple[Template, str]] = []

    def walk(self, pipelines: Sequence[Pipeline], behind: str = ";") -> None:
        """The pipelines of one list; `behind` is the operator behind the list."""
        for number, pipeline in enumerate(pipelines, 1):
            last = behind if number == len(pipelines) else pipeline.connector.value or ";"
            for place, segment in enumerate(pipeline.segments, 1):
                self.segment(segment, last if place == len(pipeline.segments) else "|")

    def segment(self, segment: Segment, behind: str) -> None:
        """One segment, with the operator behind it."""
        if segment.kind in _HEADED or not segment.bodies:
            inside = ";" if segment.bodies else behind
            self.parts.append((self.templates.of_simple(segment), inside))
        if segment.kind is SegmentKind.FUNCTION:
            return
        for number, body in enumerate(segment.bodies, 1):
            self.walk(body.pipelines, behind if number == len(segment.bodies) else ";")

    def joined(self) -> Template:
        """What was collected, as one template."""
        return _joined([part for part in self.parts if part[0].text])


def _joined(parts: Sequence[tuple[Template, str]]) -> Template:
    if len(parts) == 1:
        only = parts[0][0]
        return Template(_cut(only.text), _cut(only.base), only.ssh)
    doing = list(_without_preparations(parts)) or list(parts[-1:])
    shown = doing[:MAX_COMMANDS]
    texts = [part.text + _glue(behind, more) for part, behind, more in _with_more(shown)]
    bases = [part.base + _glue(behind, more) for part, behind, more in _with_more(shown)]
    ending = " ; …" if len(doing) > MAX_COMMANDS else ""
    ssh = shown[-1][0].ssh if shown else None
    return Template(_cut("".join(texts) + ending), _cut("".join(bases)), ssh)


def _with_more(parts: Sequence[tuple[Template, str]]) -> Iterator[tuple[Template, str, bool]]:
    for number, (template, behind) in enumerate(parts, 1):
        yield template, behind, number < len(parts)


def _glue(behind: str, more: bool) -> str:
    return f" {behind} " if more else ""


def _without_preparations(parts: Sequence[tuple[Template, str]]) -> Iterator[tuple[Template, str]]:
    """What is left when `cd x &&` and its like go; a segment of a pipeline prepares nothing."""
    before = ";"
    for template, behind in parts:
        in_a_pipeline = "|" in (before, behind)
        if in_a_pipeline or template.text.partition(" ")[0] not in PREPARATIONS:
            yield template, behind
        before = behind


def _cut(text: str) -> str:
    return text if len(text) <= MAX_LENGTH else text[: MAX_LENGTH - 1] + "…"

"""What a command is remembered as: its redacted text, hash, template, base, segments, ssh side.

`identify` is the one way from a command's text to the keys of memory. All of it
is computed after redaction. Whole commands of any length are handled, and the
time grows with the length alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache

import attrs

from zsh_ls.model.syntax import Segment, SegmentKind
from zsh_ls.shell.redaction import redact
from zsh_ls.shell.syntax._regex import compiled
from zsh_ls.shell.words.words import ParsedWords, read
from zsh_ls.shell.words.wrappers import command_word, last_simple

from .template import Ssh, Templates

# Of templates, hashes and redaction together: when it changes, stored keys are made anew.
RULES_VERSION = 4
# Reading words costs some 20 s a megabyte; what tells a command from another stands at its beginning.
LONGEST_READ = 16_384
# What stands for the text of a command that begins with a space, wherever commands are told of.
NOT_KEPT = "(not kept)"
_BETWEEN = compiled(r"&&|\|\||\|&|;;|[;|&()]|'[^']*'|\"(?:[^\"\\]|\\.)*+\"", re.DOTALL)
_WHITE = re.compile(r"(?:\s|\\\n)+")
_WHOLE_NUMBER = re.compile(r"(?<!\w)(?<!\d\.)\d++(?!\w)(?!\.\d)", re.ASCII)


@attrs.frozen
class Identity:
    """A command's keys.

    `hash` (16 hex digits) ignores the amount of white space, the contents of
    quotes and whole numbers (RUN-15). `base` is the program and what it does
    (`git push`). `segments` are the templates of the last pipeline's segments
    where it has several. `command` gives the exit (exits.normal_meaning), empty
    where `!` makes it; `keeps_text` is False where the person began the command
    with a space.
    """

    text: str
    keeps_text: bool
    hash: str
    template: str
    base: str
    segments: tuple[str, ...]
    command: str
    ssh: Ssh | None


def identify(command: str, extra: tuple[str, ...] = ()) -> Identity:
    """The identity of `command`; `extra` are the user's own redaction patterns.

    Of a text beyond LONGEST_READ characters the beginning is read, and its
    `text` ends there; of the rest only how long it is counts for the hash.
    """
    beginning = _identify_cached(command[:LONGEST_READ], extra)
    if len(command) <= LONGEST_READ:
        return beginning
    rest = len("".join(command[LONGEST_READ:].split()))
    whole = hashlib.sha256(f"{beginning.hash} {rest}".encode()).hexdigest()[:16]
    return attrs.evolve(beginning, hash=whole)


def told(command: str, extra: tuple[str, ...] = ()) -> str:
    """What is said of a command in any list, title, label, log or answer (ALAN-7).

    Its text without secrets, NOT_KEPT where the person began it with a space. Of a text beyond
    LONGEST_READ characters the beginning is told. This is the one way from a command to what
    others are shown of it; told twice it stays what it is.
    """
    if command.startswith(" "):
        return NOT_KEPT
    text = identify(command, extra).text
    return text if len(command) <= LONGEST_READ else f"{text}…"


def _identify(command: str, extra: tuple[str, ...]) -> Identity:
    text = redact.redact(command, extra)
    reading = read(text)
    pipelines = reading.script.pipelines
    templates = Templates(reading)
    template = templates.of_all()
    last = last_simple(pipelines)
    return Identity(
        text=text,
        keeps_text=not command.startswith(" "),
        hash=hashlib.sha256(canonical(reading).encode("utf-8", "replace")).hexdigest()[:16],
        template=template.text,
        base=template.base,
        segments=_segments(reading, templates),
        command=_command(reading, last) if last and not pipelines[-1].negated else "",
        ssh=templates.of(last).ssh if last else None,
    )


_identify_cached = lru_cache(maxsize=4096)(_identify)


def _segments(reading: ParsedWords, templates: Templates) -> tuple[str, ...]:
    pipelines = reading.script.pipelines
    parts = pipelines[-1].segments if pipelines else ()
    if len(parts) < 2:
        return ()
    return tuple(templates.of(part).text for part in parts)


def _command(reading: ParsedWords, last: Segment) -> str:
    if last.kind is SegmentKind.SIMPLE:
        return command_word(reading.commands[last.span].texts)
    return last.command_word


def canonical(reading: ParsedWords) -> str:
    """The text with quotes emptied, white space and whole numbers evened out; what the hash is of."""
    text, pieces, at = reading.script.text, [], 0
    for start, end, shown in _landmarks(reading):
        pieces += [text[at:start], shown]
        at = end
    evened = _WHITE.sub(_white, "".join([*pieces, text[at:]]))
    return _WHOLE_NUMBER.sub("0", evened).strip()


def _landmarks(reading: ParsedWords) -> Iterator[tuple[int, int, str]]:
    """What stands otherwise in the canonical text: contents of quotes, operators between words."""
    quotes = [(start, end, "") for word in reading.words for start, end in word.quoted]
    at = 0
    for landmark in sorted([*quotes, *_between_words(reading)]):
        if landmark[0] >= at:
            yield landmark
            at = landmark[1]


def _between_words(reading: ParsedWords) -> Iterator[tuple[int, int, str]]:
    """Operators, and the quotes of words that belong to no command: `for x in "a b"`."""
    for gap in reading.gaps:
        for found in _BETWEEN.finditer(reading.script.text, gap.start, gap.end):
            if found[0][0] in "'\"":
                yield found.start() + 1, found.end() - 1, ""
            else:
                yield found.start(), found.end(), f" {found[0]} "


def _white(found: re.Match[str]) -> str:
    return "\n" if "\n" in found[0].replace("\\\n", "") else " "

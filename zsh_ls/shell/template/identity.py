"""A command's identity in memory: redacted text, hash, template, base, segments, ssh host and command.

All of it is computed from the redacted text. Commands may have any length, and time
is linear in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256

from zsh_ls.lazy import attrs, re
from zsh_ls.model.syntax import SegmentKind
from zsh_ls.shell.redaction import redact
from zsh_ls.shell.syntax._regex import compiled
from zsh_ls.shell.words.words import ParsedWords, read
from zsh_ls.shell.words.wrappers import command_word, last_simple

from .template import Ssh, Templates

# Version of the rules of templates, hashes and redaction: a change has stored keys recomputed.
RULES_VERSION = 4
# Parsing takes some 20 s per megabyte, and commands differ at their beginnings.
LONGEST_READ = 16_384
# Shown in place of a command that begins with a space.
NOT_KEPT = "(not kept)"
_BETWEEN = compiled(r"&&|\|\||\|&|;;|[;|&()]|'[^']*'|\"(?:[^\"\\]|\\.)*+\"", re.DOTALL)
_WHITE = re.compile(r"(?:\s|\\\n)+")
_WHOLE_NUMBER = re.compile(r"(?<!\w)(?<!\d\.)\d++(?!\w)(?!\.\d)", re.ASCII)


@attrs.frozen
class Identity:
    """What identifies a command.

    `hash` (16 hex digits) ignores the amount of white space, the contents of
    quotes and whole numbers (RUN-15). `base` is the program and what it does
    (`git push`). `segments` are the templates of the last pipeline's segments, empty
    if it has only one. `command` is the program whose exit status the whole returns
    (see `exit_codes`), empty if `!` inverts it. `keeps_text` is False if the command
    begins with a space.
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
    r"""The identity of `command`; `extra` are the user's own redaction patterns.

    Only the first LONGEST_READ characters of a longer text are parsed, and its `text`
    ends there; the length of the rest is part of the hash. A byte that is no character is
    written as `\xff` is: memory is text.
    """
    if not command.isascii():
        command = _in_characters(command)
    beginning = _identify_cached(command[:LONGEST_READ], extra)
    if len(command) <= LONGEST_READ:
        return beginning
    rest = len("".join(command[LONGEST_READ:].split()))
    whole = sha256(f"{beginning.hash} {rest}".encode()).hexdigest()[:16]
    return attrs.evolve(beginning, hash=whole)


def _in_characters(command: str) -> str:
    try:
        command.encode()
    except UnicodeEncodeError:  # Python's surrogates, for a byte of a command line
        raw = command.encode("utf-8", "surrogatepass")
        with suppress(UnicodeEncodeError):  # those of JSON mean no byte
            raw = command.encode("utf-8", "surrogateescape")
        return raw.decode("utf-8", "backslashreplace")
    return command


def shown_command(command: str, extra: tuple[str, ...] = ()) -> str:
    """The command as it may be shown in lists, titles, labels, logs and answers (ALAN-7).

    That is its redacted text, shortened to LONGEST_READ characters, or NOT_KEPT if it begins
    with a space. Idempotent. All code that shows a command to others uses this function.
    """
    # As in the shells' own histories: who begins a line with a space wants it to be written nowhere.
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
    parts = pipelines[-1].segments if pipelines else ()
    last = last_simple(pipelines)
    # Under `!` the exit is the inverted one: grep did not exit with 1 there, and 1 is not its "no match".
    program = ""
    if last and not pipelines[-1].negated:
        program = last.command_word
        if last.kind is SegmentKind.SIMPLE:
            program = command_word(reading.commands[last.span].texts)
    return Identity(
        text=text,
        keeps_text=not command.startswith(" "),
        hash=sha256(canonical(reading).encode("utf-8", "replace")).hexdigest()[:16],
        template=template.text,
        base=template.base,
        segments=tuple(templates.of(part).text for part in parts) if len(parts) > 1 else (),
        command=program,
        ssh=templates.of(last).ssh if last else None,
    )


# A run, its record and its insights each ask for the same command's identity.
_identify_cached = lru_cache(maxsize=4096)(_identify)


def canonical(reading: ParsedWords) -> str:
    """The text that is hashed: empty quotes, white space collapsed, whole numbers replaced by 0."""
    text, pieces, at = reading.script.text, [], 0
    for start, end, shown in _replacements(reading):
        pieces += [text[at:start], shown]
        at = end
    # White space is one blank, or one line end where it has one that no backslash removes.
    normalized = _WHITE.sub(
        lambda found: "\n" if "\n" in found[0].replace("\\\n", "") else " ",
        "".join([*pieces, text[at:]]),
    )
    return _WHOLE_NUMBER.sub("0", normalized).strip()


def _replacements(reading: ParsedWords) -> Iterator[tuple[int, int, str]]:
    """Replacements (start, end, text) for the canonical text: of quoted text and operators."""
    found = [(start, end, "") for word in reading.words for start, end in word.quoted]
    for gap in reading.gaps:
        for sign in _BETWEEN.finditer(reading.script.text, gap.start, gap.end):
            if sign[0][0] in "'\"":
                # Words that belong to no command are in gaps too: `for x in "a b"`.
                found.append((sign.start() + 1, sign.end() - 1, ""))
            else:
                found.append((sign.start(), sign.end(), f" {sign[0]} "))
    at = 0
    for replacement in sorted(found):
        if replacement[0] >= at:
            yield replacement
            at = replacement[1]

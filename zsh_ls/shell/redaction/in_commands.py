"""Finds the secrets of a command in its words: after names, and where known programs take them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from zsh_ls.lazy import re
from zsh_ls.model.span import Span, merged
from zsh_ls.shell.words.words import Command, ParsedWords, Word, read

from .commands import SimpleCommand, encoded, is_file_of_a_secret, producers, typed_secrets
from .names import is_no_secret, looks_like_a_password
from .text import secrets_in, tokens_in_prose
from .vendor_tokens import tokens

_MAX_DEPTH = 3  # of code within quotes within quotes
_MAX_INNER_COMMANDS = (
    20  # commands in one substitution or group whose printed words are searched at most
)
_BLANK = re.compile(r"\s")
_ARRAY = re.compile(r"\w{1,80}\+?=\((?P<elements>.*)\)", re.DOTALL)
_VALUE_OF_NAME = re.compile(r"[\w.\-]{1,80}\+?=")
_ASSIGNMENT = re.compile(r"(?P<name>[A-Za-z_]\w{0,80})=(?P<value>[^\n]{4,400})")
_REFERENCE = re.compile(r"\$(?:\{(?P<braced>\w{1,80})\}|(?P<name>[A-Za-z_]\w{0,80}))")
_MAX_VARIABLES = 50
_NO_WORD = re.compile(r"[^A-Za-z0-9_.-]")


def secrets_in_command(text: str) -> Iterator[Span]:
    """The secrets that stand in words, heredocs, comments and code within quotes; they may overlap."""
    yield from _secrets(text, 0)


def _secrets(text: str, depth: int) -> Iterator[Span]:
    """The secrets of code that stands `depth` levels deep in quotes."""
    reading = read(text)
    yield from _in_documents(reading)
    yield from _in_variables(reading, depth) if depth < _MAX_DEPTH else ()
    prose: set[Span] = set()
    aliases: set[Span] = set()
    keys: set[Span] = set()
    for command in reading.commands.values():
        judged = SimpleCommand(command.words)
        prose.update(command.words[at].span for at in judged.prose())
        aliases.update(word.span for word in command.words if judged.program == "alias")
        keys.update(command.words[at].span for at in judged.store_keys())
        for word, start, end in judged.secrets():
            yield from word.sources(start, end)
        yield from _in_streams(reading, command, judged)
        if depth < _MAX_DEPTH and command.heredocs and judged.reads_code():
            # A shell runs the commands in the heredoc, here or on another machine.
            for body in command.heredocs:
                for found in _secrets(reading.script.source(body), depth + 1):
                    yield found.shifted(body.start)
    for word in reading.words:
        if word.span in prose:
            found_in_word = tokens_in_prose(word.text)
        elif word.span in keys:
            # `session:X` names a key of the store; only a vendor's form makes a secret of it.
            found_in_word = tokens(word.text)
        else:
            # An alias is code, which is searched as such.
            found_in_word = iter(()) if word.span in aliases else secrets_in(word.text)
            yield from _in_code(reading, word, depth)
        for start, end in found_in_word:
            yield from word.sources(start, end)


def _in_variables(reading: ParsedWords, depth: int) -> Iterator[Span]:
    """Secrets that are assigned to a variable first: `p=X; mytool --password "$p"`.

    The text is searched again with references replaced by the values. If a secret is found in
    place of a reference, the assigned value is one.
    """
    # Judged by its place, not by the variable's name, which may say nothing: `x=X; curl -u "bob:$x"`.
    text = reading.script.text
    if "=" not in text or not _REFERENCE.search(text):
        return
    assigned: dict[str, list[tuple[Word, int]]] = {}
    for word in islice(
        (word for word in reading.words if word.literal and "=" in word.text), _MAX_VARIABLES
    ):
        found = _ASSIGNMENT.fullmatch(word.text)
        if found and not is_no_secret(found["value"]):
            assigned.setdefault(found["name"], []).append((word, found.start("value")))
    pieces: list[str] = []
    places: list[tuple[Span, tuple[Word, int]]] = []
    at = length = 0
    references = islice(_REFERENCE.finditer(text), _MAX_VARIABLES)
    for reference in references if assigned else ():
        before = [
            value
            for value in assigned.get(reference["name"] or reference["braced"], ())
            if value[0].span.end <= reference.start()
        ]
        if not before:
            continue
        word, start = before[-1]
        value = _NO_WORD.sub("_", word.text[start:])
        pieces += [text[at : reference.start()], value]
        length += reference.start() - at
        places.append((Span(length, length + len(value)), before[-1]))
        length += len(value)
        at = reference.end()
    if not places:
        return
    secrets = list(merged(_secrets("".join([*pieces, text[at:]]), depth + 1)))
    for place, (word, start) in places:
        if any(secret.start <= place.start and place.end <= secret.end for secret in secrets):
            yield from word.sources(start, len(word.text))


def _in_documents(reading: ParsedWords) -> Iterator[Span]:
    """Secrets in comments, in heredocs, and in text that belongs to no word.

    The first two may be files of settings, whose lines are `name: value`.
    """
    script = reading.script
    documents = [*script.comments, *(heredoc.body for heredoc in script.heredocs)]
    for spans, is_document in ((documents, True), (reading.gaps, False)):
        for span in spans:
            for found in secrets_in(script.source(span), is_document=is_document):
                yield found.shifted(span.start)


def _in_streams(reading: ParsedWords, command: Command, judged: SimpleCommand) -> Iterator[Span]:
    """What is printed or redirected to a program that reads a secret, or to a file of secrets."""
    if judged.program == "base64":
        for producer in producers(command):
            for word, start, end in encoded(SimpleCommand(producer.words).printed()):
                yield from word.sources(start, end)
    if judged.program == "expect":
        for body in command.heredocs:
            for start, end in typed_secrets(reading.script.source(body)):
                yield Span(body.start + start, body.start + end)
    has_input = command.producer or command.inputs or command.heredocs
    if has_input and judged.reads_secret():
        yield from _whole(command.inputs)
        yield from (reading.lines(body) for body in command.heredocs)
        for producer in producers(command):
            yield from _whole(_printed_within(reading, producer.span))
    if judged.asks_for_secret():
        yield from _whole(word for word in command.inputs if _is_one_word(word))
    if any(is_file_of_a_secret(file.text) for file in command.outputs):
        yield from _whole(word for word in judged.printed() if _is_one_word(word))
        yield from (reading.lines(body) for body in command.heredocs)
    yield from _in_files(reading, command, judged)


def _in_files(reading: ParsedWords, command: Command, judged: SimpleCommand) -> Iterator[Span]:
    """What is printed within a substitution: `--key-file <(echo X)`, `TOKEN=$(echo X)`."""
    for file in judged.files_of_secrets():
        yield from _whole(_printed_within(reading, file.span))
        name = _VALUE_OF_NAME.match(file.text)
        at = name.end() if name else 0
        for inner in read(file.text[at:]).commands.values() if file.literal else ():
            for printed in SimpleCommand(inner.words).printed():
                yield from file.sources(at + printed.span.start, at + printed.span.end)
    substituted = [word for word in command.words if not word.literal]
    piped = [word for word in substituted if "<(" in reading.script.source(word.span)]
    is_kept = bool(piped) and any(map(is_file_of_a_secret, judged.texts[1:]))
    for word in piped:
        for printed in _printed_within(reading, word.span):
            if is_kept or looks_like_a_password(printed.text):
                yield from _whole([printed])


def _printed_within(reading: ParsedWords, span: Span) -> Iterator[Word]:
    for command in islice(reading.within(span), _MAX_INNER_COMMANDS):
        yield from SimpleCommand(command.words).printed()


def _is_one_word(word: Word) -> bool:
    return word.literal and not any(char.isspace() for char in word.text.strip())


def _whole(words: Iterable[Word]) -> Iterator[Span]:
    for word in words:
        yield from word.sources(0, len(word.text))


def _in_code(reading: ParsedWords, word: Word, depth: int) -> Iterator[Span]:
    """Secrets in the code that a quoted word may be, or the value of `name='code'`, `name=(code)`."""
    if depth >= _MAX_DEPTH or not _BLANK.search(word.text):
        return
    if array := _ARRAY.fullmatch(reading.script.source(word.span)):
        for found in _secrets(array["elements"], depth + 1):
            yield found.shifted(word.span.start + array.start("elements"))
    if not word.quoted:
        return
    name = _VALUE_OF_NAME.match(word.text)
    is_value = name is not None and word.quoted[0].start > word.span.start + name.end()
    at = name.end() if name and is_value else 0
    for start, end in _secrets(word.text[at:], depth + 1):
        yield from word.sources(at + start, at + end)

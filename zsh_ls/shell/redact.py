"""Secrets out of a command, before it is hashed, stored, logged or shown (ALAN-7).

Secrets are looked for in words, as the parser tells them apart: behind names (`PASSWORD=…`,
`--token …`, `"password": …`), in the places where known programs take them
(`mysql -p…`, `curl -u user:…`, `echo … | sudo -S`), and by the shape of known
tokens. Text is never cut, its time grows with its length alone, and redacting
twice changes nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from zsh_ls.model.span import Span
from zsh_ls.shell.reading import Command, Reading, Word, read
from zsh_ls.shell.secret_command import SimpleCommand
from zsh_ls.shell.secret_text import secrets_in, tokens_in, tokens_in_prose

MARKER = "‹redacted›"
_MAX_DEPTH = 3  # code within quotes within quotes …


def redact(text: str, extra_patterns: Sequence[str] = ()) -> str:
    """`text` with every secret replaced by MARKER.

    `extra_patterns` are regular expressions of the user's own: what their first
    group matches goes too, or the whole match where they have none. One that
    does not compile is passed over (the settings say so).
    """
    return _replaced(text, [*_secrets(text, 0), *_matches(text, extra_patterns)])


def mask_output(text: str) -> str:
    """Output with the secrets of known form replaced, as agents are shown it."""
    return _replaced(text, tokens_in(text))


def _replaced(text: str, spans: Iterable[Span]) -> str:
    pieces, at = [], 0
    for span in _merged(spans):
        pieces += [text[at : span.start], MARKER]
        at = span.end
    return "".join([*pieces, text[at:]])


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    """Overlapping spans as one; empty ones go."""
    current: Span | None = None
    for span in sorted(span for span in spans if span.start < span.end):
        if current is None:
            current = span
        elif span.start < current.end:
            current = Span(current.start, max(current.end, span.end))
        else:
            yield current
            current = span
    if current is not None:
        yield current


def _matches(text: str, patterns: Sequence[str]) -> Iterator[Span]:
    for pattern in patterns:
        try:
            compiled = re.compile(pattern)
        except re.error:
            continue
        for found in compiled.finditer(text):
            yield Span(*found.span(1 if compiled.groups and found[1] is not None else 0))


def _secrets(text: str, depth: int) -> Iterator[Span]:
    reading = read(text)
    yield from _in_documents(reading)
    prose: set[Span] = set()
    for command in reading.commands.values():
        judged = SimpleCommand(command.words)
        prose.update(command.words[at].span for at in judged.prose())
        yield from _in_command(command, judged)
        yield from _in_files(reading, judged)
    for word in reading.words:
        yield from _in_prose(word) if word.span in prose else _in_word(word, depth)


def _in_documents(reading: Reading) -> Iterator[Span]:
    """Secrets in comments, in the bodies of heredocs, and in what the parser could not place."""
    script = reading.script
    documents = [*script.comments, *(heredoc.body for heredoc in script.heredocs)]
    for spans, is_document in ((documents, True), (reading.gaps, False)):
        for span in spans:
            for found in secrets_in(script.source(span), is_document=is_document):
                yield found.shifted(span.start)


def _in_command(command: Command, judged: SimpleCommand) -> Iterator[Span]:
    for word, start, end in judged.secrets():
        yield from word.sources(start, end)
    if judged.reads_secret():
        yield from _whole(command.inputs)
        yield from command.heredocs
        if command.producer is not None:
            yield from _whole(SimpleCommand(command.producer.words).printed())


def _in_files(reading: Reading, judged: SimpleCommand) -> Iterator[Span]:
    """What is printed into a file of secrets: `--key-file <(echo X)`."""
    for file in judged.files_of_secrets():
        for command in reading.within(file.span):
            yield from _whole(SimpleCommand(command.words).printed())
        for command in read(file.text).commands.values() if file.literal else ():
            for printed in SimpleCommand(command.words).printed():
                yield from file.sources(*printed.span)


def _in_prose(word: Word) -> Iterator[Span]:
    for start, end in tokens_in_prose(word.text):
        yield from word.sources(start, end)


def _whole(words: Iterable[Word]) -> Iterator[Span]:
    for word in words:
        yield from word.sources(0, len(word.text))


def _in_word(word: Word, depth: int) -> Iterator[Span]:
    """Secrets by their shape, and those of the code a quoted word may be."""
    for start, end in secrets_in(word.text):
        yield from word.sources(start, end)
    if depth < _MAX_DEPTH and word.quoted and any(char.isspace() for char in word.text):
        for start, end in _secrets(word.text, depth + 1):
            yield from word.sources(start, end)

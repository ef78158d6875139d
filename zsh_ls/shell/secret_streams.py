"""Secrets that one command prints and another reads: `echo X | sudo -S`, `echo X > ~/.pgpass`.

Which programs print, which read a secret from their input, and which files
hold one is data of `secret_programs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from .reading import Command, Word
from .secret_found import FoundSecret, whole
from .secret_names import is_no_secret, looks_random, names_a_secret, parts
from .secret_programs import (
    FILTERS,
    KEEPS,
    KEPT,
    LETS_IN,
    NAMED_AFTER_SECRET,
    PRINTERS,
    READS_SECRET,
    STDIN_OPTION,
    TEXT_TOOLS,
)
from .wrappers import base_name

_LONGEST_PIPE = 8  # so many filters between who prints and who reads are looked through
_FORMAT = re.compile(r"(?<![\w.\-])([\w.\-]++)[=: ]{1,3}[\"']?%s")
_USER_FORMAT = re.compile(r"\buser\s?=\s?[\"']?[^\"'%\s]{1,80}:%s")
_PAIR = re.compile(r"[^\s:]{1,80}:(?=\S)")
_SECRET_FILE = re.compile(r"\.?(?P<stem>[\w.-]+?)(?:\.(?:txt|key|pass|pw|pwd|secret|token))?")


def reads_secret(texts: Sequence[str]) -> bool:
    """Whether one program, its words `texts`, takes a secret from its standard input."""
    program, own = base_name(texts[0]), texts[1:]
    signs = READS_SECRET.get(program)
    if signs and ("" in signs or signs.intersection(own)):
        return True
    if any(text.startswith("-") and _says_stdin(text) for text in own):
        return True
    if program == "read":
        return any(names_a_secret(text) for text in own if not text.startswith("-"))
    if program.endswith(NAMED_AFTER_SECRET):
        return True
    return program not in TEXT_TOOLS and _lets_in_or_keeps(own)


def _says_stdin(option: str) -> bool:
    """`--password-stdin`, `--passwd-on-stdin`; `--annotate-stdin` says nothing of a secret."""
    found = STDIN_OPTION.fullmatch(option)
    return found is not None and any(map(names_a_secret, parts(found[1])))


def _lets_in_or_keeps(own: Sequence[str]) -> bool:
    """`vendor login`, `wrangler secret put X`: words that say what is done with the input."""
    operands = [text for text in own[:6] if not text.startswith("-")][:4]
    if LETS_IN.intersection(operands[:2]):
        return True
    return not KEEPS.isdisjoint(operands) and not KEPT.isdisjoint(operands)


def printed(texts: Sequence[str], words: Sequence[Word], at: int) -> list[Word]:
    """The words a command prints if its program, at `at`, is one that prints its operands."""
    if base_name(texts[at]) not in PRINTERS:
        return []
    return [word for word in words[at + 1 :] if _is_printed_value(word.text)]


def _is_printed_value(text: str) -> bool:
    return not text.startswith("-") and "%" not in text[:2] and not is_no_secret(text)


def printed_names(words: Sequence[Word]) -> Iterator[FoundSecret]:
    """`echo token: X`, `printf 'password=%s' X`; `words` are those behind the printing program."""
    for index, word in enumerate(words):
        if _is_secret_format(word.text):
            for value in words[index + 1 :]:
                yield from whole(value)
            break
    for name, value in pairwise(words):
        if name.text.endswith(":") and names_a_secret(name.text[:-1]):
            yield from whole(value) if looks_random(value.text, at_least=8) else ()


def _is_secret_format(text: str) -> bool:
    named = any(names_a_secret(found[1]) for found in _FORMAT.finditer(text))
    return named or _USER_FORMAT.search(text) is not None


def encoded(words: Sequence[Word]) -> Iterator[FoundSecret]:
    """`bob:X` of what is printed to be encoded, as the header of HTTP's basic log-in wants it."""
    for word in words:
        found = _PAIR.match(word.text)
        if found and " " not in word.text and not is_no_secret(word.text[found.end() :]):
            yield FoundSecret(word, found.end(), len(word.text))


def producers(command: Command) -> Iterator[Command]:
    """The commands whose output reaches `command`, through filters that let it pass."""
    producer = command.producer
    for _ in range(_LONGEST_PIPE):
        if producer is None:
            return
        yield producer
        name = base_name(producer.words[0].text) if producer.words else ""
        producer = producer.producer if name in FILTERS else None


def is_file_of_a_secret(path: str) -> bool:
    """Whether a file is called after the secret it holds: `~/.pgpass`, `/run/secrets/db`, `api_token.txt`."""
    folder, _, name = path.rpartition("/")
    found = _SECRET_FILE.fullmatch(name[-100:])
    if not found or name.endswith((".pub", ".md")):
        return False
    stem = found["stem"]
    named = names_a_secret(stem) or names_a_secret(stem.removesuffix("s"))
    return named or folder.endswith(("/secrets", "/credentials"))

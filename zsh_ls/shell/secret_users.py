"""Secrets beside a user's name, whatever the program: `-u bob -p X`, `-u bob:X`, `corp/bob:X@host`.

Programs of which it is known that these options mean something else
(ports, owners of files) are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from .reading import Word
from .secret_found import FoundSecret, part, whole
from .secret_names import is_no_secret, looks_generated, looks_like_a_password
from .secret_programs import (
    ALWAYS_USER_AND_PASSWORD,
    LETS_IN,
    P_IS_NO_PASSWORD,
    PERHAPS_USER_AND_PASSWORD,
    PERHAPS_USER_OPTIONS,
    USER_AND_PASSWORD,
    USER_IS_OWNER,
    USER_OPTIONS,
)
from .word_set import word_set
from .wrappers import base_name

_LEAST = 4  # shorter words behind a user are ports, sizes and switches
_PAIR = re.compile(r"[\w.@\\-]{1,80}[:%](?![/:])")
_ADDRESS = re.compile(r"[\dA-Fa-f:./]+")
_LOGIN = re.compile(
    r"(?P<domain>[\w.-]{1,80}[/\\])?(?P<user>[\w.$-]{1,80}):(?P<password>[^\s:/\\][^\s]*)@(?P<host>[\w.-]+(?::\d+)?(?:/\S*)?)"
)
_HOST = re.compile(
    r"localhost\b.*|\d+(?:\.\d+){3}\b.*|[\w-]+(?:\.[\w-]+)*(?:\.[A-Za-z]{2,}\b|:\d).*"
)
# `npm:left-pad@1.0`, `mailto:bob@example.com`: what is before the colon is no user.
_NO_USERS = word_set(
    "mailto sip sips xmpp acct npm jsr file workspace link git pkg im smtp docker oci tel"
)
_FILE_OR_PROJECT = re.compile(r"[\w-]+\.[a-z]{1,5}|[A-Z]{2,10}")
# Programs whose operands are `domain/user:password@target`, whatever the target is called.
_IMPACKET = re.compile(r"impacket-\w+|\w+\.py")
_DOMAIN_USER = re.compile(r"[\w.-]+/[\w.$-]+:(?P<password>[^\s:/@]{4,})")


def beside_users(own: Sequence[Word]) -> Iterator[FoundSecret]:
    """The secrets beside users among one program's words, its name the first and what it runs the last."""
    program = base_name(own[0].text)
    yield from _in_pairs(program, own)
    if program not in P_IS_NO_PASSWORD:
        yield from _behind_letters(own)
    is_loose = _IMPACKET.fullmatch(program) is not None
    for word in own[1:]:
        yield from _before_host(word, is_loose=is_loose)


def _in_pairs(program: str, own: Sequence[Word]) -> Iterator[FoundSecret]:
    """`-u bob:X`, `--creds=bob:X`, `-U bob%X`; `-u app:app` and `-a host:80` are none."""
    for index, word in enumerate(own[1:], 1):
        name, equals, _ = word.text.partition("=")
        start = len(name) + 1 if equals else 0
        found = _PAIR.match(word.text, start)
        option = name if equals else own[index - 1].text
        if found and _is_pair(program, option, word.text[start:], word.text[found.end() :]):
            yield from part(word, found.end())


def _is_pair(program: str, option: str, value: str, password: str) -> bool:
    if option in ALWAYS_USER_AND_PASSWORD:
        return True
    if "://" in value or _ADDRESS.fullmatch(value):
        return False
    if option in PERHAPS_USER_AND_PASSWORD and looks_like_a_password(password):
        return True
    if option not in USER_AND_PASSWORD or program in USER_IS_OWNER:
        return False
    user = value[: len(value) - len(password) - 1]
    return len(password) >= _LEAST and not password.isdigit() and password != user


def _behind_letters(own: Sequence[Word]) -> Iterator[FoundSecret]:
    """`-u bob -p X`, `login bob -p X`: what `-p` is beside a user, or where the work is to log in."""
    options = list(takewhile(lambda word: word.text != "--", own))
    texts = [word.text for word in options]
    letter = next((letter for letter in ("-p", "-P") if letter in texts), "")
    if not letter:
        return
    is_sure = _names_a_user(texts) or not LETS_IN.isdisjoint(texts[1 : min(5, texts.index(letter))])
    is_likely = not (USER_OPTIONS | PERHAPS_USER_OPTIONS).isdisjoint(texts)
    for option, value in pairwise(options):
        if option.text != letter:
            continue
        may_be = (is_sure or is_likely) and _may_be_password(value.text, is_sure=is_sure)
        if may_be or looks_generated(value.text):
            yield from whole(value)


def _names_a_user(texts: Sequence[str]) -> bool:
    spoken = any(text.startswith(("--user=", "--username=", "--login=")) for text in texts)
    behind = (value for option, value in pairwise(texts) if option in USER_OPTIONS)
    return spoken or any(not value.startswith("-") and "://" not in value for value in behind)


def _may_be_password(value: str, *, is_sure: bool) -> bool:
    if len(value) < _LEAST or value.isdigit() or value.startswith(("-", "/")):
        return False
    if (
        is_sure
        and not _FILE_OR_PROJECT.fullmatch(value)
        and not any(sign in value for sign in "/=")
    ):
        return True
    return looks_like_a_password(value, kinds=2, neutral="._-/:@,")


def _before_host(word: Word, *, is_loose: bool) -> Iterator[FoundSecret]:
    """`corp/bob:X@10.0.0.5`, `bob:X@db.example.com`; `alpine:3.19@sha256:…` is none."""
    if ":" not in word.text or word.text.startswith("-"):
        return
    found = _LOGIN.fullmatch(word.text)
    if found and found["user"].lower() not in _NO_USERS:
        in_domain = found["domain"] and looks_like_a_password(found["password"])
        is_host = is_loose or in_domain or _HOST.fullmatch(found["host"])
        if is_host and not found["host"].startswith("sha256:"):
            yield from _password(word, found)
        return
    found = _DOMAIN_USER.fullmatch(word.text) if is_loose else None
    if found and looks_like_a_password(found["password"], kinds=2):
        yield from _password(word, found)


def _password(word: Word, found: re.Match[str]) -> Iterator[FoundSecret]:
    if not is_no_secret(found["password"]):
        yield FoundSecret(word, *found.span("password"))

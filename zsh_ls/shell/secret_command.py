"""Secrets of one simple command: behind options and names, and in the places its program takes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from zsh_ls.shell.reading import Word
from zsh_ls.shell.secret_names import (
    is_no_secret,
    looks_like_a_password,
    looks_random,
    may_name_a_secret,
    names_a_secret,
)
from zsh_ls.shell.secret_programs import (
    LETS_IN,
    NAME_VALUE,
    NAME_VALUE_VERBS,
    NAMES_A_FILE_OF_SECRETS,
    P_IS_NO_PASSWORD,
    PRINTERS,
    PROGRAMS,
    PROSE_OPTIONS,
    PROSE_PROGRAMS,
    READS_SECRET,
    STDIN_SIGN,
    USER_AND_PASSWORD,
    USER_OPTIONS,
    SecretPlaces,
)
from zsh_ls.shell.wrappers import RUNNERS, TRANSPARENT, base_name, program_positions

_WRAPPERS = {**RUNNERS, **TRANSPARENT}
_NEXT_NAME = re.compile(r"[\s&,;]\s*[\w.\-]+\s*=")
_NAME = re.compile(r"[^\s'\"]{1,200}")
_FLAG = re.compile(
    r"-{1,2}(?:no|show|with|without|ask|use|prompt|print|generate|list|reset|disable|enable)-"
)
_FORMAT = re.compile(r"(?<![\w.\-])([\w.\-]++)[=: ]{1,3}[\"']?%s")
_DRAWN = re.compile(r"[A-Za-z0-9_-]+")
_CLUSTER = re.compile(r"-[A-Za-z]{2,6}")


class Found(NamedTuple):
    """A secret: `word.text[start:end]`."""

    word: Word
    start: int
    end: int


class SimpleCommand:
    """One command's words, judged."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.texts = [word.text for word in words]
        self.positions = program_positions(self.texts, _WRAPPERS)

    def secrets(self) -> Iterator[Found]:
        """The secrets behind names and in the places the programs in these words take them."""
        for index, word in enumerate(self.words):
            yield from _named_value(word)
            if index + 1 < len(self.words):
                yield from self.option_value(index)
        for at, end in self.programs():
            for places in PROGRAMS.get(base_name(self.texts[at]), ()):
                if not places.only_in or places.only_in.intersection(self.texts[at:]):
                    yield from self.in_places(at, places)
            yield from self.beside_user(at, end)
        yield from self.user_and_password()
        yield from self.named_operands()
        yield from self.lets_in()

    def programs(self) -> Iterator[tuple[int, int]]:
        """Where each program's words begin and end: `sudo -u x` and `mkdir -p y`."""
        ends = [*self.positions[1:], len(self.texts)]
        return zip(self.positions, ends, strict=False)

    def reads_secret(self) -> bool:
        """Whether one of the programs takes a secret from its standard input."""
        for at, end in self.programs():
            signs = READS_SECRET.get(base_name(self.texts[at]))
            own = self.texts[at + 1 : end]
            if any(word.startswith("-") and word.endswith(STDIN_SIGN) for word in own):
                return True
            if signs and ("" in signs or signs.intersection(own)):
                return True
        return False

    def prose(self) -> frozenset[int]:
        """The indexes of the words that are messages about the work, not parts of a command."""
        if not self.positions or base_name(self.texts[self.positions[-1]]) not in PROSE_PROGRAMS:
            return frozenset()
        behind = (at for at, text in enumerate(self.texts, 1) if text in PROSE_OPTIONS)
        return frozenset(at for at in behind if at < len(self.texts))

    def files_of_secrets(self) -> Iterator[Word]:
        """Words that stand for a file or a command that gives a secret: `--key-file <(echo X)`."""
        for index, word in enumerate(self.words):
            option = word.text.partition("=")[0] if "=" in word.text else self.texts[index - 1]
            is_code = not word.literal or option.endswith(("command", "cmd", "eval"))
            if index and is_code and NAMES_A_FILE_OF_SECRETS.fullmatch(option[-80:]):
                yield word

    def user_and_password(self) -> Iterator[Found]:
        """`-u bob:X`, `--creds=bob:X`, whatever the program; `-u app:app` and `-a host:80` are none."""
        for index, word in enumerate(self.words):
            name, equals, _ = word.text.partition("=")
            start = len(name) + 1 if equals else 0
            option = name if equals else self.texts[index - 1] if index else ""
            at = word.text.find(":", start) if option in USER_AND_PASSWORD else -1
            password = word.text[at + 1 :] if at > start else ""
            if looks_like_a_password(password) and not password.startswith("//"):
                yield from _part(word, at + 1)

    def lets_in(self) -> Iterator[Found]:
        """`cargo login X`: an operand drawn at random behind a word that lets in."""
        verbs = [at for at, text in enumerate(self.texts[:4]) if at and text in LETS_IN]
        for word in self.words[verbs[0] + 1 :] if verbs else ():
            if _DRAWN.fullmatch(word.text) and looks_random(word.text, at_least=20):
                yield from _whole(word)

    def beside_user(self, at: int, end: int) -> Iterator[Found]:
        """`-u bob -p X`: what `-p` is where a program's own options name a user too."""
        own = list(takewhile("--".__ne__, self.texts[at + 1 : end]))
        if base_name(self.texts[at]) in P_IS_NO_PASSWORD or not USER_OPTIONS.intersection(own):
            return
        for index, (option, value) in enumerate(pairwise(own), at + 2):
            if option == "-p" and looks_like_a_password(value, kinds=2, neutral="._-/:@"):
                yield from _whole(self.words[index])

    def printed(self) -> list[Word]:
        """The words this command prints, if printing is what it does."""
        if not self.positions or base_name(self.texts[self.positions[-1]]) not in PRINTERS:
            return []
        operands = self.words[self.positions[-1] + 1 :]
        return [word for word in operands if _is_printed_value(word.text)]

    def option_value(self, index: int) -> Iterator[Found]:
        """The word behind an option whose name announces a secret."""
        option, value = self.texts[index], self.texts[index + 1]
        if option == "--arg" and index + 2 < len(self.words) and names_a_secret(value):
            yield from _whole(self.words[index + 2])
        if not option.startswith("-") or len(option) < 3 or value.startswith("-"):
            return
        if _FLAG.match(option) or "=" in option:
            return
        if names_a_secret(option) or (may_name_a_secret(option) and looks_random(value)):
            yield from _whole(self.words[index + 1])

    def in_places(self, at: int, places: SecretPlaces) -> Iterator[Found]:
        """The secrets in the places the program at `at` takes them."""
        for index in range(at + 1, len(self.words)):
            option = self.texts[index]
            behind = self.words[index + 1] if index + 1 < len(self.words) else None
            if option in places.valued and behind is not None:
                yield from _whole(behind)
            elif attached := next((sign for sign in places.attached if _begins(option, sign)), ""):
                yield from _part(self.words[index], len(attached))
            else:
                yield from self.behind_sign(index, behind, places)
        yield from self.in_operands(at, places)

    def behind_sign(self, index: int, behind: Word | None, places: SecretPlaces) -> Iterator[Found]:
        """`-u user:X`, `-uuser:X`, `--user=user:X`, `-sSu user:X`: what follows the sign."""
        word, option = self.words[index], self.texts[index]
        name, equals, _ = option.partition("=")
        if option in places.after and behind is not None:
            yield from _after(behind, 0, places.after[option])
        elif equals and name.startswith("--") and name in places.after:
            yield from _after(word, len(name) + 1, places.after[name])
        elif option[:2] in places.after and len(option) > 2:
            yield from _after(word, 2, places.after[option[:2]])
        elif _CLUSTER.fullmatch(option) and f"-{option[-1]}" in places.after and behind is not None:
            yield from _after(behind, 0, places.after[f"-{option[-1]}"])

    def in_operands(self, at: int, places: SecretPlaces) -> Iterator[Found]:
        """The operands that are secrets: `vault login X`."""
        operands = [word for word in self.words[at + 1 :] if not word.text.startswith("-")]
        if "" in places.after and operands:
            yield from _after(operands[0], 0, places.after[""])
        for path in places.operands:
            last = 1 if path[0] == "." else len(operands)
            for start in range(min(last, len(operands) - len(path) + 1)):
                if _matches(operands[start : start + len(path)], path):
                    yield from _whole(operands[start + len(path) - 1])

    def printed_lines(self, at: int) -> Iterator[Found]:
        """`echo token: X`, `printf 'password=%s' X`."""
        for index in range(at + 1, len(self.words)):
            if any(names_a_secret(found[1]) for found in _FORMAT.finditer(self.texts[index])):
                for word in self.words[index + 1 :]:
                    yield from _whole(word)
                break
        for name, value in pairwise(self.words[at + 1 :]):
            if name.text.endswith(":") and names_a_secret(name.text[:-1]):
                yield from _whole(value) if looks_random(value.text, at_least=8) else ()

    def is_verb(self, index: int) -> bool:
        """Whether a word says that a setting's name and value follow: `config set`, `config:set`."""
        return not NAME_VALUE_VERBS.isdisjoint(base_name(self.texts[index]).split(":"))

    def named_operands(self) -> Iterator[Found]:
        """`nmcli … password X`, `aws configure set aws_secret_access_key X`."""
        if not self.positions:
            return
        at = self.positions[-1]
        program = base_name(self.texts[at])
        if program in PRINTERS:
            yield from self.printed_lines(at)
        verbs = [i for i in range(at, min(at + 4, len(self.words))) if self.is_verb(i)]
        if program not in NAME_VALUE and not verbs:
            return
        for index in range(max([at, *verbs]) + 1, len(self.words) - 1):
            name, value = self.texts[index], self.texts[index + 1]
            if not name.startswith("-") and "=" not in name and names_a_secret(name):
                yield from () if value.startswith("-") else _whole(self.words[index + 1])


def _begins(option: str, sign: str) -> bool:
    return option.startswith(sign) and len(option) > len(sign) and not option.startswith("--")


def _matches(operands: Sequence[Word], path: Sequence[str]) -> bool:
    return all(
        expected in (".", "*", word.text) for word, expected in zip(operands, path, strict=False)
    )


def _named_value(word: Word) -> Iterator[Found]:
    """All that follows `NAME=` in a word, blanks too, unless another name follows."""
    name, equals, value = word.text.partition("=")
    if equals and _NAME.fullmatch(name) and names_a_secret(name) and not _NEXT_NAME.search(value):
        yield from _part(word, len(name) + 1)


def _whole(word: Word) -> Iterator[Found]:
    prefix = "pass:" if word.text.startswith("pass:") else ""
    yield from _part(word, len(prefix))


def _part(word: Word, start: int) -> Iterator[Found]:
    if not is_no_secret(word.text[start:]):
        yield Found(word, start, len(word.text))


def _after(word: Word, start: int, sign: str) -> Iterator[Found]:
    at = word.text.find(sign, start)
    if at >= 0:
        yield from _part(word, at + 1)


def _is_printed_value(text: str) -> bool:
    return not text.startswith("-") and "%" not in text[:2] and not is_no_secret(text)

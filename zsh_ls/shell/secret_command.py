"""Secrets of one simple command: behind options and names, and in the places its programs take them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .reading import Word
from .secret_found import FoundSecret, part, whole
from .secret_names import (
    is_uuid,
    looks_like_a_password,
    looks_random,
    may_name_a_secret,
    names_a_secret,
    parts,
    refers,
)
from .secret_places import in_known_places
from .secret_programs import (
    CODE_READERS,
    KEEPERS_OF_SECRETS,
    KEEPING,
    LETS_IN,
    NAME_THEN_VALUE,
    NAME_VALUE,
    NAME_VALUE_VERBS,
    NAMES_A_FILE_OF_SECRETS,
    PRINTERS,
    PROSE_OPTIONS,
    PROSE_PROGRAMS,
    SECRET_PATHS,
    SHOWS,
    STORES_OF_KEYS,
)
from .secret_streams import is_file_of_a_secret, printed, printed_names, reads_secret
from .secret_users import beside_users
from .wrappers import RUNNERS, TRANSPARENT, base_name, program_positions

_WRAPPERS = {**RUNNERS, **TRANSPARENT}
_NEXT_NAME = re.compile(r"[\s&,;]\s*[\w.\-]+\s*=")
_NAME = re.compile(r"[^\s'\"]{1,200}")
_LIST = re.compile(r"[,;?&:/]")
_NESTED_NAMES = 3  # `--set=db.password=X`
_OPTION_COLON = re.compile(r"[/-]{1,2}([A-Za-z][\w-]{1,80}):(?!/)")
_ARRAY = re.compile(r"\w+\+?=\(")
_FLAG = re.compile(
    r"-{1,2}(?:no|show|with|without|ask|use|prompt|print|generate|list|reset|disable|enable"
    r"|export|import|delete|edit)-"
)
_PASSWORD_FLAG = re.compile(r"-{1,2}pass(?:word|phrase|wd)?")
_DRAWN = re.compile(r"[A-Za-z0-9_-]+")
# The verb says whose password it is, so that nothing but the password can follow; …
_SETS_ITS_PASSWORD = re.compile(
    r"(?:re)?set-(?:admin|root|initial|master|default)-(?:password|passwd)", re.IGNORECASE
)
# … behind others the user comes first.
_SETS_PASSWORD = re.compile(
    r"(?:user[:_-]|(?:re)?set|change|update)[\w:-]{0,20}(?:password|passwd|token)", re.IGNORECASE
)
_KEY = re.compile(r"[\w.-]+(?::[\w.*{}-]+)+")
_IDENTIFIER = re.compile(r"[A-Za-z_][\w.-]{0,100}")
_EXEC = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_CREDENTIALS = frozenset({"creds", "credentials", "userpwd"})
_USER_AND_PASSWORD = re.compile(r"[\w.@\\-]{1,80}:(?P<password>[^\s:/]{4,200})")
_USER_NAMES = frozenset({"user", "username", "login", "email", "host", "name"})


class SimpleCommand:
    """One command's words, judged."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.texts = [word.text for word in words]
        self.positions = program_positions(self.texts, _WRAPPERS)
        behind = (at + 1 for at, text in enumerate(self.texts[:-1]) if text in _EXEC)
        self.executed = [at for at in behind if self.positions]
        # The program that is run in the end, behind `sudo` and the like.
        self.program = base_name(self.texts[self.positions[-1]]) if self.positions else ""

    def secrets(self) -> Iterator[FoundSecret]:
        """The secrets behind names and in the places the programs in these words take them."""
        if self.program == "alias":
            return
        for index, word in enumerate(self.words):
            if "=" in word.text or ":" in word.text:
                yield from _named_value(word)
            if word.text.endswith(")"):
                yield from _paired_value(word)
            if word.text.startswith(("-", "++")) and index + 1 < len(self.words):
                yield from self.option_value(index)
        for at, end in self.programs():
            yield from in_known_places(self.words[at:])
            yield from beside_users(self.words[at : end + 1])
        for at in self.executed:
            yield from in_known_places(self.words[at:])
        yield from self.named_operands()
        yield from self.kept_values()
        yield from self.lets_in()

    def programs(self) -> Iterator[tuple[int, int]]:
        """Where each program's words begin and end: `sudo -u x` and `mkdir -p y`."""
        ends = [*self.positions[1:], len(self.texts)]
        return zip(self.positions, ends, strict=False)

    def reads_secret(self) -> bool:
        """Whether one of the programs takes a secret from its standard input."""
        if self.program == "tee":
            return any(map(is_file_of_a_secret, self.texts[self.positions[-1] + 1 :]))
        return any(reads_secret(self.texts[at:end]) for at, end in self.programs())

    def asks_for_secret(self) -> bool:
        """`ipa user-add --password <<< X`: an option without its value, to be read from the input."""
        last = self.texts[-1] if self.positions else ""
        return last.startswith("--") and names_a_secret(last) and not _FLAG.match(last)

    def reads_code(self) -> bool:
        """Whether its standard input may be commands, here or on another machine."""
        return any(base_name(self.texts[at]) in CODE_READERS for at in self.positions)

    def printed(self) -> list[Word]:
        """The words this command prints, if printing is what it does."""
        return printed(self.texts, self.words, self.positions[-1]) if self.positions else []

    def prose(self) -> frozenset[int]:
        """The indexes of the words that are messages about the work, not parts of a command."""
        if self.program not in PROSE_PROGRAMS:
            return frozenset()
        behind = (at for at, text in enumerate(self.texts, 1) if text in PROSE_OPTIONS)
        return frozenset(at for at in behind if at < len(self.texts))

    def store_keys(self) -> frozenset[int]:
        """The indexes of the words that name keys of a store: `redis-cli get session:1234`."""
        if self.program not in STORES_OF_KEYS:
            return frozenset()
        return frozenset(at for at, text in enumerate(self.texts) if _KEY.fullmatch(text))

    def kept_values(self) -> Iterator[FoundSecret]:
        """`vault kv put PATH name=X`, `doppler secrets set NAME X`: given to be kept as a secret."""
        at = self._behind_keeping()
        if not at:
            return
        for word in self.words[at:]:
            name, equals, value = word.text.partition("=")
            if equals and _IDENTIFIER.fullmatch(name) and not value.startswith("@"):
                yield from part(word, len(name) + 1)
        verb, behind = self.texts[at - 1], self.words[at : at + 2]
        if verb in NAME_THEN_VALUE and len(behind) > 1 and _IDENTIFIER.fullmatch(behind[0].text):
            yield from () if behind[1].text.startswith("-") else whole(behind[1])

    def _behind_keeping(self) -> int:
        """Where the words begin that say what to keep; 0 where this command keeps no secret."""
        if not self.positions:
            return 0
        own = self.positions[-1] + 1
        for at in range(own, min(own + 5, len(self.texts) - 1)):
            keeper, verb = self.texts[at : at + 2]
            if keeper in KEEPERS_OF_SECRETS and verb in KEEPING:
                return at + 2
            if self.program == "vault" and keeper == "write" and verb.startswith(SECRET_PATHS):
                return at + 2
        return 0

    def files_of_secrets(self) -> Iterator[Word]:
        """Words that stand for a file or a command that gives a secret: `--key-file <(echo X)`."""
        for index, word in enumerate(self.words):
            option = word.text.partition("=")[0] if "=" in word.text else self.texts[index - 1]
            is_code = not word.literal or option.endswith(("command", "cmd", "eval"))
            if index and is_code and NAMES_A_FILE_OF_SECRETS.fullmatch(option[-80:]):
                yield word
            elif not word.literal and "=" in word.text and names_a_secret(option):
                yield word  # `TOKEN=$(echo X)`

    def lets_in(self) -> Iterator[FoundSecret]:
        """`cargo login X`: an operand that looks like a secret behind a word that lets in."""
        verbs = [at for at, text in enumerate(self.texts[:4]) if at and text in LETS_IN]
        behind = self.words[verbs[0] + 1 :] if verbs else ()
        for word in (word for word in behind if not word.text.startswith("-")):
            drawn = _looks_drawn(word.text) and not (is_uuid(word.text) and self.has_option(word))
            if drawn or looks_like_a_password(word.text, neutral="._-/:@"):
                yield from () if "://" in word.text else whole(word)

    def has_option(self, word: Word) -> bool:
        """Whether a word stands right behind an option that names no secret: `--tenant X`."""
        option = self.texts[self.words.index(word) - 1]
        return option.startswith("-") and not names_a_secret(option)

    def option_value(self, index: int) -> Iterator[FoundSecret]:
        """The word behind an option whose name announces a secret."""
        option, value = self.texts[index], self.texts[index + 1]
        if option == "--arg" and index + 2 < len(self.words) and names_a_secret(value):
            yield from whole(self.words[index + 2])
        if len(option) < 3 or value.startswith("-") or "=" in option:
            return
        if _FLAG.match(option) or self.shows_password(option):
            return
        if names_a_secret(option) or (may_name_a_secret(option) and looks_random(value)):
            yield from whole(self.words[index + 1])

    def shows_password(self, option: str) -> bool:
        """`lpass show --password X`: the option says what to show, the operand of whom."""
        shows = not SHOWS.isdisjoint(self.texts[1:3])
        return shows and _PASSWORD_FLAG.fullmatch(option) is not None

    def is_verb(self, index: int) -> bool:
        """Whether a word says that a setting's name and value follow: `config set`, `config:set`."""
        return not NAME_VALUE_VERBS.isdisjoint(base_name(self.texts[index]).lower().split(":"))

    def named_operands(self) -> Iterator[FoundSecret]:
        """`nmcli … password X`, `aws configure set aws_secret_access_key X`."""
        if not self.positions:
            return
        at = self.positions[-1]
        if self.program in PRINTERS:
            yield from printed_names(self.words[at + 1 :])
        else:
            yield from self.sets_password(at)
            yield from self.values_apart()
        verbs = [i for i in range(at, min(at + 4, len(self.words))) if self.is_verb(i)]
        named = bool(verbs) or self.program in NAME_VALUE
        for index in range(max([at, *verbs]) + 1, len(self.words) - 1):
            name, value = self.texts[index], self.texts[index + 1]
            if named and _is_name(name) and not value.startswith("-"):
                yield from whole(self.words[index + 1])

    def sets_password(self, at: int) -> Iterator[FoundSecret]:
        """`reset-admin-password X`, `user:password bob X`."""
        early = range(at + 1, min(at + 6, len(self.words)))
        verb = next((index for index in early if _SETS_PASSWORD.fullmatch(self.texts[index])), -1)
        if verb < 0:
            return
        behind = [word for word in self.words[verb + 1 :] if not word.text.startswith("-")]
        place = 0 if _SETS_ITS_PASSWORD.fullmatch(self.texts[verb]) else 1
        yield from whole(behind[place]) if place < len(behind) else ()

    def values_apart(self) -> Iterator[FoundSecret]:
        """`set smtp_password --value X`, `sasl_password: X`: the name stands apart from the value."""
        has_value = any(text.startswith("--value") for text in self.texts)
        is_named = has_value and any(_is_name(text) for text in self.texts[1:])
        for index, word in enumerate(self.words[1:], 1):
            is_apart = (is_named and word.text == "--value") or _is_name_with_colon(word.text)
            if is_named and word.text.startswith("--value="):
                yield from part(word, len("--value="))
            elif is_apart and index + 1 < len(self.words):
                yield from whole(self.words[index + 1])


def _looks_drawn(text: str) -> bool:
    """`a81f3c…`, `K7QX-91ZB-…`; the words of `0012_alter_user_first_name` are no mixture."""
    if not _DRAWN.fullmatch(text) or not looks_random(text, at_least=20):
        return False
    pieces = re.split("[_-]", text)
    return any(any(map(str.isdigit, piece)) and any(map(str.isalpha, piece)) for piece in pieces)


def _is_name(text: str) -> bool:
    return not text.startswith("-") and "=" not in text and names_a_secret(base_name(text))


def _is_name_with_colon(text: str) -> bool:
    return text.endswith(":") and names_a_secret(text[:-1])


def _in_credentials(word: Word, start: int, name: str) -> Iterator[FoundSecret]:
    """`CREDS=bob:X`: a name for both the user and the password."""
    pair = _USER_AND_PASSWORD.fullmatch(word.text, start)
    if pair and name.lower() in _CREDENTIALS:
        yield from part(word, pair.start("password"))


def _named_value(word: Word) -> Iterator[FoundSecret]:
    """All that follows `NAME=` in a word, blanks too, unless another name follows."""
    start = 0
    for name in word.text.split("=", _NESTED_NAMES)[:-1]:
        start += len(name) + 1
        if not _NAME.fullmatch(name):
            return
        yield from _in_credentials(word, start, parts(name)[-1] if parts(name) else "")
        if names_a_secret(_LIST.split(name)[-1].rstrip("+")):
            if not _NEXT_NAME.search(word.text, start) and not refers(name, word.text[start:]):
                yield from part(word, start)
            return
    if colon := _OPTION_COLON.match(word.text):  # `/password:X` as programs of Windows have it
        yield from part(word, colon.end()) if names_a_secret(colon[1]) else ()


def _paired_value(word: Word) -> Iterator[FoundSecret]:
    """`user=(name bob password X)`: the values of an associative array."""
    opened = _ARRAY.match(word.text)
    if not opened:
        return
    elements = list(re.finditer(r"\S+", word.text[opened.end() : -1]))
    if len(elements) % 2:
        return
    has_user = not _USER_NAMES.isdisjoint(element[0] for element in elements[::2])
    for name, value in zip(elements[::2], elements[1::2], strict=True):
        if names_a_secret(name[0]) and looks_like_a_password(value[0], kinds=1 if has_user else 2):
            yield FoundSecret(word, opened.end() + value.start(), opened.end() + value.end())

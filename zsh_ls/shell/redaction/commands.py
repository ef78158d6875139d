"""A secret found in a word, and functions that make one from a part of the word.

They yield nothing for a part that only refers to a secret (`$TOKEN`) or cannot be one (`true`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.shell.words.vocabulary import word_set
from zsh_ls.shell.words.words import Command, Word
from zsh_ls.shell.words.wrappers import RUNNERS, TRANSPARENT, base_name, program_positions

from .names import (
    is_no_secret,
    is_option,
    is_uuid,
    looks_generated,
    looks_like_a_password,
    looks_random,
    may_name_a_secret,
    names_a_secret,
    parts,
    refers,
)
from .programs import (
    ALWAYS_USER_AND_PASSWORD,
    CODE_READERS,
    DEPLOY_VERBS,
    FILTERS,
    HARMLESS_VARIABLES,
    LOGIN_WORDS,
    NAME_THEN_VALUE,
    NAME_VALUE,
    NAME_VALUE_VERBS,
    NAMED_AFTER_SECRET,
    NAMES_A_FILE_OF_SECRETS,
    P_IS_NO_PASSWORD,
    PERHAPS_USER_AND_PASSWORD,
    PERHAPS_USER_OPTIONS,
    PRINTERS,
    PROSE_OPTIONS,
    PROSE_PROGRAMS,
    READS_SECRET,
    SECRET_NOUNS,
    SECRET_PATHS,
    SECRET_STORE_VERBS,
    SECRET_STORES,
    SHOWS,
    STDIN_OPTION,
    STORE_VERBS,
    STORES_OF_KEYS,
    TEXT_TOOLS,
    USER_AND_PASSWORD,
    USER_IS_OWNER,
    USER_OPTIONS,
    XML_EDITORS,
    XML_PLACES,
    SecretPlaces,
    places_of,
)


class FoundSecret(NamedTuple):
    """A secret: `word.text[start:end]`."""

    word: Word
    start: int
    end: int


def part(word: Word, start: int) -> Iterator[FoundSecret]:
    """The text of `word` from `start` on."""
    if not is_no_secret(word.text[start:]):
        yield FoundSecret(word, start, len(word.text))


def whole(word: Word) -> Iterator[FoundSecret]:
    """All of `word`, without openssl's prefix `pass:`."""
    prefix = "pass:" if word.text.startswith("pass:") else ""
    yield from part(word, len(prefix))


def after(word: Word, start: int, sign: str) -> Iterator[FoundSecret]:
    """The text of `word` after the first `sign`, a single character, from `start` on."""
    at = word.text.find(sign, start)
    if at >= 0:
        yield from part(word, at + 1)


_CLUSTER = re.compile(r"-[A-Za-z]{2,6}")


def in_known_places(words: Sequence[Word]) -> Iterator[FoundSecret]:
    """The secrets in a program's words, the first of which is its name, by the tables of `programs`."""
    texts = [word.text for word in words]
    for places in places_of(base_name(texts[0])):
        if not places.only_in or places.only_in.intersection(texts):
            for index in range(1, len(words)):
                yield from _at_option(words, index, places)
            yield from _in_operands(words, places)
            # The operand right after a share: `smbclient //nas/share X -U bob`.
            for share, behind in pairwise(words) if places.after_share else ():
                is_share = share.text.startswith(("//", "\\\\"))
                if is_share and not behind.text.startswith(("-", "/")):
                    yield from whole(behind)


def _at_option(words: Sequence[Word], index: int, places: SecretPlaces) -> Iterator[FoundSecret]:
    """The secret in an option or in the word after it: `--password X`, `-pX`."""
    word = words[index]
    behind = words[index + 1] if index + 1 < len(words) else None
    if behind is not None and is_option(behind.text):
        behind = None  # the option has no value: `mongosh -p --host db` prompts for the password
    if word.text in places.valued and behind is not None:
        yield from whole(behind)
        return
    signs = () if word.text.startswith("--") else places.attached
    attached = (sign for sign in signs if word.text.startswith(sign) and word.text != sign)
    if sign := next(attached, ""):
        yield from part(word, len(sign))
    else:
        yield from _after_sign(word, behind, places)


def _after_sign(word: Word, behind: Word | None, places: SecretPlaces) -> Iterator[FoundSecret]:
    """The part of a value after a sign: `-u user:X`, `-uuser:X`, `--user=user:X`, `-sSu user:X`."""
    option = word.text
    name, equals, _ = option.partition("=")
    if option in places.after and behind is not None:
        yield from after(behind, 0, places.after[option])
    elif equals and name.startswith("--") and name in places.after:
        yield from after(word, len(name) + 1, places.after[name])
    elif option[:2] in places.after and len(option) > 2:
        yield from after(word, 2, places.after[option[:2]])
    elif _CLUSTER.fullmatch(option) and f"-{option[-1]}" in places.after and behind is not None:
        yield from after(behind, 0, places.after[f"-{option[-1]}"])


def _in_operands(words: Sequence[Word], places: SecretPlaces) -> Iterator[FoundSecret]:
    """The operands that are secrets: `vault login X`."""
    operands = [word for word in words[1:] if not word.text.startswith("-")]
    if "" in places.after and operands:
        yield from after(operands[0], 0, places.after[""])
    for path in places.operands:
        last = 1 if path[0] == "." else len(operands)
        for start in range(min(last, len(operands) - len(path) + 1)):
            found = operands[start : start + len(path)]
            pairs = zip(found, path, strict=False)
            if all(_fits(word.text, expected) for word, expected in pairs):
                yield from whole(found[-1])


def _fits(text: str, expected: str) -> bool:
    """Whether a word is the `expected` one; `.` and `*` stand for any, `name.*` for what begins so."""
    if expected in (".", "*", text):
        return True
    return expected.endswith(".*") and text.startswith(expected[:-1])


_MIN_LENGTH = 4  # shorter words after a user name are ports, sizes and flags
_PAIR = re.compile(r"[\w.@\\-]{1,80}[:%](?![/:])")
_ADDRESS = re.compile(r"[\dA-Fa-f:./]+")
_LOGIN = re.compile(
    r"(?::\w{1,20}:)?(?P<domain>[\w.-]{1,80}[/\\])?(?P<user>[\w.$-]{1,80}):(?P<password>[^\s:/\\][^\s]*)@(?P<host>[\w.-]+(?::\d*)?(?:/\S*)?)"
)
_HOST = re.compile(
    r"localhost\b.*|\d+(?:\.\d+){3}\b.*|[\w-]+(?:\.[\w-]+)*(?:\.[A-Za-z]{2,}\b|:\d).*"
)
# Not a user name before the colon: `npm:left-pad@1.0`, `mailto:bob@example.com`.
_NO_USERS = word_set(
    "mailto sip sips xmpp acct npm jsr file workspace link git pkg im smtp docker oci tel"
)
_FILE_OR_PROJECT = re.compile(r"[\w-]+\.[a-z]{1,5}|[A-Z]{2,10}")
# Programs whose operands are `domain/user:password@target`, whatever the target is called.
_IMPACKET = re.compile(r"impacket-\w+|\w+\.py")
_DOMAIN_USER = re.compile(r"[\w.-]+/[\w.$-]+:(?P<password>[^\s:/@]{4,})")


def beside_users(own: Sequence[Word]) -> Iterator[FoundSecret]:
    """The secrets beside user names in a program's words, from its name to the program that it runs."""
    program = base_name(own[0].text)
    yield from _in_pairs(program, own)
    if program not in P_IS_NO_PASSWORD:
        yield from _after_p_option(own)
    is_loose = _IMPACKET.fullmatch(program) is not None
    for word in own[1:]:
        yield from _before_host(word, is_loose=is_loose)


def _in_pairs(program: str, own: Sequence[Word]) -> Iterator[FoundSecret]:
    """Passwords in `-u bob:X`, `--creds=bob:X`, `-U bob%X`, but not `-u app:app` or `-a host:80`."""
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
    return len(password) >= _MIN_LENGTH and not password.isdigit() and password != user


def _after_p_option(own: Sequence[Word]) -> Iterator[FoundSecret]:
    """The value of `-p` or `-P` beside a user name or a login word: `-u bob -p X`, `login bob -p X`."""
    options = list(takewhile(lambda word: word.text != "--", own))
    texts = [word.text for word in options]
    letter = next((letter for letter in ("-p", "-P") if letter in texts), "")
    if not letter:
        return
    spoken = any(text.startswith(("--user=", "--username=", "--login=")) for text in texts)
    users = [value for option, value in pairwise(texts) if option in USER_OPTIONS]
    named = spoken or any(not user.startswith("-") and "://" not in user for user in users)
    early = texts[1 : min(5, texts.index(letter))]
    is_sure = named or not LOGIN_WORDS.isdisjoint(early)
    is_likely = not (USER_OPTIONS | PERHAPS_USER_OPTIONS).isdisjoint(texts)
    for option, value in pairwise(options):
        if option.text != letter:
            continue
        may_be = (is_sure or is_likely) and _may_be_password(value.text, is_sure=is_sure)
        if may_be or looks_generated(value.text):
            yield from whole(value)


def _may_be_password(value: str, *, is_sure: bool) -> bool:
    if len(value) < _MIN_LENGTH or value.isdigit() or value.startswith(("-", "/")):
        return False
    if (
        is_sure
        and not _FILE_OR_PROJECT.fullmatch(value)
        and not any(sign in value for sign in "/=")
    ):
        return True
    return looks_like_a_password(value, kinds=2, neutral="._-/:@,")


def _before_host(word: Word, *, is_loose: bool) -> Iterator[FoundSecret]:
    """Passwords in `corp/bob:X@10.0.0.5`, `bob:X@db.example.com`, but not `alpine:3.19@sha256:…`."""
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


_MAX_FILTERS = 8  # filters between the printing and the reading command that are followed at most
_FORMAT = re.compile(r"(?<![\w.\-])([\w.\-]++)[=: ]{1,3}[\"']?%s")
_USER_FORMAT = re.compile(r"\buser\s?=\s?[\"']?[^\"'%\s]{1,80}:%s")
_USER_AND_SECRET = re.compile(r"[^\s:]{1,80}:(?=\S)")
_SECRET_FILE = re.compile(r"\.?(?P<stem>[\w.-]+?)(?:\.(?:txt|key|pass|pw|pwd|secret|token))?")


def reads_secret(texts: Sequence[str]) -> bool:
    """Whether a program, whose words are `texts`, reads a secret from its standard input."""
    program, own = base_name(texts[0]), texts[1:]
    signs = READS_SECRET.get(program)
    if signs and ("" in signs or signs.intersection(own)):
        return True
    for text in own:
        # `--password-stdin`, but not `--annotate-stdin`.
        option = STDIN_OPTION.fullmatch(text) if text.startswith("-") else None
        if option and any(map(names_a_secret, parts(option[1]))):
            return True
    if program == "read":
        return any(names_a_secret(text) for text in own if not text.startswith("-"))
    if program.endswith(NAMED_AFTER_SECRET):
        return True
    if program in TEXT_TOOLS:
        return False
    # The input is for a login or stored as a secret: `vendor login`, `wrangler secret put X`.
    operands = [text for text in own[:6] if not text.startswith("-")][:4]
    if LOGIN_WORDS.intersection(operands[:2]):
        return True
    return not STORE_VERBS.isdisjoint(operands) and not SECRET_NOUNS.isdisjoint(operands)


def printed(texts: Sequence[str], words: Sequence[Word], at: int) -> list[Word]:
    """The words that a command prints if its program, at index `at`, prints its operands."""
    if base_name(texts[at]) not in PRINTERS:
        return []
    # Options and formats of printf are no values.
    values = (word for word in words[at + 1 :] if not word.text.startswith("-"))
    return [word for word in values if "%" not in word.text[:2] and not is_no_secret(word.text)]


def printed_names(words: Sequence[Word]) -> Iterator[FoundSecret]:
    """Secrets in `echo token: X`, `printf 'password=%s' X`; `words` are the operands."""
    for index, word in enumerate(words):
        named = any(names_a_secret(found[1]) for found in _FORMAT.finditer(word.text))
        if named or _USER_FORMAT.search(word.text):
            for value in words[index + 1 :]:
                yield from whole(value)
            break
    for name, value in pairwise(words):
        if name.text.endswith(":") and names_a_secret(name.text[:-1]):
            yield from whole(value) if looks_random(value.text, at_least=8) else ()


def encoded(words: Sequence[Word]) -> Iterator[FoundSecret]:
    """Passwords in printed `bob:X` that is piped to base64, as for HTTP basic authentication."""
    for word in words:
        found = _USER_AND_SECRET.match(word.text)
        if found and " " not in word.text and not is_no_secret(word.text[found.end() :]):
            yield FoundSecret(word, found.end(), len(word.text))


def producers(command: Command) -> Iterator[Command]:
    """The commands whose output reaches `command`, directly or through filters."""
    producer = command.producer
    for _ in range(_MAX_FILTERS):
        if producer is None:
            return
        yield producer
        name = base_name(producer.words[0].text) if producer.words else ""
        producer = producer.producer if name in FILTERS else None


def is_file_of_a_secret(path: str) -> bool:
    """Whether a file's name says that it holds a secret: `~/.pgpass`, `/run/secrets/db`, `api_token.txt`."""
    folder, _, name = path.rpartition("/")
    found = _SECRET_FILE.fullmatch(name[-100:])
    if not found or name.endswith((".pub", ".md")):
        return False
    stem = found["stem"]
    named = names_a_secret(stem) or names_a_secret(stem.removesuffix("s"))
    return named or folder.endswith(("/secrets", "/credentials"))


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
_TOKEN_CHARACTERS = re.compile(r"[A-Za-z0-9_-]+")
# Verbs that are followed by the password: they name whose password it is.
_SETS_ITS_PASSWORD = re.compile(
    r"(?:re)?set-(?:admin|root|initial|master|default)-(?:password|passwd)", re.IGNORECASE
)
# Verbs that are followed by the user and then the password.
_SETS_PASSWORD = re.compile(
    r"(?:user[:_-]|(?:re)?set|change|update)[\w:-]{0,20}(?:password|passwd|token)", re.IGNORECASE
)
_KEY = re.compile(r"[\w.-]+(?::[\w.*{}-]+)+")
_IDENTIFIER = re.compile(r"[A-Za-z_][\w.-]{0,100}")
_EXEC = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_CREDENTIALS = frozenset({"creds", "credentials", "userpwd"})
_USER_AND_PASSWORD = re.compile(r"[\w.@\\-]{1,80}:(?P<password>[^\s:/]{4,200})")
_PATH_STEP = re.compile(r"[\w.-]+")
_VARIABLE = re.compile(r"[A-Za-z_][\w.]*")
# `send "X\r"`, `send -- X`, and what it waits for before.
_SENT = re.compile(
    r"""\bsend(?:_user)?\s+(?:--?\w*\s+)*(?:"(?P<quoted>[^"]*)"|(?P<plain>[^\s"{};]+))"""
)
_ASKS_FOR_SECRET = re.compile(
    r"assw|assphrase|asscode|\bpin\b|secret|token|kennwort", re.IGNORECASE
)
_KEYS_SENT = re.compile(r"(?:\\[rn])+\Z")
_USER_NAMES = frozenset({"user", "username", "login", "email", "host", "name"})


class SimpleCommand:
    """The words of one command, and what they say about secrets."""

    def __init__(self, words: Sequence[Word]) -> None:
        self.words = words
        self.texts = [word.text for word in words]
        self.positions = program_positions(self.texts, _WRAPPERS)
        behind = (at + 1 for at, text in enumerate(self.texts[:-1]) if text in _EXEC)
        self.executed = [at for at in behind if self.positions]
        # The program that is run in the end, after `sudo` and other wrappers.
        self.program = base_name(self.texts[self.positions[-1]]) if self.positions else ""

    def secrets(self) -> Iterator[FoundSecret]:
        """The secrets after names, and where the programs among these words take them."""
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
        yield from self.stored_values()
        yield from self.deployed_values()
        yield from self.sent_texts()
        yield from self.login_operands()

    def programs(self) -> Iterator[tuple[int, int]]:
        """The range of each program's words: `sudo -u x mkdir -p y` has two, sudo's and mkdir's."""
        ends = [*self.positions[1:], len(self.texts)]
        return zip(self.positions, ends, strict=False)

    def reads_secret(self) -> bool:
        """Whether one of the programs reads a secret from its standard input."""
        if self.program == "tee":
            return any(map(is_file_of_a_secret, self.texts[self.positions[-1] + 1 :]))
        return any(reads_secret(self.texts[at:end]) for at, end in self.programs())

    def asks_for_secret(self) -> bool:
        """Whether the last word is a secret's option without a value: `ipa user-add --password <<< X`."""
        last = self.texts[-1] if self.positions else ""
        return last.startswith("--") and names_a_secret(last) and not _FLAG.match(last)

    def reads_code(self) -> bool:
        """Whether it may run its standard input as commands, here or on another machine."""
        return any(base_name(self.texts[at]) in CODE_READERS for at in self.positions)

    def printed(self) -> list[Word]:
        """The words this command prints; empty for commands that do not print their operands."""
        return printed(self.texts, self.words, self.positions[-1]) if self.positions else []

    def prose(self) -> frozenset[int]:
        """The indexes of the words that are prose, such as commit messages."""
        if self.program not in PROSE_PROGRAMS:
            return frozenset()
        behind = (at for at, text in enumerate(self.texts, 1) if text in PROSE_OPTIONS)
        return frozenset(at for at in behind if at < len(self.texts))

    def store_keys(self) -> frozenset[int]:
        """The indexes of the words that are keys of a key-value store: `redis-cli get session:1234`."""
        if self.program not in STORES_OF_KEYS:
            return frozenset()
        return frozenset(at for at, text in enumerate(self.texts) if _KEY.fullmatch(text))

    def stored_values(self) -> Iterator[FoundSecret]:
        """Values given to a secret store: `vault kv put PATH name=X`, `doppler secrets set NAME X`."""
        # Where the words after a secret store's verb begin; 0 if this command stores no secret.
        at, own = 0, self.positions[-1] + 1 if self.positions else len(self.texts)
        for place in range(own, min(own + 5, len(self.texts) - 1)):
            store, verb = self.texts[place : place + 2]
            writes = self.program == "vault" and store == "write"
            if (store in SECRET_STORES and verb in SECRET_STORE_VERBS) or (
                writes and verb.startswith(SECRET_PATHS)
            ):
                at = place + 2
                break
        if not at:
            return
        for word in self.words[at:]:
            name, equals, value = word.text.partition("=")
            if equals and _IDENTIFIER.fullmatch(name) and not value.startswith("@"):
                yield from part(word, len(name) + 1)
        verb, behind = self.texts[at - 1], self.words[at : at + 2]
        if verb in NAME_THEN_VALUE and len(behind) > 1 and _IDENTIFIER.fullmatch(behind[0].text):
            yield from () if behind[1].text.startswith("-") else whole(behind[1])

    def deployed_values(self) -> Iterator[FoundSecret]:
        """Values of the variables of something deployed: `heroku config:set KEY=X`, `cf set-env app KEY X`.

        These are where deployed programs get their secrets from, whatever they are called.
        """
        own = self.positions[-1] + 1 if self.positions else len(self.texts)
        verbs = (
            at for at in range(own, min(own + 5, len(self.texts))) if self.texts[at] in DEPLOY_VERBS
        )
        at = next(verbs, -1)
        if at < 0:
            return
        behind = self.words[at + 1 :]
        for index, word in enumerate(behind):
            name, equals, value = word.text.partition("=")
            if not _VARIABLE.fullmatch(name) or parts(name)[-1] in HARMLESS_VARIABLES:
                continue
            if equals:
                yield from () if _is_plain(value) else part(word, len(name) + 1)
            elif (
                name.isupper() and index + 1 < len(behind) and not is_option(behind[index + 1].text)
            ):
                following = behind[index + 1].text
                yield from (
                    () if "=" in following or _is_plain(following) else whole(behind[index + 1])
                )

    def sent_texts(self) -> Iterator[FoundSecret]:
        """What `expect -c` types that is a secret."""
        if self.program == "expect":
            for option, word in pairwise(self.words):
                for start, end in typed_secrets(word.text) if option.text == "-c" else ():
                    yield FoundSecret(word, start, end)

    def files_of_secrets(self) -> Iterator[Word]:
        """Words that expand to a secret or a file of one, or are a command that prints one.

        Examples: `--key-file <(echo X)`, `TOKEN=$(echo X)`, `--password-command 'echo X'`.
        """
        for index, word in enumerate(self.words):
            option = word.text.partition("=")[0] if "=" in word.text else self.texts[index - 1]
            is_code = not word.literal or option.endswith(("command", "cmd", "eval"))
            if index and is_code and NAMES_A_FILE_OF_SECRETS.fullmatch(option[-80:]):
                yield word
            elif not word.literal and "=" in word.text and names_a_secret(option):
                yield word  # `TOKEN=$(echo X)`

    def login_operands(self) -> Iterator[FoundSecret]:
        """Operands after a login word that look like secrets: `cargo login X`."""
        verbs = [at for at, text in enumerate(self.texts[:4]) if at and text in LOGIN_WORDS]
        behind = self.words[verbs[0] + 1 :] if verbs else ()
        for word in (word for word in behind if not word.text.startswith("-")):
            is_token = _TOKEN_CHARACTERS.fullmatch(word.text) and looks_random(
                word.text, at_least=20
            )
            # A part with letters and digits: `K7QX-91ZB-…`, unlike `0012_alter_user_first_name`.
            mixed = (
                any(map(str.isdigit, piece)) and any(map(str.isalpha, piece))
                for piece in re.split("[_-]", word.text)
            )
            is_token = is_token and any(mixed)
            if is_token and is_uuid(word.text):
                # An id that an option takes: `az login --tenant X`.
                option = self.texts[self.words.index(word) - 1]
                is_token = not option.startswith("-") or names_a_secret(option)
            if is_token or looks_like_a_password(word.text, neutral="._-/:@"):
                yield from () if "://" in word.text else whole(word)

    def option_value(self, index: int) -> Iterator[FoundSecret]:
        """The word after an option that names a secret."""
        option, value = self.texts[index], self.texts[index + 1]
        if option == "--arg" and index + 2 < len(self.words) and names_a_secret(value):
            yield from whole(self.words[index + 2])
        if len(option) < 3 or value.startswith("-") or "=" in option:
            return
        # Options that select what is shown have no value: `lpass show --password NAME`.
        shows = not SHOWS.isdisjoint(self.texts[1:3]) and _PASSWORD_FLAG.fullmatch(option)
        if _FLAG.match(option) or shows:
            return
        if names_a_secret(option) or (may_name_a_secret(option) and looks_random(value)):
            yield from whole(self.words[index + 1])

    def named_operands(self) -> Iterator[FoundSecret]:
        """Operands after operands that name a secret: `nmcli … password X`, `git config set token X`."""
        if not self.positions:
            return
        at = self.positions[-1]
        if self.program in PRINTERS:
            yield from printed_names(self.words[at + 1 :])
        else:
            yield from self.sets_password(at)
            yield from self.separate_values()
            yield from self.edited_values(at)
        # A setting's name and value follow `config set`, `config:set`.
        early = ((i, base_name(text).lower()) for i, text in enumerate(self.texts[at : at + 4], at))
        verbs = [i for i, text in early if not NAME_VALUE_VERBS.isdisjoint(text.split(":"))]
        named = bool(verbs) or self.program in NAME_VALUE
        for index in range(max([at, *verbs]) + 1, len(self.words) - 1):
            name, value = self.texts[index], self.texts[index + 1]
            if named and _is_name(name) and not value.startswith("-"):
                yield from whole(self.words[index + 1])

    def sets_password(self, at: int) -> Iterator[FoundSecret]:
        """The password after a verb that sets one: `reset-admin-password X`, `user:password bob X`."""
        early = range(at + 1, min(at + 6, len(self.words)))
        verb = next((index for index in early if _SETS_PASSWORD.fullmatch(self.texts[index])), -1)
        if verb < 0:
            return
        behind = [word for word in self.words[verb + 1 :] if not word.text.startswith("-")]
        place = 0 if _SETS_ITS_PASSWORD.fullmatch(self.texts[verb]) else 1
        yield from whole(behind[place]) if place < len(behind) else ()

    def edited_values(self, at: int) -> Iterator[FoundSecret]:
        """Values for places that name a secret: `xmlstarlet ed -u //db/@password -v X`."""
        if self.program not in XML_EDITORS or "ed" not in self.texts[at : at + 2]:
            return
        is_named = False
        for option, value in pairwise(self.words[at:]):
            if option.text in XML_PLACES:
                places = _PATH_STEP.findall(value.text[:1000])
                # The name of what was inserted comes after its place.
                is_named = any(map(names_a_secret, places)) or (
                    is_named and option.text in ("-n", "--name")
                )
            elif is_named and option.text in ("-v", "--value"):
                yield from whole(value)

    def separate_values(self) -> Iterator[FoundSecret]:
        """Values separate from their names: `set smtp_password --value X`, `sasl_password: X`."""
        has_value = any(text.startswith("--value") for text in self.texts)
        is_named = has_value and any(_is_name(text) for text in self.texts[1:])
        for index, word in enumerate(self.words[1:], 1):
            is_apart = (is_named and word.text == "--value") or (
                word.text.endswith(":") and names_a_secret(word.text[:-1])
            )
            if is_named and word.text.startswith("--value="):
                yield from part(word, len("--value="))
            elif is_apart and index + 1 < len(self.words):
                yield from whole(self.words[index + 1])


def typed_secrets(script: str) -> Iterator[tuple[int, int]]:
    """The ranges of what a script of `expect` types where a secret is asked for, or looks like one."""
    asked_from = 0
    for sent in _SENT.finditer(script):
        group = "quoted" if sent["quoted"] is not None else "plain"
        asks = _ASKS_FOR_SECRET.search(script, asked_from, sent.start())
        text = _KEYS_SENT.sub("", sent[group])
        asked_from = sent.end()
        if not is_no_secret(text) and (asks or looks_like_a_password(text, kinds=2)):
            yield sent.start(group), sent.start(group) + len(text)


def _is_plain(value: str) -> bool:
    """Whether a variable's value is a number or a switch."""
    is_number = value.isdecimal() and len(value) < 6
    return is_number or value.lower() in ("true", "false", "on", "off", "yes", "no")


def _is_name(text: str) -> bool:
    return not text.startswith("-") and "=" not in text and names_a_secret(base_name(text))


def _named_value(word: Word) -> Iterator[FoundSecret]:
    """All of a word after `NAME=`, blanks included, unless another name follows."""
    start = 0
    for name in word.text.split("=", _NESTED_NAMES)[:-1]:
        start += len(name) + 1
        if not _NAME.fullmatch(name):
            return
        # A value that has the user too: `CREDS=bob:X`.
        pair = _USER_AND_PASSWORD.fullmatch(word.text, start)
        if pair and parts(name) and parts(name)[-1] in _CREDENTIALS:
            yield from part(word, pair.start("password"))
        if names_a_secret(_LIST.split(name)[-1].rstrip("+")):
            if not _NEXT_NAME.search(word.text, start) and not refers(name, word.text[start:]):
                yield from part(word, start)
            return
    if colon := _OPTION_COLON.match(word.text):  # Windows style: `/password:X`
        yield from part(word, colon.end()) if names_a_secret(colon[1]) else ()


def _paired_value(word: Word) -> Iterator[FoundSecret]:
    """Values of an associative array: `user=(name bob password X)`."""
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

"""Finds secrets in any text: tokens of known form, passwords in URLs, `name=value`, headers, private keys.

Each rule's time grows with the length of the text alone. Most commands hold
nothing that any rule about secrets begins with; a quick look for such hints
passes them over, so a rule that begins with something new needs its hint here
(`tests/shell/test_redact.py` compares both ways).
"""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.lazy import re
from zsh_ls.model.span import Span

from .names import (
    HINT_WORDS,
    is_no_secret,
    is_uuid,
    looks_random,
    may_name_a_secret,
    names_a_secret,
    refers,
)
from .programs import DEPLOY_VERBS, LOGIN_WORDS, PROGRAMS, READS_SECRET
from .vendor_tokens import LONG_STRETCH, may_name_a_vendor, names_its_vendor, tokens

_URL = re.compile(r"://([^\s/?#'\"<>]+)")
# A password with characters that should have been encoded: `redis://:p#w@host`. Not a port.
_URL_AS_TYPED = re.compile(
    r"://[^\s/?#:@'\"<>]{0,200}:(?!\d{1,5}[/?#])(?P<password>[^\s/'\"]{1,200})@(?!sha256:)(?=[\w\[$])"
)
_WEBHOOK = re.compile(
    r"(?:hooks\.slack\.com/(?:services|workflows)/|discord(?:app)?\.com/api/webhooks/\d{1,30}/"
    r"|api\.telegram\.org/bot|webhook\.office\.com/webhookb2/)([\w/:@-]+)"
)
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----")
_PRIVATE_KEY_END = "PRIVATE KEY-----"
# Possessive, and only at the beginning of a name, so that no text is scanned twice.
_NAMED = re.compile(
    r"""(?<![\w.\-]) (?P<name>[\w.\-]++) (?P<quote>\\?["']?) \]?
        (?P<sep>[ ]?(?:=>|:=|\+=|==?(?![=~>])|:(?![=:/]))[ \t]{0,4})""",
    re.VERBOSE,
)
_ENDS = {
    "value": re.compile(r"[\s&;\"'`)<>|\\]"),
    "line": re.compile(r"[\n\"']"),
    "'": re.compile("'"),
    '"': re.compile('"'),
}
# Phrases of SQL, ~/.netrc, and function calls in code that have no name with an equals sign.
_PHRASE = re.compile(
    r"""\b(?:identified\s{1,5}(?:with\s{1,5}\S{1,40}\s{1,5})?by
           |pragma\s{1,5}(?:re)?key|(?:with|encrypted|set)\s{1,5}password(?:\s{1,5}for\s\S{1,60})?)
        [\s=]{1,5}["'](?P<quoted>[^"']+)["']
      | \b(?:create|alter)\s{1,5}(?:role|user)\s[^;"']{1,200}\spassword\s{1,5}'(?P<granted>[^']+)'
      | \b(?:auth\s?=\s?|\w{0,40}(?:login|auth|authenticate))\(
        ["'][^"']{0,80}["'],\s{0,3}["'](?P<second>[^"']+)["']
      | (?:set|check|change|reset|update|verify|make|hash)_?pass(?:word|wd|phrase)
        \(\s?["'](?P<called>[^"']+)["']
      | (?:PDO|mysqli|connect|connection)\((?:["'][^"']{0,200}["'],\s{0,3}){2}["'](?P<third>[^"']+)["']
      | \buser(?:\s=\s["']?|=["'])[^"':\s]{1,80}:(?P<configured>[^"'%\n]+)
      | ass(?:word|phrase|code)\b[^"'\n]{0,20}["'}][;\s]{1,9}send\s{1,5}(?:--\s)?["'](?P<sent>[^"'\\]+)
      | \blogin\s{1,5}\S{1,80}\s{1,5}password\s{1,5}(?P<bare>\S+)""",
    re.VERBOSE | re.IGNORECASE,
)
PHRASE_HINT = re.compile(
    "identified|pragma|pass(?:w|phrase|code)|auth|login|PDO|mysqli|connect|user ?=|send",
    re.IGNORECASE,
)
_SCHEME = re.compile(
    r"(?:bearer|basic|token|digest|apikey|bot|oauth|negotiate)[ \t]+", re.IGNORECASE
)
_OPENS_MEMBER = re.compile(r"[{,]\s{0,3}\Z")
_WHOLE_LINE = frozenset({"authorization", "proxy-authorization", "cookie", "set-cookie"})
_HINT = re.compile(rf"[=:]|BEGIN|(?i:login|auth|identified|pragma|pass)|{LONG_STRETCH}")
# `{"name": "DB_PASSWORD", "value": "X"}`, `ParameterKey=DbPassword,ParameterValue=X`.
_SEPARATE_VALUE = re.compile(
    r"""\b(?:name|key|type|parameterkey)(?:\\?["'])?\s?[:=]\s?(?:\\?["'])?
        (?P<name>[\w./-]{1,100})(?:\\?["'])?[,\s]\s{0,20}(?:\\?["'])?
        (?:parameter)?value(?:\\?["'])?\s?[:=]\s?(?:\\?["'])?(?P<value>[^"'\\,\s}]+)""",
    re.VERBOSE | re.IGNORECASE,
)
_ELEMENT = re.compile(r"<(?P<name>[\w.:-]{1,100})>(?P<value>[^<>\s][^<>]{0,400})</")
# A variable's default: `${TOKEN:-X}`.
_DEFAULT = re.compile(r"\$\{(?P<name>\w++):?[-=][\"']?(?P<value>[^}\"'$`\s]{1,400})")
# `sig = base64_decode(sig)` in a program that is read: it would be edited as it is shown.
_OF_A_PROGRAM = re.compile(
    r"(?:[A-Za-z_]\w{0,60}\.){0,8}[A-Za-z_]\w{0,60}(?:\([^\n]{0,400}\)|\[[\w.'\"+-]{1,60}\])"
)
_JUDGED = 400  # characters of a value that are examined


def secrets_in(text: str, *, is_document: bool = False) -> Iterator[Span]:
    """The spans of secrets in `text`; with `is_document`, `name: value` lines are searched too."""
    if not may_hold_secrets(text):
        return
    yield from tokens(text)
    yield from _url_passwords(text)
    yield from _webhooks(text)
    yield from _private_keys(text)
    for found in _PHRASE.finditer(text) if PHRASE_HINT.search(text) else ():
        group = found.lastgroup or "bare"
        if not is_no_secret(found[group][:_JUDGED]):
            yield Span(*found.span(group))
    # A name and its value apart. The signs are quicker to look for than the patterns.
    for sign, pattern in (("alue", _SEPARATE_VALUE), ("</", _ELEMENT)):
        for found in pattern.finditer(text) if sign in text else ():
            if names_a_secret(found["name"]) and not is_no_secret(found["value"][:_JUDGED]):
                yield Span(*found.span("value"))
    yield from _NamedValues(text, is_document).secrets()


def defaults_in(text: str) -> Iterator[Span]:
    """The spans of secrets that are defaults of variables: `${TOKEN:-X}`."""
    for found in _DEFAULT.finditer(text):
        name, value = found["name"], found["value"]
        sure = names_a_secret(name)
        if not is_no_secret(value) and (sure or (may_name_a_secret(name) and looks_random(value))):
            yield Span(*found.span("value"))


def may_hold_secrets(text: str) -> bool:
    """A fast check: False if `text` has nothing with which a match of any rule begins."""
    return _HINT.search(text) is not None


def tokens_in_prose(text: str) -> Iterator[Span]:
    """The spans of secrets of known form in a message, where names of secrets mean little."""
    yield from tokens_in(text, is_document=False)


def tokens_in(text: str, *, is_document: bool = True) -> Iterator[Span]:
    """The spans of secrets of known form in output: a name alone makes no value a secret."""
    yield from tokens(text)
    yield from _url_passwords(text)
    yield from _webhooks(text)
    yield from _private_keys(text)
    for span in _NamedValues(text, is_document).secrets():
        if looks_random(text[span.start : min(span.end, span.start + _JUDGED)], at_least=8):
            yield span


def _url_passwords(text: str) -> Iterator[Span]:
    for found in _URL.finditer(text) if "@" in text else ():
        user_info, at_sign, host = found[1].rpartition("@")
        if not at_sign or host.startswith("sha256:"):
            continue
        user, colon, password = user_info.partition(":")
        start = found.start(1) + len(user) + len(colon)
        if colon and not is_no_secret(password):
            yield Span(start, found.start(1) + len(user_info))
        elif not colon and len(user) >= 20 and not is_no_secret(user):
            yield Span(found.start(1), found.start(1) + len(user))
    for found in _URL_AS_TYPED.finditer(text) if "@" in text else ():
        if not is_no_secret(found["password"]):
            yield Span(*found.span("password"))


def _webhooks(text: str) -> Iterator[Span]:
    for found in _WEBHOOK.finditer(text):
        yield Span(*found.span(1))


def _private_keys(text: str) -> Iterator[Span]:
    end = 0
    for found in _PRIVATE_KEY.finditer(text) if "PRIVATE KEY" in text else ():
        if found.start() < end:
            continue
        close = text.find(_PRIVATE_KEY_END, found.end())
        end = len(text) if close < 0 else close + len(_PRIVATE_KEY_END)
        yield Span(found.start(), end)


class _NamedValues:
    """Finds the secrets after names in one text."""

    def __init__(self, text: str, is_document: bool) -> None:
        self.text = text
        self.is_document = is_document
        self.known_ends: dict[str, int] = {}

    def secrets(self) -> Iterator[Span]:
        end = 0
        for found in _NAMED.finditer(self.text):
            name = found["name"]
            whole_line = name.lower().lstrip("-") in _WHOLE_LINE
            sure = whole_line or names_a_secret(name)
            if found.start() < end or not (
                sure or may_name_a_secret(name) or may_name_a_vendor(name)
            ):
                continue
            span = self.value(found, whole_line)
            if span is not None and self.is_secret(found, span, sure):
                end = span.end
                yield span

    def is_secret(self, found: re.Match[str], span: Span, sure: bool) -> bool:
        name = found["name"]
        value = self.text[span.start : min(span.end, span.start + _JUDGED)]
        if is_no_secret(value) or refers(name, value):
            return False
        if found["sep"].endswith((" ", "\t")) and _OF_A_PROGRAM.match(self.text, span.start):
            return False
        if sure and not self.is_prose(found):
            return True
        if not (sure or may_name_a_secret(name)):
            return names_its_vendor(name, value)
        # `session:<UUID>` is usually a key of a key-value store, not a secret.
        return looks_random(value) and (sure or found["sep"] != ":" or not is_uuid(value))

    def value(self, found: re.Match[str], whole_line: bool) -> Span | None:
        """The value's span; None if the colon ends quoted text and no value follows."""
        start = found.end()
        opening = self.text[start : start + 1]
        if opening in ('"', "'"):
            if found["sep"] == ":" and not found["quote"] and not self.is_member(found):
                return None  # the quote closes text before the colon and opens no value
            return Span(start + 1, self.end_of(opening, start + 1))
        if whole_line:
            scheme = _SCHEME.match(self.text, start)
            start = scheme.end() if scheme else start
            return Span(start, self.end_of("line", start))
        return Span(start, self.end_of("value", start))

    def is_member(self, found: re.Match[str]) -> bool:
        """Whether the name is a member of an object: `{user:'app',password:'X'}`."""
        return _OPENS_MEMBER.search(self.text, max(0, found.start() - 4), found.start()) is not None

    def end_of(self, kind: str, start: int) -> int:
        """The end of a value of this kind; a cached end beyond `start` is still the next one."""
        if self.known_ends.get(kind, -1) < start:
            found = _ENDS[kind].search(self.text, start)
            self.known_ends[kind] = found.start() if found else len(self.text)
        return self.known_ends[kind]

    def is_prose(self, found: re.Match[str]) -> bool:
        """Whether the colon may be punctuation, so that only a random value is a secret."""
        if "=" in found["sep"] or found["quote"] or self.is_document or self.is_header(found):
            return False
        return (
            found["name"].lower() not in _WHOLE_LINE
            and self.text[found.end() : found.end() + 1] not in "\"'"
        )

    def is_header(self, found: re.Match[str]) -> bool:
        """Whether the whole text is `Name: value`, a header rather than a sentence."""
        if found.start():
            return False
        value = self.text[found.end() : found.end() + _JUDGED].strip()
        return bool(value) and not any(char.isspace() for char in value)


# Plain words, options, assignments, pipes and lists; no quotes, colons, or redirections.
_PLAIN = re.compile(r"[A-Za-z0-9_./,+@ =|&;\n-]*")
_LETTER_P = re.compile(r"(?:^|\s)-[pP]\s")
_USER = re.compile(r"(?:^|\s)-(?:[uUl]\s|-?user|-?login)")
_TOKEN = re.compile(LONG_STRETCH)
# Words are looked for one by one: a pattern of them takes as long to compile as Python to start.
_PROGRAMS = frozenset({*PROGRAMS, *READS_SECRET})
_PROGRAMS_WITH_SIGNS = tuple(
    name for name in _PROGRAMS if not name.replace("-", "_").isidentifier()
)
_NAME_RUN = re.compile(r"[\w-]+")
_WORDS = (*LOGIN_WORDS, *DEPLOY_VERBS, "creds", "identity", *_PROGRAMS_WITH_SIGNS)
_WORDS_IN_ANY_CASE = (
    *HINT_WORDS,
    *("identified", "pragma", "passw", "passphrase", "passcode", "auth", "login", "pdo", "mysqli"),
    *("connect", "user=", "user =", "send"),
)


def holds_no_secret(text: str) -> bool:
    """A fast check: True if a command is plain and no match of any rule can begin in it.

    Most commands hold nothing that a rule begins with, and searching them took most of the
    270 µs that the identity of a command cost.
    """
    if not _PLAIN.fullmatch(text) or _TOKEN.search(text):
        return False
    small = text.lower()
    if any(word in small for word in _WORDS_IN_ANY_CASE) or any(word in text for word in _WORDS):
        return False
    if any(name in _PROGRAMS for name in _NAME_RUN.findall(text)):
        return False
    return not (_LETTER_P.search(text) and _USER.search(text))

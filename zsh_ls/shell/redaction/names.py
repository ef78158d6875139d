"""Which names announce a secret, and which values are none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zsh_ls.shell.words.vocabulary import word_set
from zsh_ls.shell.words.words import EXPANSION

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SEPARATORS = re.compile(r"[_.\-]+")

# A name whose last part is one of these always holds a secret, …
_SECRET = word_set(
    """password passwd passwort passphrase passcode pwd pass pw pword pin puk secret token apikey psk
    credential authorization bearer otp kennwort contrasena mdp senha parola haslo wachtwoord mnemonic"""
)
# … so does one that ends in one of these without a break, …
_FUSED = tuple(
    word_set(
        "password passwd passphrase secret token apikey secretkey accesskey authkey privatekey"
        " sessionid storepass keypass dbpass userpass sqlpass requirepass masterauth sshpass"
    )
)
# … or in one of these pairs, …
_PAIRS = word_set(
    """api-key access-key secret-key private-key auth-key account-key encryption-key signing-key
    master-key shared-key license-key app-key session-id session-key session-token service-key preshared-key
    connection-string webhook-url pre-shared rediscli-auth seed-phrase recovery-phrase recovery-key
    unlock-key"""
)
_NO_PASS = word_set(
    "askpass bypass compass encompass overpass surpass trespass underpass multipass"
)
# Before one of them, these say that it is not the secret itself that follows.
_NOT_ITSELF = word_set(
    "existing use has is no show enable require max min num allow with without ask"
)
# … while these hold one where the value looks drawn at random.
_PERHAPS = word_set(
    "api key auth login pat sid cookie session signature sig salt dsn code otp hmac jwt"
)
# What may follow the part that decides: SECRET_KEY_BASE, DB_PASSWORD_PROD, TOKEN_2.
_TAILS = word_set("base base64 b64 prod dev staging test old new value string hex raw")
_INNOCENT = frozenset({"oldpwd", "public-key", "primary-key", "foreign-key", "author-token"})

_REFERENCE = re.compile(
    rf"""\$\w+ | \$?\{{(?!["']).* | <.*> | %[\w.-]*%?(?:\\n)? | [*.{EXPANSION}xX_-]+ | stdin
        | (?:file|fd|op|cmd|exec|ref|vault):.* | (?:process\.|os\.)?(?:env|environ|ENV)(?:[.:\[(].*)?
        | [()\[\]\\^].* | [a-z]+=.* """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN_VALUES = word_set(
    """true false null none nil yes no on off prompt stdin default auto public bearer basic digest oauth
    string text integer int uuid boolean bool in is for from to the of and or not"""
)
_GENERATED = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])(?=\S*[!#$^&~?])[^\s=]{8,}")
_SHORT_NUMBER = re.compile(r"\d{1,3}|\d{1,5}[smhd]")
_PATH = re.compile(
    r"(?:~|\.{1,2})?/[\w.@~-]+(?:/[\w.@~-]*)+|(?:~|\.{1,2})/[\w.@~/-]+"
    r"|[a-z][a-z_.-]*(?:/[a-z_.-]+)+"
)
_PATH_OF_A_FILE = re.compile(r"[\w.@~-]+(?:/[\w.@~-]+)+\.[A-Za-z]\w{0,4}")
_UUID = re.compile(r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}")
_OPTION = re.compile(r"-[A-Za-z]|--[A-Za-z][A-Za-z-]*(?:=.*)?", re.DOTALL)
_FILE_NAME = re.compile(
    r"[\w./~-]+\.(?:pem|pub|txt|json|ya?ml|toml|key|crt|cer|p12|pfx|jks|env|ini|cfg|conf|enc|gpg)"
)


# A quick look: a name that holds none of these is no name of a secret.
HINT = re.compile(
    "|".join({*_SECRET, *_FUSED, *_PERHAPS, *(pair.rpartition("-")[2] for pair in _PAIRS), "tf"}),
    re.IGNORECASE,
)


def parts(name: str) -> list[str]:
    """The words a name is made of, in small letters: `clientSecret` → client, secret."""
    spaced = _CAMEL.sub("-", name)
    return [part for part in _SEPARATORS.split(spaced.lower()) if part]


def names_a_secret(name: str) -> bool:
    """Whether what is called `name` is a secret whatever it looks like (`DB_PASSWORD`, `api-key`)."""
    if not HINT.search(name) or _is_innocent(name) or _is_bare_secret_option(name):
        return False
    return any(_decides(found) for found in _readings(name))


def may_name_a_secret(name: str) -> bool:
    """Whether what is called `name` is a secret if it looks drawn at random (`STRIPE_KEY`)."""
    if not HINT.search(name) or _is_innocent(name):
        return False
    return _is_bare_secret_option(name) or any(found[-1] in _PERHAPS for found in _readings(name))


def _is_innocent(name: str) -> bool:
    return name == "PWD" or "-".join(parts(name)) in _INNOCENT


def _is_bare_secret_option(name: str) -> bool:
    """`--secret`, which many programs take with the name of a secret they keep."""
    return name.startswith("-") and name.lstrip("-") == "secret"


def _readings(name: str) -> Iterator[list[str]]:
    """The parts of a name, without a tail that says nothing of what it is."""
    found = parts(name[-200:])
    while found and (found[-1] in _TAILS or found[-1].isdigit()):
        found = found[:-1]
    if found:
        yield [*found[:-1], found[-1].rstrip("0123456789") or found[-1]]


def _decides(found: list[str]) -> bool:
    if found[:2] == ["tf", "token"]:  # terraform: TF_TOKEN_ and a host's name
        return True
    last = found[-1]
    if len(found) > 1 and found[-2] in _NOT_ITSELF:
        return False
    if last.endswith(("pass", "pw")) and last.isalnum() and last not in _NO_PASS:
        return True
    return last in _SECRET or last.endswith(_FUSED) or "-".join(found[-2:]) in _PAIRS


def refers(name: str, value: str) -> bool:
    """Whether `value` says under which key a secret is kept: `auth.secretKey=password`."""
    return value in _SECRET and parts(name)[-1:] == ["key"]


def is_no_secret(value: str) -> bool:
    """Whether `value` refers to something or says nothing: `$TOKEN`, `/run/secrets/db`, `true`."""
    if not any(char.isalnum() for char in value) or value.lower() in _PLAIN_VALUES:
        return True
    shapes = (_REFERENCE, _SHORT_NUMBER, _PATH, _PATH_OF_A_FILE, _FILE_NAME)
    return any(shape.fullmatch(value) for shape in shapes)


def is_option(text: str) -> bool:
    """Whether a word is an option, which no password stands for: `-u`, `--authenticationDatabase`."""
    return _OPTION.fullmatch(text) is not None


def is_uuid(value: str) -> bool:
    """Whether `value` is an identifier of 32 figures: drawn at random, and mostly no secret."""
    return _UUID.fullmatch(value) is not None


def looks_like_a_password(value: str, *, kinds: int = 3, neutral: str = "") -> bool:
    """Whether `value` mixes kinds of characters as passwords do, and names, numbers and ports do not.

    `neutral` characters are of no kind: those of file names, say.
    """
    if len(value) < 6 or is_no_secret(value) or any(char.isspace() for char in value):
        return False
    judged = [char for char in value[:200] if char not in neutral]
    found = (str.islower, str.isupper, str.isdigit, lambda char: not char.isalnum())
    return sum(any(kind(char) for char in judged) for kind in found) >= kinds


def looks_generated(value: str) -> bool:
    """Whether `value` is a password from a generator: letters, figures and a sign, in one piece."""
    return len(value) <= 200 and "/" not in value and _GENERATED.fullmatch(value) is not None


def looks_random(value: str, at_least: int = 16) -> bool:
    """Whether `value` reads like a drawn token: long enough, letters and digits in one run."""
    if len(value) < at_least or any(char.isspace() for char in value):
        return False
    digits = sum(char.isdigit() for char in value)
    letters = sum(char.isalpha() for char in value)
    return digits >= 2 and letters >= 4 and "/" not in value[:1] and not value.startswith("http")

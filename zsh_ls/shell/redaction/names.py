"""Decides by their form which names are names of secrets, and which values cannot be secrets."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.lazy import re
from zsh_ls.shell.words.vocabulary import word_set
from zsh_ls.shell.words.words import EXPANSION

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SEPARATORS = re.compile(r"[_.\-]+")

# A name holds a secret whatever its value if its last part is one of these, …
_SECRET = word_set(
    """password passwd passwort passphrase passcode pwd pass pw pword pin puk secret token apikey psk
    credential authorization bearer otp kennwort contrasena mdp senha parola haslo wachtwoord mnemonic"""
)
# … or it ends with one of these without a separator, …
_FUSED = tuple(
    word_set(
        "password passwd passphrase secret token apikey secretkey accesskey authkey privatekey"
        " sessionid storepass keypass dbpass userpass sqlpass requirepass masterauth sshpass"
    )
)
# … or its last two parts are one of these pairs.
_PAIRS = word_set(
    """api-key access-key secret-key private-key auth-key account-key encryption-key signing-key
    master-key shared-key license-key app-key session-id session-key session-token service-key preshared-key
    connection-string webhook-url pre-shared rediscli-auth seed-phrase recovery-phrase recovery-key
    unlock-key"""
)
_NO_PASS = word_set(
    "askpass bypass compass encompass overpass surpass trespass underpass multipass"
)
# Words before such a part with which the value is not the secret itself: `use-password`.
_NEGATING = word_set(
    "existing use has is no show enable require max min num allow with without ask"
)
# Names with these as last part hold a secret if the value looks random.
_PERHAPS = word_set(
    "api key auth login pat sid cookie session signature sig salt dsn code otp hmac jwt"
)
# Parts that may follow the significant one: SECRET_KEY_BASE, DB_PASSWORD_PROD, TOKEN_2.
_TAILS = word_set("base base64 b64 prod dev staging test old new value string hex raw")
_INNOCENT = frozenset({"oldpwd", "public-key", "primary-key", "foreign-key", "author-token"})

# What stands for a secret kept elsewhere. The colon of `op:`, `fd:` is part of it: a token may begin
# with those letters (`wandb login fd8d2b…`).
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


# A fast check: a name that contains none of these is no name of a secret.
HINT_WORDS = {*_SECRET, *_FUSED, *_PERHAPS, *(pair.rpartition("-")[2] for pair in _PAIRS), "tf"}
HINT = re.compile("|".join(HINT_WORDS), re.IGNORECASE)


def parts(name: str) -> list[str]:
    """The words of a name in lower case: `clientSecret` → client, secret."""
    spaced = _CAMEL.sub("-", name)
    return [part for part in _SEPARATORS.split(spaced.lower()) if part]


def names_a_secret(name: str) -> bool:
    """Whether the value of `name` is a secret whatever it looks like (`DB_PASSWORD`, `api-key`)."""
    if not HINT.search(name) or _is_innocent(name) or _is_bare_secret_option(name):
        return False
    return any(_is_secret_name(found) for found in _readings(name))


def may_name_a_secret(name: str) -> bool:
    """Whether the value of `name` is a secret if it looks random (`STRIPE_KEY`)."""
    if not HINT.search(name) or _is_innocent(name):
        return False
    return _is_bare_secret_option(name) or any(found[-1] in _PERHAPS for found in _readings(name))


def _is_innocent(name: str) -> bool:
    return name == "PWD" or "-".join(parts(name)) in _INNOCENT


def _is_bare_secret_option(name: str) -> bool:
    """Whether it is `--secret`, whose value in many programs is the name of a stored secret."""
    return name.startswith("-") and name.lstrip("-") == "secret"


def _readings(name: str) -> Iterator[list[str]]:
    """The parts of a name without numbers and other insignificant parts at its end."""
    found = parts(name[-200:])
    while found and (found[-1] in _TAILS or found[-1].isdigit()):
        found = found[:-1]
    if found:
        yield [*found[:-1], found[-1].rstrip("0123456789") or found[-1]]


def _is_secret_name(found: list[str]) -> bool:
    if found[:2] == ["tf", "token"]:  # terraform: TF_TOKEN_ and a host's name
        return True
    last = found[-1]
    if len(found) > 1 and found[-2] in _NEGATING:
        return False
    if last.endswith(("pass", "pw")) and last.isalnum() and last not in _NO_PASS:
        return True
    return last in _SECRET or last.endswith(_FUSED) or "-".join(found[-2:]) in _PAIRS


def refers(name: str, value: str) -> bool:
    """Whether `value` is the name of the key that holds a secret: `auth.secretKey=password`."""
    return value in _SECRET and parts(name)[-1:] == ["key"]


def is_no_secret(value: str) -> bool:
    """Whether `value` is a reference or a plain word: `$TOKEN`, `/run/secrets/db`, `true`."""
    if not any(char.isalnum() for char in value) or value.lower() in _PLAIN_VALUES:
        return True
    shapes = (_REFERENCE, _SHORT_NUMBER, _PATH, _PATH_OF_A_FILE, _FILE_NAME)
    return any(shape.fullmatch(value) for shape in shapes)


def is_option(text: str) -> bool:
    """Whether a word is an option and so no password: `-u`, `--authenticationDatabase`."""
    return _OPTION.fullmatch(text) is not None


def is_uuid(value: str) -> bool:
    """Whether `value` is a UUID, which looks random but is rarely a secret."""
    return _UUID.fullmatch(value) is not None


def looks_like_a_password(value: str, *, kinds: int = 3, neutral: str = "") -> bool:
    """Whether `value` has at least `kinds` of lower case, upper case, digits and signs.

    Passwords mix them, names and numbers do not. `neutral` characters count as no kind.
    """
    if len(value) < 6 or is_no_secret(value) or any(char.isspace() for char in value):
        return False
    judged = [char for char in value[:200] if char not in neutral]
    found = (str.islower, str.isupper, str.isdigit, lambda char: not char.isalnum())
    return sum(any(kind(char) for char in judged) for kind in found) >= kinds


def looks_generated(value: str) -> bool:
    """Whether `value` looks like a generated password: letters, digits and a sign, no blanks."""
    return len(value) <= 200 and "/" not in value and _GENERATED.fullmatch(value) is not None


def looks_random(value: str, at_least: int = 16) -> bool:
    """Whether `value` looks like a random token: long enough, letters and digits, no blanks."""
    if len(value) < at_least or any(char.isspace() for char in value):
        return False
    digits = sum(char.isdigit() for char in value)
    letters = sum(char.isalpha() for char in value)
    return digits >= 2 and letters >= 4 and "/" not in value[:1] and not value.startswith("http")

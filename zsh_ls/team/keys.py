"""The team's secret, and the keys that are derived from it: hashes that nobody else can make, sealed texts.

A template's text is sealed by AES-SIV (RFC 5297): the same text gives the same sealed text, so that
agents agree on it, and a sealed text tells only whether two are equal, and within 32 bytes how long.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from functools import cached_property
from typing import TYPE_CHECKING

from zsh_ls.lazy import attrs
from zsh_ls.model.team import HashKeys
from zsh_ls.system.installation import adding

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

SECRET_BYTES = 32
LEAST_SECRET_CHARS = 16
_PADDED_TO = 32


class BadSecret(ValueError):
    """The text cannot be a team's secret; the message says why."""


class MissingExtra(Exception):
    """A package of the extra `zsh-ls[team]` is not there; the message says which."""


def needs(package: str) -> str:
    """What is said where a package of the extra is not there."""
    return f"the team's memory needs {package}; this installs it: {adding('team')}"


def new_secret() -> str:
    """A new secret, 256 random bits as text of one line."""
    return secrets.token_urlsafe(SECRET_BYTES)


def checked_secret(text: str) -> str:
    """The secret without the white space around it; raises BadSecret."""
    secret = text.strip()
    if len(secret) < LEAST_SECRET_CHARS:
        raise BadSecret(f"a team's secret has at least {LEAST_SECRET_CHARS} characters")
    if not secret.isprintable() or len(secret) > 1_000:
        raise BadSecret("a team's secret is one line of at most 1000 characters")
    return secret


@attrs.frozen
class TeamKeys:
    """The keys of one team."""

    secret: str = attrs.field(repr=False)

    def _derived(self, purpose: str) -> bytes:
        """A key for one purpose: HMAC-SHA-256 of the purpose, by the secret."""
        return hmac.new(self.secret.encode(), f"zsh-ls team {purpose}".encode(), "sha256").digest()

    @cached_property
    def hashes(self) -> HashKeys:
        """The keys of hashes."""
        return HashKeys(self._derived("project"), self._derived("template"))

    @cached_property
    def fingerprint(self) -> str:
        """What tells this team from another, and nothing of the secret."""
        return self._derived("fingerprint").hex()[:16]

    def agent_of(self, name: str) -> str:
        """The name of a shared identity, such as a pipeline's, as the server knows it."""
        return hmac.new(self._derived("agent"), name.encode(), hashlib.sha256).hexdigest()[:32]

    @cached_property
    def _cipher(self) -> AESSIV:
        try:
            from cryptography.hazmat.primitives.ciphers.aead import AESSIV
        except ImportError as missing:
            raise MissingExtra(needs("cryptography")) from missing
        return AESSIV(self._derived("text 1") + self._derived("text 2"))

    def check_usable(self) -> None:
        """Raises MissingExtra where nothing can be sealed or opened."""
        self.sealed("")

    def sealed(self, text: str) -> str:
        """The text as the server keeps it."""
        raw = text.encode("utf-8", "surrogatepass")
        padded = raw + b"\0" * (-(len(raw) + 1) % _PADDED_TO + 1)
        return base64.b64encode(self._cipher.encrypt(padded, [b"template"])).decode()

    def opened(self, sealed: str) -> str | None:
        """The text that was sealed, None where it was not by this team's key."""
        from cryptography.exceptions import InvalidTag

        try:
            raw = self._cipher.decrypt(base64.b64decode(sealed, validate=True), [b"template"])
            return raw.rstrip(b"\0").decode("utf-8", "surrogatepass")
        except (InvalidTag, ValueError):
            return None

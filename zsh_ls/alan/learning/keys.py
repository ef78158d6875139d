"""Which patterns a command leaves a trace in, and the keys of their rows. No I/O.

A key is the hash of the kind and the text in 63 bits: one descent of one
B-tree, and a whole script's patterns are one list of numbers.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from hashlib import blake2b

import attrs

from zsh_ls.shell.template.identity import Identity, identify

from .pattern import PatternKind

PREVIEW_LENGTH = 200
KEPT_LENGTH = 1000
_REALMS = tuple(bytes([kind]) for kind in range(len(PatternKind)))


@attrs.frozen
class PatternKey:
    """A pattern's kind and text; one that is not named is stored without its text."""

    kind: PatternKind
    text: str
    is_named: bool = True

    @cached_property
    def key(self) -> int:
        """The 63-bit key of the pattern."""
        return key_of(self.text, _REALMS[self.kind])


def key_of(text: str, realm: bytes) -> int:
    """A 63-bit key, different for the same text in another realm."""
    raw = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(raw, digest_size=8, person=realm).digest(), "big") >> 1


@attrs.frozen
class CommandKeys:
    """The rows of memory that speak of a command; nothing in it holds a secret."""

    identity: Identity

    @property
    def preview(self) -> str | None:
        """The beginning of the text, None where the person asked not to keep it (ALAN-7)."""
        return self.identity.text[:PREVIEW_LENGTH] if self.identity.keeps_text else None

    @property
    def host(self) -> str | None:
        """The host of an ssh command."""
        return self.identity.ssh.host if self.identity.ssh else None

    @property
    def remote(self) -> str | None:
        """The template of what an ssh command runs on its host."""
        return self.identity.ssh.remote_template if self.identity.ssh else None

    def mark(self, kind: PatternKind, text: str) -> PatternKey:
        """The mark of one of its patterns.

        One that stands word for word in a text that is not to be kept (ALAN-7) is not named.
        """
        return PatternKey(kind, text, self.identity.keeps_text or text not in self.identity.text)

    @property
    def kept_remote(self) -> str | None:
        """The remote template as the log keeps it: not where it stands word for word in such a text."""
        hidden = self.remote is None or not self.mark(PatternKind.REMOTE, self.remote).is_named
        return None if hidden else self.remote

    @cached_property
    def marks(self) -> tuple[PatternKey, PatternKey, PatternKey]:
        """The exact command, its template and its base command."""
        names = self.identity
        return (
            self.mark(PatternKind.COMMAND, names.hash),
            self.mark(PatternKind.TEMPLATE, names.template),
            self.mark(PatternKind.BASE, names.base),
        )

    @property
    def command_key(self) -> int:
        """The row of the exact command."""
        return self.marks[0].key

    @property
    def template_key(self) -> int:
        """The row of the template."""
        return self.marks[1].key

    @property
    def base_key(self) -> int:
        """The row of the base command."""
        return self.marks[2].key

    @cached_property
    def host_key(self) -> int | None:
        """The row of the ssh host."""
        return PatternKey(PatternKind.HOST, self.host).key if self.host else None

    @cached_property
    def remote_key(self) -> int | None:
        """The row of the remote command."""
        return PatternKey(PatternKind.REMOTE, self.remote).key if self.remote else None

    @cached_property
    def keys(self) -> tuple[int, ...]:
        """The rows that say something of the command before it runs."""
        keys = (
            self.command_key,
            self.template_key,
            self.base_key,
            self.host_key,
            self.remote_key,
        )
        return tuple(key for key in keys if key is not None)


def footprint_of(command: str, extra_redactions: tuple[str, ...] = ()) -> CommandKeys:
    """The keys of a command's text as it was typed."""
    if len(command) > KEPT_LENGTH:
        return CommandKeys(identify(command, extra_redactions))
    return _kept_footprint(command, extra_redactions)


@lru_cache(maxsize=2048)
def _kept_footprint(command: str, extra_redactions: tuple[str, ...]) -> CommandKeys:
    """The lines of a script are looked at again with every edit."""
    return CommandKeys(identify(command, extra_redactions))


def forget_footprints() -> None:
    """Let go of what is kept, as a process that begins."""
    _kept_footprint.cache_clear()

"""The patterns that a command counts in, and the keys of their rows. No I/O.

A key is a 63-bit hash of a pattern's kind and text, so that a lookup is by SQLite's
rowid and the patterns of a whole script are one list of integers.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from hashlib import blake2b

from zsh_ls.lazy import attrs
from zsh_ls.shell.template.identity import NOT_KEPT, Identity, identify

from .pattern import PatternKind

PREVIEW_LENGTH = 200
# The keys of longer commands are not cached: the cache is bounded in bytes, not only in number.
KEPT_LENGTH = 1000
_HASH_DOMAINS = tuple(bytes([kind]) for kind in range(len(PatternKind)))


@attrs.frozen
class PatternKey:
    """A pattern's kind and text; the text, or the `label` in its place, is stored only if `is_named`.

    It counts the runs of the project in the folder `scope`, those of everywhere if None.
    """

    kind: PatternKind
    text: str
    is_named: bool = True
    scope: str | None = None
    label: str | None = None

    @property
    def name(self) -> str:
        """What is stored as its text."""
        return self.text if self.label is None else self.label

    @cached_property
    def key(self) -> int:
        """The 63-bit key of the pattern."""
        key = key_of(self.text, _HASH_DOMAINS[self.kind])
        return key_in(key, self.scope)


@lru_cache(maxsize=4096)
def scoped(key: int, scope: str) -> int:
    """The key of a pattern's runs in the project of folder `scope`, from that of its runs everywhere."""
    return key_of(f"{key} {scope}", b"in a project")


def key_of(text: str, domain: bytes) -> int:
    """A 63-bit hash of `text`; `domain` separates the keys of different kinds of text."""
    raw = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(raw, digest_size=8, person=domain).digest(), "big") >> 1


def key_in(key: int, scope: str | None) -> int:
    """The key of a pattern in a project, or everywhere if `scope` is None."""
    return key if scope is None else scoped(key, scope)


@attrs.frozen
class CommandKeys:
    """The keys of all patterns that a command counts in, and its redacted texts."""

    identity: Identity

    @property
    def preview(self) -> str | None:
        """The beginning of the redacted text, None if the user asked not to keep it (ALAN-7)."""
        return self.identity.text[:PREVIEW_LENGTH] if self.identity.keeps_text else None

    @property
    def host(self) -> str | None:
        """The host of an ssh command, None for others."""
        return self.identity.ssh.host if self.identity.ssh else None

    @property
    def remote(self) -> str | None:
        """The template of the command that an ssh command runs on its host."""
        return self.identity.ssh.remote_template if self.identity.ssh else None

    def pattern_key(self, kind: PatternKind, text: str) -> PatternKey:
        """The key of one of the command's patterns.

        It is not named if the command's text must not be kept (ALAN-7): templates hold much of it.
        """
        return PatternKey(kind, text, self.identity.keeps_text or kind is PatternKind.COMMAND)

    def told(self, name: str) -> str:
        """The name of one of the command's patterns as it may be told, NOT_KEPT in place of a hidden one."""
        return name if self.identity.keeps_text else NOT_KEPT

    @property
    def kept_remote(self) -> str | None:
        """The remote template for the log, None if the command's text must not be kept."""
        return self.remote if self.identity.keeps_text else None

    @cached_property
    def pattern_keys(self) -> tuple[PatternKey, PatternKey, PatternKey, PatternKey]:
        """The command by its hash, its template, its base command, and the command's exact text."""
        names = self.identity
        return (
            self.pattern_key(PatternKind.COMMAND, names.hash),
            self.pattern_key(PatternKind.TEMPLATE, names.template),
            self.pattern_key(PatternKind.BASE, names.base),
            # Stored by its hash, so that a command's exact texts can be forgotten with it.
            PatternKey(PatternKind.EXACT, names.text, label=names.hash),
        )

    @property
    def command_key(self) -> int:
        """The row of the exact command."""
        return self.pattern_keys[0].key

    @property
    def template_key(self) -> int:
        """The row of the template."""
        return self.pattern_keys[1].key

    @property
    def base_key(self) -> int:
        """The row of the base command."""
        return self.pattern_keys[2].key

    @property
    def exact_key(self) -> int:
        """The row of the command's exact text."""
        return self.pattern_keys[3].key

    @cached_property
    def host_key(self) -> int | None:
        """The row of the ssh host."""
        return PatternKey(PatternKind.HOST, self.host).key if self.host else None

    @cached_property
    def remote_key(self) -> int | None:
        """The row of the remote command."""
        return PatternKey(PatternKind.REMOTE, self.remote).key if self.remote else None

    @cached_property
    def all(self) -> tuple[int, ...]:
        """The keys of all rows to read before the command runs."""
        keys = (
            self.command_key,
            self.template_key,
            self.base_key,
            self.exact_key,
            self.host_key,
            self.remote_key,
        )
        return tuple(key for key in keys if key is not None)

    def all_in(self, scope: str) -> tuple[int, ...]:
        """The keys of all rows to read for a project: command, template, base, exact text."""
        known = self._keys_in.get(scope)
        if known is None:
            known = self._keys_in[scope] = tuple(scoped(it.key, scope) for it in self.pattern_keys)
        return known

    @cached_property
    def _keys_in(self) -> dict[str, tuple[int, ...]]:
        """Those of each project that was asked for: a script's lines are asked for three times an edit."""
        return {}


def keys_of(command: str, extra_redactions: tuple[str, ...] = ()) -> CommandKeys:
    """The keys of a command's text as it was typed."""
    if len(command) > KEPT_LENGTH:
        return CommandKeys(identify(command, extra_redactions))
    return _cached_keys(command, extra_redactions)


@lru_cache(maxsize=2048)
def _cached_keys(command: str, extra_redactions: tuple[str, ...]) -> CommandKeys:
    """Cached, because the lines of a script are looked up again with every edit."""
    return CommandKeys(identify(command, extra_redactions))


def clear_key_cache() -> None:
    """Empty the cache of `keys_of`, for measurements."""
    _cached_keys.cache_clear()

"""Which patterns a command leaves a trace in, and the keys of their rows. No I/O.

A key is the hash of the kind and the text in 63 bits: one descent of one
B-tree, and a whole script's patterns are one list of numbers.
"""

from __future__ import annotations

import re
from functools import cached_property
from hashlib import blake2b
from typing import NamedTuple

import attrs

from .pattern import Kind

PREVIEW_LENGTH = 200


class Mark(NamedTuple):
    """A pattern's kind and text."""

    kind: Kind
    text: str

    @property
    def key(self) -> int:
        """The 63-bit key of the pattern."""
        digest = blake2b(
            self.text.encode("utf-8", "surrogatepass"), digest_size=8, person=bytes([self.kind])
        ).digest()
        return int.from_bytes(digest, "big") >> 1


class Segment(NamedTuple):
    """A segment of the last pipeline: its template and the base name of its command."""

    template: str
    word: str


@attrs.frozen
class Footprint:
    """What memory needs to know of a command; nothing in it holds a secret.

    `preview` is the beginning of the redacted text, None where the text is
    not to be kept. `host` and `remote` are of an ssh command.
    """

    hash: str
    template: str
    base: str
    segments: tuple[Segment, ...] = ()
    host: str | None = None
    remote: str | None = None
    preview: str | None = None

    @cached_property
    def command_key(self) -> int:
        """The row of the exact command."""
        return Mark(Kind.COMMAND, self.hash).key

    @cached_property
    def template_key(self) -> int:
        """The row of the template."""
        return Mark(Kind.TEMPLATE, self.template).key

    @cached_property
    def base_key(self) -> int:
        """The row of the base command."""
        return Mark(Kind.BASE, self.base).key

    @cached_property
    def host_key(self) -> int | None:
        """The row of the ssh host."""
        return Mark(Kind.HOST, self.host).key if self.host else None

    @cached_property
    def remote_key(self) -> int | None:
        """The row of the remote command."""
        return Mark(Kind.REMOTE, self.remote).key if self.remote else None

    @property
    def keys(self) -> list[int]:
        """The rows that say something of the command before it runs."""
        keys = (
            self.command_key,
            self.template_key,
            self.base_key,
            self.host_key,
            self.remote_key,
        )
        return [key for key in keys if key is not None]


def footprint_of(command: str, extra_redactions: tuple[str, ...] = ()) -> Footprint:
    """The footprint of a command's text as it was typed."""
    text = " ".join(command.split())
    words = text.split(" ")
    normal = re.sub(r"\d+", "N", re.sub(r"'[^']*'|\"[^\"]*\"", "Q", text))
    digest = blake2b(normal.encode(), digest_size=8).hexdigest()
    depth = 2 if words[0] in {"git", "pip", "npm"} else 1
    template = " ".join(words[:depth]) + (" *" if len(words) > depth else "")
    parts = text.split(" | ")
    segments = tuple(
        Segment(p.split(" ")[0] + (" *" if " " in p else ""), p.split(" ")[0]) for p in parts
    )
    host = remote = None
    if words[0] == "ssh" and len(words) > 1:
        host = words[1].rpartition("@")[2]
        remote = words[2] + (" *" if len(words) > 3 else "") if len(words) > 2 else None
    preview = None if command.startswith(" ") else text[:PREVIEW_LENGTH]
    return Footprint(digest, template, words[0], segments, host, remote, preview)


def is_normal_exit(command: str, exit_status: int) -> bool:
    """Whether `exit_status` is success or one of `command`'s known normal exits."""
    return exit_status == 0 or (command in {"grep", "diff", "test"} and exit_status == 1)

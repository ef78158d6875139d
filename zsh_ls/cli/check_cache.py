"""Results of `zsh-ls check` by the content of files, kept between runs (CLI-2).

A result is found again where nothing that decides it has changed: the bytes of the file and its name, which
rules are looked for, the program itself, the shells that judge syntax, and the files that the script sources.
What is kept is what was found, in a folder of mode 0700; a result whose findings quote a secret is not kept.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence, Set

from zsh_ls import __version__
from zsh_ls.lazy import attrs
from zsh_ls.shell.embedded.hosts import kind_of
from zsh_ls.system import programs
from zsh_ls.system.bounded_files import MIB, NotRead, read_named
from zsh_ls.system.private_folders import make_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

try:
    from _blake2 import blake2b  # `hashlib` loads OpenSSL with it, a tenth of a check without news
except ImportError:
    from hashlib import blake2b

SHELLS = ("zsh", "bash", "dash")
DIGEST_BYTES = 16
# Results are in so many files, by the first digit of their key, and at most so many in each.
SHARDS = "0123456789abcdef"
MOST_IN_SHARD = 8192
MAX_SHARD_BYTES = 64 * MIB
# What is kept of a file: see `Kept`.
ENTRY_FIELDS = 2
# The fields of a finding, without its file: lines and columns, level, rule, message, because, then_line.
ROW = (int, int, int, int, str, str, str, str, int | None)


@attrs.frozen
class Kept:
    """The result of one file.

    `rows` are its findings as the values of their fields, without the file. `sourced` are the words of its
    `source` commands that were looked up, each with the digest of the text it named, `""` where none
    was known.
    """

    rows: Sequence[Sequence[Any]]
    sourced: Mapping[str, str]


def digest_of(*parts: bytes) -> str:
    """A digest of several byte strings, which tells where each ends."""
    whole = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        whole.update(b"%d:" % len(part))
        whole.update(part)
    return whole.hexdigest()


def digest_of_text(text: str | None) -> str:
    """The digest of a sourced file's text; `""` of one that is not known."""
    return "" if text is None else digest_of(text.encode("utf-8", "surrogatepass"))


def judges() -> bytes:
    """What decides results besides the files: the modules of this program, and the shells."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    seen = [f"{__version__} {name} {size} {changed}" for name, size, changed in _modules(package)]
    for shell in SHELLS:
        place = programs.find(shell)
        if place is not None:
            found = os.stat(place)
            seen.append(f"{os.path.realpath(place)} {found.st_size} {found.st_mtime_ns}")
    return "\n".join(seen).encode("utf-8", "surrogateescape")


def _modules(folder: str) -> Iterator[tuple[str, int, int]]:
    """Name, size and time of change of every module and table of rules below a folder, in a stable order."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda it: it.name):
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _modules(entry.path)
            elif entry.name.endswith((".py", ".json")):
                found = entry.stat()
                yield entry.path, found.st_size, found.st_mtime_ns


class CheckCache:
    """The results in one folder; what cannot be read or written there is left out, and checked anew."""

    def __init__(self, folder: str, wanted: Set[str]) -> None:
        self._folder = folder
        self._judges = digest_of(judges(), *(name.encode() for name in sorted(wanted))).encode()
        self._shards: dict[str, dict[str, Any]] = {}
        self._used: dict[str, list[str]] = {}
        self._new: dict[str, dict[str, Any]] = {}

    def key(self, path: str, data: bytes) -> str:
        """The key of a file's result: of its path the name alone matters, and what kind of file it is."""
        kind = (kind_of(path) or "").encode()
        return digest_of(self._judges, os.fsencode(os.path.basename(path)), kind, data)

    def get(self, key: str) -> Kept | None:
        """The result that was kept under a key."""
        shard = key[0]
        if shard not in self._shards:
            self._shards[shard] = self._load(shard)
        entry = self._shards[shard].get(key)
        if entry is None or not _is_result(entry):
            return None
        self._used.setdefault(shard, []).append(key)
        rows, sourced = entry
        return Kept(rows, sourced)

    def put(self, key: str, kept: Kept) -> None:
        """Keep a result, from the next `save` on."""
        self._new.setdefault(key[0], {})[key] = [list(map(list, kept.rows)), dict(kept.sourced)]

    def save(self) -> None:
        """Write the new results; those that were used longest ago make room. Raises OSError."""
        if not self._new:
            return
        make_private(self._folder)
        for shard, new in self._new.items():
            # Another process may have written meanwhile.
            entries = self._load(shard)
            for key in self._used.get(shard, ()):
                if key in entries:
                    entries[key] = entries.pop(key)
            entries.update(new)
            for key in list(entries)[: max(0, len(entries) - MOST_IN_SHARD)]:
                del entries[key]
            self._write(shard, entries)
        self._new.clear()

    def _load(self, shard: str) -> dict[str, Any]:
        try:
            data = read_named(self._place(shard), MAX_SHARD_BYTES)
            found = json.loads(data)
        except (NotRead, ValueError, RecursionError):
            return {}  # none yet, or broken: written anew
        return found if isinstance(found, dict) else {}

    def _write(self, shard: str, entries: Mapping[str, Any]) -> None:
        import tempfile  # a check that finds all results again writes none

        with tempfile.NamedTemporaryFile(
            "w", dir=self._folder, prefix=f"{shard}-", suffix=".new", delete=False, encoding="utf-8"
        ) as file:
            try:
                json.dump(entries, file, separators=(",", ":"))
                file.close()
                os.replace(file.name, self._place(shard))
            except BaseException:
                os.unlink(file.name)
                raise

    def _place(self, shard: str) -> str:
        return os.path.join(self._folder, f"{shard}.json")


def _is_result(entry: Any) -> bool:
    """Whether an entry has the form that `put` gives it; anything may have written the file."""
    if not isinstance(entry, list) or len(entry) != ENTRY_FIELDS:
        return False
    rows, sourced = entry
    return (
        isinstance(rows, list)
        and all(map(_is_row, rows))
        and isinstance(sourced, dict)
        and all(isinstance(each, str) for each in sourced.values())
    )


def _is_row(row: object) -> bool:
    if not isinstance(row, list) or len(row) != len(ROW):
        return False
    return all(isinstance(value, kind) for value, kind in zip(row, ROW, strict=True))

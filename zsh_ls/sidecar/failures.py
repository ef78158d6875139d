"""How often each command has failed in this session: the second time, everything is shown."""

from __future__ import annotations

from hashlib import blake2b

MOST_COMMANDS = 1_000


class Failures:
    """Counts for the commands that failed last; texts may be long, so that only digests are kept."""

    def __init__(self) -> None:
        self._counts: dict[bytes, int] = {}

    def of(self, command: str, folder: str) -> int:
        """How often `command` failed in `folder`."""
        return self._counts.get(_key(command, folder), 0)

    def another(self, command: str, folder: str) -> None:
        """It failed once more."""
        key = _key(command, folder)
        self._counts[key] = self._counts.pop(key, 0) + 1
        if len(self._counts) > MOST_COMMANDS:
            del self._counts[next(iter(self._counts))]


def _key(command: str, folder: str) -> bytes:
    text = f"{folder}\0{command}".encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=16).digest()

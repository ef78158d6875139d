"""Facts of the machine as values, and the protocol that reads them.

A fact that cannot be had is a value too: `Unavailable` says why and what would
be needed. Sizes are bytes, shares lie between 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from zsh_ls.lazy import attrs

from .answer import ProposedCommand

PackageManager = Literal["apt", "dnf", "pacman", "zypper", "apk", "brew"]


@attrs.frozen
class Unavailable:
    """A fact could not be read: why, what is missing, and commands that would show it."""

    reason: str
    missing: str
    collect: tuple[ProposedCommand, ...]


@attrs.frozen
class MemoryUse:
    """Main memory and swap; `available_bytes` is what programs can still get without swapping."""

    total_bytes: int
    available_bytes: int
    swap_total_bytes: int
    swap_used_bytes: int


@attrs.frozen
class CpuUse:
    """The processor; `busy_share` is over the moment of reading, all its CPUs together."""

    model: str
    logical: int
    physical: int | None
    busy_share: float


@attrs.frozen
class LoadAverage:
    """Processes that ran or wanted to, on average over 1, 5 and 15 minutes."""

    one: float
    five: float
    fifteen: float
    logical_cpus: int


@attrs.frozen
class Filesystem:
    """A mounted file system; `available_bytes` is what its users can still write."""

    device: str
    mount: str
    kind: str
    total_bytes: int
    used_bytes: int
    available_bytes: int


@attrs.frozen
class Gpu:
    """A graphics card; the numbers are None where its driver does not tell them."""

    name: str
    total_bytes: int | None = None
    used_bytes: int | None = None
    busy_share: float | None = None


@attrs.frozen
class Interface:
    """A network interface; traffic is counted since it came up."""

    name: str
    is_up: bool
    addresses: tuple[str, ...]
    received_bytes: int
    sent_bytes: int


@attrs.frozen
class ProcessFacts:
    """A process; `cpu_share` is of one CPU over the moment of reading, so it can exceed 1."""

    pid: int
    name: str
    resident_bytes: int
    cpu_share: float


@attrs.frozen
class Listener:
    """A socket that listens; `pid` and `name` are None where they may not be seen."""

    port: int
    pid: int | None = None
    name: str | None = None


class Machine(Protocol):
    """The machine this runs on, read when asked; reading CPU use takes a moment."""

    def memory(self) -> MemoryUse | Unavailable:
        """Main memory and swap."""
        ...

    def cpu(self) -> CpuUse | Unavailable:
        """The processor and how busy it is."""
        ...

    def load(self) -> LoadAverage | Unavailable:
        """The load averages."""
        ...

    def filesystems(self) -> Sequence[Filesystem] | Unavailable:
        """Mounted file systems that hold files on disks."""
        ...

    def gpus(self) -> Sequence[Gpu] | Unavailable:
        """Graphics cards."""
        ...

    def interfaces(self) -> Sequence[Interface] | Unavailable:
        """Network interfaces."""
        ...

    def processes(self) -> Sequence[ProcessFacts] | Unavailable:
        """All processes that may be seen, in no order."""
        ...

    def listeners(self) -> Sequence[Listener] | Unavailable:
        """TCP and UDP sockets that wait for others, each port and process once."""
        ...

    def program(self, name: str) -> str | None:
        """The path of a program that is installed, None where PATH has none of the name."""
        ...

    def version(self, name: str) -> str | None:
        """What a program says of its version, in one line; None where it is not asked or says nothing."""
        ...

    def package_manager(self) -> PackageManager | None:
        """The package manager that is there."""
        ...

    def system(self) -> Literal["linux", "darwin", "other"]:
        """The kernel's family."""
        ...

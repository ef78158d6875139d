"""The package manager of this machine."""

from __future__ import annotations

import sys
from collections.abc import Callable

from zsh_ls.model.machine import PackageManager
from zsh_ls.system import programs
from zsh_ls.system.bounded_files import MIB, NotRead, read_bytes

# The program of each manager, in the order in which they are looked for on an unknown system.
_PROGRAMS: dict[PackageManager, str] = {
    "apt": "apt-get",
    "dnf": "dnf",
    "pacman": "pacman",
    "zypper": "zypper",
    "apk": "apk",
    "brew": "brew",
}
# os-release(5): the ID of a system, or one it is like, and the manager that is its own.
_OWN: dict[str, PackageManager] = {
    "debian": "apt",
    "ubuntu": "apt",
    "fedora": "dnf",
    "rhel": "dnf",
    "arch": "pacman",
    "suse": "zypper",
    "opensuse": "zypper",
    "alpine": "apk",
}

Which = Callable[[str], str | None]


def package_manager(
    os_release: str = "/etc/os-release", which: Which = programs.find
) -> PackageManager | None:
    """The system's own manager if its program is installed, else the first that is."""
    own = ["brew"] if sys.platform == "darwin" else _named_by(os_release)
    candidates: list[PackageManager] = [name for name in _PROGRAMS if name in own]
    candidates += [name for name in _PROGRAMS if name not in own]
    return next((name for name in candidates if which(_PROGRAMS[name])), None)


def _named_by(os_release: str) -> list[str]:
    try:
        text = read_bytes(os_release, MIB).decode("utf-8", "replace")
    except NotRead:
        return []
    lines = [line.strip().partition("=") for line in text.splitlines()]
    ids = {name: value.strip("\"'").split() for name, _, value in lines}
    names = [*ids.get("ID", []), *ids.get("ID_LIKE", [])]
    return [_OWN[name] for name in names if name in _OWN]

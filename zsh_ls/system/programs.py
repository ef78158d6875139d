"""Finding and starting helper programs: version probes, `man`, `nvidia-smi`, compilers.

Everything that zsh-ls starts by itself is started here; commands of users and agents are started by
`tasks`. Folders of PATH that are relative, empty or in an untrusted workspace are skipped, and so is
a link that leads into one; what a program calls in turn is not looked for in a folder with such a
link. The programs get an environment of few variables, so that none of it (BASH_ENV, ENV, LD_PRELOAD,
PYTHONSTARTUP, …) starts anything else.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio
    import subprocess
    from typing import Any

# Variables that programs get: the user, the language, and paths that they need.
_KEPT = frozenset({"USER", "LOGNAME", "LANG", "LANGUAGE", "TZ"})
_FOLDERS = frozenset({"HOME", "TMPDIR"})
_LISTS = frozenset({"PATH", "MANPATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"})
# Variables that name what a shell, an interpreter or the linker reads, loads or runs at its start.
_POINTERS = _LISTS | {
    *("BASH_ENV", "ENV", "ZDOTDIR", "FPATH", "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES"),
    *("PYTHONPATH", "PYTHONSTARTUP", "PYTHONHOME", "PERL5LIB", "PERL5OPT", "RUBYLIB", "RUBYOPT"),
    *("NODE_OPTIONS", "NODE_PATH"),
}


class _Distrusted:
    """Folders from which nothing is started, as given and with links resolved."""

    folders: tuple[str, ...] = ()


# By a folder of PATH: when it was last changed, and whether a link in it leads into a distrusted one.
_looked_into: dict[str, tuple[int, bool]] = {}


def distrust(folders: Iterable[str]) -> None:
    """From now on start nothing from these folders, which replace earlier ones.

    This is global, as one process serves one client.
    """
    named = [os.path.abspath(folder) for folder in folders]
    _looked_into.clear()
    _Distrusted.folders = tuple(dict.fromkeys([*named, *map(os.path.realpath, named)]))


def is_passed_over(path: str) -> bool:
    """Whether `path` is skipped: it is relative, or it is in or a link into an untrusted folder.

    So is one whose links cannot be followed, as they are being replaced.
    """
    if not os.path.isabs(path):
        return True
    try:
        ways = (os.path.normpath(path), os.path.realpath(path))
    except OSError:
        return True
    return any(is_below(way, folder) for way in ways for folder in _Distrusted.folders)


def _holds_links_inside(folder: str) -> bool:
    """Whether a folder outside has a link into an untrusted one, by which a program could find another."""
    if not _Distrusted.folders:
        return False
    try:
        changed_ns = os.stat(folder).st_mtime_ns
        known = _looked_into.get(folder)
        if known is None or known[0] != changed_ns:
            with os.scandir(folder) as entries:
                holds = any(it.is_symlink() and is_passed_over(it.path) for it in entries)
            known = _looked_into[folder] = changed_ns, holds
    except OSError:
        return False
    return known[1]


def is_below(path: str, folder: str) -> bool:
    """Whether `path` is `folder` or lies in it, going by their names alone."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def is_program(path: str) -> bool:
    """Whether a file is there that can be executed."""
    return os.path.isfile(path) and os.access(path, os.X_OK)


def search_path(path: str | None = None) -> str:
    """The folders of `path` (default: PATH) that are searched for programs."""
    given = os.environ.get("PATH", os.defpath) if path is None else path
    return os.pathsep.join(it for it in given.split(os.pathsep) if not is_passed_over(it))


def find(name: str, path: str | None = None) -> str | None:
    """The executable `name`, found on the search path or given as an absolute path; None if missing."""
    if os.path.isabs(name):
        candidates = [name]
    elif os.path.dirname(name):
        return None
    else:
        candidates = [os.path.join(it, name) for it in search_path(path).split(os.pathsep) if it]
    return next((it for it in candidates if is_program(it) and not is_passed_over(it)), None)


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of helper programs; `more` is added unchanged."""
    own = os.environ
    kept = {name: own[name] for name in own if name in _KEPT or name.startswith("LC_")}
    kept |= {it: own[it] for it in _FOLDERS if it in own and not is_passed_over(own[it])}
    kept |= {it: value for it in _LISTS if (value := _without_pointer(it, own.get(it, "")))}
    return {**kept, **(more or {})}


def without_pointers(base: Mapping[str, str]) -> dict[str, str]:
    """`base` without variables that would run or load files of an untrusted workspace or relative ones.

    For the user's login shell, which needs the user's own environment. Its start files may read what any
    variable names (`. "$NVM_DIR/nvm.sh"`), so none that names a place in an untrusted workspace is left.
    """
    return {
        name: value
        for name, given in base.items()
        if (value := _without_pointer(name, given)) is not None
        and (name in _POINTERS or not _names_untrusted(value))
    }


def _names_untrusted(value: str) -> bool:
    return any(os.path.isabs(it) and is_passed_over(it) for it in value.split(os.pathsep))


async def start(
    command: Sequence[str],
    *,
    cwd: str = "/",
    env: Mapping[str, str] | None = None,
    **how: Any,
) -> asyncio.subprocess.Process:
    """Start `command` in `cwd`; `how` is passed to asyncio, `env` replaces the usual environment.

    Raises FileNotFoundError if there is no such program, and other OSErrors if it cannot be started.
    """
    import asyncio  # noqa: PLC0415

    found = _found(command[0])
    given = environment() if env is None else env
    return await asyncio.create_subprocess_exec(found, *command[1:], cwd=cwd, env=given, **how)


def popen(command: Sequence[str], **how: Any) -> subprocess.Popen[bytes]:
    """Start `command`; `how`, with an `env`, is passed to Popen. Raises OSError."""
    import subprocess  # noqa: PLC0415

    return subprocess.Popen([_found(command[0]), *command[1:]], **how)


def _found(name: str) -> str:
    # The interpreter of this program is always allowed.
    found = name if name == sys.executable else find(name)
    if found is None:
        raise FileNotFoundError(name)
    return found


def _without_pointer(name: str, value: str) -> str | None:
    """The value with only the allowed paths in it; None if none is left."""
    if name not in _POINTERS:
        return value
    # An empty part of MANPATH stands for the default folders (manpath(1)).
    means_usual = {""} if name == "MANPATH" else set()
    parts = value.split(os.pathsep)
    left = [it for it in parts if it in means_usual or not is_passed_over(it)]
    if name == "PATH":
        left = [it for it in left if not _holds_links_inside(it)]
    return os.pathsep.join(left) or None

"""Where a repository lives: the remote that its configuration names, in one spelling. No program is asked."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from functools import lru_cache
from urllib.parse import urlsplit

from zsh_ls.lazy import re

from .bounded_files import read_bytes

_LONGEST_CONFIG_BYTES = 1 << 20
_LONGEST_REMOTE = 1_000
_SECTION = re.compile(r'\[\s*remote\s+"((?:[^"\\]|\\.)*)"\s*\]')
_URL = re.compile(r"url\s*=\s*(.*)", re.IGNORECASE)
_SCP = re.compile(r"(?:[^@/:]*@)?(\[[0-9a-fA-F:.]+\]|[^/:@\[\]]+):(?!//)(.+)")
_SCHEMES = frozenset({"ssh", "git+ssh", "ssh+git", "git", "http", "https"})


def remote_of(project: str) -> str | None:
    """The normalised remote of the repository in the folder `project`, None if it has none.

    That is `origin`, else the only or first one.
    """
    for config in _configurations(project):
        try:
            text = read_bytes(config, _LONGEST_CONFIG_BYTES).decode("utf-8", "replace")
        except OSError:
            continue
        found = _remotes(text) if not config.endswith("hgrc") else _mercurial_paths(text)
        url = found.get("origin") or next(iter(found.values()), None)
        return normalised(url) if url else None
    return None


def known_remote(project: str) -> str | None:
    """As `remote_of`, read again only where the configuration's file has changed."""
    return _remote_at(project, tuple(map(_stamp, _configurations(project)[:1])))


@lru_cache(maxsize=256)
def _remote_at(project: str, _stamps: tuple[object, ...]) -> str | None:
    return remote_of(project)


def _stamp(path: str) -> object:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _configurations(project: str) -> tuple[str, ...]:
    """The files that may name its remotes; of a bare repository, the one at its top."""
    git = os.path.join(project, ".git")
    if os.path.isfile(git):  # a submodule, or a worktree whose main one is gone
        try:
            pointer = read_bytes(git, 8_192).decode("utf-8", "surrogateescape")
        except OSError:
            return ()
        git = os.path.join(project, pointer.removeprefix("gitdir:").strip())
    return (
        os.path.join(git, "config"),
        os.path.join(project, ".jj", "repo", "store", "git", "config"),
        os.path.join(project, ".hg", "hgrc"),
        *([os.path.join(project, "config")] if _is_bare(project) else ()),
    )


def _is_bare(folder: str) -> bool:
    return all(os.path.exists(os.path.join(folder, name)) for name in ("HEAD", "objects", "refs"))


def _remotes(text: str) -> dict[str, str]:
    """The first address of each remote in git's configuration."""
    found: dict[str, str] = {}
    name: str | None = None
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            section = _SECTION.match(line)
            name = section[1] if section else None
        elif name is not None and (url := _URL.fullmatch(line)):
            value = url[1].strip()
            if value.startswith('"') and value.endswith('"') and len(value) > 1:
                value = value[1:-1]
            found.setdefault(name, value)
    return found


def _mercurial_paths(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            section = line.strip("[] ")
        elif section == "paths" and "=" in line:
            name, _, value = line.partition("=")
            found["origin" if name.strip() == "default" else name.strip()] = value.strip()
    return found


def normalised(url: str) -> str | None:
    """`host/Owner/repo` of a remote's address; None for a folder of this machine and what is no address.

    User, password, port, a slash and `.git` at the end are left out, the host is in lower case.
    """
    if len(url) > _LONGEST_REMOTE or any(character in url for character in "\0\n\r"):
        return None
    if "://" in url:
        try:
            parts = urlsplit(url)
            host, path = parts.hostname, parts.path
        except ValueError:
            return None
        if parts.scheme.lower() not in _SCHEMES or not host:
            return None
    else:
        scp = _SCP.fullmatch(url)
        if scp is None:
            return None
        host, path = scp[1].strip("[]"), scp[2]
    names = [name for name in path.split("/") if name]
    if names and names[-1].endswith(".git") and names[-1] != ".git":
        names[-1] = names[-1].removesuffix(".git")
    return "/".join([host.lower(), *names]) if names else None


def fits(remote: str, patterns: tuple[str, ...]) -> bool:
    """Whether a normalised remote fits one of the patterns, globs such as `host/Owner/*`."""
    return any(fnmatchcase(remote, _with_host(pattern)) for pattern in patterns)


def _with_host(pattern: str) -> str:
    host, slash, path = pattern.partition("/")
    return host.lower() + slash + path


def pattern_around(remote: str) -> str:
    """The pattern of the remotes beside this one, of the same host and owner."""
    return remote.rpartition("/")[0] + "/*"

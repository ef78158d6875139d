"""Which files a shell reads when it starts, for the lens of START-4: rc files, and what they source."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from zsh_ls.lazy import attrs, re
from zsh_ls.system.bounded_files import NotRead, read_bytes

_OF_ZSH = {".zshenv": False, ".zprofile": True, ".zshrc": False, ".zlogin": True}
_OF_BASH = {".bashrc": False, ".bash_profile": True, ".profile": True}
_SOURCES = re.compile(
    r"(?:^|[;&|{]|\bthen\b|\bdo\b)\s*(?:source|\.)\s+(\"[^\"]+\"|'[^']+'|[^\s;&|]+)", re.MULTILINE
)
_VARIABLE = re.compile(r"\$(?:\{(\w+)(?::?-([^{}]*))?\}|(\w+))")
_ZDOTDIR = re.compile(r"^\s*(?:export\s+)?ZDOTDIR=(\"[^\"]+\"|'[^']+'|\S+)", re.MULTILINE)
_LARGEST_BYTES = 1 << 20
_MOST_FILES = 200


@attrs.frozen
class StartOf:
    """The start of which shell reads a file; `login`: of a login shell alone."""

    shell: str
    login: bool


def start_of(file: str, environment: Mapping[str, str]) -> StartOf | None:
    """The start that reads `file`; None where none does. Reads the person's rc files."""
    wanted = os.path.realpath(file)
    home = environment.get("HOME") or os.path.expanduser("~")
    return next(
        (start for path, start in _read_at_start(home, environment) if path == wanted), None
    )


def _read_at_start(home: str, environment: Mapping[str, str]) -> Iterator[tuple[str, StartOf]]:
    folder = environment.get("ZDOTDIR") or _named_by(home, environment) or home
    places = [(home, ".zshenv", "zsh", False)]
    places += [(folder, name, "zsh", login) for name, login in _OF_ZSH.items()]
    places += [(home, name, "bash", login) for name, login in _OF_BASH.items()]
    known = {**environment, "HOME": home, "ZDOTDIR": folder}
    ahead = [(os.path.join(at, name), StartOf(shell, login)) for at, name, shell, login in places]
    seen: set[str] = set()
    while ahead and len(seen) < _MOST_FILES:
        path, start = ahead.pop(0)
        real = os.path.realpath(path)
        if real in seen or not os.path.isfile(real):
            continue
        seen.add(real)
        yield real, start
        ahead += [(it, start) for it in _sourced(real, known)]


def _named_by(home: str, environment: Mapping[str, str]) -> str | None:
    """The ZDOTDIR that the person's .zshenv sets."""
    found = _ZDOTDIR.search(_text(os.path.join(home, ".zshenv")))
    return _expanded(found[1], {**environment, "HOME": home}) if found else None


def _sourced(path: str, variables: Mapping[str, str]) -> Iterator[str]:
    for found in _SOURCES.finditer(_text(path)):
        if named := _expanded(found[1], variables):
            yield named


def _expanded(word: str, variables: Mapping[str, str]) -> str | None:
    """The path that a word names; None where a variable is not known and has no default."""
    word = word.strip("\"'")
    if word == "~" or word.startswith("~/"):
        word = f"{variables['HOME']}{word[1:]}"

    def value(found: re.Match[str]) -> str:
        name, default, bare = found.groups()
        if default is not None and not variables.get(name):
            return _expanded(default, variables) or found[0]
        return variables.get(name or bare, found[0])

    path = _VARIABLE.sub(value, word)
    return path if os.path.isabs(path) and "$" not in path else None


def _text(path: str) -> str:
    try:
        return read_bytes(path, _LARGEST_BYTES).decode("utf-8", "replace")
    except NotRead:
        return ""

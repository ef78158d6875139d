"""Names that arguments may have, read from the folder a document is in: files, targets, scripts, branches.

Nothing is started for them: what make, just, npm and git would tell is read from their files, within bounds.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from zsh_ls.lazy import re
from zsh_ls.system.bounded_files import MIB, read_bytes

MOST_ENTRIES = 5_000
MOST_BRANCHES = 2_000
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
JUSTFILES = ("justfile", "Justfile", ".justfile")
_TARGET = re.compile(r"^([A-Za-z0-9_][\w./ -]*?)[ \t]*::?(?![:=])", re.MULTILINE)
_RECIPE = re.compile(r"^@?([A-Za-z_][\w-]*)(?:[ \t]+[^:=\n]*(?:=[^:\n]*)?)?:(?!=)", re.MULTILINE)


def files(folder: str, prefix: str) -> list[str]:
    """The files and folders (with a `/` behind) whose path begins so; hidden ones where a dot is written."""
    head, _, begun = prefix.rpartition("/")
    place = os.path.join(
        folder, os.path.expanduser(f"{head}/" if head or prefix[:1] == "/" else "")
    )
    lead = prefix[: len(prefix) - len(begun)]
    try:
        with os.scandir(place) as entries:
            found = [
                lead + entry.name + ("/" if entry.is_dir() else "")
                for entry in islice(entries, MOST_ENTRIES)
                if entry.name.startswith(begun) and (begun or not entry.name.startswith("."))
            ]
    except (OSError, ValueError):
        return []
    return sorted(found)


def make_targets(folder: str) -> list[str]:
    """The targets that the Makefile of a folder writes out; those that begin with `_` come last."""
    named = _TARGET.findall(_text_of_first(folder, MAKEFILES))
    names = dict.fromkeys(name for names in named for name in names.split())
    return sorted(names, key=lambda it: it.startswith("_"))


def just_recipes(folder: str) -> list[str]:
    """The recipes of the justfile of a folder or the nearest above it; private ones begin with `_`."""
    for place in _upwards(folder):
        if text := _text_of_first(place, JUSTFILES):
            return [name for name in _RECIPE.findall(text) if not name.startswith("_")]
    return []


def npm_scripts(folder: str) -> dict[str, str]:
    """The scripts of the nearest package.json, by name, and what they run."""
    for place in _upwards(folder):
        if text := _text_of_first(place, ("package.json",)):
            try:
                scripts = json.loads(text).get("scripts")
            except (ValueError, RecursionError, AttributeError):
                return {}
            of_texts = sorted(scripts.items()) if isinstance(scripts, dict) else []
            return {name: str(runs) for name, runs in of_texts}
    return {}


def has_own_program(folder: str, name: str) -> bool:
    """Whether a package that is installed in the folder, or above it, brings a program of that name."""
    return any(
        os.path.exists(os.path.join(place, "node_modules", ".bin", name))
        for place in _upwards(folder)
    )


def branches(folder: str) -> list[str]:
    """The branches of the repository around a folder, those of remotes behind its own."""
    git = next((it for it in map(_git_folder, _upwards(folder)) if it is not None), None)
    if git is None:
        return []
    heads = set(islice(_refs_below(git / "refs/heads", ""), MOST_BRANCHES))
    remotes = set(islice(_refs_below(git / "refs/remotes", ""), MOST_BRANCHES))
    for line in _text_of_first(str(git), ("packed-refs",)).splitlines():
        name = line.rpartition(" ")[2]
        if name.startswith("refs/heads/"):
            heads.add(name.removeprefix("refs/heads/"))
        elif name.startswith("refs/remotes/"):
            remotes.add(name.removeprefix("refs/remotes/"))
    return [*sorted(heads), *sorted(it for it in remotes if not it.endswith("/HEAD"))]


def _git_folder(folder: str) -> Path | None:
    """Where the refs of a repository are whose work tree is this folder."""
    git = Path(folder, ".git")
    if git.is_dir():
        return git
    linked = _text_of_first(folder, (".git",)).removeprefix("gitdir:").strip()
    if not linked:
        return None
    common = _text_of_first(os.path.join(folder, linked), ("commondir",)).strip()
    return Path(folder, linked, common)


def _refs_below(folder: Path, lead: str) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda it: it.name)
    except OSError:
        return
    for entry in listed:
        if entry.is_dir(follow_symlinks=False):
            yield from _refs_below(Path(entry.path), f"{lead}{entry.name}/")
        else:
            yield lead + entry.name


def _upwards(folder: str) -> Iterator[str]:
    yield folder
    yield from map(str, Path(folder).parents)


def _text_of_first(folder: str, names: tuple[str, ...]) -> str:
    """The text of the first of these files that is there; `""` where none can be read."""
    for name in names:
        try:
            return read_bytes(os.path.join(folder, name), MIB).decode("utf-8", "replace")
        except OSError:
            continue
    return ""

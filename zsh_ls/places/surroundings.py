"""Where a command ran and which tools it names: what a printed path and message are read by."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from zsh_ls.lazy import attrs
from zsh_ls.model.syntax import SegmentKind
from zsh_ls.shell.words.words import read
from zsh_ls.shell.words.wrappers import base_name, look_through

from .formats import formats

LONGEST_COMMAND = 20_000


@attrs.frozen
class Surroundings:
    """Where a command ran, absolute, which folders are its project's, and what it names.

    `folders` are those that a relative path may be from, the likeliest first; `tools` the base names of
    the programs that the command runs, in its order.
    """

    cwd: str
    roots: tuple[str, ...]
    folders: tuple[str, ...]
    tools: tuple[str, ...]

    @classmethod
    def of(cls, command: str, cwd: str, roots: Sequence[str] = ()) -> Surroundings:
        """What `command` says, run in `cwd`; `roots` are the folders of its workspace and project."""
        tools: dict[str, None] = {}
        folders: list[str] = []
        here = cwd
        for words in _commands(command[:LONGEST_COMMAND]):
            at = look_through(words)
            rest = words[at:]
            if not rest:
                continue
            if "env" in words[:at]:
                rest_of_env = _named_folders("env", words[:at])
                folders += (posixpath.normpath(posixpath.join(here, it)) for it in rest_of_env)
            name = base_name(rest[0])
            if name in ("cd", "pushd") and len(rest) > 1 and not rest[-1].startswith("-"):
                here = posixpath.normpath(posixpath.join(here, rest[-1]))
                folders.insert(0, here)
                continue
            folders += (
                posixpath.normpath(posixpath.join(here, it)) for it in _named_folders(name, rest)
            )
            if name == "xargs" or "-exec" in rest:
                # What it runs prints, not what finds its arguments.
                named = (base_name(word) for word in rest[1:])
                tools = {it: None for it in named if it in formats().tools.known} | tools
            if name in formats().tools.launchers:
                named = (base_name(word) for word in rest[1:])
                tools.update(dict.fromkeys(it for it in named if it in formats().tools.known))
            tools[name] = None
        above = [it for it in roots if it]
        folders += [cwd, *_ancestors(cwd, above), *above]
        return cls(cwd, (cwd, *above), tuple(dict.fromkeys(folders)), tuple(tools))

    def is_own(self, path: str) -> bool:
        """Whether a file is one of the project, not of a library that is kept in it."""
        for root in self.roots:
            if path.startswith(f"{root.rstrip('/')}/"):
                return formats().tools.foreign_folders.isdisjoint(path[len(root) :].split("/"))
        return False


def _commands(text: str) -> Iterator[list[str]]:
    """The words of each simple command that can be read from the text; a filter in a pipe is left out."""
    parsed = read(text)
    filters = formats().tools.severity
    for pipeline in parsed.script.every_pipeline():
        for number, segment in enumerate(pipeline.segments):
            if segment.kind is not SegmentKind.SIMPLE:
                continue
            words = parsed.commands[segment.span].texts
            at = look_through(words)
            is_filter = at < len(words) and filters.get(base_name(words[at])) == "info"
            if number and is_filter:
                continue
            yield words


def _named_folders(name: str, words: Sequence[str]) -> Iterator[str]:
    """The folders that a command's options name; of cmake the last word too (`cmake ..`)."""
    options = formats().tools.folder_options.get(name, ())
    for at, word in enumerate(words):
        for option in options:
            if word == option and at + 1 < len(words):
                yield words[at + 1]
            elif word.startswith(f"{option}=") or (
                len(option) == 2 and word.startswith(option) and len(word) > 2
            ):
                yield word[len(option) :].removeprefix("=")
    if name == "cmake" and len(words) > 1 and not words[-1].startswith("-"):
        yield words[-1]


def _ancestors(folder: str, roots: Sequence[str]) -> Iterator[str]:
    """The folders above `folder`, up to the root that it is below: some tools print paths from one."""
    if not any(folder.startswith(f"{root.rstrip('/')}/") for root in roots):
        return
    top = min(roots, key=len)
    while len(folder) > len(top):
        folder = posixpath.dirname(folder)
        yield folder

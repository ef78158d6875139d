"""Which folder a command of a line ran in, as far as the text of the line tells."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from zsh_ls.lazy import attrs, re
from zsh_ls.model.syntax import Pipeline, SegmentKind

from .vocabulary import CHANGE_FOLDER
from .words import ParsedWords, read
from .wrappers import base_name, look_through

# What changes folder in these does not for what follows them.
_OF_THEIR_OWN = (SegmentKind.SUBSHELL, SegmentKind.FUNCTION)
_LONGEST_READ = 16_384
# Nothing that the shell makes something else of, but a home.
_PLAIN = re.compile(r"[\w@%+=,./ -]+|~(?:/[\w@%+=,./ -]*)?")


def folder_at(command: str, at: int, cwd: str, *, home: str) -> str:
    """The folder in which the command that begins at the character `at` of a line ran, begun in `cwd`.

    It is `""` where the text does not tell: `cd "$there" && make`, `cd - && make`.
    """
    text = command[:_LONGEST_READ]
    if not any(name in text[:at] for name in CHANGE_FOLDER):
        return cwd
    reading = read(text)
    return _Going(reading, at, home).after(reading.script.pipelines, cwd)


@attrs.frozen
class _Going:
    """Follows the folders of a line up to the command that begins at `at`."""

    reading: ParsedWords
    at: int
    home: str

    def after(self, pipelines: Sequence[Pipeline], folder: str) -> str:
        """The folder after the commands of `pipelines` that begin before it."""
        for pipeline in pipelines:
            for segment in pipeline.segments:
                if segment.span.start >= self.at:
                    return folder
                inner = [one for body in segment.bodies for one in body.pipelines]
                if inner and (self.at < segment.span.end or segment.kind not in _OF_THEIR_OWN):
                    folder = self.after(inner, folder)
                elif segment.kind is SegmentKind.SIMPLE and len(pipeline.segments) == 1:
                    words = self.reading.commands[segment.span].texts
                    folder = self._changed(words[look_through(words) :], folder)
        return folder

    def _changed(self, words: Sequence[str], folder: str) -> str:
        """The folder after a simple command."""
        if not words or base_name(words[0]) not in CHANGE_FOLDER:
            return folder
        target = words[1] if len(words) == 2 else "~" if words == ["cd"] else ""
        if not folder or target.startswith("-") or not _PLAIN.fullmatch(target):
            return ""
        if target.startswith("~"):
            target = posixpath.join(self.home, target[2:])
        return posixpath.normpath(posixpath.join(folder, target))

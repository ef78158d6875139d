"""The arguments that a person typed for a script, with the files that their patterns find."""

from __future__ import annotations

import glob
import os
from itertools import islice

from zsh_ls.model.errors import InvalidRequest
from zsh_ls.shell.words.typed import typed_words

MOST_FILES = 10_000


def typed_arguments(typed: str, folder: str) -> tuple[str, ...]:
    """The words of a text as for a script that runs in `folder`; a pattern without files stands for itself.

    Looks into folders. Raises InvalidRequest where a pattern finds more than is passed on.
    """
    words: list[str] = []
    for word in typed_words(typed, os.environ):
        found: list[str] = []
        if word.pattern is not None:
            found = sorted(islice(glob.iglob(word.pattern, root_dir=folder), MOST_FILES + 1))
        if len(found) > MOST_FILES:
            raise InvalidRequest(f"typed: {word.text} is more than {MOST_FILES:,} files")
        words += found or [word.text]
    return tuple(words)

"""The name of the command that gives a segment's exit status (ALAN-9)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .wrappers import RESERVED, TRANSPARENT, base_name, look_through

# A name that is no path, no quoted word and no assignment.
PLAIN = re.compile(r"[\w.+-]++")
LOOKED_THROUGH = RESERVED | TRANSPARENT.keys()


def command_word(words: Sequence[str]) -> str:
    """The base name of the command `words` run: `sudo LC_ALL=C /usr/bin/grep x f` gives `grep`.

    Assignments, sudo, env, command and the like (wrappers.TRANSPARENT) are
    looked through; `""` where nothing but assignments is left. A pipeline's `!`
    is passed over: judge the segment's own status then, not the turned one.
    """
    if words and PLAIN.fullmatch(words[0]) and words[0] not in LOOKED_THROUGH:
        return words[0]
    at = look_through(words)
    return base_name(words[at]) if at < len(words) else ""

"""`re`, whose `compile` puts the work off until the pattern is first asked for something.

A module declares dozens of patterns, and a short command searches with few of them. Used in place of the
library (`from zsh_ls.lazy import re`); what is not defined here comes from there. An error in a pattern is
found when it is first used: who compiles what a person wrote, to say what is wrong there, takes the library.
"""

from __future__ import annotations

import re as _library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import *  # noqa: F403
    from re import Match, Pattern, compile, error, escape  # noqa: A004

    __all__ = ["Match", "Pattern", "compile", "error", "escape"]
else:

    class LazyPattern:
        """A pattern that is compiled when it is first used."""

        def __init__(self, pattern, flags):
            self.pattern = pattern
            self._flags = flags

        def __getattr__(self, name):
            value = getattr(_library.compile(self.pattern, self._flags), name)
            setattr(self, name, value)
            return value

        def __repr__(self):
            return repr(_library.compile(self.pattern, self._flags))

    def compile(pattern, flags=0):  # noqa: A001
        """A pattern that is compiled when it is first used; an error in it is found then."""
        return LazyPattern(pattern, flags)

    _SEARCHING = {"search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn"}

    def _with_lazy_patterns(function):
        """A function of the library that takes the patterns made here, too."""

        def call(pattern, *arguments, **named):
            if type(pattern) is LazyPattern:
                pattern = _library.compile(pattern.pattern, pattern._flags)
            return function(pattern, *arguments, **named)

        return call

    def __getattr__(name):
        value = getattr(_library, name)
        globals()[name] = value = _with_lazy_patterns(value) if name in _SEARCHING else value
        return value

"""`re`, whose `compile` puts the work off until the pattern is first asked for something.

A module declares dozens of patterns, and a short command searches with few of them. Used in place of the
library (`from zsh_ls.lazy import re`); what is not defined here comes from there. The patterns made here are
for their own methods: the functions of `re` do not take them.
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

    def __getattr__(name):
        value = globals()[name] = getattr(_library, name)
        return value

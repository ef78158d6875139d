"""What holds inside a function, told by the calls the same script makes.

A function's body runs with the options of its caller, so that by itself only
"maybe" can be said of it. Where every call in the script stands where an
option is on, it is on in the body; and `errexit` is heeded there only where no
call is itself looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import attrs

from zsh_ls.insights.place import Place
from zsh_ls.shell.context import Context, Setting

Calls = Mapping[str, list[Place]]


def with_errexit(calls: Calls, body_of: Callable[[Place], str]) -> frozenset[str]:
    """The functions in whose bodies a failure surely ends the script."""

    def heeded(place: Place, assured: set[str]) -> bool:
        on = _is_on(place.context.errexit, body_of(place) in assured)
        return on and place.is_unchecked and place.substitution is None

    return _closure(calls, heeded)


def with_pipefail(calls: Calls, body_of: Callable[[Place], str]) -> frozenset[str]:
    """The functions in whose bodies `pipefail` is surely on."""
    return _closure(
        calls,
        lambda place, assured: _is_on(place.context.pipefail, body_of(place) in assured),
    )


def is_open(context: Context) -> bool:
    """Whether the text alone could not tell an option."""
    return Setting.MAYBE in {context.errexit, context.pipefail}


def settled(context: Context, *, errexit: bool, pipefail: bool) -> Context:
    """The context where what was open is told by the calls."""
    return attrs.evolve(
        context,
        errexit=Setting.ON if _is_on(context.errexit, errexit) else context.errexit,
        pipefail=Setting.ON if _is_on(context.pipefail, pipefail) else context.pipefail,
    )


def _is_on(setting: Setting, in_assured: bool) -> bool:
    return setting is Setting.ON or (setting is Setting.MAYBE and in_assured)


def _closure(calls: Calls, holds: Callable[[Place, set[str]], bool]) -> frozenset[str]:
    """Begin with what top-level calls assure, and go on until no function is added."""
    assured: set[str] = set()
    waiting = {name: places for name, places in calls.items() if places}
    while added := _assured_now(waiting.items(), assured, holds):
        assured |= added
        waiting = {name: places for name, places in waiting.items() if name not in added}
    return frozenset(assured)


def _assured_now(
    waiting: Iterable[tuple[str, list[Place]]],
    assured: set[str],
    holds: Callable[[Place, set[str]], bool],
) -> set[str]:
    return {name for name, places in waiting if all(holds(each, assured) for each in places)}

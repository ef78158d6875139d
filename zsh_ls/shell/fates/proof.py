"""The fate of a command as two runs prove it: one in which it succeeded, one in which it failed.

One judgement for the tests of the analysis, whose stubs stand for every command, and for people's
rehearsals, whose stand-ins do not; they differ in what they print alone. How the table of fates is
read where it leaves a choice:

- A run goes on if it comes to the same end as the run it is compared with: the end of the text, or the
  same `exit` of the script. One that does not stopped, also where it printed or ran something before
  (`cmd || { echo failed; exit 1; }`), except that with exit 0 an added external command makes it
  `handled`.
- Where a last command fails and nothing runs after it, `stops` is right beside what the table says, and
  `reported` beside `stops`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from zsh_ls.lazy import attrs

from .fate import FateKind

# The entry of the end of the text begins so.
END = "_end"


@attrs.frozen
class Course:
    """What a run did: its commands in order, without those of traps; the end it came to; its exit.

    `end` is an entry of the end of the text or of an `exit`, None where a failure stopped the run.
    """

    log: tuple[str, ...]
    end: str | None
    exit: int


@attrs.frozen
class Proven:
    """The fate, and all fates that are right where the table leaves a choice."""

    fate: FateKind
    right: frozenset[FateKind]


def proven(
    healthy: Course,
    failed: Course,
    own: str,
    *,
    is_end: Callable[[str], bool],
    is_external: Callable[[str], bool],
) -> Proven:
    """The fate of the command whose entry in the logs is `own`."""
    before, after = healthy.log, failed.log
    same_end = failed.end == healthy.end if healthy.end is not None else before[-1:] == after[-1:]
    same_end = same_end or bool(failed.end and failed.end.startswith(END))
    alone = set(_without(is_end, after[after.index(own) + 1 :])) <= {own}
    if same_end:
        # A line may stand at different places: what runs side by side has no order.
        same = Counter(_without(is_end, before)) == Counter(_without(is_end, after))
        unchanged = FateKind.REPORTED if failed.exit else FateKind.UNNOTICED
        fate = unchanged if same else FateKind.HANDLED
    elif failed.exit:
        fate = FateKind.STOPS
    else:
        added = Counter(_without(is_end, after)) - Counter(before)
        fate = FateKind.HANDLED if any(map(is_external, added)) else FateKind.STOPS_SILENTLY
    right = {fate}
    if healthy.end is None and not failed.end:
        # Both runs were stopped by a failure: whether at the same command does not show.
        right |= (
            {FateKind.STOPS, FateKind.REPORTED}
            if failed.exit
            else {FateKind.STOPS_SILENTLY, FateKind.UNNOTICED}
        )
        if Counter(before) != Counter(after):
            right = right - {FateKind.REPORTED, FateKind.UNNOTICED} | {FateKind.HANDLED}
    last = own in before and not _without(is_end, before[before.index(own) + 1 :])
    if failed.exit and alone and (last or fate is FateKind.HANDLED):
        right |= {FateKind.STOPS}
    if fate is FateKind.STOPS and last:
        right |= {FateKind.REPORTED}
    return Proven(fate, frozenset(right))


def _without(is_end: Callable[[str], bool], log: Sequence[str]) -> list[str]:
    return [line for line in log if not is_end(line)]

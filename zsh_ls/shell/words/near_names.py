"""Names of commands that are one slip of the fingers away from another word."""

from __future__ import annotations

from collections.abc import Iterable

# In what is longer, or a path, no slip is looked for.
LONGEST_NAME = 39


def near_command(name: str, names: Iterable[str]) -> str:
    """The one of `names` that is nearest to `name`: one letter more, less or other, or two swapped.

    Swapped letters come first, then names that begin alike. `""` where there is none. Of a name of two
    letters all but their order is too much to guess, of three all but that and a letter left out: `tox`
    that is not installed is no slip of `toe`. The hook of `zsh-ls init` looks in the same way.
    """
    if not 1 < len(name) <= LONGEST_NAME or "/" in name:
        return ""
    found = (
        it
        for it in names
        if it != name
        and _is_one_slip(name, it)
        and (sorted(it) == sorted(name) or len(name) > 3 or len(it) > len(name) > 2)
    )
    ranked = sorted(found, key=lambda it: (sorted(it) != sorted(name), it[0] != name[0], it))
    return ranked[0] if ranked else ""


def _is_one_slip(one: str, other: str) -> bool:
    """Whether one insertion, deletion, replacement or swap of neighbours makes `other` of `one`."""
    if abs(len(one) - len(other)) > 1:
        return False
    same = 0
    while same < min(len(one), len(other)) and one[same] == other[same]:
        same += 1
    left, right = one[same:], other[same:]
    if len(left) == len(right):
        is_swapped = left[:2] == right[1::-1] and left[2:] == right[2:]
        return left[1:] == right[1:] or is_swapped
    return left[1:] == right or left == right[1:]

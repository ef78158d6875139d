"""The outline of a script: nested functions, aliases, and global variables."""

from __future__ import annotations

from collections.abc import Iterable

from zsh_ls.lazy import attrs
from zsh_ls.model.span import Span
from zsh_ls.system.sorting import sorted_in_turns

from .binding_commands import NameKind
from .symbols import FILE, Definition, Names


@attrs.frozen
class OutlineItem:
    """A definition of a script; `span` is its name, `extent` all of it."""

    kind: NameKind
    name: str
    span: Span
    extent: Span
    children: tuple[OutlineItem, ...] = ()


def outline(names: Names) -> list[OutlineItem]:
    """The definitions in `names`, in the order of the text; of a variable its first assignment."""
    shown, variables = [], set()
    for made in names.definitions:
        if made.kind is NameKind.VARIABLE:
            if made.scope != FILE or made.name in variables:
                continue
            variables.add(made.name)
        shown.append(made)
    # What is around comes before what is within.
    return _nested(sorted_in_turns(shown, lambda it: (it.extent.start, -it.extent.end, it.span)))


def _nested(made: Iterable[Definition]) -> list[OutlineItem]:
    """The definitions, each as a child of the innermost function around it."""
    top: list[OutlineItem] = []
    open_items: list[tuple[Definition, list[OutlineItem]]] = []

    def close_before(start: int) -> None:
        while open_items and open_items[-1][0].extent.end <= start:
            one, children = open_items.pop()
            item = OutlineItem(one.kind, one.name, one.span, one.extent, tuple(children))
            (open_items[-1][1] if open_items else top).append(item)

    for one in made:
        close_before(one.extent.start)
        if open_items and open_items[-1][0].extent == one.extent:
            close_before(one.extent.end)
        open_items.append((one, []))
    while open_items:
        close_before(open_items[-1][0].extent.end)
    return top

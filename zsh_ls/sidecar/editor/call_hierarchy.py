"""Who calls a function, and what it calls: the call hierarchy of editors.

An end of a call is a function, or a script where the call stands outside of its functions. What has
been found is looked for again by its name, as the text may have changed since.
"""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.lazy import attrs
from zsh_ls.model.span import Span
from zsh_ls.shell.symbols.binding_commands import NameKind
from zsh_ls.shell.symbols.calls import Body, calls
from zsh_ls.shell.symbols.symbols import Definition
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.sidecar.documents.store import ScriptVersion


@attrs.frozen
class CallEnd:
    """A function, by its name and the whole of it; where `name` is None the script of that URI."""

    uri: str
    name: str | None
    span: Span
    extent: Span
    lines: LineIndex


@attrs.frozen
class Calls:
    """The calls between one end and the end that was asked about.

    `spans` are in the caller's text, whose lines are `caller_lines`.
    """

    end: CallEnd
    spans: tuple[Span, ...]
    caller_lines: LineIndex


def functions(views: Sequence[ScriptVersion], name: str) -> list[CallEnd]:
    """All definitions of a function, in the order of the scripts."""
    return [
        _end(view, Body(made))
        for view in views
        for made in view.names.definitions
        if made.kind is NameKind.FUNCTION and made.name == name
    ]


def callers(views: Sequence[ScriptVersion], name: str) -> list[Calls]:
    """Where a function is called from, in the order of the scripts."""
    found: dict[CallEnd, list[Span]] = {}
    for view in views:
        for body, called in calls(view.names):
            if called.name == name:
                found.setdefault(_end(view, body), []).append(called.span)
    return [Calls(end, tuple(spans), end.lines) for end, spans in found.items()]


def callees(views: Sequence[ScriptVersion], uri: str, name: str | None) -> list[Calls]:
    """The functions of these scripts that one of them calls, in the order of the first calls.

    Asked about is function `name` of the script `uri`, or where that is None what stands outside of
    its functions.
    """
    made: dict[str, list[CallEnd]] = {}
    for view in views:
        for it in view.names.definitions:
            if it.kind is NameKind.FUNCTION:
                made.setdefault(it.name, []).append(_end(view, Body(it)))
    caller = next((view for view in views if view.uri == uri), None)
    if caller is None:
        return []
    spans: dict[str, list[Span]] = {}
    for body, called in calls(caller.names):
        if _name_of(body.function) == name and called.name in made:
            spans.setdefault(called.name, []).append(called.span)
    return [
        Calls(end, tuple(found), caller.lines)
        for called, found in spans.items()
        for end in made[called]
    ]


def _name_of(function: Definition | None) -> str | None:
    return function.name if function is not None else None


def _end(view: ScriptVersion, body: Body) -> CallEnd:
    made = body.function
    if made is None:
        return CallEnd(view.uri, None, Span(0, 0), Span(0, len(view.script.text)), view.lines)
    return CallEnd(view.uri, made.name, made.span, made.extent, view.lines)

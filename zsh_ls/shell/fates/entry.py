"""What a node knows of what ran before it.

A node is run once for each state that it begins in. Most of them set the status before anything looks at
it, so that they run alike after a success and after a failure, and are run once for both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .nodes import (
    READS_STATUS,
    AndOr,
    Anonymous,
    Case,
    CommandNode,
    Expanded,
    Group,
    If,
    Job,
    ListNode,
    Loop,
    Negated,
    Node,
    Pipe,
    Plain,
    ScriptNodes,
    Subshell,
    Try,
    Unit,
)

# What calls functions in so long a chain is taken to read the status.
MOST_CALLS = 60


class StatusReaders:
    """Which nodes of a program may read the status that there was when they began.

    `depths` says how many units can be running at once in a call of one, by its number. With
    `of_segments` it is about `pipestatus`, which assignments keep.
    """

    def __init__(
        self, program: ScriptNodes, depths: Mapping[int, int], *, of_segments: bool = False
    ) -> None:
        self.of_segments = of_segments
        self.functions = program.functions
        self.depths = depths
        self.known: dict[Node, bool] = {}
        # What reads the status if any of these parts does; the others set it before, or run nothing.
        self.firsts: dict[type, Callable[[Any], Sequence[Node]]] = {
            Expanded: lambda it: it.parts[:1],
            ListNode: self._first_items,
            Group: self._first_items,
            AndOr: lambda it: it.parts[:1],
            Pipe: lambda it: it.segments,
            If: lambda it: it.conditions[:1],
            Loop: lambda it: (it.condition or it.body,),
            Case: lambda it: it.arms,
            Job: _body,
            Negated: _body,
            Subshell: _body,
            Try: _body,
            Anonymous: _body,
            Unit: _body,
        }

    def __contains__(self, node: Node) -> bool:
        known = self.known.get(node)
        if known is None:
            # A function that calls itself may.
            self.known[node] = True
            known = self.known[node] = self._reads(node)
        return known

    def _reads(self, node: Any) -> bool:
        kind = type(node)
        if kind is CommandNode:
            return self._command_reads(node)
        if kind is Plain:
            return self._command_reads(node.items[0])
        if kind is Expanded and READS_STATUS.search(" ".join(node.command.words)):
            return True
        if self.of_segments and kind is Expanded and node.command.kind == "jump":
            return True
        firsts = self.firsts.get(kind)
        if firsts is None:
            return True
        found = firsts(node)
        # What runs nothing ends with the status that it began with.
        return not found or any(it in self for it in found)

    def _first_items(self, node: ListNode) -> Sequence[Node]:
        """The first item of a list; of those that keep `pipestatus` all, with the one that does not."""
        at = 0
        if self.of_segments:
            while at < len(node.items) - 1 and _is_assignment(node.items[at]):
                at += 1
        return node.items[: at + 1]

    def _command_reads(self, node: CommandNode) -> bool:
        words = " ".join(node.words)
        if self.of_segments and (node.kind == "jump" or "pipestatus" in words.lower()):
            return True
        if self.of_segments and not node.callee:
            return False
        # An assignment has the status of the substitution before it; `(( status ))` is `$?` in zsh.
        if node.kind == "assign with code" or (node.kind == "test" and "status" in words):
            return True
        if READS_STATUS.search(words):
            return True
        if node.kind == "jump":
            return len(node.words) < 2 and node.word not in {"break", "continue"}
        if not node.callee:
            return False
        unit = self.functions[node.callee]
        return self.depths[unit.number] > MOST_CALLS or unit.body in self


def _is_assignment(node: Node) -> bool:
    return type(node) is CommandNode and node.kind == "assign"


def _body(node: Any) -> Sequence[Node]:
    return (node.body,)

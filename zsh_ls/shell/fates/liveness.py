"""Which variables hold a status that somebody may still read.

A status in a variable is part of the state that commands run in, and each value of each variable makes a
state of its own. So a list goes on without the values that nobody reads before they are written again,
and a function runs knowing only those that it may read from outside; the others are put back behind it.
Without that the ways of large scripts, in which many functions write `ret=$?`, are too many to follow.

This is the liveness analysis of compilers, backwards over the nodes. A loop counts as run once, as
`interpreter` runs it. No name depends on another one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from zsh_ls.lazy import re
from zsh_ls.model.syntax import Dialect

from .nodes import (
    TRAP_FUNCTIONS,
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
    ScriptNodes,
    Subshell,
    Try,
    Unit,
)
from .state import JOB, SUBSTITUTED

Names = frozenset[str]
NONE: Names = frozenset()
WORD = re.compile(r"\w+")
# Declarations whose variable is no local one of the function that they stand in.
NOT_LOCAL = frozenset({"export", "readonly"})
# Commands that look at the values of variables, or give them some.
USES_VARIABLES = frozenset({"assign", "assign with code", "declare", "jump", "test", "wait"})


class Liveness:
    """What the units of a program read and write of the variables that hold statuses.

    `given` has the names whose values a unit may change for those who call it, by the unit's number;
    `taken` those that it may read from outside as well. What is in neither is put back behind a call.
    `passed` are those of `given` that it never reads before it writes them: whatever their values, it runs
    alike.
    """

    def __init__(self, program: ScriptNodes) -> None:
        self.program = program
        self.names = program.status_names | ({JOB} if program.waits else NONE)
        self.given: dict[int, Names] = {}
        self.taken: dict[int, Names] = {}
        self.passed: dict[int, Names] = {}
        self.always = NONE
        self.before: dict[Node, Names] = {}
        if self.names:
            self._work_out()

    def _work_out(self) -> None:
        program, units = self.program, self.program.units.values()
        used = {unit.number: _Used(unit, self.names) for unit in units}
        local = {number: it.local for number, it in used.items()}
        self.exposed: Mapping[int, Names] = {}
        self.written = self._with_callees(
            {it.number: used[it.number].written for it in units}, local
        )
        kept = frozenset({SUBSTITUTED}) if program.redirects_itself else NONE
        # Names whose value at the end of one unit may be read in another one.
        crossing = set[str]()
        exposed: dict[int, Names] = {}
        for unit in units:
            if used[unit.number].every:
                walk = _Backwards(self, NONE, NONE)
                exposed[unit.number] = walk.before(unit.body, NONE)
                crossing |= walk.crossing
        mentions = Counter(name for it in used.values() for name in it.every)
        for number, names in exposed.items():
            if number != program.main.number:
                crossing |= {it for it in names if mentions[it] > 1}
        traps = [it for it in units if it is not program.main and _is_trap(it)]
        for unit in traps:
            crossing |= {it for it in self.written[unit.number] if mentions[it] > 1}
        self.exposed = self._with_callees(exposed, local)
        # What traps read may be read at any time.
        self.always = kept | (crossing & NONE.union(*(self.exposed[it.number] for it in traps)))
        every = self._with_callees({number: it.every for number, it in used.items()}, {})
        # ERR_RETURN and traps end a function anywhere.
        ends_anywhere = bool(traps) or program.dialect is Dialect.ZSH
        for unit in units:
            shared = every[unit.number] & crossing
            given = self.given[unit.number] = kept | (shared - local[unit.number])
            read = self.exposed[unit.number] & crossing
            self.taken[unit.number] = given | read
            self.passed[unit.number] = given - read - self.always
            if used[unit.number].every:
                after = self.always | given
                everywhere = after if ends_anywhere else self.always
                _Backwards(self, everywhere, after, self.before).before(unit.body, after)

    def _with_callees(
        self, own: Mapping[int, Names], local: Mapping[int, Names]
    ) -> Mapping[int, Names]:
        """The names of each unit and of all that it calls, without those that are local to a caller."""
        functions, units = self.program.functions, self.program.units
        found = {it: own.get(it, NONE) - local.get(it, NONE) for it in units}
        is_stable = False
        while not is_stable:
            is_stable = True
            for number, unit in units.items():
                callees = [found[functions[name].number] for name in unit.calls]
                names = found[number].union(*callees) - local.get(number, NONE)
                if len(names) > len(found[number]):
                    found[number], is_stable = names, False
        return found


class _Used:
    """The names that stand in a unit where they count: `every`, those `written`, and the `local` ones."""

    def __init__(self, unit: Unit, names: Names) -> None:
        every, written, local = set[str](), set[str](), set[str]()
        waiting = [unit.body]
        while waiting:
            node = waiting.pop()
            if isinstance(node, CommandNode):
                if node.kind in USES_VARIABLES:
                    every |= _read_in(node.kind, " ".join(node.words), names)
                    gets = _written_by(node)
                    written |= names & gets
                    if node.kind == "declare" and node.word not in NOT_LOCAL:
                        local |= names & gets
            else:
                if isinstance(node, Job):
                    every |= names & {JOB}
                    written |= names & {JOB}
                waiting += _parts(node)
        is_function = bool(unit.names) and not _is_trap(unit)
        self.every, self.written = frozenset(every), frozenset(written)
        self.local = frozenset(local) if is_function else NONE


class _Backwards:
    """Walks the nodes of one unit from its end to its beginning.

    `everywhere` are names that may be read at any time, `after` those read behind the unit. `found` gets
    what is read from each item of a list on. `crossing` are the names that a call may write and that are
    read behind it.
    """

    def __init__(
        self,
        program: Liveness,
        everywhere: Names,
        after: Names,
        found: dict[Node, Names] | None = None,
    ) -> None:
        self.program = program
        self.everywhere = everywhere
        self.after = after
        self.found = found
        self.crossing = set[str]()
        self.loops: list[Names] = []
        self.walks: dict[type, Callable[[Any, Names], Names]] = {
            CommandNode: self._command,
            ListNode: self._list,
            Group: self._list,
            Expanded: self._expanded,
            AndOr: self._and_or,
            If: self._if,
            Loop: self._loop,
            Case: self._one_of,
            Pipe: self._one_of,
            Try: self._try,
            Negated: self._inside,
            Anonymous: self._inside,
            Subshell: self._subshell,
            Job: self._job,
        }

    def before(self, node: Node, after: Names) -> Names:
        """The names that are read from where `node` begins, if `after` are those read behind it."""
        walk = self.walks.get(type(node))
        return after if walk is None else walk(node, after)

    def _list(self, node: ListNode, after: Names) -> Names:
        for item in reversed(node.items):
            after = self.before(item, after)
            if self.found is not None:
                self.found[item] = after
        return after

    def _expanded(self, node: Expanded, after: Names) -> Names:
        for part in reversed((*node.parts, node.command)):
            after = self.before(part, after)
        return after

    def _and_or(self, node: AndOr, behind: Names) -> Names:
        after = behind
        for part in reversed(node.parts):
            after = self.before(part, after | behind)
        return after

    def _if(self, node: If, behind: Names) -> Names:
        after = behind if node.otherwise is None else self.before(node.otherwise, behind)
        for at in reversed(range(len(node.conditions))):
            taken = self.before(node.bodies[at], behind) if at < len(node.bodies) else behind
            after = self.before(node.conditions[at], taken | after)
        return after

    def _loop(self, node: Loop, after: Names) -> Names:
        self.loops.append(after)
        inside = self.before(node.body, after) | after
        self.loops.pop()
        return self.before(node.condition, inside) if node.condition else inside

    def _one_of(self, node: Case | Pipe, after: Names) -> Names:
        parts = node.arms if isinstance(node, Case) else node.segments
        return after.union(*(self.before(it, after) for it in parts))

    def _try(self, node: Try, after: Names) -> Names:
        always = self.before(node.always, after)
        return self.before(node.body, always) | always

    def _inside(self, node: Negated | Anonymous, after: Names) -> Names:
        return self.before(node.body, after)

    def _subshell(self, node: Subshell | Job, after: Names) -> Names:
        """A copy of the shell: what is written there reaches nobody outside."""
        outside, self.after = self.after, self.program.always
        loops, self.loops = self.loops, []
        inside = self.before(node.body, self.program.always)
        self.after, self.loops = outside, loops
        return after | inside

    def _job(self, node: Job, after: Names) -> Names:
        return self._subshell(node, after - {JOB})

    def _command(self, node: CommandNode, after: Names) -> Names:
        program = self.program
        if node.callee:
            callee = program.program.functions[node.callee].number
            self.crossing |= after & program.written[callee]
            after |= program.exposed.get(callee, NONE)
        if node.kind not in USES_VARIABLES:
            return after
        if node.kind == "jump":
            is_inner = node.word in {"break", "continue"}
            after = after.union(*self.loops) if is_inner else self.after
        read = " ".join(node.words)
        if node.kind.startswith(("assign", "declare")):
            read = " ".join(it.partition("=")[2] for it in node.words)
            after -= _written_by(node)
        return after | _read_in(node.kind, read, program.names) | self.everywhere


def _read_in(kind: str, words: str, names: Names) -> Names:
    """The names that a command of this kind reads in its words; what waits looks at the last job."""
    found = names.intersection(WORD.findall(words))
    return found | (names & {JOB}) if kind == "wait" or JOB in words else found


def _written_by(node: CommandNode) -> Names:
    """The names that an assignment or a declaration gives a value, or makes new."""
    if not node.kind.startswith(("assign", "declare")):
        return NONE
    makes_new = node.kind == "declare" and node.word not in NOT_LOCAL and "-g" not in node.words
    words = node.words if makes_new else [it for it in node.words if "=" in it]
    return frozenset(
        name for name in (it.partition("=")[0] for it in words) if WORD.fullmatch(name)
    )


def _is_trap(unit: Unit) -> bool:
    """Whether a unit runs as a trap: its commands, or a function of zsh."""
    return not unit.names or any(it in TRAP_FUNCTIONS for it in unit.names)


def _parts(node: Node) -> list[Node]:
    """The nodes that a node consists of; the functions that are defined in it are units of their own."""
    if isinstance(node, ListNode):
        return list(node.items)
    if isinstance(node, Expanded):
        return [*node.parts, node.command]
    if isinstance(node, AndOr):
        return list(node.parts)
    if isinstance(node, Pipe):
        return list(node.segments)
    if isinstance(node, If):
        return [*node.conditions, *node.bodies, *filter(None, [node.otherwise])]
    if isinstance(node, Loop):
        return [*filter(None, [node.condition]), node.body]
    if isinstance(node, Case):
        return list(node.arms)
    if isinstance(node, Try):
        return [node.body, node.always]
    if isinstance(node, Job | Negated | Subshell | Anonymous):
        return [node.body]
    return []

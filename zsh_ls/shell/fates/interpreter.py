"""Runs a script's nodes as its shell would, once with every command succeeding, once with each failing.

Every node is run from a state and ends in one (`End`). With that come its *splits*: for each
command inside, how the node ends where that command fails, and how it ends without that. Both ends
are carried upwards together, through what follows in each node around them, until they are the same
again: from there on the failure makes no difference. Commands whose ends are alike travel as one, so
that the work grows with the length of a script and not with its square.

A function is run once for each state it is called in. Its splits are its summary (`Summary`): which of its
commands can end it, how and with whose status, and what it does to options and traps. A summary
depends on nothing but the texts of the function and of what that calls, so that it is kept from one
version of a script to the next.

A loop runs once (a command fails each time it is reached, and a second turn would do the
same), a `case` takes any of its arms.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import groupby
from typing import Any

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.syntax import Dialect

from .because import (
    IN_CALL,
    IN_CONDITION,
    IN_SUBSTITUTION,
    Context,
    Reason,
    Rule,
    shortened,
)
from .entry import StatusReaders
from .liveness import Liveness
from .nodes import (
    MASK,
    PLACE_BITS,
    POSITION,
    READS_STATUS,
    TRAP_FUNCTIONS,
    AndOr,
    Anonymous,
    Case,
    CommandNode,
    Define,
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
    trace_of,
)
from .options import changed
from .state import (
    BREAK,
    COMPOUND,
    COMPUTED,
    CONTINUE,
    ERREXIT,
    ERREXIT_IN_FUNCTION,
    EXIT,
    NEXT,
    OPTION_RETURN,
    RETURN,
    SUBSTITUTED,
    TRAPPED,
    UNSET_IN_FUNCTION,
    WHERE_IGNORED,
    End,
    State,
    Surroundings,
    leaves,
    returns,
)
from .versions import calls_in, trapping_units

# Bounds of `AbstractInterpreter.work`. Scripts of people take some ten units a command.
FIRST_WORK = 20_000
WORK_A_COMMAND = 80
MOST_WORK = 1_200_000
# Functions that call each other deeper than this are taken for other commands.
MOST_DEPTH = 60
# Summaries of one unit, of as many versions of what it calls and states that it is run in.
MOST_SUMMARIES = 64
# The offset of the call that a split is reached by, which its holder has.
THE_CALL = -3
# Commands that run what does not stand in the text.
UNTOLD = {"source": Rule.SOURCED, "eval": Rule.EVALUATED}
# Commands that end the shell where they fail, whatever looks at their exits.
ENDS_SHELL = {
    "look": Rule.UNSET,
    "look under nounset": Rule.UNSET,
    "opens": Rule.NOT_OPENED,
}
# Commands that count for nothing among those that ran.
DOES_NOTHING = frozenset({"nothing", "look", "look under nounset"})
# A `Split` of a `Plain`: each of its commands is followed by the next one.
FOLLOWING = -2


# What leads to the run that a trap is judged in: how many other failures, and the place of the last one.
Failure = tuple[int, int]
NO_FAILURE: Failure = (-1, -1)
# More failures than lead to anything in one run.
LATER = 1000


class Split:
    """Commands whose failure does the same to a node.

    `bad` is how the node ends with the failure, `ok` without; `ok` is None for the node's usual
    end, `bad` None where it is the same as `ok`. `difference` sums up what ran in one of the two
    only, `external` whether a program ran after the failure that would not have. `members` are
    places and other splits, `why` says what decided, `then` is the offset of the next command
    (`has_then`: of all members it is known), `context` what is around that may explain it. `trap` is
    the number of the ERR trap that the members stand in, `call` the offset of the call that they are
    reached by, each -1 for none; `trap_at` is the failure that the trap runs for. `first` is the place of
    the member that stands first in the text, `failures` how many others lead to it.
    """

    __slots__ = (
        "bad",
        "call",
        "context",
        "difference",
        "external",
        "failures",
        "first",
        "has_then",
        "members",
        "ok",
        "then",
        "trap",
        "trap_at",
        "why",
    )
    first: int

    def __init__(
        self,
        ok: End | None = None,
        bad: End | None = None,
        difference: int = 0,
        external: int = 0,
        *,
        members: Iterable[int | Split] = (),
        why: Reason | None = None,
        then: int = -1,
        context: Context | None = None,
        has_then: bool = False,
        trap: int = -1,
        trap_at: Failure = NO_FAILURE,
        call: int = -1,
        first: int = -1,
        failures: int = 0,
    ) -> None:
        self.ok = ok
        self.bad = bad
        self.difference = difference
        self.external = external
        self.members = list(members)
        self.why = why
        self.then = then
        self.context = context
        self.has_then = has_then
        self.trap = trap
        self.trap_at = trap_at
        self.call = call
        self.first = first
        self.failures = failures
        if self.members:
            member = self.members[0]
            self.first = member if isinstance(member, int) else member.first

    @property
    def decides(self) -> bool:
        """Whether there is anything to learn from it but its members."""
        return not (self.why is None and self.context is None and self.then == self.call == -1)

    def ending(self, ok: End | None, bad: End | None) -> Split:
        """The same commands where their ends are seen from further outside."""
        return Split(
            ok,
            bad,
            self.difference,
            self.external,
            members=[self],
            has_then=self.has_then,
            trap=self.trap,
            trap_at=self.trap_at,
            failures=self.failures,
        )

    def behind(self, failures: int) -> Split:
        """The same commands where so many other failures more lead to them."""
        split = self.ending(self.ok, self.bad)
        split.failures += failures
        return split

    def copy(self, members: Iterable[int | Split], call: int = -1) -> Split:
        """The same of other commands, or the same commands where they are called; that says why by itself."""
        return Split(
            self.ok,
            self.bad,
            self.difference,
            self.external,
            members=members,
            why=None if call >= 0 else self.why,
            has_then=self.has_then,
            trap=self.trap,
            trap_at=self.trap_at,
            call=call,
            failures=self.failures,
        )


# How a node ends after some part (None: as usual), what ran in between, the first command of it, and
# the part that did something else than in the usual run.
Tail = tuple[End | None, int, int, int, Node | None]
# How each part of a node's usual run ended, with what had run by then, and what ran in it.
Stages = Mapping[object, tuple[End, int, int, int]]


class Result(NamedTuple):
    """How a node ended, what ran in it (a sum, and how many programs), which command was first."""

    end: End
    trace: int
    external: int
    first: int
    splits: tuple[Split, ...] = ()


class Usual(NamedTuple):
    """A node's run without a failure: its parts, how it ended, and what ran in it.

    `following` has the first command after each part; `tails` what `AbstractInterpreter.rest` found,
    with and without looking for new parts.
    """

    node: Node
    around: Surroundings
    stages: Stages
    end: End
    trace: int
    external: int
    following: Mapping[object, int]
    tails: tuple[dict[tuple[object, End], Tail], dict[tuple[object, End], Tail]]


class Step(NamedTuple):
    """What a node runs next; `stage` is what `AbstractInterpreter.step` is asked with when that has ended."""

    stage: object
    child: Node
    state: State
    around: Surroundings


class Summary(NamedTuple):
    """What became of a unit that was run from one state.

    `covered` says which commands were reached, `called` which units ran, in it and in what it called;
    `work` is what it cost, without that of the summaries in `used`.
    """

    result: Result
    covered: Mapping[int, bytes]
    called: frozenset[int]
    work: int
    used: tuple[Summary, ...]


class Activation:
    """A unit while it is run: which commands were reached so far, and the results that are known.

    `own` are the unit's own commands among those of `covered`, each a byte.
    """

    __slots__ = ("called", "calls", "covered", "own", "plain", "seen", "split", "used", "work")

    def __init__(self, unit: Unit | None = None) -> None:
        self.own = bytearray(len(unit.spans)) if unit else bytearray()
        self.covered: dict[int, bytearray] = {unit.number: self.own} if unit else {}
        self.plain: dict[object, Result] = {}
        self.split: dict[object, Result] = {}
        self.called: set[int] = set()
        # By callee, state and what is around: what all calls have in common.
        self.calls: dict[object, tuple[Result, list[Split], list[Split], bool]] = {}
        self.used: list[Summary] = []
        self.seen: set[int] = set()
        self.work = 0


class Own(Node):
    """The command itself, after the function it calls has returned or its trap has run."""

    __slots__ = ("command",)

    def __init__(self, command: CommandNode) -> None:
        self.command = command
        position = command.place & POSITION
        self.low, self.high, self.offset = position, position + 1, command.offset
        self.calls = frozenset()


class Root(Node):
    """A whole script."""

    __slots__ = ("body",)

    def __init__(self, body: Node) -> None:
        self.body = body
        self.low, self.high, self.offset, self.calls = 0, 0, body.offset, body.calls


# An error trap that ran: the state, the surroundings, the offset of what it ran for, whether that returns.
TrapRun = tuple[State, Surroundings, int, bool]


class TooMuchWork(Exception):
    """A script can run in so many ways that not all of them are followed."""


class AbstractInterpreter:
    """Runs the nodes of one program.

    A unit of `work` is one node run from one state, or one split carried over one node; with more
    than `most_work` of them `TooMuchWork` is raised.
    """

    def __init__(self, program: ScriptNodes) -> None:
        self.program = program
        self.dialect = program.dialect
        self.zsh = program.dialect is Dialect.ZSH
        self.bash = program.dialect is Dialect.BASH
        self.now = Activation()
        self.work = 0
        self.most_work = min(FIRST_WORK + WORK_A_COMMAND * program.commands, MOST_WORK)
        self.paid: set[int] = set()
        self.versions, self.loops, self.depths, self.ranks = calls_in(program)
        self.liveness = Liveness(program)
        self.trapping = trapping_units(program)
        self.readers = StatusReaders(program, self.depths)
        self.segment_readers = StatusReaders(program, self.depths, of_segments=True)
        self.traps_around = 0
        # How many failures led to what runs now, and to each error trap where it was reached first.
        self.failures = 0
        self.trapped_first: dict[int, Failure] = {}
        # The last failure that led to what runs now, and the last error trap that ran for what was
        # to succeed.
        self.leading = NO_FAILURE
        self.trap_run: TrapRun | None = None
        self.active: list[str] = []
        self.owns: dict[CommandNode, Own] = {}
        self.plain_ends: dict[tuple[State, Surroundings], tuple[End, End, Reason]] = {}
        self.inside_calls: dict[Surroundings, Surroundings] = {}
        self.steps: dict[type, Callable[..., Step | End]] = {
            Expanded: self.expanded,
            ListNode: self.sequence,
            Group: self.sequence,
            Plain: self.sequence,
            AndOr: self.and_or,
            Job: self.job,
            Negated: self.negated,
            Pipe: self.pipe,
            Subshell: self.subshell,
            If: self.if_,
            Loop: self.loop,
            Case: self.case,
            Try: self.try_,
            Anonymous: self.anonymous,
            CommandNode: self.call,
            Root: self.root,
        }

    # Running a node.

    def run(self, node: Any, state: State, around: Surroundings, splits: bool) -> Result:
        """Run a node; with `splits`, also with each command in it failing."""
        now = self.now
        if state.status and node not in self.readers:
            state = state.with_status(0)
        if state.statuses and node not in self.segment_readers:
            state = state._replace(statuses=())
        key = (node, state, around)
        known = now.split.get(key)
        if known is None and not splits:
            known = now.plain.get(key)
        if known is not None:
            return known
        self.work += 1
        if self.work > self.most_work:
            raise TooMuchWork
        kind = type(node)
        if kind is CommandNode and not self.is_composite(node):
            result = self.command(node, state, around, splits)
        elif kind is Plain and state.error_trap < 0:
            result = self.plain_commands(node, state, around, splits)
        elif kind is Own:
            with self.returned_from(node.command.callee):
                result = self.command(node, state, around, splits)
        elif kind is Unit:
            return self.unit(node, state, around, splits)
        elif kind is Define:
            result = Result(End(NEXT, self.defined(node, state, around)), 0, 0, -1)
        elif kind is CommandNode and splits:
            result = self.called(node, state, around)
        else:
            result = self.composite(node, state, around, splits)
        (now.split if splits else now.plain)[key] = result
        return result

    def unit(self, unit: Unit, state: State, around: Surroundings, splits: bool) -> Result:
        """Run a unit, or take what is known of that; nothing outside of it but the state has a say."""
        active: frozenset[int] = frozenset()
        loop = self.loops.get(unit.number, frozenset())
        if unit.number in self.ranks:
            loop = frozenset()
        is_trap = not unit.names and unit is not self.program.main
        self.traps_around += is_trap
        if self.traps_around or loop:
            # What is called again while it runs is not looked into.
            numbers = (self.program.functions[name].number for name in self.active)
            active = frozenset(it for it in numbers if self.traps_around or it in loop)
        given, taken = self.liveness.given.get(unit.number), self.liveness.taken.get(unit.number)
        outside = state
        state = state.with_variables_of(taken)
        if given is not None:
            state = state.passing(self.liveness.passed[unit.number])
        if state.exit_trap != -1 and not (self.zsh or unit.number in self.trapping):
            # It runs at the end of the shell, whoever ends it.
            state = state._replace(exit_trap=-1)
        # How many other failures lead to it says what an error trap is judged for; else it is added behind.
        failures = self.failures if state.error_trap >= 0 else 0
        others, self.failures = self.failures - failures, failures
        key = (
            self.versions[unit.number],
            taken,
            self.liveness.always,
            self.program.waits_for_any,
            state,
            around,
            splits,
            failures,
            self.versions.get(state.exit_trap),
            self.versions.get(state.error_trap),
            active,
        )
        summary: Summary | None = unit.summaries.get(key)
        if summary is None:
            outer, before = self.now, self.work
            self.now = inner = Activation(unit)
            result = self.run(unit.body, state, around, splits)
            self.now = outer
            if len(result.splits) > 1:
                result = result._replace(splits=_merged(result.splits))
            covered = {number: bytes(it) for number, it in inner.covered.items()}
            own_work = self.work - before - inner.work
            outer.work += own_work + inner.work
            summary = Summary(result, covered, frozenset(inner.called), own_work, tuple(inner.used))
            self.paid.add(id(summary))
            if len(unit.summaries) >= MOST_SUMMARIES:
                unit.summaries.clear()
            unit.summaries[key] = summary
        self.traps_around -= is_trap
        result = self.taken(unit, summary)
        if others:
            self.failures += others
            result = result._replace(splits=tuple(it.behind(others) for it in result.splits))
        exit_trap = outside.exit_trap if state.exit_trap != outside.exit_trap else -1
        if given is None and exit_trap == -1:
            return result
        return _framed(result, given, outside, exit_trap)

    def taken(self, unit: Unit, summary: Summary) -> Result:
        """The result of a unit that was run, in the unit that runs it."""
        now, result = self.now, summary.result
        before = self.work
        self.pay(summary)
        now.work += self.work - before
        if any(it.trap >= 0 for it in result.splits):
            # A trap has no calls: what becomes of its commands is said where it is reached first.
            result = result._replace(
                splits=tuple(
                    it
                    for it in result.splits
                    if it.trap < 0 or self.is_judged(self.program.units[it.trap], it.trap_at)
                )
            )
        if id(summary) not in now.seen:
            now.seen.add(id(summary))
            now.used.append(summary)
            now.called.add(unit.number)
            now.called |= summary.called
            for number, reached in summary.covered.items():
                known = now.covered.get(number)
                if known is None:
                    now.covered[number] = bytearray(reached)
                elif 0 in known:
                    known[:] = bytes(a | b for a, b in zip(known, reached, strict=True))
        return result

    def pay(self, summary: Summary) -> None:
        """Count what a summary cost as work of this script too, so that its bound knows no earlier one."""
        waiting = [summary]
        while waiting:
            one = waiting.pop()
            if id(one) not in self.paid:
                self.paid.add(id(one))
                self.work += one.work
                waiting += one.used

    @contextmanager
    def returned_from(self, name: str) -> Iterator[None]:
        """Behind the end of a function, which a trap may call again."""
        is_active = bool(name) and self.active[-1:] == [name]
        if is_active:
            self.active.pop()
        yield
        if is_active:
            self.active.append(name)

    def is_composite(self, node: Any) -> bool:
        """Whether a command is a call that can be looked into."""
        if not node.callee or node.callee in self.active:
            return False
        if not self.active:
            return True
        # A long chain of calls is cut at the same functions wherever it is entered.
        functions, depths = self.program.functions, self.depths
        caller, callee = functions[self.active[-1]].number, functions[node.callee].number
        if depths[caller] // MOST_DEPTH != depths[callee] // MOST_DEPTH:
            return False
        loop = self.loops.get(callee)
        if loop and caller in loop and callee in self.ranks:
            return self.ranks[callee] < self.ranks[caller]
        return not loop or sum(functions[it].number in loop for it in self.active) < MOST_DEPTH

    def is_new(self, node: Node) -> bool:
        """Whether there is a command in a node, or in what it calls, that no run has reached."""
        covered = self.now.covered
        if isinstance(node, Unit):
            reached = covered.get(node.number)
            if reached is None or 0 in reached:
                return True
        elif self.now.own.find(0, node.low, node.high) >= 0:
            return True
        waiting, seen = set(node.calls), set[str]()
        while waiting:
            name = waiting.pop()
            seen.add(name)
            unit = self.program.functions[name]
            reached = covered.get(unit.number)
            if reached is None or 0 in reached:
                return True
            waiting |= unit.calls - seen
        return False

    def is_first(self, trap: Unit, failure: Failure) -> bool:
        """Whether an error trap is judged for this failure, and not for one before.

        That is the one that the fewest others led to, and among equals the first in the text.
        """
        before = self.trapped_first.get(trap.number)
        is_first = before is None or self.failure_order(failure) < self.failure_order(before)
        if is_first:
            self.trapped_first[trap.number] = failure
        return is_first or self.is_new(trap)

    def is_judged(self, trap: Unit, failure: Failure) -> bool:
        """Whether an error trap was judged for this failure, or is to be."""
        return self.trapped_first.get(trap.number) == failure or self.is_first(trap, failure)

    def failure_order(self, failure: Failure) -> tuple[int, int]:
        """What sorts failures: their number, then their place in the text."""
        return failure[0], self.at(failure[1])

    def called(self, node: CommandNode, state: State, around: Surroundings) -> Result:
        """Run a function where it is called, or take what another call in this unit came to."""
        calls, place = self.now.calls, node.place
        key = (node.callee, state, around)
        known = calls.get(key)
        is_reached = place < 0 or self.now.own[place & POSITION]
        if known is None or (known[3] and not is_reached):
            result = self.composite(node, state, around, True)
            own = [it for it in result.splits if place in it.members]
            inner = [it for it in result.splits if place not in it.members]
            # What comes back only after a failure inside is not among its own.
            is_late = not own and place >= 0 and bool(self.now.own[place & POSITION])
            # The commands of a trap are judged where they are reached first.
            calls[key] = result, own, [it for it in inner if it.trap < 0], is_late
        else:
            result, own, inner, _ = known
            own = [it.copy([place]) for it in own]
            if own and place >= 0:
                self.now.own[place & POSITION] = 1
            self.work += len(inner)
        found = [*own, *(it.copy([it], call=node.offset) for it in inner)]
        return result._replace(first=node.offset, splits=tuple(found))

    def composite(self, node: Node, state: State, around: Surroundings, splits: bool) -> Result:
        """Run a node part by part, and carry the splits of its parts to its end."""
        name = node.callee if isinstance(node, CommandNode) else ""
        if name:
            self.active.append(name)
        trace = external = 0
        first = -1
        stages: dict[object, tuple[End, int, int, int]] = {}
        firsts: list[tuple[object, int]] = []
        found: list[tuple[object, Result]] = []
        now = self.step(node, None, End(NEXT, state), around)
        while isinstance(now, Step):
            is_known = type(now.child) is Unit and self.is_known_trap(now.child)
            result = self.run(now.child, now.state, now.around, splits and not is_known)
            trace = (trace + result.trace) & MASK
            external += result.external
            first = result.first if first < 0 else first
            stages[now.stage] = (result.end, trace, external, result.trace)
            firsts.append((now.stage, result.first))
            if result.splits:
                found.append((now.stage, result))
            now = self.step(node, now.stage, result.end, around)
        end = now
        if splits and isinstance(node, Case):
            # Whichever arm is taken, its commands have fates.
            for at, arm in enumerate(node.arms[1:], 1):
                found.append((at, self.run(arm, state, around, splits)))
        done: tuple[Split, ...] = ()
        if found and found[-1][1].end is end and self.passes_on(node, found[-1][0]):
            done = found.pop()[1].splits
        if splits and found:
            following: dict[object, int] = {}
            then = -1
            for stage, at in reversed(firsts):
                following[stage] = then
                then = at if at >= 0 else then
            usual = Usual(node, around, stages, end, trace, external, following, ({}, {}))
            done += self.carried(usual, found)
        if name:
            self.active.pop()
        return Result(end, trace, external, node.offset if name else first, done)

    def passes_on(self, node: Node, stage: Any) -> bool:
        """Whether a node ends as this part of it does, with and without a failure."""
        kind = type(node)
        if kind is Expanded:
            return bool(stage == len(node.parts))  # type: ignore[attr-defined]
        if kind is CommandNode:
            return bool(stage == "own")
        if self.zsh:
            return False
        if isinstance(node, ListNode):
            return bool(stage == len(node.items) - 1)
        if kind is AndOr:
            return bool(stage == len(node.parts) - 1)  # type: ignore[attr-defined]
        return kind is If and stage[0] != "if"

    def carried(self, usual: Usual, found: Iterable[tuple[object, Result]]) -> tuple[Split, ...]:
        """The splits of a node's parts, each carried to the end of the node."""
        # The order counts where a failure may lead to what no run has reached, or to an error trap.
        waiting: deque[tuple[object, Sequence[Split], End]] = deque(
            self.in_text_order(found)
            if usual.end.state.error_trap >= 0 or self.is_new(usual.node)
            else ((stage, result.splits, result.end) for stage, result in found)
        )
        groups: dict[object, Split] = {}
        holders: dict[object, Split] = {}
        is_pipe = isinstance(usual.node, Pipe)
        is_list = isinstance(usual.node, ListNode)
        usual_end = usual.end
        while waiting:
            stage, splits, healthy = waiting.popleft()
            on_usual = stage in usual.stages and usual.stages[stage][0] == healthy
            context = self.context(usual, stage)
            usually = self.as_usual(usual, stage) if on_usual else None
            self.work += len(splits)
            if usually is not None and is_list:
                splits = self.leaving(usually, splits, groups)
            for split in splits:
                ok, bad = split.ok, split.bad
                tail = usually
                if tail is None or ok is not None:
                    tail = self.rest(usual, stage, ok or healthy, None)
                new_ok, ok_trace, ok_external, then, _ = tail
                new_bad, difference, external, why = None, split.difference, 0, None
                if bad is not None:
                    news: list[tuple[object, Result]] = []
                    outer, self.leading = self.leading, (split.failures, split.first)
                    new_bad, trace, ran, then, differs = self.rest(usual, stage, bad, news)
                    if self.trap_run is not None and split.trap < 0:
                        self.add_to_groups(self.splits_of_trap(self.trap_run), usual_end, groups)
                    self.leading = outer
                    turn = _other_turn(usual.node, ok or healthy, bad)
                    difference = (difference + trace - ok_trace + turn) & MASK
                    why = self.reason(usual, stage, bad, new_bad, differs)
                    if (new_bad or usual_end) == (new_ok or usual_end):
                        new_bad = None
                    else:
                        external = int(split.external > 0 or ran > ok_external)
                        new_bad = new_bad or usual_end
                    waiting.extend((at, it.splits, it.end) for at, it in news)
                if new_ok == usual_end:
                    new_ok = None
                if new_bad is None:
                    # From here on both runs do the same: it counts only whether they did before.
                    difference = int(difference != 0)
                # What runs beside a segment does not run next.
                then = -1 if split.has_then or is_pipe else then
                has_then = split.has_then or then >= 0
                key = (new_ok, new_bad, difference, external, has_then, split.trap, split.trap_at)
                self.grouped(split, key, (why, then, context), groups, holders)
        return tuple(groups.values())

    def is_single(self, node: Node) -> bool:
        """Whether a node is a command that is not looked into."""
        kind = type(node)
        return kind is Own or (kind is CommandNode and not self.is_composite(node))

    def taken_trap_run(self) -> TrapRun | None:
        """The error trap that ran since this was asked last."""
        trapped, self.trap_run = self.trap_run, None
        return trapped

    def splits_of_trap(self, trapped: TrapRun) -> Iterator[Split]:
        """The commands of the error trap that ran for a status that a failure led to."""
        state, around, at, returns_then = trapped
        failure = self.leading
        for split in self.trap_splits(state, around, at, failure):
            if returns_then:
                split.ok, split.bad = (
                    it and (it if leaves(it.signal) else End(RETURN, it.state))
                    for it in (split.ok, split.bad)
                )
            yield split

    def add_to_groups(
        self, splits: Iterable[Split], usual_end: End, groups: dict[object, Split]
    ) -> None:
        """Put splits that are those of the end of a node into its groups."""
        for split in splits:
            ok = None if split.ok == usual_end else split.ok
            difference = split.difference if split.bad else int(split.difference != 0)
            trap = split.trap, split.trap_at
            key = (ok, split.bad, difference, split.external, split.has_then, *trap)
            self.grouped(split.ending(ok, split.bad), key, (None, -1, None), groups, {})

    def in_text_order(
        self, found: Iterable[tuple[object, Result]]
    ) -> Iterator[tuple[object, Sequence[Split], End]]:
        """The splits of parts, each with its part and how that usually ends.

        What no healthy run reaches is judged where the failure that stands first in the text leads to it.
        """
        every = [(stage, it, result.end) for stage, result in found for it in result.splits]
        every.sort(key=lambda each: self.text_order(each[1]))
        for _, same in groupby(every, key=lambda each: each[0]):
            each = list(same)
            stage, _, end = each[0]
            yield stage, [it for _, it, _ in each], end

    def text_order(self, split: Split) -> tuple[int, int]:
        """How many failures lead to a split, and where its first command stands in the text."""
        return split.failures, self.at(split.first)

    def at(self, place: int) -> int:
        """Where a command stands in the text."""
        number, program = place >> PLACE_BITS, self.program
        return program.starts[number] + program.units[number].spans[place & POSITION].start

    def grouped(
        self,
        split: Split,
        key: tuple[End | None, End | None, int, int, bool, int, Failure],
        decided: tuple[Reason | None, int, Context | None],
        groups: dict[object, Split],
        holders: dict[object, Split],
    ) -> None:
        """Put a split into the group of those with the same ends, which the `key` has."""
        group = groups.get(key)
        if group is None:
            ok, bad, difference, external, has_then, trap, trap_at = key
            group = groups[key] = Split(
                ok,
                bad,
                difference,
                external,
                has_then=has_then,
                trap=trap,
                trap_at=trap_at,
                first=split.first,
                failures=split.failures,
            )
        why, then, context = decided
        if why is None and then < 0 and context is None:
            group.members.append(split)
            return
        # Commands that came in together stay together, with what was decided here.
        holder = holders.get((key, decided))
        if holder is None:
            holder = holders[key, decided] = Split(why=why, then=then, context=context)
            group.members.append(holder)
        holder.members.append(split)

    def leaving(
        self, usually: Tail, splits: Iterable[Split], groups: dict[object, Split]
    ) -> Sequence[Split]:
        """Put the splits with which the shell ends into the groups of a list; give the others.

        These are most of a script with errexit. What would have run behind them does not, and what
        that was makes no difference any more.
        """
        others: list[Split] = []
        for split in splits:
            bad = split.bad
            if bad is None or split.ok is not None or not leaves(bad.signal):
                others.append(split)
                continue
            difference = int(split.difference != usually[1])
            trap = split.trap, split.trap_at
            key = (None, bad, difference, split.external, split.has_then, *trap)
            group = groups.get(key)
            if group is None:
                group = groups[key] = Split(
                    None,
                    bad,
                    difference,
                    split.external,
                    has_then=split.has_then,
                    trap=split.trap,
                    trap_at=split.trap_at,
                    first=split.first,
                    failures=split.failures,
                )
            group.members.append(split)
        return others

    def rest(
        self,
        usual: Usual,
        stage: object,
        end: End | None,
        news: list[tuple[object, Result]] | None,
    ) -> Tail:
        """How a node ends that came out of a stage with `end`; None for its usual end.

        With what ran after that stage, and the first command of it. `news` gets the results of
        parts that only this run reaches.
        """
        self.trap_run = None
        known = usual.stages.get(stage)
        if known is not None and (end is None or known[0] == end):
            return self.as_usual(usual, stage)
        if end is None:
            end = usual.end
        # Many commands' failures go the same way from somewhere on; it is walked once. A walk that
        # looks for new parts does not go by one that did not.
        tails = usual.tails[news is None]
        walked: list[tuple[tuple[object, End], Result, Node | None]] = []
        is_list = isinstance(usual.node, ListNode)
        while True:
            tail = tails.get((stage, end))
            if tail is not None:
                break
            now = self.step(usual.node, stage, end, usual.around)
            if not isinstance(now, Step):
                tail = (now, 0, 0, -1, None)
                break
            is_new = news is not None and self.is_new(now.child)
            self.failures += is_new
            result = self.run(now.child, now.state, now.around, is_new)
            self.failures -= is_new
            trapped = self.taken_trap_run()
            if trapped is not None and news is not None and self.is_single(now.child):
                callee = now.child.command.callee if isinstance(now.child, Own) else ""
                with self.returned_from(callee):
                    found = tuple(self.splits_of_trap(trapped))
                if found:
                    news.append((now.stage, Result(result.end, 0, 0, -1, found)))
            if is_new and news is not None and result.splits:
                news.append((now.stage, result))
            known = usual.stages.get(now.stage)
            # Of a part that the usual run does not reach nobody knows how it would have run.
            differs = is_list and known is not None and not _is_alike(now.child, result, known)
            walked.append(((stage, end), result, now.child if differs else None))
            stage, end = now.stage, result.end
            if known is not None and known[0] == end:
                tail = self.as_usual(usual, stage)
                break
        for key, result, differing in reversed(walked):
            last, trace, external, first, later = tail
            first = result.first if result.first >= 0 else first
            tail = tails[key] = (
                last,
                (trace + result.trace) & MASK,
                external + result.external,
                first,
                differing or later,
            )
        return tail

    def as_usual(self, usual: Usual, stage: object) -> Tail:
        """What follows a part that ended as in the usual run."""
        _, trace, external, _ = usual.stages[stage]
        then = usual.following.get(stage, -1)
        return None, (usual.trace - trace) & MASK, usual.external - external, then, None

    # What nodes run, one part after the other.

    def step(self, node: Node, stage: Any, end: End, around: Surroundings) -> Step | End:
        """What a node runs after a part of it (`stage`, None at first) ended, or how it ends."""
        now = self.steps[type(node)](node, stage, end, around)
        if not self.zsh or isinstance(now, Step) or (now.signal and not returns(now.signal)):
            return now
        if is_compound(node) and not now.state.spent & COMPOUND:
            return End(now.signal, now.state._replace(spent=now.state.spent | COMPOUND))
        return now

    def sequence(self, node: ListNode, stage: Any, end: End, around: Surroundings) -> Step | End:
        """Lists one after the other, until one leaves."""
        at = 0 if stage is None else stage + 1
        if end.signal or at >= len(node.items):
            return end
        state, child = end.state, node.items[at]
        if self.zsh and state.spent != (spent := self.first_spent(child, 0)):
            state = state._replace(spent=spent)
        if state.variables or state.job:
            # What nobody reads any more makes no difference.
            state = state.with_variables_of(self.liveness.before.get(child))
        return Step(at, child, state, around)

    def and_or(self, node: AndOr, stage: Any, end: End, around: Surroundings) -> Step | End:
        """`&&` and `||`: the exits of all but the last are looked at."""
        if stage is None:
            return Step(0, node.parts[0], end.state, _checked(around))
        if end.signal:
            return end
        at, last = stage, len(node.ands)
        while at < last and node.ands[at] != (end.state.status == 0):
            at += 1
        if at >= last:
            return end
        child = node.parts[at + 1]
        if at + 1 < last:
            return Step(at + 1, child, end.state, _checked(around))
        state = end.state
        if self.zsh and state.spent != (spent := self.first_spent(child, state.spent)):
            state = state._replace(spent=spent)
        return Step(at + 1, child, state, around)

    def first_spent(self, last: Node, spent: int) -> int:
        """What of the status is spent where the last pipeline of a list's item begins (zsh)."""
        return spent | COMPOUND if isinstance(last, Negated) else spent

    def job(self, node: Job, stage: Any, end: End, around: Surroundings) -> Step | End:
        """A background job: from a copy of the state, and its status is kept for `wait`."""
        if stage is None:
            state = self.in_subshell(end.state)
            inside = around
            if not (self.zsh or self.bash):
                inside = inside._replace(ignored=False)
            if is_lone(node.body):
                inside = _checked(inside)
            return Step(("job", end.state), node.body, state, inside)
        before: State = stage[1]
        return End(NEXT, before._replace(status=0, job=end.state.status))

    def negated(self, node: Negated, stage: Any, end: End, around: Surroundings) -> Step | End:
        """`!` looks at an exit and turns it round."""
        if stage is None:
            return Step(0, node.body, end.state, _checked(around))
        if end.signal:
            return end
        state = end.state.with_status(int(end.state.status == 0))
        # zsh looks at it after all where a function ran inside, whose items put the flag back.
        return self.settled(state, around, node.offset) if self.zsh else End(NEXT, state)

    def pipe(self, node: Pipe, stage: Any, end: End, around: Surroundings) -> Step | End:
        """Segments side by side: each from the same state, the last one may be in the same shell."""
        if stage is None:
            statuses: tuple[int, ...] = ()
            before = end.state
        else:
            statuses, before = stage
            last = len(statuses) == len(node.segments) - 1
            if last and self.runs_last_here(before, around):
                if end.signal:
                    return end
                before = end.state
            statuses += (end.state.status,)
        if len(statuses) == len(node.segments):
            status = statuses[-1]
            if before.has("pipefail"):
                # In zsh an assignment that stands last is no process of the pipeline.
                counted = statuses[:-1] if self.ends_in_assignment(node) else statuses
                status = next((it for it in reversed(counted) if it), 0)
            after = before.with_status(status)
            if self.program.reads_pipestatus:
                after = after._replace(statuses=statuses)
            return self.settled(after, around, node.offset)
        child = node.segments[len(statuses)]
        if len(statuses) == len(node.segments) - 1 and self.runs_last_here(before, around):
            inside = _checked(around) if self.ends_in_assignment(node) else around
            return Step((statuses, before), child, before, inside)
        # What a forked command comes to is looked at where the pipeline ends.
        inside = _checked(around) if is_lone(child) else around
        return Step((statuses, before), child, self.in_subshell(before), inside)

    def ends_in_assignment(self, node: Pipe) -> bool:
        """Whether a pipeline of zsh ends in an assignment, at whose exit only the pipeline is looked at."""
        last = _simple(node.segments[-1])
        return self.zsh and last is not None and last.kind.startswith("assign")

    def runs_last_here(self, state: State, _around: Surroundings) -> bool:
        """Whether the last segment of a pipeline runs in the current shell."""
        return self.zsh or (self.bash and state.has("lastpipe"))

    def subshell(self, node: Subshell, stage: Any, end: End, around: Surroundings) -> Step | End:
        """`( … )` and `$( … )`: a copy of the state, of which only the status comes back."""
        if stage is None:
            state = self.in_subshell(end.state)
            if node.substitutes and self.is_trap_function(end.state.exit_trap):
                # zsh keeps traps that are functions; that of EXIT runs in a substitution alone.
                state = state._replace(exit_trap=end.state.exit_trap)
            if (
                node.substitutes
                and self.bash
                and not end.state.options & {"inheriterrexit", "posix"}
            ):
                state = state._replace(options=state.options - {"errexit"})
            inside = around
            if node.substitutes and not (self.zsh or self.bash):
                # dash: a condition around a substitution does not reach into it.
                inside = inside._replace(ignored=False)
            return Step((end.state, None), node.body, state, inside)
        before, trapped = stage
        if trapped is None and self.runs_exit_trap(end):
            body = self.program.units[end.state.exit_trap]
            kept = end.state.status
            inside = around._replace(
                ignored=around.ignored or end.signal.endswith(WHERE_IGNORED),
                trap="EXIT",
                kept=kept,
                in_function=around.in_function or self.is_trap_function(body.number),
            )
            state = end.state._replace(exit_trap=-1)
            return Step((before, (kept, end.signal, body.number)), body, state, inside)
        status = end.state.status
        if trapped is not None:
            is_cut = leaves(end.signal) or self.is_interrupted(end, trapped[2])
            # A subshell that came to its end has the exit that its trap was cut off with.
            is_cut = is_cut and not trapped[1].startswith(EXIT)
            status = status if is_cut else self.after_exit_trap(end, *trapped[:2])
        after = before.with_status(status)
        if not node.substitutes:
            return self.settled(after, around, node.offset)
        if self.program.redirects_itself:
            after = after.with_value(SUBSTITUTED, status or None)
        return End(NEXT, after)

    def after_exit_trap(self, end: End, kept: int, script: str) -> int:
        """The status of a shell that ended with the signal `script`, after its EXIT trap."""
        if self.zsh and script == UNSET_IN_FUNCTION:
            return kept
        if end.signal.startswith(EXIT) or (end.signal.startswith(ERREXIT) and not self.zsh):
            return end.state.status
        if end.signal == RETURN and end.state.status and not script.startswith(EXIT):
            # A function that is a trap: what it returns, except for 0, is the exit if the script wrote none.
            return end.state.status
        return kept

    def root(self, node: Root, stage: Any, end: End, around: Surroundings) -> Step | End:
        """A whole script and its EXIT trap; ends with the signal of the script."""
        if stage is None:
            return Step("script", node.body, end.state, around)
        if stage == "script":
            if not self.runs_exit_trap(end):
                return end
            kept = end.state.status
            body = self.program.units[end.state.exit_trap]
            # In the trap, and after it, only the status is of interest.
            inside = Surroundings(
                ignored=end.signal.endswith(WHERE_IGNORED),
                trap="EXIT",
                kept=kept,
                in_function=self.is_trap_function(body.number),
            )
            return Step((end.signal, kept), body, end.state._replace(exit_trap=-1), inside)
        signal, kept = stage
        return End(signal, end.state._replace(status=self.after_exit_trap(end, kept, signal)))

    def runs_exit_trap(self, end: End) -> bool:
        """Whether a shell that ended so runs its EXIT trap; zsh does not for errexit in a function."""
        return end.state.exit_trap >= 0 and not (self.zsh and end.signal == ERREXIT_IN_FUNCTION)

    def is_trap_function(self, number: int) -> bool:
        """Whether a trap is a function of zsh, such as `TRAPEXIT`."""
        return self.zsh and number >= 0 and bool(self.program.units[number].names)

    def is_known_trap(self, unit: Unit) -> bool:
        """Whether a unit is a function that zsh runs as a trap, and its commands were reached before.

        Such a trap has no calls: what becomes of its commands is said where it is reached first.
        """
        is_trap = self.zsh and any(it in TRAP_FUNCTIONS for it in unit.names)
        return is_trap and not unit.calls and not self.is_new(unit)

    def is_interrupted(self, end: End, trap: int) -> bool:
        """Whether a trap that came to such an end interrupts what it ran in; 0 does not.

        Where the trap is a function, ERR_RETURN ends that alone.
        """
        by_option = end.signal == OPTION_RETURN and not self.is_trap_function(trap)
        return bool(end.state.status) and (end.signal == RETURN or by_option)

    def in_subshell(self, state: State) -> State:
        """The state in which a subshell begins; traps are not inherited, except for errors."""
        keeps = self.zsh or state.has("errtrace")
        if state.exit_trap == -1 and (keeps or state.error_trap == -1):
            return state
        return state._replace(exit_trap=-1, error_trap=state.error_trap if keeps else -1)

    def if_(self, node: If, stage: Any, end: End, around: Surroundings) -> Step | End:
        """Conditions in turn, and the body of the first that holds."""
        if stage is None:
            return Step(("if", 0), node.conditions[0], end.state, _checked(around))
        part, at = stage
        if end.signal or part != "if":
            return end
        if end.state.status == 0:
            if at < len(node.bodies):
                return Step(("then", at), node.bodies[at], end.state, around)
            return end
        if at + 1 < len(node.conditions):
            return Step(("if", at + 1), node.conditions[at + 1], end.state, _checked(around))
        if node.otherwise is not None:
            return Step(("else", 0), node.otherwise, end.state, around)
        return End(NEXT, end.state.with_status(0))

    def loop(self, node: Loop, stage: Any, end: End, around: Surroundings) -> Step | End:
        """A loop's condition, then its body once."""
        if stage is None and node.condition is not None:
            return Step("while", node.condition, end.state, _checked(around))
        if stage == "while":
            if end.signal:
                return self.after_loop(end)
            if (end.state.status == 0) == node.until:
                return End(NEXT, end.state.with_status(0))
        if stage != "body":
            return Step("body", node.body, end.state, around)
        return self.after_loop(end, node.is_menu)

    def after_loop(self, end: End, is_menu: bool = False) -> End:
        """`break` and `continue` end here; bash's `select` has 1 where its input ended and no `break`."""
        if is_menu and self.bash and end.signal in {NEXT, CONTINUE}:
            return End(NEXT, end.state.with_status(1))
        if end.signal in {BREAK, CONTINUE}:
            return End(NEXT, end.state)
        return end

    def case(self, node: Case, stage: Any, end: End, around: Surroundings) -> Step | End:
        """Its first arm; `composite` adds the splits of the others."""
        if stage is None and node.arms:
            return Step(0, node.arms[0], end.state, around)
        return end

    def try_(self, node: Try, stage: Any, end: End, around: Surroundings) -> Step | End:
        """Zsh's `always`: not after errexit; with the status from before it."""
        if stage is None:
            return Step("try", node.body, end.state, around)
        if stage == "try":
            if end.signal.startswith(ERREXIT):
                return end
            return Step(("always", end), node.always, end.state, around)
        before: End = stage[1]
        if returns(end.signal):
            # The function ends with the status from before all the same.
            return End(end.signal, end.state.with_status(before.state.status))
        if end.signal:
            return end
        if node.ends_shell and not before.signal:
            # The process ends with the last command of `always`.
            return end
        after = end.state.with_status(before.state.status)
        # An item of a list like a simple command: what stands last in `always` says whether it is looked at.
        return (
            End(before.signal, after) if before.signal else self.settled(after, around, node.offset)
        )

    def anonymous(self, node: Anonymous, stage: Any, end: End, around: Surroundings) -> Step | End:
        """A function that runs where it stands."""
        if stage is None:
            inside = around._replace(in_function=True, returns_ignored=False)
            return Step(end.state, node.body, end.state, inside)
        after = self.returned(stage, end)
        return after if after.signal else self.settled(after.state, around, node.offset)

    def expanded(self, node: Expanded, stage: Any, end: End, around: Surroundings) -> Step | End:
        """The substitutions, then the command; a plain assignment has the last one's status."""
        at = 0 if stage is None else stage + 1
        if stage is not None and (end.signal or at > len(node.parts)):
            return end
        if at < len(node.parts):
            return Step(at, node.parts[at], end.state, around)
        return Step(at, node.command, end.state, around)

    def call(self, node: CommandNode, stage: Any, end: End, around: Surroundings) -> Step | End:
        """A call of a function: its body, then the command itself with the body's status.

        A sourced file is one whose options and traps are those of the script.
        """
        if stage is None:
            return self.entered(node, end.state, around)
        is_file = node.kind == "source"
        if stage == "own":
            return end
        part, before, *kept = stage
        if part == "trap":
            ended: End = kept[0]
            if self.is_interrupted(end, ended.state.exit_trap):
                # What the EXIT trap of a function returns interrupts the script; 0 does not.
                end = End(f"{EXIT} in the trap {node.offset}", end.state)
            elif not leaves(end.signal):
                end = End(ended.signal, end.state._replace(status=ended.state.status))
        elif self.zsh and not is_file and end.state.exit_trap >= 0 and not leaves(end.signal):
            body = self.program.units[end.state.exit_trap]
            inside = around._replace(trap="EXIT", kept=end.state.status, in_function=True)
            return Step(("trap", before, end), body, end.state._replace(exit_trap=-1), inside)
        if is_file:
            before = end.state
        after = self.returned(before, end)
        if self.zsh and after.state.exit_trap != before.exit_trap:
            after = End(after.signal, after.state._replace(exit_trap=before.exit_trap))
        if after.signal:
            return after
        own = self.owns.setdefault(node, Own(node))
        return Step("own", own, after.state, around)

    def entered(self, node: CommandNode, before: State, around: Surroundings) -> Step:
        """The beginning of a call: the body of the function, and the state in which it begins."""
        body = self.program.functions[node.callee]
        if node.kind == "source":
            return Step(("body", before), body, before, around._replace(in_function=True))
        inside = self.inside_calls.get(around)
        if inside is None:
            inside = around._replace(in_function=True, returns_ignored=False)
            self.inside_calls[around] = inside
        state = before
        if self.zsh and state.exit_trap != -1:
            # What a function sets is its own, and the script's waits for the end of the script.
            state = state._replace(exit_trap=-1)
        if state.error_trap != -1 and not (self.zsh or state.has("errtrace")):
            state = state._replace(error_trap=-1)
        return Step(("body", before), body, state, inside)

    def returned(self, before: State, end: End) -> End:
        """How a function's call ends whose body ended with `end`."""
        state = end.state
        if returns(end.signal) and state.spent & COMPOUND:
            # The caller is made sensitive again.
            state = state._replace(spent=state.spent & ~COMPOUND)
        if state.has("localoptions") and not leaves(end.signal):
            state = state._replace(options=before.options)
        is_kept = self.zsh or before.has("errtrace") or before.error_trap == state.error_trap
        if not is_kept and state.error_trap < 0:
            state = state._replace(error_trap=before.error_trap)
        if state is end.state and not returns(end.signal):
            return end
        return End(NEXT if returns(end.signal) else end.signal, state)

    # Single commands.

    def settled(
        self, state: State, around: Surroundings, at: int, *, returns_then: bool = False
    ) -> End:
        """What a status that nothing has looked at yet does: traps, errexit, ERR_RETURN.

        `returns_then` holds for that of `return`.
        """
        if state.status == 0 or state.spent:
            return End(NEXT, state)
        if self.has_error_trap(state, around):
            body = self.program.units[state.error_trap]
            trap = self.run(body, state, self.in_error_trap(state, around), False).end
            self.trap_run = state, around, at, returns_then
            return self.after_error_trap(trap, state, around, at)
        return self.unless_ignored(state, around)

    def has_error_trap(self, state: State, around: Surroundings) -> bool:
        """Whether an ERR trap takes a failure."""
        # zsh runs no ERR trap in another trap either.
        is_in_trap = bool(around.trap) if self.zsh else around.trap == "ERR"
        return state.error_trap >= 0 and not around.ignored and not is_in_trap

    def in_error_trap(self, state: State, around: Surroundings) -> Surroundings:
        """What is around the commands of the ERR trap of `state`, which may be a function."""
        is_function = self.is_trap_function(state.error_trap)
        return around._replace(
            trap="ERR", kept=state.status, in_function=around.in_function or is_function
        )

    def after_error_trap(self, trap: End, state: State, around: Surroundings, at: int) -> End:
        """What follows an ERR trap that ran for the failure in `state`."""
        spent = state.spent | TRAPPED if self.zsh else 0
        if trap.signal.startswith(ERREXIT):
            # As the failure itself would: nothing else than without it runs.
            return End(trap.signal, trap.state._replace(spent=spent))
        if leaves(trap.signal):
            return End(f"{EXIT} in the trap {at}", trap.state)
        if self.is_trap_function(state.error_trap):
            # What a function that is a trap returns interrupts the script; 0 does not.
            if trap.signal == RETURN and trap.state.status:
                return End(f"{EXIT} in the trap {at}", trap.state)
        elif returns(trap.signal) and around.in_function:
            # zsh looks at the status of the call no more.
            spent = trap.state.spent | TRAPPED if self.zsh else trap.state.spent
            return End(RETURN, trap.state._replace(spent=spent))
        after = trap.state._replace(status=state.status, spent=spent)
        return self.unless_ignored(after, around)

    def unless_ignored(self, state: State, around: Surroundings) -> End:
        """The end of a command that failed; zsh's EXIT traps mind whether it was in a function.

        All that errexit ends have one end: after two failures nobody can tell which of them it was.
        """
        is_inside = around.in_function or around.trap == "ERR"
        stop = ERREXIT_IN_FUNCTION if is_inside else ERREXIT
        if state.has("errexit") and not around.ignored:
            return End(stop, state)
        if state.has("errreturn") and not around.returns_ignored:
            return End(OPTION_RETURN if around.in_function else stop, state)
        return End(NEXT, state)

    def command(
        self, node: CommandNode | Own, state: State, around: Surroundings, splits: bool
    ) -> Result:
        """Run a single command, and with `splits` let it fail."""
        command = node.command if isinstance(node, Own) else node
        if command.kind == "jump":
            return Result(self.jump(command, state, around), 0, 0, command.offset)
        if command.kind == "exec":
            return self.replaced(command, state, splits)
        place = command.place
        if (
            command.kind in {"external", "builtin"}
            and node is command
            and place >= 0
            and state.error_trap < 0
        ):
            return self.plain_command(command, state, around, splits)
        after = self.effect(command, state, isinstance(node, Own))
        counts = (
            not isinstance(node, Own)
            and command.kind not in DOES_NOTHING
            and not command.kind.startswith("assign")
        )
        is_external = command.kind in {"external", "test", *UNTOLD}
        trace = trace_of(place) if counts and place >= 0 else 0
        end = self.settled(after, around, command.offset) if after.status else End(NEXT, after)
        first = -1 if isinstance(node, Own) else command.offset
        if not splits or place < 0:
            return Result(end, trace, int(is_external), first)
        self.now.own[place & POSITION] = 1
        bad_state = self.effect(command, state, isinstance(node, Own), failed=True)
        if command.kind == "assign with code":
            # What fails is the last command of its substitution, in a subshell.
            inner = self.settled(
                self.in_subshell(bad_state)._replace(spent=0),
                around,
                command.offset,
            )
            bad_state = bad_state._replace(status=inner.state.status)
            if self.program.redirects_itself:
                bad_state = bad_state.with_value(SUBSTITUTED, bad_state.status or None)
        bad = self.settled(bad_state, around, command.offset)
        ended = self.ended(command, state, around) if command.kind in ENDS_SHELL else None
        bad = ended or bad
        # A test is to succeed; what else has a status has it in any case.
        is_told = bool(after.status) and command.kind != "redirects"
        ok = End(NEXT, after.with_status(0)) if is_told else None
        why = Reason(ENDS_SHELL[command.kind]) if ended else self.why_failed(bad, around)
        if command.kind in UNTOLD and node is command and not around.ignored:
            # Its exit decides nothing alone: what it runs may end the script, or change what failures do.
            why = Reason(UNTOLD[command.kind])
        own = Split(ok, bad, members=[place], why=why, failures=self.failures)
        found = [own]
        if ended is None and self.has_error_trap(bad_state, around):
            body = self.program.units[bad_state.error_trap]
            if around.trap in {"EXIT", "DEBUG"} and self.bash:
                # Beside the commands of a trap, those of another one count.
                ran = self.run(body, bad_state, around._replace(trap="ERR"), False)
                own.difference, own.external = ran.trace, ran.external
            failure = (self.failures, place)
            if after.status:
                # It failed before this: the trap runs for what led here.
                failure = (self.failures - 1, place) if self.leading is NO_FAILURE else self.leading
            found += self.trap_splits(bad_state, around, command.offset, failure)
        return Result(end, trace, int(is_external), first, tuple(found))

    def trap_splits(
        self, state: State, around: Surroundings, at: int, failure: Failure
    ) -> Iterator[Split]:
        """The commands of the error trap that runs for a failure, where that is the first one to reach it."""
        body = self.program.units[state.error_trap]
        if not self.is_first(body, failure):
            return
        trap = self.run(body, state, self.in_error_trap(state, around), True)
        for split in trap.splits:
            healthy = split.ok or trap.end
            ok = self.after_error_trap(healthy, state, around, at)
            failed = self.after_error_trap(split.bad or healthy, state, around, at)
            yield Split(
                ok,
                None if failed == ok else failed,
                split.difference,
                split.external,
                members=[split],
                trap=body.number,
                trap_at=failure,
            )

    def replaced(self, command: CommandNode, state: State, splits: bool) -> Result:
        """Run `exec` with a program, which takes the shell's place: no trap runs, its exit is the shell's."""
        place, signal = command.place, f"{EXIT} {command.offset}"
        state = state._replace(exit_trap=-1)
        found: tuple[Split, ...] = ()
        if splits and place >= 0:
            self.now.own[place & POSITION] = 1
            bad = End(signal, state.with_status(1))
            why = Reason(Rule.LAST)
            found = (Split(None, bad, members=(place,), why=why, failures=self.failures),)
        end = End(signal, state.with_status(0))
        trace = trace_of(place) if place >= 0 else 0
        return Result(end, trace, 1, command.offset, found)

    def ended(self, command: CommandNode, state: State, around: Surroundings) -> End:
        """The end of a command that ends the shell where it fails; dash has 2 for that."""
        if command.kind == "look under nounset" and not state.has("nounset"):
            # Nothing is wrong with an empty value.
            return End(NEXT, state.with_status(0))
        status = 2 if self.dialect is Dialect.SH else 1
        if self.zsh and around.trap == "EXIT" and command.kind == "look":
            # It ends the trap with the exit that the shell then has.
            return End(f"{EXIT} {command.offset}", state.with_status(status))
        asks = around.in_function and command.kind == "look"
        stop = UNSET_IN_FUNCTION if asks else ERREXIT
        return End(stop, state.with_status(status))

    def plain_command(
        self, command: CommandNode, state: State, around: Surroundings, splits: bool
    ) -> Result:
        """Run a command that changes nothing but the status, where no ERR trap waits for it."""
        end, bad, why = self.plain_end(command, state, around)
        place = command.place
        found: tuple[Split, ...] = ()
        if splits:
            self.now.own[place & POSITION] = 1
            found = (Split(None, bad, members=(place,), why=why, failures=self.failures),)
        is_external = int(command.kind == "external")
        return Result(end, trace_of(place), is_external, command.offset, found)

    def plain_commands(
        self, node: Plain, state: State, around: Surroundings, splits: bool
    ) -> Result:
        """Run commands that change nothing but the status, where no ERR trap waits for them."""
        end, bad, why = self.plain_end(node.items[0], state, around)
        found: tuple[Split, ...] = ()
        if splits:
            *places, last = node.places
            failures = self.failures
            self.now.own[node.low : node.high] = b"\1" * (node.high - node.low)
            if bad.signal:
                # Whichever fails first, the last one does not run.
                found = (
                    Split(
                        None,
                        bad,
                        -trace_of(last) & MASK,
                        members=places,
                        why=why,
                        failures=failures,
                    ),
                    Split(None, bad, members=(last,), why=why, failures=failures),
                )
            else:
                # The next command has a status of its own, and it is as if nothing had been.
                found = (
                    Split(
                        members=places, why=why, then=FOLLOWING, has_then=True, failures=failures
                    ),
                    Split(None, bad, members=(last,), why=why, failures=failures),
                )
        return Result(end, node.trace, node.external, node.offset, found)

    def plain_end(
        self, command: CommandNode, state: State, around: Surroundings
    ) -> tuple[End, End, Reason]:
        """How each command ends that is of this kind: well, failing, and why that is so.

        Most commands of most scripts are of this kind, and from one state all of them end alike.
        """
        ends = self.plain_ends.get((state, around))
        if ends is None:
            after = self.effect(command, state, False)
            failed = self.effect(command, state, False, failed=True)
            bad = End(NEXT, failed) if failed.spent else self.unless_ignored(failed, around)
            ends = (End(NEXT, after), bad, self.why_failed(bad, around))
            self.plain_ends[state, around] = ends
        return ends

    def effect(self, command: CommandNode, state: State, own: bool, failed: bool = False) -> State:
        """The state after a command that succeeds, or fails where `failed` is set."""
        kind, words = command.kind, command.words
        status = 0
        if own:
            status = state.status
            if failed and state.spent:
                # The failure of the call itself is nothing that was looked at inside.
                state = state._replace(spent=0)
        elif kind.startswith(("assign", "declare")):
            status = state.status if kind == "assign with code" else 0
            state = self.assigned(words, state)
            if kind == "assign" and self.program.redirects_itself:
                state = state.with_value(SUBSTITUTED, None)
        elif kind == "redirects":
            status = state.value(SUBSTITUTED) or 0
        elif kind in {"set", "setopt", "unsetopt", "emulate", "shopt"}:
            state = state._replace(options=changed(state.options, words, self.dialect))
        elif kind == "trap":
            state = self.trapped(command, state)
        elif kind == "wait":
            status = self.waited(words, state)
        elif kind == "nothing":
            status = int(command.word == "false")
        elif kind == "test":
            status = self.tested(command, state)
        status = 1 if failed else status
        if not own and self.program.reads_pipestatus and kind != "assign":
            state = state._replace(statuses=(status,))
        return state.with_status(status)

    def assigned(self, words: Sequence[str], state: State) -> State:
        """The state after assignments to variables that hold statuses."""
        before = state
        for written in words:
            name, sign, value = written.partition("=")
            if sign and ALL_SEGMENTS.fullmatch(value) and name in self.program.status_names:
                for at, status in enumerate(before.statuses, int(self.zsh)):
                    state = state.with_value(f"{name}[{at}]", status)
            elif sign and name in self.program.status_names:
                state = state.with_value(name, self.number(value, before))
        return state

    def defined(self, node: Define, state: State, around: Surroundings) -> State:
        """The state after a definition; those of zsh's `TRAPEXIT` and `TRAPZERR` are traps."""
        state = state._replace(status=0)
        for event in map(TRAP_FUNCTIONS.get, node.names) if self.zsh else ():
            if event == "EXIT":
                state = state._replace(exit_trap=node.unit.number)
            elif event:
                state = state._replace(error_trap=node.unit.number)
        return state

    def trapped(self, command: CommandNode, state: State) -> State:
        """The state after a `trap` command."""
        number = command.trap
        words = [word.strip("\"'") for word in command.words[1:]]
        is_reset = words[:1] in (["-"], [""]) or len(words) == 1
        is_told = number >= 0 or is_reset
        for event in words[1:] or words:
            if event in {"EXIT", "0"} and is_told:
                state = state._replace(exit_trap=number)
            if event in {"ERR", "ZERR"} and command.words[1:2] not in (("-p",), ("-l",)):
                state = state._replace(error_trap=number if is_told else COMPUTED)
        return state

    def waited(self, words: Sequence[str], state: State) -> int:
        """The status of `wait`: that of the last job named, 0 where none is."""
        if len(words) < 2:
            return 0
        found = self.number(words[-1], state)
        if words[-1] == "-n" and self.bash:
            # The first one that ends.
            return state.job
        if found is None and "$" in words[-1]:
            # One of those that began, which may be kept in an array.
            return state.job
        return found or 0

    def number(self, written: str, state: State) -> int | None:
        """The number that a word is, where it is a status or a constant."""
        plain = written.strip("\"'")
        if plain.isdecimal():
            return int(plain) & 255
        if plain in {"$?", "${?}"} or (self.zsh and plain in {"$status", "${status}"}):
            return state.status
        if found := PIPESTATUS.fullmatch(plain):
            # zsh counts from 1, bash from 0; `$PIPESTATUS` alone is the first in bash.
            at = int(found[2] or self.zsh) - self.zsh
            fits = (found[1] == "pipestatus") == self.zsh and 0 <= at < len(state.statuses)
            return state.statuses[at] if fits else None
        if plain in {"$!", "${!}"}:
            return state.job
        if found := ELEMENT.fullmatch(plain):
            return state.value(found[1])
        if found := re.fullmatch(r"\$\{?(\w+)(?::-\d+)?\}?", plain):
            return state.value(found[1])
        return None

    def tested(self, command: CommandNode, state: State) -> int:
        """The status of a test: its own where it reads statuses only, else success."""
        text = " ".join(command.words)
        names = self.program.status_names
        if not READS_STATUS.search(text) and names.isdisjoint(re.findall(r"\w+", text)):
            return 0
        answer = self.answered(text, state)
        return int((self.answered_together(text, state) if answer is None else answer) is False)

    def answered_together(self, text: str, state: State) -> bool | None:
        """What a test of several parts says; None where no part of it reads a status alone.

        Of the other parts `-z` is no and the rest is yes, as in the run in which everything succeeds.
        """
        opened, inner, closed = text[:2], text[2:-2].strip(), text[-2:]
        # Parentheses inside, or operators that may be quoted, are not read.
        if (opened, closed) not in {("[[", "]]"), ("((", "))")} or not set("()'").isdisjoint(inner):
            return None
        is_known, any_group = False, False
        for group in inner.split(" || "):
            whole = True
            for part in group.split(" && "):
                answer = self.answered(f"{opened} {part.strip()} {closed}", state)
                is_known = is_known or answer is not None
                whole = whole and (not part.strip().startswith("-z ") if answer is None else answer)
            any_group = any_group or whole
        return any_group if is_known else None

    def answered(self, text: str, state: State) -> bool | None:
        """What a test of one part says; None where it is no comparison with a number."""
        found = TEST.fullmatch(text)
        if not found:
            return None
        left, operator, right = found[1] or found[4], found[2] or found[5], found[3] or found[6]
        left, right = left.strip("\"'"), (right or "0").strip("\"'")
        if not left.startswith("$") and not left.isdecimal():
            left = f"${left}"
        a, b = self.number(left, state), self.number(right, state)
        if a is None or b is None:
            is_no = a is None and operator in {"-ne", "!=", "-gt", ">", None}
            return False if is_no else None
        return _compared(a, operator or "!=", b)

    def jump(self, command: CommandNode, state: State, around: Surroundings) -> End:
        """The end that `exit`, `return`, `break` or `continue` makes."""
        words = command.words
        word = command.word
        status: int | None = state.status
        is_kept = around.trap == "EXIT" and word == "exit" and not self.zsh
        if is_kept or (word == "return" and self.bash and around.trap in {"EXIT", "ERR"}):
            # The status from before the trap.
            status = around.kept
        if len(words) > 1 and word in {"exit", "return", "logout", "bye"}:
            status = self.number(words[1], state)
            status = 1 if status is None else status
        state = state._replace(status=status or 0)
        if word == "return":
            if not around.in_function and self.bash:
                return End(NEXT, state._replace(status=1))
            if self.zsh and around.in_function and state.status:
                # zsh takes it for a command that failed.
                end = self.settled(state, around, command.offset, returns_then=True)
                return end if leaves(end.signal) else End(RETURN, end.state)
            return End(RETURN if around.in_function else f"{EXIT} {command.offset}", state)
        if word in {"break", "continue"}:
            return End(word, state._replace(status=0))
        is_ignored = self.zsh and around.ignored
        return End(f"{EXIT} {command.offset}{WHERE_IGNORED if is_ignored else ''}", state)

    # Why.

    def why_failed(self, bad: End, around: Surroundings) -> Reason:
        """What a failing command comes to at its own place."""
        state = bad.state
        if state.error_trap == COMPUTED and not around.ignored:
            return Reason(Rule.COMPUTED_TRAP)
        if bad.signal.startswith(ERREXIT):
            return self.reason_of_stop(state)
        if returns(bad.signal):
            return Reason(Rule.ERR_RETURN if self.zsh else Rule.UNSET)
        if bad.signal.startswith(EXIT):
            # The trap may have taken itself back.
            trap = self.program.units.get(state.error_trap)
            return Reason(Rule.ERROR_TRAP, trap.offset) if trap else Reason(Rule.OWN_TRAP)
        return self.why_lost(state, around)

    def why_lost(self, state: State, around: Surroundings) -> Reason:
        """Why a failure has no effect where it happens."""
        if state.has("errexit") and around.ignored:
            return Reason(Rule.IGNORED)
        if state.has("errreturn") and around.returns_ignored:
            return Reason(Rule.RETURN_IGNORED)
        if state.spent & COMPOUND and (state.has("errexit") or state.has("errreturn")):
            return Reason(Rule.COMPOUND_BEFORE)
        return Reason(Rule.NOBODY_LOOKS)

    def context(self, usual: Usual, stage: Any) -> Context | None:
        """What a node is to a part of it, that may explain a fate there."""
        node, around = usual.node, usual.around
        if isinstance(node, CommandNode):
            if stage == "own":
                return None
            return Context(IN_CALL, THE_CALL, node.word)
        if isinstance(node, Subshell):
            inherits = not node.substitutes or not self.bash
            before: State = stage[0]
            if inherits or before.options & {"inheriterrexit", "posix"}:
                return None
            return Context(IN_SUBSTITUTION, -1, "$(") if before.has("errexit") else None
        if around.ignored and around.returns_ignored:
            return None
        if isinstance(node, If) and stage[0] == "if":
            return Context(IN_CONDITION, node.offset, "if")
        if isinstance(node, Loop) and stage == "while":
            return Context(IN_CONDITION, node.offset, "until" if node.until else "while")
        if isinstance(node, Negated):
            return Context(IN_CONDITION, node.offset, "!")
        if isinstance(node, AndOr) and stage < len(node.ands):
            word = "&&" if node.ands[stage] else "||"
            return Context(IN_CONDITION, node.parts[stage].offset, word)
        return None

    def reason(
        self, usual: Usual, stage: Any, bad: End, after: End | None, differs: Node | None
    ) -> Reason | None:
        """What a node did to the failure of a part of it; None where it passed it on.

        `bad` is how the part ended, `after` the node; `differs` is a later part of a list that does
        something else than without the failure.
        """
        node = usual.node
        after = after or usual.end
        if isinstance(node, ListNode):
            return self.reason_in_list(node, stage, bad, differs)
        if isinstance(node, Root):
            is_replaced = bad.state.status and not after.state.status and stage == "script"
            if is_replaced and bad.state.exit_trap >= 0:
                return Reason(Rule.EXIT_TRAP, self.program.units[bad.state.exit_trap].offset)
            return None
        if isinstance(node, Job):
            return Reason(Rule.ANY_JOB if self.program.waits_for_any else Rule.BACKGROUND)
        if isinstance(node, Pipe):
            return self.reason_in_pipe(usual, stage, after)
        if isinstance(node, (Subshell, Anonymous)) or (
            isinstance(node, CommandNode) and stage != "own"
        ):
            return self.reason_outside(usual, after)
        if bad.signal:
            return None
        if decided := self.reason_in_condition(usual, stage, bad):
            return decided
        if not bad.state.status:
            return None
        if isinstance(node, AndOr):
            return self.reason_in_and_or(node, stage)
        if isinstance(node, Expanded) and stage < len(node.parts):
            return self.reason_in_words(usual, node, stage, after)
        return Reason(Rule.NEGATED) if isinstance(node, Negated) else None

    def reason_in_condition(self, usual: Usual, stage: Any, bad: End) -> Reason | None:
        """What a condition did with a failure that changed its outcome, also where `!` turned it round."""
        node, known = usual.node, usual.stages.get(stage)
        before = known[0].state.status if known else 0
        if (before == 0) == (bad.state.status == 0):
            return None
        if isinstance(node, If) and stage[0] == "if":
            return Reason(Rule.CONDITION, node.offset, "elif" if stage[1] else "if")
        if isinstance(node, Loop) and stage == "while":
            return Reason(Rule.CONDITION, node.offset, "until" if node.until else "while")
        return None

    def reason_of_stop(self, state: State) -> Reason:
        """What ended the script, or a function of zsh; without an option a variable that is not set did."""
        if state.has("errexit"):
            return Reason(Rule.ERREXIT)
        return Reason(Rule.ERR_RETURN if state.has("errreturn") else Rule.UNSET)

    def reason_outside(self, usual: Usual, after: End) -> Reason | None:
        """What becomes of the status that a subshell or a function ended with."""
        node = usual.node
        if not after.state.status or (isinstance(node, Subshell) and node.substitutes):
            return None
        if after.signal.startswith(ERREXIT):
            if isinstance(node, CommandNode) and after.state.has("errexit"):
                return Reason(Rule.CALL_FAILS, THE_CALL, node.word)
            return self.reason_of_stop(after.state)
        return None if after.signal else self.why_lost(after.state, usual.around)

    def reason_in_list(
        self, node: ListNode, stage: Any, bad: End, differs: Node | None
    ) -> Reason | None:
        """What later parts of a list did to the failure of one."""
        child = node.items[stage]
        if differs is not None:
            return Reason(Rule.READ, differs.offset, _named(differs))
        if isinstance(child, Subshell) and child.substitutes and bad.state.status:
            return Reason(Rule.WORDS, node.offset, _named(node.items[-1]))
        return None

    def reason_in_pipe(self, usual: Usual, stage: Any, after: End) -> Reason | None:
        """What a pipeline did to the failure of a segment."""
        statuses, before = stage
        node: Pipe = usual.node  # type: ignore[assignment]
        is_last = len(statuses) == len(node.segments) - 1
        if is_last and (self.runs_last_here(before, usual.around) or not before.has("pipefail")):
            if after.signal.startswith(ERREXIT):
                return self.reason_of_stop(after.state)
            return self.why_lost(after.state, usual.around) if after.state.status else None
        if after.signal.startswith(ERREXIT):
            return Reason(Rule.ERREXIT if is_last else Rule.PIPEFAIL)
        if after.signal:
            return self.why_failed(after, usual.around)
        if not after.state.status:
            return Reason(Rule.LAST_SEGMENT)
        if self.zsh and is_compound(node.segments[-1]) and before.has("errexit"):
            return Reason(Rule.COMPOUND_LAST)
        return self.why_lost(after.state, usual.around)

    def reason_in_and_or(self, node: AndOr, stage: int) -> Reason | None:
        """What `&&` and `||` did after a part that failed: ran another one, or skipped all."""
        for at in range(stage, len(node.ands)):
            if not node.ands[at]:
                return Reason(Rule.OR, node.parts[at + 1].offset, _written(node.parts[at + 1]))
        if stage < len(node.ands):
            following = node.parts[stage + 1]
            return Reason(Rule.AND, following.offset, _written(following))
        return None

    def reason_in_words(
        self, usual: Usual, node: Expanded, stage: int, after: End
    ) -> Reason | None:
        """What a command did to the exit of a substitution in its words."""
        if isinstance(node.parts[stage], Job):
            return None
        if node.command.kind.startswith("assign"):
            is_last = stage == len(node.parts) - 1
            if not is_last:
                return Reason(Rule.LAST_SUBSTITUTION)
            if after.signal.startswith(ERREXIT):
                return Reason(Rule.ERREXIT)
            is_lost = after.state.status and not after.signal
            return self.why_lost(after.state, usual.around) if is_lost else None
        if node.command.kind == "test":
            return Reason(Rule.WORDS, node.offset, "a test")
        return Reason(Rule.OWN_EXIT, node.offset, node.command.word)


def _merged(splits: Sequence[Split]) -> tuple[Split, ...]:
    """The splits of a unit as its callers see them, to whom it makes no difference what ran more or less.

    Commands that stand in it never bring a difference back to none by what runs behind it.
    """
    groups: dict[object, list[Split]] = {}
    for it in splits:
        is_other = int(it.difference != 0)
        key = (it.ok, it.bad, is_other, it.external > 0, it.has_then, it.trap, it.trap_at)
        groups.setdefault(key, []).append(it)
    if len(groups) == len(splits):
        return tuple(splits)
    merged: list[Split] = []
    for group in groups.values():
        one = group[0]
        if len(group) > 1:
            one = one.ending(one.ok, one.bad)
            one.difference, one.members = int(one.difference != 0), list(group)
        merged.append(one)
    return tuple(merged)


def _framed(result: Result, given: frozenset[str] | None, outside: State, exit_trap: int) -> Result:
    """The result of a unit for its caller, of whose variables it can have changed those of `given` only.

    `exit_trap` is the caller's, where the unit ran without it, else -1.
    """
    ends: dict[End | None, End | None] = {None: None}

    def framed(end: End | None) -> End | None:
        if end not in ends:
            assert end is not None
            state = end.state
            if given is not None:
                state = state.with_variables_around(given, outside)
            if exit_trap != -1:
                state = state._replace(exit_trap=exit_trap)
            ends[end] = end if state is end.state else End(end.signal, state)
        return ends[end]

    splits = []
    for split in result.splits:
        ok, bad = framed(split.ok), framed(split.bad)
        if ok is not split.ok or bad is not split.bad:
            splits.append(split.ending(ok, bad))
        else:
            splits.append(split)
    end = framed(result.end)
    assert end is not None
    return result._replace(end=end, splits=tuple(splits))


def _other_turn(node: Node, ok: End, bad: End) -> int:
    """What runs more or less where one of two runs leaves a loop in its first turn; a part of a sum."""
    if not isinstance(node, Loop) or not node.is_repeated:
        return 0
    goes_on = {NEXT, CONTINUE}
    return trace_of(node.low) if (ok.signal in goes_on) != (bad.signal in goes_on) else 0


def _is_alike(child: Node, result: Result, known: tuple[End, int, int, int]) -> bool:
    """Whether a part did the same as in the usual run, as far as it ran anything."""
    if result.trace != known[3] or result.end.signal != known[0].signal:
        return False
    passes_on = isinstance(child, CommandNode) and child.kind == "jump"
    return not passes_on or result.end.state.status == known[0].state.status


def _named(node: Node) -> str:
    """What a sentence calls a part of a list."""
    if isinstance(node, If):
        return "the if"
    if isinstance(node, Loop):
        return "the loop"
    if isinstance(node, Case):
        return "the case"
    if isinstance(node, AndOr):
        return _written(node.parts[0])
    return _written(node)


def _written(node: Node) -> str:
    """The words of a command, or a sign for a compound one."""
    command = node.command if isinstance(node, Expanded) else node
    if isinstance(command, CommandNode):
        return shortened(" ".join(command.words) or "an assignment")
    if isinstance(node, Negated):
        return f"! {_written(node.body)}"
    if isinstance(node, Pipe):
        return " | ".join(map(_written, node.segments[:3]))
    return "( … )" if isinstance(node, Subshell) else "{ … }"


ALL_SEGMENTS = re.compile(r"\(\s*\"?\$\{?(?:pipestatus|PIPESTATUS)(?:\[[@*]\])?\}?\"?\s*\)")
ELEMENT = re.compile(r"\$\{?(\w+\[\d\])\}?")
PIPESTATUS = re.compile(r"\$\{?(pipestatus|PIPESTATUS)(?:\[(\d)\])?\}?")
TEST = re.compile(
    r"(?:\[\[?|test)\s+(\S+)\s+(-\w\w|[!=]?=|[<>])\s+(\S+?)(?:\s+\]\]?)?"
    r"|\(\(\s*(\S+?)\s*(?:([!=]=|[<>]=?)\s*(\S+?)\s*)?\)\)"
)
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "-eq": lambda a, b: a == b,
    "=": lambda a, b: a == b,
    "==": lambda a, b: a == b,
    "-ne": lambda a, b: a != b,
    "!=": lambda a, b: a != b,
    "-gt": lambda a, b: a > b,
    ">": lambda a, b: a > b,
    "-lt": lambda a, b: a < b,
    "<": lambda a, b: a < b,
    "-ge": lambda a, b: a >= b,
    ">=": lambda a, b: a >= b,
    "-le": lambda a, b: a <= b,
    "<=": lambda a, b: a <= b,
}


def _compared(a: int, operator: str, b: int) -> bool:
    compare = _COMPARE.get(operator)
    return compare(a, b) if compare else True


def is_compound(node: Node) -> bool:
    """Whether a node is a compound command that runs in the current shell."""
    if type(node) is ListNode and node.items:
        # A loop or a `case` after the substitutions in its words.
        return is_compound(node.items[-1])
    return isinstance(node, (Group, If, Loop, Case))


def is_lone(node: Node) -> bool:
    """Whether a node is one command and no call: forked, it has no shell that minds its exit."""
    command = _simple(node)
    return command is not None and command.kind != "call"


def _simple(node: Node) -> CommandNode | None:
    command = node.command if isinstance(node, Expanded) else node
    return command if isinstance(command, CommandNode) else None


@cache
def _checked(around: Surroundings) -> Surroundings:
    if around.ignored and around.returns_ignored:
        return around
    return around._replace(ignored=True, returns_ignored=True)

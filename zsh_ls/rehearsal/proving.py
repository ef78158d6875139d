"""Lets the commands of a script fail, one in each run, and says what became of the script (REH-3)."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from zsh_ls.lazy import attrs
from zsh_ls.shell.fates import Fate, FateKind, fates
from zsh_ls.shell.fates.copies import Copies, How, Place
from zsh_ls.shell.fates.proof import END, Course, proven
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse

from .decision import ENDS, FAILS, FAILS_ONCE
from .recording import Step
from .report import ProvenFate, Rehearsal, RehearsedKind
from .request import RehearsalRequest
from .run import Failure, Run, Script

LONGEST_COMMAND = 200
# Two runs at a time: a script waits more than it works.
RUNS_AT_ONCE = 2
OWN = "own"
# As the shells' hooks say a command.
_LETTERS = re.compile(r"[^a-zA-Z0-9_.-]")
COMPARED_CHARACTERS = 30
# `:`, which has no letters, and those that do nothing either, are no commands that "run afterwards".
IDLE = frozenset({"", "true", "false"})
NAME = re.compile(r"[\w.+\[-]{1,60}")


def prove(
    request: RehearsalRequest,
    script: Script,
    run: Callable[[Failure | None], Run],
    progress: Callable[[str], None],
) -> Rehearsal:
    """What became of the script, whole and with each of the commands in question failing."""
    progress("whole run")
    line_count = len(script.text.splitlines())
    whole = run(Failure(with_end(script)))
    index = LineIndex(script.text)
    said = {it.span.start: it for it in fates(parse(script.text, script.dialect))}
    try:
        copies = Copies.of(script.text, script.dialect)
    except ValueError:
        copies = Copies(script.text, script.dialect)
    reached = {place.line for place in whole.recording.lines if place.file is None}
    wanted = []
    for place in copies.places:
        line = index.line_of(place.start) + 1
        last = index.line_of(max(place.start, place.span.end - 1)) + 1
        if (request.fail in {None, line}) and not reached.isdisjoint(range(line, last + 1)):
            wanted.append((line, place))
    failures = [_Attempt(script, copies, place, line) for line, place in wanted]

    def tried(numbered: tuple[int, _Attempt]) -> tuple[_Attempt, Run] | None:
        number, attempt = numbered
        progress(f"failure {number} of {len(failures)}, line {attempt.line}")
        text = attempt.text()
        return None if text is None else (attempt, run(Failure(text)))

    with ThreadPoolExecutor(RUNS_AT_ONCE) as pool:
        done = [it for it in pool.map(tried, enumerate(failures, 1)) if it is not None]
    found: list[ProvenFate] = []
    shown = whole
    for attempt, failed in done:
        fate = attempt.fate(whole, failed, said.get(attempt.place.start), line_count)
        if fate is None:
            continue
        if request.fail is not None and not found:
            shown = failed
        found.append(fate)
    lines = tuple(it for it in shown.lines if it.file is not None or it.line <= line_count)
    return Rehearsal(
        lines, shown.exit, shown.stopped, tuple(found), shown.output, relying=shown.relying
    )


def with_end(script: Script) -> str:
    """The script with one more command, which notes that the end was reached, and keeps the status."""
    text = f"{script.text}\n{ENDS}/{END} $? || exit\n"
    problems = parse(text, script.dialect).problems
    return script.text if any(it.fatal for it in problems) else text


@attrs.frozen
class _Attempt:
    """A command that is to fail."""

    script: Script
    copies: Copies
    place: Place
    line: int

    @property
    def program(self) -> str:
        """The path of the program that fails in its place."""
        source = self.copies.text[slice(*self.place.name_at)].strip("'\"")
        name = os.path.basename(source)
        name = name if NAME.fullmatch(name) else "command"
        folder = FAILS_ONCE if self.place.once else FAILS
        return f"{folder}/{name}"

    def text(self) -> str | None:
        """The script in which it fails; None where that cannot be written."""
        text = self.copies.failing(self.place, self.program)
        if text is None:
            return None
        ending = with_end(attrs.evolve(self.script, text=text))
        problems = parse(ending, self.script.dialect).problems
        return None if any(it.fatal for it in problems) else ending

    def fate(
        self, whole: Run, failed: Run, said: Fate | None, line_count: int
    ) -> ProvenFate | None:
        """What it led to; None where the run did not come to it."""
        before = _entries(whole.recording.steps, line_count)
        after = _entries(self._restored(failed.recording.steps), line_count)
        at = next((number for number, it in enumerate(after) if it.name == OWN), None)
        if at is None:
            return None
        after = [it for number, it in enumerate(after) if it.name != OWN or number == at]
        own = _Entry(self.line, OWN)
        # Its mark is the one that is missing now; in a pipeline others may come before it.
        left = Counter(it for it in after if it.line == self.line and not it.is_call)
        missing = None
        for number, it in enumerate(before):
            if it.line == self.line and not it.is_call:
                left[it] -= 1
                if left[it] < 0:
                    missing = number
                    break
        if missing is not None and self.place.how in {How.RENAMED, How.WHOLE, How.NATURAL}:
            before[missing] = own
        else:
            before.insert(min(at, len(before)), own)
        after[at] = own
        before, after = self._comparable(before, after)
        healthy, broken = (
            Course(tuple(map(str, log)), _end_of(run), run.exit or 0)
            for log, run in ((before, whole), (after, failed))
        )
        kind = FateKind.UNKNOWN
        if failed.stopped is None and whole.stopped is None:
            kind = proven(
                healthy,
                broken,
                str(own),
                # One of a subshell ends that alone; where the script left is said by `_end_of`.
                is_end=lambda entry: entry.partition(":")[2].startswith("exit"),
                is_external=lambda entry: "!" in entry,
            ).fate
        if kind is FateKind.REPORTED and failed.exit == whole.exit:
            # It ends so by itself, whatever this command does.
            told = said.fate if said is not None else kind
            kind = kind if told is kind else FateKind.UNNOTICED
        then, otherwise = (
            {it.line for it in log[log.index(own) + 1 :] if it.line != self.line}
            for log in (after, before)
        )
        command = said.command if said is not None else self.copies.text[slice(*self.place.span)]
        return ProvenFate(
            self.line,
            command[:LONGEST_COMMAND],
            said.fate if said is not None else FateKind.UNKNOWN,
            kind,
            tuple(sorted(then - otherwise)),
            tuple(sorted(otherwise - then)),
            failed.exit,
        )

    def _restored(self, steps: Sequence[Step]) -> list[Step]:
        """The steps of the failed run as they would be said of the script itself.

        Shells say of a function, an assignment or a group that it is reached by its whole text, in which
        the failing program stands now. The last such step before it fails is that program's own.
        """
        letters = _LETTERS.sub("", self.program)
        there = {
            How.RENAMED: self.place.name_at,
            How.WHOLE: self.place.span,
            How.NATURAL: self.place.span,
        }.get(self.place.how)
        original = _LETTERS.sub("", self.copies.text[slice(*there)]) if there else ""
        command = _LETTERS.sub("", self.copies.text[slice(*self.place.span)])
        kept: list[Step] = []
        for step in steps:
            if step.kind is RehearsedKind.FAILED:
                own = next(
                    (at for at in reversed(range(len(kept))) if letters in kept[at].said), -1
                )
                if own >= 0:
                    del kept[own]
            kept.append(step)
        restored = [
            it._replace(said=it.said.replace(letters, original)) if letters in it.said else it
            for it in kept
        ]
        # The braces that hold a command and its failure together.
        is_braced = self.place.how in {How.KEPT, How.LOGGED}
        return [
            new
            for old, new in zip(kept, restored, strict=True)
            if old is new or not is_braced or new.said != command[: len(new.said)]
        ]

    def _comparable(
        self, before: list[_Entry], after: list[_Entry]
    ) -> tuple[list[_Entry], list[_Entry]]:
        """Without what the command itself called, and without what ran in traps."""
        called = {it for it in after if it.is_call}
        traps = self.copies.trap_functions()
        index = LineIndex(self.copies.text)
        trapped = {
            index.line_of(it.start) + 1
            for it in self.copies.places
            if it.in_trap or it.function in traps
        } - {
            index.line_of(it.start) + 1
            for it in self.copies.places
            if not (it.in_trap or it.function in traps)
        }
        if self.line in trapped:
            trapped = set()
        others = {
            os.path.basename(self.copies.text[slice(*it.name_at)].strip("'\""))
            for it in self.copies.places
            if it is not self.place and index.line_of(it.start) + 1 == self.line
        }
        kept = [
            it
            for it in before
            if not it.is_call
            or it.line != self.line
            or it in called
            or it.name.removeprefix("!") in others
        ]
        return (
            [it for it in kept if it.line not in trapped],
            [it for it in after if it.line not in trapped],
        )


@attrs.frozen
class _Entry:
    """A command that was reached, by its line and its letters, or a call, `!` and its name."""

    line: int
    name: str

    @property
    def is_call(self) -> bool:
        """Whether it is a call of a program."""
        return self.name.startswith("!")

    def __str__(self) -> str:
        return f"{self.line}:{self.name}"


def _entries(steps: Sequence[Step], line_count: int) -> list[_Entry]:
    """What ran of the script itself, up to its end or to where it left."""
    found = []
    for step in steps:
        if step.name == END:
            break
        if step.place.file is not None or not 0 < step.place.line <= line_count:
            continue
        if step.kind is RehearsedKind.FAILED:
            found.append(_Entry(step.place.line, OWN))
        elif step.name:
            found.append(_Entry(step.place.line, f"!{step.name}"))
        elif step.said not in IDLE:
            found.append(_Entry(step.place.line, step.said[:COMPARED_CHARACTERS]))
    return found


def _end_of(run: Run) -> str | None:
    """The end that a run came to: that of the text, or an `exit` of the script."""
    steps = run.recording.steps
    if any(step.name == END for step in steps):
        return END
    for step in reversed(steps):
        if step.place.file is None and step.place.line and not step.name:
            return f"exit@{step.place.line}" if step.said.startswith("exit") else None
    return None

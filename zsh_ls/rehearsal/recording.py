"""What happened in a run, gathered line by line in the order in which it happened."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from zsh_ls.insights import effects
from zsh_ls.lazy import attrs
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.shell.fates.proof import END
from zsh_ls.shell.words.wrappers import look_through

from .beginnings import Redirected
from .decision import Call, Decision
from .notices import Happening, Notice
from .report import (
    RehearsalMark,
    RehearsedCommand,
    RehearsedKind,
    RehearsedLine,
    RehearsedWrite,
    WriteAction,
)

FIRST_TIMES = 10
MOST_COMMANDS = 1000
MOST_STEPS = 200_000
GAVE_CHARACTERS = 200
# Stand-ins of these leave behind all that the program would.
MAKE_FOLDERS = frozenset({"mkdir", "install"})
APPENDS = frozenset({"-a", "--append"})
MARKS = (RehearsalMark.DESTROYS, RehearsalMark.PUBLISHES, RehearsalMark.NETWORK)


class Place(NamedTuple):
    """A line of a script; `file` is None for the script that is rehearsed."""

    file: str | None
    line: int


NOWHERE = Place(None, 0)


@attrs.define
class RecordedCommand:
    """A call as it is gathered."""

    number: str
    words: tuple[str, ...]
    cwd: str
    kind: RehearsedKind
    is_captured: bool
    exit: int | None = None
    gave: str | None = None


@attrs.define
class RecordedWrite:
    """A path that was written, as it is gathered.

    was_there: what was there before the rehearsal is lost, unless it is only added to.
    """

    action: WriteAction
    is_folder: bool = False
    count: int | None = None
    was_there: bool = False


@attrs.define
class RecordedLine:
    """A line as it is gathered."""

    reached: Counter[str] = attrs.field(factory=Counter)
    commands: list[RecordedCommand] = attrs.field(factory=list)
    writes: dict[str, RecordedWrite] = attrs.field(factory=dict)
    calls: int = 0

    @property
    def count(self) -> int:
        """How often the line was reached: as often as the command on it that was reached most."""
        return max(self.reached.values(), default=0) or int(bool(self.commands or self.writes))


class Step(NamedTuple):
    """A command that was reached (`said` are its letters), or a call (`name`), in the order of the run."""

    place: Place
    name: str = ""
    said: str = ""
    kind: RehearsedKind | None = None


@attrs.define
class Recording:
    """All of a run. `was_there` says whether a path was there before it.

    `made` are folders that stand-ins have made in the sandbox as the program would have.
    """

    was_there: Callable[[str], bool]
    count_before: Callable[[str], int | None]
    lines: dict[Place, RecordedLine] = attrs.field(factory=dict)
    steps: list[Step] = attrs.field(factory=list)
    at: Place = NOWHERE
    redirected: tuple[Redirected, ...] = ()
    is_complete: bool = True
    made: set[str] = attrs.field(factory=set)
    _foretold: set[str] = attrs.field(factory=set)
    _calls: dict[str, RecordedCommand] = attrs.field(factory=dict)
    _there: dict[str, bool] = attrs.field(factory=dict)
    _fresh: list[str] = attrs.field(factory=list)
    _of_groups: dict[str, Redirected] = attrs.field(factory=dict)

    def line(self, place: Place) -> RecordedLine:
        """The line's record."""
        return self.lines.setdefault(place, RecordedLine())

    def reached(self, place: Place, said: str) -> None:
        """A command is about to run on a line."""
        if place.file is None and self._fresh:
            self._give_to_group(place)
        self._fresh.clear()
        self.at = place
        self.line(place).reached[said] += 1
        if len(self.steps) < MOST_STEPS:
            self.steps.append(Step(place, said=said))

    def _give_to_group(self, place: Place) -> None:
        """What a group writes to is opened before its first command, when the one before it ran last."""
        path = self._fresh[-1]
        name = os.path.basename(path)
        before = self.line(self.at)
        words = {os.path.basename(word) for it in before.commands for word in it.words}
        for group in self.redirected:
            # zsh tells of the group itself before it opens the file.
            is_inside = self.at.file is None and group.first < self.at.line <= group.last
            if place.line not in {group.first, group.body} or is_inside or name in words:
                continue
            if group.name == name or (group.name is None and not before.commands):
                self._of_groups[path] = group
                write = before.writes.pop(path)
                self.line(Place(None, group.line)).writes.setdefault(path, write)
                return

    def called(self, place: Place, call: Call, decision: Decision) -> None:
        """A program was called for."""
        self.at = place
        line = self.line(place)
        self.steps.append(Step(place, call.words[0], kind=decision.kind))
        line.calls += 1
        if line.count <= FIRST_TIMES and len(line.commands) < MOST_COMMANDS:
            command = RecordedCommand(
                call.number, call.words, call.cwd, decision.kind, call.is_captured
            )
            line.commands.append(command)
            self._calls[call.number] = command
        self._foretold.update(decision.folders)
        if call.words[0] in MAKE_FOLDERS:
            for folder in decision.folders:
                while folder not in self.made and not self.was_there(folder):
                    self.made.add(folder)
                    folder = os.path.dirname(folder)  # noqa: PLW2901
        adds = call.words[0] == "tee" and not APPENDS.isdisjoint(call.words)
        for path, action, count in decision.writes:
            known = line.writes.get(path)
            if known is None:
                is_folder = count is not None or path in self.made
                line.writes[path] = RecordedWrite(
                    WriteAction(action.value), is_folder, count, not adds and self.was_there(path)
                )

    def came_to_the_end(self) -> None:
        """The command after the last one of the text was reached."""
        self.steps.append(Step(self.at, END))

    def ended(self, number: str, status: int, gave: str) -> None:
        """A program has ended."""
        command = self._calls.pop(number, None)
        if command is None:
            return
        command.exit = status
        if command.is_captured:
            command.gave = gave

    def noticed(self, notice: Notice) -> None:
        """A file changed."""
        if notice.what is Happening.LOST:
            self.is_complete = False
            return
        path = notice.path
        group = self._of_groups.get(path)
        if group is not None and group.first <= self.at.line <= group.last:
            writes = self.line(Place(None, group.line)).writes
        else:
            writes = self.line(self.at).writes
        known = writes.get(path)
        was_there = self.was_there(path)
        is_there = self._there.get(path, was_there)
        if notice.what is Happening.REMOVED:
            self._there[path] = False
            if known is not None and known.action is WriteAction.CREATE:
                del writes[path]
            elif known is not None:
                known.action = WriteAction.REMOVE
            elif is_there:
                count = self.count_before(path) if notice.is_folder else None
                writes[path] = RecordedWrite(WriteAction.REMOVE, notice.is_folder, count, was_there)
            return
        self._there[path] = True
        if known is not None:
            if known.action is WriteAction.REMOVE:
                known.action = WriteAction.CHANGE
            return
        if notice.is_folder and (is_there or path in self._foretold):
            # A layer makes the folders above what is written in them. What a stand-in makes is told
            # with it already, though another command of its pipeline may have begun since.
            return
        changes = is_there or notice.what is Happening.CHANGED
        action = WriteAction.CHANGE if changes else WriteAction.CREATE
        writes[path] = RecordedWrite(action, notice.is_folder, None, was_there)
        if not notice.is_folder:
            self._fresh.append(path)


def told_lines(
    recording: Recording,
    mask: Callable[[str], str],
    appended: Callable[[str], bool],
) -> list[RehearsedLine]:
    """The lines in their order, those of the script itself first; `appended`: only added to at its end."""
    told = []
    for place in sorted(
        recording.lines, key=lambda it: (it.file is not None, it.file or "", it.line)
    ):
        line = recording.lines[place]
        if not place.line and not line.commands and not line.writes:
            continue
        found = set()
        for command in line.commands:
            found |= _marks(command.words)
        if any(
            write.was_there
            and (
                write.action is WriteAction.REMOVE
                or (
                    write.action is WriteAction.CHANGE
                    and not write.is_folder
                    and not appended(path)
                )
            )
            for path, write in line.writes.items()
        ):
            found.add(RehearsalMark.DESTROYS)
        told.append(
            RehearsedLine(
                place.line,
                line.count,
                tuple(_command(it, mask) for it in line.commands),
                tuple(_writes(line.writes, mask)),
                tuple(it for it in MARKS if it in found),
                place.file,
            )
        )
    return told


def _command(command: RecordedCommand, mask: Callable[[str], str]) -> RehearsedCommand:
    gave = None if command.gave is None else mask(command.gave.rstrip("\n"))[:GAVE_CHARACTERS]
    return RehearsedCommand(
        masked_words(command.words, mask), command.cwd, command.kind, command.exit, None, gave
    )


def masked_words(words: Sequence[str], mask: Callable[[str], str]) -> tuple[str, ...]:
    """The words without secrets: each by itself, and where the word before says that one follows."""
    told = []
    for at, word in enumerate(words):
        alone = mask(word)
        if at and alone == word and words[at - 1].startswith("-"):
            pair = mask(f"{words[at - 1]} {word}")
            if not pair.endswith(word) and pair.startswith(f"{words[at - 1]} "):
                alone = pair[len(words[at - 1]) + 1 :]
        told.append(alone)
    return tuple(told)


def _marks(words: Sequence[str]) -> set[RehearsalMark]:
    """The marks of a call, also of one that `sudo` or its like hands on."""
    found = set()
    at = look_through(words)
    words = words[at:] if at < len(words) else words
    if effects.destroys(words):
        found.add(RehearsalMark.DESTROYS)
    if effects.publishes(words):
        found.add(RehearsalMark.PUBLISHES)
    if effects.reaches_network(words) or (RehearsalMark.PUBLISHES in found):
        found.add(RehearsalMark.NETWORK)
    return found


def _writes(
    writes: Mapping[str, RecordedWrite], mask: Callable[[str], str]
) -> Iterable[RehearsedWrite]:
    """The paths; a whole tree that was made or removed is one, with the count of its files."""
    trees = sorted(
        (
            path
            for path, it in writes.items()
            if it.is_folder and it.action is not WriteAction.CHANGE
        ),
        key=len,
    )
    within: dict[str, str] = {}
    for path in writes:
        for tree in trees:
            if path.startswith(f"{tree}/") and writes[path].action is writes[tree].action:
                within[path] = tree
                break
    for path, write in writes.items():
        if path in within:
            continue
        count = write.count
        below = [it for it, tree in within.items() if tree == path]
        if below:
            files = sum(not writes[it].is_folder for it in below)
            count = max(files, count or 0) or None
        yield RehearsedWrite(mask_path(path, mask), write.action, count)


def mask_path(path: str, mask: Callable[[str], str]) -> str:
    """A path, absolute, without secrets."""
    return mask(os.path.normpath(path))

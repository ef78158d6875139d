"""Finds the pipeline of a command whose statuses the shell's `pipestatus` has after the command.

That is the last pipeline that ran and set it: the last of the list, unless
`&&` or `||` left that out, `exit` or errexit came before, or it is of a kind
that leaves the statuses alone (`[[ … ]]`, `(( … ))`, assignments, definitions,
background jobs). The statuses themselves tell which: their number must fit, and
nothing may stand after the pipeline that would then have run.

If more than one pipeline fits, the answer is None: `a && b` that ended with 1 may
have ended in either. Two things rule pipelines out: commands whose status is known
(`true`, `echo`), and the output, for commands that print an error when they fail (`cd`).

Not considered: `trap … EXIT`, functions and aliases that run `exit`, and options set
in the user's own start-up files.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from zsh_ls.model.context import Setting, StatusCheck
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Connector, Dialect, Pipeline, Script, SegmentKind
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.words.vocabulary import CHANGE_FOLDER

from .context import contexts

ENDS_THE_SHELL = frozenset({"exec", "exit", "return", "logout"})
KEEPS_STATUSES = frozenset({SegmentKind.CONDITION, SegmentKind.ARITHMETIC, SegmentKind.FUNCTION})
# The only status these end with, without redirections and full disks.
KNOWN_STATUS: Mapping[str, int] = {
    "true": 0,
    ":": 0,
    "echo": 0,
    "print": 0,
    "printf": 0,
    "set": 0,
    "setopt": 0,
    "unsetopt": 0,
    "emulate": 0,
    "trap": 0,
    "sleep": 0,
    "pwd": 0,
    "false": 1,
}
PRINTS_ERRORS = frozenset(
    {
        "cd",
        "pushd",
        "popd",
        "mkdir",
        "touch",
        "cp",
        "mv",
        "rm",
        "ln",
        "chmod",
        "export",
        "source",
        ".",
    }
)

Sublist = Sequence[Pipeline]


def reported_pipeline(
    command: Script | str,
    dialect: Dialect = Dialect.ZSH,
    pipestatus: Sequence[int] = (),
    *,
    output: str | None = None,
) -> Pipeline | None:
    """The pipeline of `command` that `pipestatus` belongs to; None if that is not certain.

    `pipestatus` has one status a segment (RUN-3). `output`: all
    that the command printed to stdout and stderr, None if that is unknown.
    """
    script = parse(command, dialect) if isinstance(command, str) else command
    if any(problem.fatal for problem in script.problems):
        return None
    question = _Candidates(script, tuple(pipestatus), output)
    found = question.candidates()
    if not found and not question.pipefail:
        question.pipefail = True
        found = question.candidates()
    return found[0] if len(found) == 1 else None


def _sublists(pipelines: Sequence[Pipeline]) -> list[list[Pipeline]]:
    """The list split into sublists of pipelines joined by `&&` and `||`."""
    sublists: list[list[Pipeline]] = [[]]
    for pipeline in pipelines:
        sublists[-1].append(pipeline)
        if pipeline.connector is Connector.NONE:
            sublists.append([])
    return [sublist for sublist in sublists if sublist]


class _Candidates:
    """Finds the pipelines that fit what was reported of a command.

    With `pipefail`, a pipeline fails if any segment does.
    """

    def __init__(self, script: Script, pipestatus: tuple[int, ...], output: str | None) -> None:
        self.script = script
        self.pipestatus = pipestatus
        self.output = output
        self.pipefail = "pipefail" in script.text

    def candidates(self) -> list[Pipeline]:
        """The pipelines that may have set the statuses, without duplicates."""
        found = [*self.last_run(_sublists(self.script.pipelines)), *self.stopped_by_errexit()]
        return [each for position, each in enumerate(found) if each not in found[:position]]

    def last_run(self, sublists: Sequence[Sublist]) -> Iterator[Pipeline]:
        """Pipelines that may have run last, from the end of the list backwards."""
        for position in range(len(sublists) - 1, -1, -1):
            yield from self.last_of(sublists[position])
            if not all(keeps_statuses(each) for each in sublists[position]):
                yield from self.exits(sublists[:position])
                return

    def last_of(self, sublist: Sublist) -> Iterator[Pipeline]:
        """Pipelines of a sublist that may have run last in it."""
        for position, pipeline in enumerate(sublist):
            if (
                self.fits(pipeline)
                and self.reached(sublist[:position])
                and self.skips_rest(pipeline, sublist[position + 1 :])
            ):
                yield pipeline

    def exits(self, sublists: Sequence[Sublist]) -> Iterator[Pipeline]:
        """Earlier pipelines that may have ended the shell."""
        for sublist in sublists:
            for position, pipeline in enumerate(sublist):
                ends = pipeline.segments[0].command_word in ENDS_THE_SHELL
                if ends and self.fits(pipeline) and self.reached(sublist[:position]):
                    yield pipeline

    def stopped_by_errexit(self) -> Iterator[Pipeline]:
        """Pipelines outside functions and subshells whose failure ended the shell."""
        for placed in contexts(self.script) if self.failed() else ():
            context = placed.context
            stops = context.errexit is not Setting.OFF and context.checked is StatusCheck.NONE
            outside = not (context.function or context.subshell or context.substitution)
            if stops and outside and self.fits(placed.pipeline):
                yield placed.pipeline

    def failed(self) -> bool:
        """Whether the reported pipeline failed."""
        return any(self.pipestatus) if self.pipefail else self.pipestatus[-1:] not in {(), (0,)}

    def fits(self, pipeline: Pipeline) -> bool:
        """Whether the statuses can be those of this pipeline."""
        without_pipestatus = self.script.dialect is Dialect.SH and len(self.pipestatus) == 1
        count_fits = without_pipestatus or len(pipeline.segments) == len(self.pipestatus)
        if not count_fits or _has_no_status(pipeline):
            return False
        known = self.known_status(pipeline)
        if known is not None:
            return self.pipestatus == (known,)
        return self.pipestatus[0] in (0, 1) or not self.only_changes_folder(pipeline)

    def only_changes_folder(self, pipeline: Pipeline) -> bool:
        """Whether it is one `cd` without options: where that fails, its status is 1."""
        segment = pipeline.segments[0]
        return (
            segment.command_word in CHANGE_FOLDER
            and len(pipeline.segments) == 1
            and not any(self.script.source(word).startswith("-") for word in segment.words[1:])
        )

    def known_status(self, pipeline: Pipeline) -> int | None:
        """The status a pipeline always ends with; None if that is not known."""
        segment = pipeline.segments[0]
        if len(pipeline.segments) > 1 or segment.redirections or segment.substitutions:
            return None
        status = self.status_of(segment.command_word, segment.words[1:2])
        return int(not status) if pipeline.negated and status is not None else status

    def status_of(self, word: str, arguments: Sequence[Span]) -> int | None:
        """The status a simple command always ends with."""
        if word in PRINTS_ERRORS and self.printed_no_error(word):
            return 0
        if word == "exit" and arguments:
            number = self.script.source(arguments[0])
            return int(number) & 255 if number.isdecimal() else None
        return KNOWN_STATUS.get(word)

    def printed_no_error(self, word: str) -> bool:
        """Whether the output contains no error of this command, which begins with its name."""
        return self.output is not None and f"{word}:" not in self.output

    def reached(self, before: Sublist) -> bool:
        """Whether the pipeline after `before` may have run."""
        failed: bool | None = None
        for position, pipeline in enumerate(before):
            runs = position == 0 or _runs(before[position - 1].connector, failed)
            if runs is not False:
                status = self.known_status(pipeline)
                failed = None if status is None or runs is None else status != 0
        return not before or _runs(before[-1].connector, failed) is not False

    def skips_rest(self, pipeline: Pipeline, after: Sublist) -> bool:
        """Whether the rest of the sublist may have been skipped or left the statuses unchanged."""
        # `pipestatus` has the inverted status for a single negated command, else the original ones.
        failed = self.failed() is not (pipeline.negated and len(self.pipestatus) > 1)
        connector = pipeline.connector
        for successor in after:
            if _runs(connector, failed):
                return keeps_statuses(successor)
            connector = successor.connector
        return True


def keeps_statuses(pipeline: Pipeline) -> bool:
    """Whether `pipestatus` may still be that of an earlier pipeline after this one."""
    segment = pipeline.segments[0]
    tests = len(pipeline.segments) == 1 and segment.kind in KEEPS_STATUSES
    return _has_no_status(pipeline) or tests or segment.command_word == "exit"


def _has_no_status(pipeline: Pipeline) -> bool:
    """Whether a pipeline sets no status: a job, a definition, or assignments alone."""
    segment, *others = pipeline.segments
    if pipeline.background or pipeline.coproc:
        return True
    if segment.kind is SegmentKind.FUNCTION:
        return not (others or segment.command_word)
    nothing_ran = segment.kind is SegmentKind.SIMPLE and not segment.words
    return nothing_ran and not (others or segment.substitutions or segment.redirections)


def _runs(connector: Connector, failed: bool | None) -> bool | None:
    """Whether the pipeline after `connector` runs; None if `failed` is unknown."""
    if failed is None:
        return None
    return failed is (connector is Connector.OR)

"""Which command each exit status of a run came from, and where it stands in the run's text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from zsh_ls.lazy import attrs
from zsh_ls.model.completed_run import CompletedRun, CompletedSegment
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Dialect, Pipeline, Script, Segment
from zsh_ls.model.words import Level
from zsh_ls.shell.status.exit_codes import normal_meaning
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.words.words import read_word
from zsh_ls.shell.words.wrappers import command_word, last_simple

NOT_THERE = "No such file or directory"


def with_pipeline(run: CompletedRun, statuses: tuple[int, ...] | None = None) -> CompletedRun:
    """The run with the pipeline of `command` that gave `statuses`, and the words of the segments that failed.

    `statuses` are given where they are not the run's `pipestatus`: a script's is of a pipeline inside it.
    """
    from zsh_ls.shell.status.blame import reported_pipeline  # noqa: PLC0415

    if statuses is None:
        statuses = run.pipestatus
    script = parse(run.command, Dialect(run.shell) if run.shell in set(Dialect) else Dialect.SH)
    output = "" if run.output_is_blank else run.output
    pipeline = reported_pipeline(script, script.dialect, statuses, output=output)
    # A shell that cannot tell the segments apart gives one status, that of the last.
    segments = pipeline.segments[-len(statuses) :] if pipeline else ()
    # One status of a negated command is what `!` made of it.
    negated = pipeline is not None and pipeline.negated and len(statuses) == 1
    if not any(statuses) or len(segments) != len(statuses) or negated:
        completed = tuple(map(CompletedSegment, statuses))
    else:
        pairs = zip(statuses, segments, strict=True)
        completed = tuple(_segment(script, status, segment) for status, segment in pairs)
    pipefail = pipeline is not None and len(completed) > 1 and _has_pipefail(script, pipeline)
    return attrs.evolve(run, pipeline=pipeline, segments=completed, pipefail=pipefail)


def _has_pipefail(script: Script, pipeline: Pipeline) -> bool:
    """Whether the text has set `pipefail` where the pipeline stands."""
    from zsh_ls.model.context import Setting  # noqa: PLC0415
    from zsh_ls.shell.status.context import context_of, contexts  # noqa: PLC0415

    if "pipefail" not in script.text.lower().replace("_", ""):
        return False
    placed = context_of(contexts(script), pipeline.span.start)
    return placed is not None and placed.context.pipefail is Setting.ON


def _segment(script: Script, status: int, segment: Segment) -> CompletedSegment:
    """A status with the words that gave it; a subshell's last command gives the subshell's."""
    bodies = segment.bodies[-1].pipelines if segment.bodies else ()
    simple = last_simple(bodies) if bodies else segment
    if simple is None:
        return CompletedSegment(status, span=segment.span)
    words = tuple(read_word(script.text, span, {}).text for span in simple.words)
    command = command_word(words) or simple.command_word
    return CompletedSegment(status, command, words, segment.span, normal_meaning(command, status))


def refusals_in(run: CompletedRun) -> list[str]:
    """What zsh refused in a run, each as the way out (RUN-19).

    Of a run that went well (`read -p ...; echo done`) what zsh itself says counts, and what a program says
    of a file that is not there: it may have been given two names as one word.
    """
    if PurePath(run.shell).name != "zsh":
        return []
    failed = run.exit != 0 or any(segment.exit for segment in run.segments)
    said = run.output or run.output_end
    if not failed:
        lines = said.splitlines()
        said = "\n".join(it for it in lines if it.startswith("zsh:") or NOT_THERE in it)
        if not said:
            return []
    # Its patterns take longer to load than all rules that speak of a run.
    from .zsh_refusals import refused  # noqa: PLC0415

    return list(refused(run.command, said))


def normal_exit(run: CompletedRun, meaning: str) -> Iterator[Insight]:
    """`grep exit 1 = no match (normal)`, where the run's exit means `meaning` and is no failure.

    Where zsh refused the line (`grep word *.nosuch`) the exit is the shell's, the command never ran.
    """
    last = run.last
    if last is not None and last.normal_meaning == meaning and not refusals_in(run):
        message = f"{last.command} exit {last.exit} = {meaning} (normal)"
        yield Insight(Level.INFO, message, span=last.span)

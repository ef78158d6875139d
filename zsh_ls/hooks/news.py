"""What is news of a command that an agent ran in its own shell: at most two lines, mostly none (HOOK-1).

News is what the agent cannot read off its output: that the exit is not that of the command which failed,
what an exit means, how long such a run usually takes, and which tests failed.

A hook's process loads it where no server runs, so that it imports what only some runs need when they need it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.insights.formatting import seconds
from zsh_ls.lazy import re
from zsh_ls.model.syntax import Dialect, SegmentKind
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.words.wrappers import command_word

from .signs import ends_in_silence, may_have_failed, may_hide_output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.model.agent_run import AgentRun
    from zsh_ls.model.completed_run import CompletedRun
    from zsh_ls.model.estimate import Estimate
    from zsh_ls.model.insight import Insight
    from zsh_ls.model.syntax import Script
    from zsh_ls.shell.fates import Fate

    from .told_run import ToldRun

    # Two classes with the same fields: a hook's process does not load what makes frozen ones.
    Run = AgentRun | ToldRun

MOST_LINES = 2
MOST_NAMES = 5
LONGEST_COMMAND = 60
LONGEST_SIGN = 160
END_CHARS = 4096
FEWEST_RUNS = 5
SIGNALS_FROM = 128
TIMED_OUT = 124
_TIMEOUT = re.compile(r"(?:^|[\s;&|(])g?timeout\s")
# A run that takes this much longer than nine of ten did is news, if anybody had to wait for it.
MUCH_LONGER = 2.0
WORTH_TELLING_S = 10.0


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# They print the text of others, in which a failure is not theirs.
_READERS = _names(
    "ack ag awk base64 bat cat column comm curl cut date df diff dig du echo egrep env exa eza fd fgrep file"
    " find fmt fold gawk git gh grep head hexdump history jq journalctl less log ls lsof man mawk more nl od"
    " paste perl pgrep printenv printf ps pwd readlink realpath rg ripgrep sed seq sort stat strings sysctl"
    " tac tail tee tr tree uniq wc wget which whoami xxd yq zcat zgrep"
)
# Whose failure means nothing by itself.
_TRIFLES = _names(
    ": [ alias cd command echo export false kill local mkdir pkill popd printf pushd pwd rm set sleep source"
    " test true type typeset unset wait which"
)
# Lines by which tools say that they failed, whatever their names.
_FAILED = re.compile(
    r"^(?:\S+[:(]\d+[:,)\d]* *(?:fatal )?error\b.*"
    r"|(?:fatal |compile |build )?(?:error|fatal|panic)(?:\[\w+\])?: ?.*"
    r"|make(?:\[\d+\])?: \*\*\* .*"
    r"|npm (?:ERR!|error) .*"
    r"|ninja: build stopped.*"
    r"|(?:\[ERROR\]|ERROR:|E:) .*"
    r"|(?:Uncaught )?Error: .*"
    r"|[A-Z]\w*(?:Error|Exception)(?:: .*)?"
    r"|Could not (?:find|open|read|load|resolve) .*"
    r"|Oops! Something went wrong.*"
    r"|(?:BUILD|Build|COMPILATION) (?:FAILED|failed)\b.*"
    r"|FAILURE: Build failed.*"
    r"|(?:FAILED|FAIL)\b.*"
    r"|# fail [1-9]\d*"
    # What linters sum up with.
    r"|✖ +(?:\d+ problems? \()?[1-9]\d* errors?\b.*"
    r"|Found [1-9]\d* errors?\b.*"
    r"|[1-9]\d* errors?, \d+ warnings?\b.*"
    r"|\d+ files? inspected, [1-9]\d* offenses? detected.*"
    r"|(?:\[warn\] )?Code style issues (?:were )?found in .*"
    r"|(?:\d+ files? would be reformatted|Would reformat: ).*"
    r"|\S+: No module named \S+"
    r"|Segmentation fault.*)$",
    re.MULTILINE,
)
_FRAME = re.compile(r"^\s+at \S.*:\d+:\d+\)?$", re.MULTILINE)
# Every runner that is known writes one of these where a test failed.
_MAY_NAME_TESTS = re.compile(r"fail|not ok|assert|test|spec|✕|✖|✗|✘|×|●", re.IGNORECASE)
_NOT_FOUND = re.compile(
    r"^(?:\S+: (?:line \d+: |eval:\d+: |\d+: )?)"
    r"(?:command not found: (?P<zsh>\S+)|(?P<sh>[^\s:]+): (?:command )?not found)\r?$",
    re.MULTILINE,
)
_COMPLAINS = (
    "no such file|cannot|can't|could not|denied|invalid|error|fail|fatal|unrecogni[sz]ed|unknown|unable|"
    "illegal|not found|missing|refused|usage"
)


def news_of(run: Run, estimate: Estimate | None = None) -> tuple[str, ...]:
    """The lines that are news of a run, the most important first; `estimate` is of before it ran."""
    return tuple(_news(run, estimate))[:MOST_LINES]


def hidden_failure(run: Run) -> str | None:
    """The sentence about a failure that the exit of a run hides, or may hide; None where there is none."""
    if not may_have_failed(run.output, run.exit, run.command):
        return None
    return _hidden_failure(run, _failed_tests(run.output))


def _news(run: Run, estimate: Estimate | None) -> Iterator[str]:
    if run.timed_out:
        yield from _usual(estimate)
        return
    if may_have_failed(run.output, run.exit, run.command):
        tests = _failed_tests(run.output)
        hidden = None if run.exit else _hidden_failure(run, tests)
        if hidden:
            yield hidden
        elif tests and not _only_reads(run.command):
            yield f"{'Exit 0, but ' if run.exit == 0 else ''}{_named(tests)}."
    if run.exit:
        yield from _meaning(run)
    if run.duration_s is not None and _took_long(run.duration_s, estimate):
        assert estimate is not None
        yield f"Took {seconds(run.duration_s)}; {_median(estimate)}."


def _failed_tests(output: str) -> tuple[str, ...]:
    """The names of the tests that failed; patterns of runners are loaded only where there may be any."""
    if not _MAY_NAME_TESTS.search(output):
        return ()
    from zsh_ls.verbosity.results import names_of_failed_tests

    return names_of_failed_tests(output)


def _hidden_failure(run: Run, tests: tuple[str, ...]) -> str | None:
    """The sentence about a command whose failure the exit does not tell; None where it did not fail.

    Where neither the exit nor the output can tell of a test or a build, that is said.
    """
    from zsh_ls.model.shown_command import shown_command

    # Agents run bash or zsh, and these have the same fates but for the last segment of a pipe.
    script = parse(run.command, Dialect.BASH)
    unnoticed = _unnoticed(script)
    for fate in unnoticed:
        said = _sign(fate.command, run.output, tests)
        if said is None:
            continue
        subject = "Exit 0" if run.exit == 0 else "The exit"
        shown = shown_command(fate.command, LONGEST_COMMAND)
        return f"{subject} hides a failure of `{shown}`: {fate.because}. Its output: {said}"
    if not may_hide_output(run.command):
        return None
    from .unseen import sentence, unseen

    found = unseen(script, unnoticed, run.output)
    return None if found is None else sentence(*found, run.exit)


def _only_reads(command: str) -> bool:
    """Whether all commands of a line print the text of others, so that no test ran in it."""
    script = parse(command, Dialect.BASH)
    names = {
        command_word(tuple(map(script.source, segment.words))).rpartition("/")[2]
        for pipeline in script.every_pipeline()
        for segment in pipeline.segments
        if segment.kind is SegmentKind.SIMPLE
    }
    return bool(names) and names <= _READERS | _TRIFLES


def _unnoticed(script: Script) -> Sequence[Fate]:
    """The commands of a line that may fail without its exit telling, in their order."""
    from zsh_ls.shell.fates import FateKind, Rule, fates

    # A failure that the text takes note of is not hidden: the condition of an `if`, `|| echo failed`.
    noted = {Rule.CONDITION, Rule.SAME_COMMANDS, Rule.NEGATED, Rule.READ, Rule.BACKGROUND}
    return [
        fate
        for fate in fates(script)
        if fate.exit == 0
        and fate.fate in (FateKind.UNNOTICED, FateKind.HANDLED, FateKind.STOPS_SILENTLY)
        and fate.rule not in noted
    ]


def _sign(command: str, output: str, tests: tuple[str, ...]) -> str | None:
    """How the output says that a command failed; None where it does not."""
    name = command_word(tuple(command.split())).rpartition("/")[2]
    if not name:
        return None
    for missing in _NOT_FOUND.finditer(output):
        if name in (missing["zsh"], missing["sh"]):
            return missing[0].strip()
    own = re.search(
        rf"^(?:\S*/)?{re.escape(name)}(?:\[\d+\])?: .*(?:{_COMPLAINS}).*$",
        output,
        re.MULTILINE | re.IGNORECASE,
    )
    if own is None and name == "git":
        own = re.search(r"^(?:fatal|error): .*$", output, re.MULTILINE)
    if own is not None:
        return _cut(own[0])
    if name in _READERS or name in _TRIFLES or "--exit-zero" in command:
        return None
    if tests:
        return _named(tests) + "."
    found = _FAILED.search(output)
    if found is None and _FRAME.search(output):
        from zsh_ls.verbosity.operation import read_command

        # What a filter left of a failed test.
        found = _FRAME.search(output) if read_command(command).operation == "test" else None
    return None if found is None else _cut(found[0])


def _cut(line: str) -> str:
    line = line.strip()
    return line if len(line) <= LONGEST_SIGN else f"{line[:LONGEST_SIGN]}…"


def _named(tests: tuple[str, ...]) -> str:
    """`2 tests failed: a, b`."""
    more = f" and {len(tests) - MOST_NAMES} more" if len(tests) > MOST_NAMES else ""
    count = "1 test" if len(tests) == 1 else f"{len(tests)} tests"
    return f"{count} failed: {', '.join(map(_cut, tests[:MOST_NAMES]))}{more}"


def _meaning(run: Run) -> Iterator[str]:
    """What the exit means, as `zsh-ls run` says it to an agent."""
    from zsh_ls.insights.news import only_news
    from zsh_ls.model.words import Level
    from zsh_ls.shell.status.exit_codes import general_meaning

    assert run.exit is not None
    completed, insights = _judged(run)
    if found := only_news(insights):
        yield from (it.message for it in sorted(found, key=lambda it: it.level is Level.INFO))
    elif said := _by_its_program(run, completed):
        yield said
    elif run.exit > SIGNALS_FROM and (meaning := general_meaning(run.exit)):
        yield f"exit {run.exit} = {meaning}"


def exit_by_its_program(run: Run) -> str | None:
    """What an exit means of which neither an insight nor the output speaks; None where that is not known."""
    completed, insights = _judged(run)
    return None if insights else _by_its_program(run, completed)


def _by_its_program(run: Run, completed: CompletedRun) -> str | None:
    from zsh_ls.shell.status.program_exits import program_meaning

    if run.exit == TIMED_OUT and _TIMEOUT.search(run.command):
        return f"exit {TIMED_OUT} = `timeout` stopped it at its limit"
    last = completed.last
    # 1 is what programs end with for whatever reason.
    if last is None or last.exit in (0, 1) or not ends_in_silence(run.command, run.output):
        return None
    meaning = program_meaning(last.command, last.exit)
    return meaning and f"{last.command} exit {last.exit} = {meaning}"


def _judged(run: Run) -> tuple[CompletedRun, Sequence[Insight]]:
    """The run with the pipeline that gave its exit, and what the insights say of that."""
    from zsh_ls.insights import after_run
    from zsh_ls.insights.segments import with_pipeline
    from zsh_ls.model.completed_run import CompletedRun, outcome_of
    from zsh_ls.model.words import Origin

    assert run.exit is not None
    completed = with_pipeline(
        CompletedRun(
            command=run.command,
            shell=Dialect.BASH,
            exit=run.exit,
            pipestatus=(run.exit,),
            outcome=outcome_of(run.exit),
            duration_s=run.duration_s or 0.0,
            started_at=0.0,
            session=run.session,
            cwd=run.folder,
            origin=Origin.AGENT,
            output_is_blank=not run.output.strip(),
            output=run.output,
            output_end=run.output[-END_CHARS:],
        )
    )
    return completed, after_run(completed)


def _took_long(duration_s: float, estimate: Estimate | None) -> bool:
    if estimate is None or estimate.sample_size < FEWEST_RUNS or estimate.is_too_wide:
        return False
    return duration_s >= WORTH_TELLING_S and duration_s > MUCH_LONGER * estimate.p90_s


def _usual(estimate: Estimate | None) -> Iterator[str]:
    """How long it takes when nobody stops it."""
    if estimate is not None and not estimate.is_too_wide:
        yield f"It was stopped; {_median(estimate)}."


def _median(estimate: Estimate) -> str:
    runs = "1 run" if estimate.sample_size == 1 else f"{estimate.sample_size} runs"
    return f"usually {seconds(estimate.median_s)} (median of {runs} that ended)"

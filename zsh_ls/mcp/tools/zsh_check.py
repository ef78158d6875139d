"""`zsh_check`: what can be said of a script without running it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

import attrs

from zsh_ls.answers.failures import FateCounts, FateEntry, entry_of, sum_line
from zsh_ls.insights import static
from zsh_ls.insights.embedded import in_host, rules_on_in
from zsh_ls.insights.facts import only_asks_or_tells
from zsh_ls.machine.syntax_check import complaints
from zsh_ls.mcp.paging import MOST_BYTES, checked_skip, clipped, fitting_count, next_call
from zsh_ls.mcp.tool import ToolAnswer, ToolCall, absolute
from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.embedded.block import host_line, renumbered
from zsh_ls.shell.embedded.hosts import HostKind, blocks_of, kind_of
from zsh_ls.shell.embedded.yaml_scalars import NoYaml
from zsh_ls.shell.fates import FateKind
from zsh_ls.shell.syntax.dialect import dialect_of, shebang_dialect
from zsh_ls.shell.syntax.lines import LineIndex
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.sidecar.documents.fates import failures_beside_the_loop
from zsh_ls.system.bounded_files import MIB, NotRead, read_bytes

NAME = "zsh_check"
TITLE = "Check a script"
DESCRIPTION = (
    "Problems with exit statuses in a zsh, bash or sh script (masked "
    "failures in pipes, errexit on normal exits, unchecked cd), syntax errors, and what becomes of the "
    "script when each command fails: text names those that nobody would notice. Runs nothing."
)
READ_ONLY, DESTRUCTIVE = True, False
LARGEST_BYTES = 4 * MIB
# What an agent reads whether it wants to or not; `skip` brings the rest.
MOST_TOLD = 20
NO_MORE = "No more problems."
QUIET = {FateKind.UNNOTICED, FateKind.STOPS_SILENTLY}


@attrs.frozen
class CheckFinding:
    """One problem; line and column count from 1."""

    line: int
    column: int
    level: str
    rule: str
    message: str


@attrs.frozen
class CheckFailures:
    """What becomes of the script when each command fails, in the order of the text."""

    commands: tuple[FateEntry, ...]
    counts: FateCounts


@attrs.frozen
class CheckResult:
    """What was found, and in which dialect the text was read; no `failures` where they cost too much."""

    dialect: str
    findings: tuple[CheckFinding, ...]
    failures: CheckFailures | None = None
    more: bool | None = None


RESULT = CheckResult


@attrs.frozen
class Arguments:
    """A script: its file, or its text.

    path: the script's file
    text: the script itself, where it is in no file
    skip: entries that earlier pages had
    """

    path: str | None = None
    text: str | None = None
    skip: int = 0


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Check it."""
    if (arguments.path is None) == (arguments.text is None):
        raise InvalidRequest("path: expected path or text, one of them")
    if arguments.path is None:
        text = arguments.text or ""
    else:
        text = await asyncio.to_thread(_read, arguments.path)
    kind = None if shebang_dialect(text) else kind_of(arguments.path or "")
    failures = None
    if kind is not None:
        dialect = Dialect.SH
        found = await _in_blocks(text, kind)
    else:
        dialect = await asyncio.to_thread(dialect_of, text, name=arguments.path)
        found = await asyncio.to_thread(lambda: _findings(text, static(text, dialect)))
        errors = await complaints(text, dialect, arguments.path)
        found += [_error(it.line, it.message) for it in errors]
        failures = await _failures(text, dialect)
    found.sort(key=lambda it: it.line)
    skip = checked_skip(arguments.skip)
    entries: list[CheckFinding | FateEntry] = [*found, *(failures.commands if failures else ())]
    left = entries[skip:]
    rows = [_row(it) for it in left]
    told = list(_summary(failures)) if failures and failures.commands and not skip else []
    count = fitting_count(left, rows, MOST_BYTES - sum(len(row) + 1 for row in told) - 3_000)
    if not skip:
        count = min(count, _first_page(left))
    kept = left[:count]
    lines = [row for row in rows[: min(count, max(0, len(found) - skip))] if row]
    fates = [row for row in _without_repeats(left[len(lines) : count]) if row]
    lines = [*(lines or ([] if skip else ["No problems found."])), *told, *fates] or [NO_MORE]
    page = None
    if failures is not None:
        commands = tuple(it for it in kept if isinstance(it, FateEntry))
        page = CheckFailures(commands, failures.counts)
    findings = tuple(it for it in kept if isinstance(it, CheckFinding))
    more = count < len(left)
    if more:
        given = {"path": arguments.path, "text": arguments.text}
        lines.append(next_call(NAME, given, skip + count))
    return ToolAnswer("\n".join(lines), CheckResult(dialect.value, findings, page, more or None))


def _first_page(entries: Sequence[CheckFinding | FateEntry]) -> int:
    """How many entries the first page has: up to the last of MOST_TOLD that nobody would notice."""
    quiet = (at for at, it in enumerate(entries) if isinstance(it, FateEntry) and _row(it))
    last = next(islice(quiet, MOST_TOLD, None), None)
    return len(entries) if last is None else last


def _row(entry: CheckFinding | FateEntry) -> str:
    """The line of a finding, or of a command whose failure nobody notices; none of another command."""
    if isinstance(entry, FateEntry):
        if entry.fate not in QUIET or _is_faint(entry):
            return ""
        command = clipped(entry.command.partition("\n")[0], 500)
        return f"{entry.line}:{entry.column} {entry.fate}: {command}: {entry.because}"
    return f"{entry.line}:{entry.column} {entry.level}[{entry.rule}] {entry.message}"


def _is_faint(entry: FateEntry) -> bool:
    """Whether a failure without notice is that of a test, or of a command that hardly ever fails."""
    return entry.fate is FateKind.UNNOTICED and only_asks_or_tells(entry.command)


def _without_repeats(entries: Sequence[CheckFinding | FateEntry]) -> Iterator[str]:
    """The lines of entries; a reason that is that of the line before is not told again."""
    reason = ""
    for entry in entries:
        row = _row(entry)
        if row and isinstance(entry, FateEntry):
            row = row.removesuffix(f": {entry.because}") if entry.because == reason else row
            reason = entry.because
        yield row


def _summary(failures: CheckFailures) -> Iterator[str]:
    """The line of all counts, and how many commands without notice are not worth one of their own."""
    yield sum_line(failures.counts)
    if faint := sum(map(_is_faint, failures.commands)):
        only = "only tests, prints or declares something, and is not listed"
        if faint > 1:
            only = "only test, print or declare something, and are not listed"
        yield f"{faint} of these {only}"


async def _failures(text: str, dialect: Dialect) -> CheckFailures | None:
    script = await asyncio.to_thread(parse, text, dialect)
    try:
        found = await failures_beside_the_loop(script)
    except RequestRejected:
        return None
    return CheckFailures(tuple(map(entry_of, found.commands)), found.counts)


def _read(path: str) -> str:
    try:
        return read_bytes(absolute(path), LARGEST_BYTES).decode("utf-8", "replace")
    except NotRead as error:
        raise InvalidRequest(f"path: {error}") from None


def _findings(text: str, insights: Iterable[Insight]) -> list[CheckFinding]:
    lines = LineIndex(text)
    found = []
    for insight in insights:
        place = lines.position(insight.span.start if insight.span else 0, "utf-32")
        found.append(
            CheckFinding(
                place.line + 1, place.character + 1, insight.level, insight.rule, insight.message
            )
        )
    return found


def _error(line: int, message: str) -> CheckFinding:
    return CheckFinding(line + 1, 1, "error", "syntax-error", message)


async def _in_blocks(text: str, kind: HostKind) -> list[CheckFinding]:
    """The problems of the shell inside a workflow, a Dockerfile or Markdown (DOC-10)."""
    try:
        blocks = await asyncio.to_thread(blocks_of, text, kind)
    except NoYaml:
        return []
    found: list[CheckFinding] = []
    for block in blocks:
        dialect = dialect_of(block.text, block.language)
        insights = await asyncio.to_thread(static, block.text, dialect, None, rules_on_in(kind))
        found += _findings(text, in_host(insights, block, text))
        for error in await complaints(block.text, dialect, None):
            line = host_line(block, text, error.line)
            found.append(_error(line, renumbered(error.message, block, text)))
    return found

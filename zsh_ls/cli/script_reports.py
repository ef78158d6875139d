"""What `zsh-ls check` finds in scripts, a few at a time: rules in this process, syntax by the shells."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial
from typing import Any, TypeVar

from zsh_ls.insights import static
from zsh_ls.insights.embedded import in_host, rules_on_in
from zsh_ls.lazy import attrs
from zsh_ls.machine.syntax_check import Document, complaints_of_all
from zsh_ls.model.syntax import Dialect, Script, SyntaxProblem
from zsh_ls.shell.embedded.block import Block, host_line, renumbered
from zsh_ls.shell.embedded.hosts import HostKind, blocks_of, kind_of
from zsh_ls.shell.embedded.yaml_scalars import NoYaml
from zsh_ls.shell.redaction.redact import redact
from zsh_ls.shell.syntax.dialect import dialect_of, shebang_dialect
from zsh_ls.system.bounded_files import NotRead

from .check_cache import CheckCache, Kept, digest_of_text
from .check_report import CheckReport
from .findings import SYNTAX_ERROR, Finding, error_on_line, findings_of
from .given_files import GivenFiles
from .script_files import is_read_once, read_data

Made = TypeVar("Made")
# One shell judges the files of so many that are zsh's.
TOGETHER = 8


@attrs.frozen
class _Given:
    """A script that was read. `key` is that of its result in the cache, if there is one.

    Of a file of another `kind` the `blocks` are looked at, which are shell (DOC-10).
    """

    path: str
    text: str
    dialect: Dialect
    key: str | None
    kind: HostKind | None = None
    blocks: tuple[Block, ...] = ()

    @property
    def documents(self) -> list[Document]:
        """What the shells are to judge of it."""
        if self.kind is None:
            return [Document(self.text, self.dialect, self.path)]
        return [Document(it.text, dialect_of(it.text, it.language)) for it in self.blocks]


class _Worker:
    """What all batches of a process share."""

    given = GivenFiles(())
    wanted: Set[str] = frozenset()
    cache: CheckCache | None = None


def begin_worker(given: GivenFiles, wanted: Set[str], cache: CheckCache | None) -> None:
    """Make a process ready to check some of the given files."""
    _Worker.given, _Worker.wanted, _Worker.cache = given, wanted, cache
    # It ends with the process that started it, which alone notices Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def check_batch(paths: Sequence[str]) -> list[CheckReport]:
    """Check a few files in this process, which `begin_worker` made ready; a report each."""
    return list(check_each(paths, _Worker.wanted, _Worker.given, _Worker.cache))


def check_each(
    paths: Sequence[str], wanted: Set[str], given: GivenFiles, cache: CheckCache | None = None
) -> Iterator[CheckReport]:
    """Check files in this process, a report each in their order.

    With a `cache` the reports say what may be kept there.
    """
    with asyncio.Runner() as runner:
        for batch in _batches(paths):
            # Read outside the event loop, where Ctrl-C would not end the waiting for a pipe.
            read = [_read(path, cache) for path in batch]
            scripts = [each for each in read if isinstance(each, _Given)]
            found = iter(runner.run(_reports(scripts, wanted, given)))
            for each in read:
                yield next(found) if isinstance(each, _Given) else CheckReport(problems=[each])


def _batches(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    """The files in their order, a few at once; a pipe may be waited for long, and is alone."""
    batch: list[str] = []
    for path in paths:
        alone = is_read_once(path)
        if batch and (alone or len(batch) == TOGETHER):
            yield batch
            batch = []
        if alone:
            yield [path]
        else:
            batch.append(path)
    if batch:
        yield batch


def _read(path: str, cache: CheckCache | None) -> _Given | str:
    """A script, or why it cannot be read."""
    try:
        data = read_data(path)
    except NotRead as problem:
        return str(problem)
    text = data.decode("utf-8", "replace")
    key = None if cache is None else cache.key(path, data)
    kind = None if shebang_dialect(text) else kind_of(path)
    if kind is None:
        return _Given(path, text, dialect_of(text, name=path), key)
    try:
        blocks = blocks_of(text, kind)
    except NoYaml:
        blocks = []  # whoever reads that file says more of it
    return _Given(path, text, Dialect.SH, key, kind, tuple(blocks))


async def _reports(
    scripts: Sequence[_Given], wanted: Set[str], given: GivenFiles
) -> list[CheckReport]:
    """What was found in each script; the shells read all of them while the rules do."""
    errors = None
    if not wanted or SYNTAX_ERROR in wanted:
        documents = [it for each in scripts for it in each.documents]
        errors = asyncio.create_task(complaints_of_all(documents))
    ruled = [await _beside(partial(_by_rules, each, wanted, given)) for each in scripts]
    complaints = iter(await errors if errors else [[] for each in scripts for _ in each.documents])
    return [
        _report(
            script, found, sourced, _in_file(script, [next(complaints) for _ in script.documents])
        )
        for script, (found, sourced) in zip(scripts, ruled, strict=True)
    ]


async def _beside(work: Callable[[], Made]) -> Made:
    """What `work` gives, in a thread that nobody waits for who no longer wants it.

    The rules take half a minute for the largest scripts. Threads of asyncio's are waited for at its end,
    so that Ctrl-C would end nothing until then.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Made] = loop.create_future()

    def tell(give: Callable[[Any], None], outcome: object) -> None:
        if not done.done():
            give(outcome)

    def run() -> None:
        give: Callable[[Any], None]
        try:
            outcome: object = work()
            give = done.set_result
        except Exception as fault:
            outcome, give = fault, done.set_exception
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(tell, give, outcome)

    threading.Thread(target=run, daemon=True).start()
    return await done


def _in_file(
    script: _Given, complained: list[list[SyntaxProblem] | None]
) -> list[SyntaxProblem] | None:
    """The shells' complaints on the lines of the file; None where no shell could judge a part of it."""
    if script.kind is None:
        return complained[0]
    known = [each for each in complained if each is not None]
    if len(known) < len(complained):
        return None
    return [
        SyntaxProblem(
            host_line(block, script.text, each.line), renumbered(each.message, block, script.text)
        )
        for block, problems in zip(script.blocks, known, strict=True)
        for each in problems
    ]


def _by_rules(
    script: _Given, wanted: Set[str], given: GivenFiles
) -> tuple[list[Finding], dict[str, str]]:
    """What rules find, and what the words of its `source` commands named: digests of texts."""
    if wanted == {SYNTAX_ERROR}:
        return [], {}
    if script.kind is not None:
        return _in_blocks(script, script.kind, wanted), {}
    look_up = given.sources_of(script.path)
    sourced: dict[str, str] = {}

    def looked_up(word: str) -> Script | None:
        found = look_up(word)
        sourced[word] = digest_of_text(None if found is None else found.text)
        return found

    insights = static(script.text, script.dialect, looked_up, wanted)
    found = findings_of(script.path, script.text, insights)
    return [each for each in found if not wanted or each.rule in wanted], sourced


def _in_blocks(script: _Given, kind: HostKind, wanted: Set[str]) -> list[Finding]:
    """What rules find in the shell inside a file, where it stands there."""
    found = [
        insight
        for block in script.blocks
        for insight in in_host(
            static(
                block.text,
                dialect_of(block.text, block.language),
                None,
                wanted or rules_on_in(kind),
            ),
            block,
            script.text,
        )
        if not wanted or insight.rule in wanted
    ]
    return findings_of(script.path, script.text, found)


def _report(
    script: _Given,
    found: list[Finding],
    sourced: dict[str, str],
    complained: list[SyntaxProblem] | None,
) -> CheckReport:
    """What both found, in the order of the text; nothing may be kept where no shell could judge it."""
    errors = [
        error_on_line(script.path, script.text, each.line, each.message)
        for each in complained or ()
    ]
    findings = sorted([*found, *errors], key=lambda each: (each.line, each.column))
    rows = [attrs.astuple(each)[1:] for each in findings]
    if script.key is None or complained is None or _quotes_a_secret(findings):
        return CheckReport(findings)
    return CheckReport(findings, kept=(script.key, Kept(rows, sourced)))


def _quotes_a_secret(findings: Sequence[Finding]) -> bool:
    return any(redact(text) != text for each in findings for text in (each.message, each.because))

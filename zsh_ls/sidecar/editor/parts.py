"""What a sidecar has for editors: loaded by the first that needs it, not by every run."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from functools import partial

from zsh_ls.alan import Alan
from zsh_ls.answers.failures import Failures
from zsh_ls.lazy import attrs
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.requests import DocumentRange, RunRequest, ScriptRequest
from zsh_ls.model.span import Span
from zsh_ls.model.startup import StartupReport, StartupRequest
from zsh_ls.model.syntax import Script
from zsh_ls.shell.embedded.rules import runner_of as runner_of_host
from zsh_ls.shell.ide.test_files import runner_of
from zsh_ls.shell.symbols.arguments import Arguments, arguments_of
from zsh_ls.shell.symbols.missing import Dependencies
from zsh_ls.sidecar.asking import Asking
from zsh_ls.sidecar.config import SHELL_KINDS, Settings, SidecarOptions
from zsh_ls.sidecar.documents.executor import run_in_thread
from zsh_ls.sidecar.documents.insights import Scripts
from zsh_ls.sidecar.documents.marks import DocumentState
from zsh_ls.sidecar.documents.store import path_of
from zsh_ls.sidecar.editor.actions import actions, lenses, lines_at
from zsh_ls.sidecar.editor.blocks import Blocks
from zsh_ls.sidecar.editor.completion import Completing
from zsh_ls.sidecar.editor.hover import hover
from zsh_ls.sidecar.editor.navigation import Navigation
from zsh_ls.sidecar.editor.typed_arguments import typed_arguments
from zsh_ls.sidecar.editor.types import (
    Action,
    ActionKind,
    Completions,
    DocumentInsight,
    Edit,
    Hover,
    Lens,
    LensKind,
    LineHint,
    ScriptNeeds,
)
from zsh_ls.sidecar.environment import CachedEnvironment
from zsh_ls.sidecar.manpages import Pages
from zsh_ls.sidecar.missing import Surroundings, missing_of, offered_text
from zsh_ls.sidecar.runs import launch
from zsh_ls.sidecar.runs.run import Run
from zsh_ls.sidecar.runs.tracing import as_run, shell_of_script
from zsh_ls.sidecar.startup_files import StartOf, start_of


@attrs.frozen
class EditorParts:
    """Documents, names and completions of one sidecar."""

    scripts: Scripts
    navigation: Navigation
    completing: Completing
    blocks: Blocks
    # What was seen to be read in a start that was measured: no path of a framework's plugins can be read off.
    measured: dict[str, StartOf] = attrs.field(factory=dict)

    @classmethod
    def of(
        cls, alan: Alan, options: SidecarOptions, environment: CachedEnvironment, pages: Pages
    ) -> EditorParts:
        """Those of a sidecar with this memory, these options, this environment and these manual pages."""
        kept = options.places.lines
        scripts = Scripts(alan, options.workspace, kept)
        navigation = Navigation(scripts.readings, environment, options.workspace)
        completing = Completing(scripts.readings, pages, environment)
        blocks = Blocks(
            alan, options.workspace, pages, environment, scripts.tell_changed, kept=kept
        )
        return cls(scripts, navigation, completing, blocks)

    def configure(self, settings: Settings) -> None:
        """Let new settings rule from now on."""
        for scripts in (self.scripts, self.blocks.scripts):
            scripts.show_history_warnings(settings.history_warnings)
        self.navigation.configure(trusted=settings.trusted)

    def open(self, uri: str, text: str, language_id: str, version: int) -> None:
        """Begin to watch a document."""
        self.scripts.close(uri)
        if not self.blocks.hosts.open(uri, text, language_id, version):
            self.scripts.open(uri, text, language_id, version)

    def edit(self, uri: str, edits: Sequence[Edit], version: int) -> None:
        """Apply edits to a document."""
        if not self.blocks.hosts.edit(uri, edits, version):
            self.scripts.edit(uri, edits, version)

    def close(self, uri: str) -> None:
        """Stop watching a document."""
        if not self.blocks.hosts.close(uri):
            self.scripts.close(uri)

    async def stop(self) -> None:
        """End what goes on in the background."""
        await asyncio.gather(self.scripts.stop(), self.blocks.hosts.stop())

    async def insights(self, uri: str) -> list[DocumentInsight]:
        """All insights on the lines of a document as it stands now."""
        if self.blocks.has(uri):
            return await self.blocks.hosts.insights(uri)
        return await self.scripts.insights(uri)

    async def hints(self, uri: str, settings: Settings) -> list[LineHint]:
        """The figures of memory and of traced runs behind the lines of a document, as far as wanted."""
        if self.blocks.has(uri):
            return await self.blocks.hints(uri, settings)
        history = await self.scripts.hints(uri) if settings.history_hints else []
        return [*(self.scripts.run_hints(uri) if settings.trace_hints else ()), *history]

    async def failures(self, uri: str) -> Failures:
        """What becomes of a document's scripts when each of their commands fails."""
        if self.blocks.has(uri):
            return await self.blocks.failures(uri)
        return await self.scripts.fates.of(uri)

    async def needs(
        self, uri: str, span: Span | None, installed: Mapping[str, str], preferred: str | None
    ) -> ScriptNeeds:
        """What is asked before a script, or a range of a document, runs on this machine."""
        if self.blocks.has(uri):
            return ScriptNeeds(SHELL_KINDS[0])
        document = self.scripts.readings.document(uri)
        wanted = shell_of_script(document)
        arguments = Arguments()
        if (view := await self.navigation.view(uri)) is not None:
            arguments = await run_in_thread(partial(arguments_of, view.names, span))
        if span is not None:
            named = self.scripts.shell_named_by(DocumentRange(uri, span))
            wanted = named or SHELL_KINDS[0]
            if preferred is not None and (preferred in installed or os.path.isabs(preferred)):
                return ScriptNeeds(preferred, None, arguments)
        kind = launch.kind_that_runs(wanted, installed)
        return ScriptNeeds(wanted, None if kind == wanted else kind, arguments)

    async def typed_arguments(self, typed: str, folder: str) -> tuple[str, ...]:
        """The words of what was typed as arguments of a script that runs in `folder`."""
        return await run_in_thread(partial(typed_arguments, typed, folder))

    async def completions(self, uri: str, offset: int) -> Completions:
        """How the word that is being written at a place may go on."""
        if self.blocks.has(uri):
            return await self.blocks.completions(uri, offset)
        return await self.completing.at(uri, offset)

    async def settle(self, run: Run) -> None:
        """Put what an ended run has to say on its lines."""
        await self.scripts.settle(run)
        where = run.request.document
        if where is not None and (lines := self.blocks.hosts.lines(where.uri)) is not None:
            lines.has_results = True
            self.blocks.hosts.keep(where.uri)

    def begin(self, run: Run) -> None:
        """A run of a range of a document begins."""
        where = run.request.document
        (self.blocks if where and self.blocks.has(where.uri) else self.scripts).begin(run)

    async def refuse_unsaved(self, request: RunRequest) -> None:
        """Raise RequestRejected for a runner of tests or recipes whose document is not what it would read.

        It would pass over what was edited, and its verdict stand beside a text it never saw.
        """
        where = request.document
        uri = where.uri if where else ""
        document = self.blocks.hosts.lines(uri) or self.scripts.readings.find(uri)
        path = path_of(uri) if document else None
        if document is None or path is None:
            return
        runner: str | None = runner_of(document.text, uri)
        if self.blocks.has(uri):
            runner = runner_of_host(self.blocks.hosts.kind(uri))
        if runner is None or not request.command.startswith(f"{runner} "):
            return
        if await run_in_thread(partial(_differs, path, document.text)):
            name = os.path.basename(path)
            raise RequestRejected(f"{runner} reads the file, and {name} has changes: save it first")

    async def shell_named_by(self, where: DocumentRange) -> str | None:
        """The shell that the document names for a range of it (RUN-13)."""
        if not self.blocks.has(where.uri):
            return self.scripts.shell_named_by(where)
        dialect = await self.blocks.hosts.runnable_dialect(where.uri, where.span)
        return None if dialect is None else dialect.value

    async def dependencies(
        self, request: RunRequest, there: Surroundings
    ) -> tuple[Dependencies, str, str] | None:
        """What a run lacks that its document gives above it (SESS-3).

        With the text that gives it, alone and with the command behind it. None for no document of ours.
        """
        where = request.document
        if where is None:
            return None
        if self.blocks.has(where.uri):
            return await self.blocks.dependencies(where, there, request.command)
        view = await self.navigation.view(where.uri)
        if view is None:
            return None
        given: Mapping[Span, frozenset[str]] | None = None
        if request.missing in {"ask", "first"}:
            # A person is asked where the line's names are to come from, and no file is read else (DOC-8).
            given = await self.navigation.given_by_files(where.uri)
        found = missing_of(view.names, where.span, there, given=given)
        alone = offered_text(view.names, found.offer)
        return found, alone, offered_text(view.names, found.offer, request.command)

    @staticmethod
    async def runnable(
        request: ScriptRequest, document: DocumentState, installed: Mapping[str, str]
    ) -> RunRequest:
        """How the text of a document, as it is now, is run; by another shell without its own (RUN-13)."""
        wanted = shell_of_script(document)
        if request.shell is not None or wanted in installed:
            return await run_in_thread(partial(as_run, request, attrs.evolve(document)))
        request = attrs.evolve(request, shell=launch.kind_that_runs(wanted, installed))
        runnable = await run_in_thread(partial(as_run, request, attrs.evolve(document)))
        return attrs.evolve(runnable, stands_in_for=wanted)

    async def lenses(
        self, uri: str, variables: Mapping[str, str] | None, *, may_run: bool
    ) -> list[Lens]:
        """What of a document can be run where it stands, and of a start-up file the start of its shell."""
        if self.blocks.has(uri):
            return await self.blocks.lenses(uri) if may_run else []
        found = await lenses(self.scripts, uri, may_run=may_run)
        path = path_of(uri) if may_run else None
        if path is None:
            return found
        given = os.environ if variables is None else variables
        start = await run_in_thread(partial(self._start_of, path, given))
        if start is None:
            return found
        return [Lens(LensKind.START, Span(0, 0), "", start.shell, start.login), *found]

    def _start_of(self, path: str, variables: Mapping[str, str]) -> StartOf | None:
        return start_of(path, variables) or self.measured.get(os.path.realpath(path))

    def started(self, report: StartupReport, *, login: bool) -> None:
        """A start of the shell was measured, in which these files were read."""
        read = StartOf(report.shell, login)
        self.measured.update({os.path.realpath(it.file): read for it in report.files})

    async def hover(self, asking: Asking, uri: str, offset: int, now: float) -> Hover | None:
        """What the command or the flag at a place does."""
        if self.blocks.has(uri):
            return await self.blocks.hover(asking, uri, offset, now)
        return await hover(self.scripts, asking, uri, offset, now)

    async def actions(
        self, uri: str, span: Span, variables: Mapping[str, str] | None, *, may_run: bool
    ) -> list[Action]:
        """What can be done about a place or a selection."""
        if self.blocks.has(uri):
            return await self.blocks.actions(uri, span, may_run=may_run)
        found = await actions(self.scripts, uri, span, may_run=may_run)
        path = path_of(uri) if may_run else None
        read = await self.scripts.readings.reading(uri)
        if path is None or read is None:
            return found
        given = os.environ if variables is None else variables
        measuring = await run_in_thread(partial(self._measuring, path, read.script, span, given))
        return [*found, *measuring]

    def _measuring(
        self, path: str, script: Script, span: Span, variables: Mapping[str, str]
    ) -> list[Action]:
        """What a start would save without these lines; of a file that is not saved nothing."""
        start = self._start_of(path, variables)
        lines = lines_at(script, span) if start is not None else None
        if start is None or lines is None or _differs(path, script.text):
            return []
        first, last = lines
        named = f"{path}:{first}" if first == last else f"{path}:{first}-{last}"
        asked = StartupRequest(shell=start.shell, login=start.login, without=(named,))
        title = f"Measure the start without {'this line' if first == last else 'these lines'}"
        return [Action(ActionKind.START, title, span, start=asked)]


def _differs(path: str, text: str) -> bool:
    """Whether a file is there with another text than this, whatever its ends of lines."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            saved = file.read(len(text) * 2 + 4096)
    except OSError:
        return False
    return saved.rstrip("\n") != text.replace("\r\n", "\n").rstrip("\n")

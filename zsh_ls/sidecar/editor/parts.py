"""What a sidecar has for editors and for questions: loaded by the first that needs it, not by every run."""

from __future__ import annotations

from functools import partial

import attrs

from zsh_ls.alan import Alan
from zsh_ls.answers.ask import ParsedQuery, understand
from zsh_ls.model.requests import RunRequest, ScriptRequest
from zsh_ls.model.span import Span
from zsh_ls.sidecar.asking import Asking
from zsh_ls.sidecar.config import Settings, SidecarOptions
from zsh_ls.sidecar.documents.executor import run_in_thread
from zsh_ls.sidecar.documents.insights import Scripts
from zsh_ls.sidecar.documents.marks import DocumentState
from zsh_ls.sidecar.editor.actions import actions, lenses
from zsh_ls.sidecar.editor.completion import Completing
from zsh_ls.sidecar.editor.hover import hover
from zsh_ls.sidecar.editor.navigation import Navigation
from zsh_ls.sidecar.editor.types import Action, Hover, Lens
from zsh_ls.sidecar.environment import CachedEnvironment
from zsh_ls.sidecar.runs.tracing import as_run


@attrs.frozen
class EditorParts:
    """Documents, names, answers and completions of one sidecar."""

    scripts: Scripts
    navigation: Navigation
    asking: Asking
    completing: Completing

    @classmethod
    def of(cls, alan: Alan, options: SidecarOptions, environment: CachedEnvironment) -> EditorParts:
        """Those of a sidecar with this memory, these options and this environment."""
        scripts = Scripts(alan, options.workspace)
        asking = Asking(alan, options.session, options.workspace)
        navigation = Navigation(scripts.readings, environment, options.workspace)
        completing = Completing(scripts.readings, asking.pages, environment)
        return cls(scripts, navigation, asking, completing)

    def configure(self, settings: Settings) -> None:
        """Let new settings rule from now on."""
        self.scripts.shows_history_warnings = settings.history_warnings
        self.navigation.configure(trusted=settings.trusted)

    @staticmethod
    def understood(query: str) -> ParsedQuery:
        """What a question asks for."""
        return understand(query)

    @staticmethod
    async def runnable(request: ScriptRequest, document: DocumentState) -> RunRequest:
        """How the text of a document, as it is now, is run."""
        return await run_in_thread(partial(as_run, request, attrs.evolve(document)))

    async def lenses(self, uri: str, *, may_run: bool) -> list[Lens]:
        """What of a document can be run where it stands."""
        return await lenses(self.scripts, uri, may_run=may_run)

    async def hover(self, uri: str, offset: int, now: float) -> Hover | None:
        """What the command or the flag at a place does."""
        return await hover(self.scripts, self.asking, uri, offset, now)

    async def actions(self, uri: str, span: Span, *, may_run: bool) -> list[Action]:
        """What can be done about a place or a selection."""
        return await actions(self.scripts, uri, span, may_run=may_run)

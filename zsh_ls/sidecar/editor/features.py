"""The part of the façade that an editor asks about a place of a document. Nothing here runs anything."""

from __future__ import annotations

from zsh_ls.model.span import Span
from zsh_ls.sidecar.asking import Asking
from zsh_ls.sidecar.config import Settings, SidecarOptions
from zsh_ls.sidecar.documents.insights import Scripts

from .code_actions import actions
from .code_lens import lenses
from .completion import Completing
from .hover import hover
from .types import Action, Completions, Hover, Lens


class Editing:
    """`Sidecar` is one: these are its methods, each one use of them."""

    options: SidecarOptions
    settings: Settings
    _scripts: Scripts
    _asking: Asking
    _completing: Completing

    async def lenses_for(self, uri: str) -> list[Lens]:
        """What of an open document can be run where it stands; nothing where that is not trusted."""
        return await lenses(self._scripts, uri) if self.settings.trusted else []

    async def hover(self, uri: str, offset: int) -> Hover | None:
        """What the command or the flag at a place does; nothing is started to find out."""
        return await hover(
            self._scripts.readings, self._asking, uri, offset, self.options.clock.now()
        )

    async def actions_for(self, uri: str, span: Span) -> list[Action]:
        """What can be done about a place or a selection of an open document."""
        return await actions(self._scripts, uri, span, may_run=self.settings.trusted)

    async def completions(self, uri: str, offset: int) -> Completions:
        """How the word that is being written at a place may go on; nothing is started to find out."""
        return await self._completing.at(uri, offset)

    async def purpose(self, command: str) -> str:
        """What a command is for, in its manual page's words; `""` where nothing tells."""
        return await self._completing.purpose(command)

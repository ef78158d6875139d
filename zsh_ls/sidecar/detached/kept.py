"""The sidecar of a keeper: it runs what it is asked first, and nothing else."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.errors import RequestRejected
from zsh_ls.model.insight import Insight
from zsh_ls.model.requests import Caller, RunRequest
from zsh_ls.model.words import Outcome
from zsh_ls.sidecar.runs import result
from zsh_ls.sidecar.runs.run import Run
from zsh_ls.sidecar.service import Sidecar
from zsh_ls.tasks.process.streams import Streams

from . import ended, killed
from .note import Note

_LATER = Caller("later", colour=False, only_news=False)
_NOTED = Caller("noted", colour=False, only_news=False)
log = logging.getLogger(__name__)


class KeptSidecar(Sidecar):
    """`has_begun` is set when it has been asked for its run, which is `kept` if it could be started.

    The `note` is for the supervisor, while the run is on.
    """

    kept: Run | None = None
    note: Note

    async def _start(
        self,
        request: RunRequest,
        begin: Callable[[Run], None],
        stdin_fd: int | None = None,
        streams: Streams | None = None,
        notices: tuple[Insight, ...] = (),
    ) -> Run:
        if self.has_begun.is_set() or not request.detached:
            raise RequestRejected("This process keeps one detached run and starts no other.")
        try:
            self.kept = await super()._start(request, begin, stdin_fd, streams, notices)
        finally:
            self.has_begun.set()
        await self._take_note(self.kept)
        return self.kept

    async def _take_note(self, run: Run) -> None:
        """Have the supervisor know of it, should this process be killed."""
        completed = CompletedRun(
            command=run.request.command,
            shell=run.task.request.shell,
            exit=None,
            pipestatus=(),
            outcome=Outcome.KILLED,
            duration_s=0.0,
            started_at=run.task.started_at,
            session=self.options.session,
            cwd=run.task.request.cwd,
            project=run.project,
            origin=run.request.origin,
        )
        answer = await result.poll_answer(run, _NOTED, full_output=False)
        begun = killed.Begun(completed, result.summary(run), answer)
        if not run.concluded.is_set():
            self.note.write(killed.noted(begun))

    @property
    def has_begun(self) -> asyncio.Event:
        """Set once the run has been started or refused."""
        event: asyncio.Event = self.__dict__.setdefault("_has_begun", asyncio.Event())
        return event

    def leaves_something(self) -> bool:
        """Whether processes are left of the run."""
        return self.kept is not None and self.kept.task.has_processes()

    async def _conclude(self, run: Run) -> None:
        await super()._conclude(run)
        self.note.write(b"")
        try:
            answer = await result.poll_answer(run, _LATER, full_output=False)
            summary, workspace = result.summary(run), self.options.workspace or run.task.request.cwd
            kept = ended.EndedRun(workspace, summary, answer)
            await asyncio.to_thread(ended.write, self.options.places.outputs, kept)
        except Exception as fault:
            log.error("how the run ended is not written down", exc_info=fault)

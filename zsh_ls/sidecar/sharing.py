"""Sharing in the background: a thread of its own speaks to the team's server, nobody waits (TEAM-1)."""

from __future__ import annotations

import logging
import os
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from zsh_ls.alan import Alan, Store
from zsh_ls.alan.learning.observations import record_of
from zsh_ls.alan.store.team import given_by
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.system.projects import current_folder, project_of
from zsh_ls.system.remotes import fits, pattern_around, remote_of
from zsh_ls.team.client import TeamProblem
from zsh_ls.team.joining import DSN, Joined

from .config import Settings
from .team import Exchange, OwnRuns, TeamUnavailable, membership, shared_by

FIRST_AFTER_S = 5.0
EVERY_S = 60.0
RUNS_A_BATCH = 500
LAST_WITHIN_S = 4.0
MEMORY_PATIENCE_S = 30.0
MOST_KEPT_RUNS = 100_000
_log = logging.getLogger(__name__)

Made = TypeVar("Made")


class Sharing:
    """The sharing of one process; `begin` starts its thread."""

    def __init__(
        self,
        alan: Alan,
        settings: Settings,
        folder: str | None,
        learnt: Callable[[frozenset[str]], None] = lambda _templates: None,
    ) -> None:
        """`learnt` is called on the sharing's thread with the templates of which a pull brought news."""
        self.problem: str | None = None
        """Why the last exchange failed, None if it went well or there was none."""
        self._alan = alan
        self._settings = settings
        self._folder = folder
        self._learnt = learnt
        self._ended: deque[CompletedRun] = deque(maxlen=MOST_KEPT_RUNS)
        self._since_push = 0
        self._wake = threading.Event()
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="team", daemon=True)
        self._team: Joined | None = None
        self._own = OwnRuns()

    def begin(self) -> None:
        """Share from now on, as long as this process lives or somebody is in a team."""
        # A person's own secret may be in a keyring, which takes its time: the thread asks for it.
        if os.environ.get(DSN):
            try:
                self._team = membership(self._settings, os.environ)
            except TeamUnavailable as problem:
                self._failed(problem)
        if self._team is not None:
            self._alan.share_by_process(shared_by(self._team))
        self._alan.on_remembered = self._note
        self._thread.start()

    def _note(self, run: CompletedRun) -> None:
        """A run has ended. Never blocks."""
        if self._team is not None and self._team.by_environment and self._team.gives:
            self._ended.append(run)
        self._since_push += 1
        if self._since_push >= RUNS_A_BATCH:
            self._wake.set()

    def close(self) -> None:
        """Share no more; where the environment joined, what this process ran is given first.

        That is waited for at most LAST_WITHIN_S: such a process may be the last of its machine.
        """
        self._closing = True
        self._wake.set()
        if self._team is not None and self._team.by_environment and self._team.gives:
            self._thread.join(LAST_WITHIN_S)

    def _work(self) -> None:
        """What the thread does."""
        is_first = True
        while True:
            by_environment = self._team is not None and self._team.by_environment
            self._wake.wait(EVERY_S if not is_first else 0.0 if by_environment else FIRST_AFTER_S)
            self._wake.clear()
            if self._closing and not (by_environment and (self._ended or self._own.waiting)):
                return
            is_first, self._since_push = False, 0
            try:
                self._exchange()
            except Exception:  # sharing must never end what it runs beside
                _log.exception("sharing with the team failed")
                self.problem = "sharing with the team failed; the log says why"
            if self._closing and self.problem is not None:
                return

    def _exchange(self) -> None:
        try:
            if self._team is None or not self._team.by_environment:
                self._team = membership(self._settings, os.environ)
            if self._team is None:
                self.problem = None
                return
            self._take_own(self._team)
            data = Path(self._alan.path).parent
            here = self._folder or current_folder() or "/"
            exchange = Exchange(self._ask, self._team, data, here, self._own, learnt=self._learnt)
            exchange.run(pulls=not self._closing)
        except (TeamProblem, TeamUnavailable) as problem:
            self._failed(problem)
        else:
            self.problem = None
            _log.debug("shared with the team")

    def _failed(self, problem: Exception) -> None:
        """Keep what is wrong for `health`, and say it once."""
        before, self.problem = self.problem, str(problem)
        if before != self.problem:
            _log.warning("team: %s", problem)

    def _take_own(self, team: Joined) -> None:
        """Count the runs of this process that may leave, where the environment joined."""
        here = project_of(self._folder or current_folder() or "/")
        remote = None if here is None else remote_of(here)
        while self._ended:
            run = self._ended.popleft()
            theirs = None if run.project is None else remote_of(run.project)
            if remote is None or theirs is None or not fits(theirs, (pattern_around(remote),)):
                continue
            record = record_of(run, self._alan.keys_of(run.command))
            hashes = team.keys.hashes
            given = given_by(record, hashes.project_hash(theirs), hashes)
            if given is not None:
                self._own.add(*given)

    def _ask(self, question: Callable[[Store], Made], /) -> Made:
        try:
            return self._alan.ask_from_thread(question, MEMORY_PATIENCE_S)
        except (TimeoutError, RuntimeError) as fault:
            raise TeamProblem(f"memory cannot be used: {fault or 'it takes too long'}") from fault

"""A memory and a clock that tests set."""

from __future__ import annotations

from pathlib import Path

import attrs

from zsh_ls.alan.store.database import open_database, open_memory
from zsh_ls.alan.store.store import Store
from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.history import CommandHistory, KillHistory
from zsh_ls.model.words import Origin, Outcome

START = 1_790_000_000.0


@attrs.define
class StillClock:
    """A clock that only tests advance."""

    at: float = START

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return self.at


def execution(
    command: str,
    exit_status: int | None = 0,
    *,
    at: float = START,
    lasted: float = 0.1,
    pipestatus: tuple[int, ...] | None = None,
    outcome: Outcome | None = None,
    session: str = "s1",
    origin: Origin = Origin.EDITOR,
    cwd: str = "",
    project: str | None = None,
    misused: bool = False,
) -> CompletedRun:
    """A run that began at `at`."""
    statuses = () if exit_status is None else (exit_status,)
    return CompletedRun(
        command=command,
        shell="zsh",
        exit=exit_status,
        pipestatus=statuses if pipestatus is None else pipestatus,
        outcome=outcome or outcome_of(exit_status),
        duration_s=lasted,
        started_at=at,
        session=session,
        origin=origin,
        is_usage_failure=misused,
        cwd=cwd,
        project=project,
    )


class World:
    """A store with a clock that runs advance by their duration, and questions do not."""

    def __init__(self, store: Store | None = None, session: str = "s1") -> None:
        self.clock = StillClock()
        self.store = store or Store(open_memory())
        self.session = session

    @classmethod
    def on_file(cls, path: Path) -> World:
        return cls(Store(open_database(path)))

    def wait(self, seconds: float) -> None:
        self.clock.at += seconds

    def run(
        self,
        command: str,
        exit_status: int = 0,
        *,
        lasted: float = 0.1,
        pipestatus: tuple[int, ...] | None = None,
        session: str | None = None,
        misused: bool = False,
    ) -> None:
        statuses = (exit_status,) if pipestatus is None else pipestatus
        self._end(command, exit_status, statuses, lasted=lasted, session=session, misused=misused)

    def kill(self, command: str, *, after: float, session: str | None = None) -> None:
        self._end(command, 137, (137,), lasted=after, session=session, outcome=Outcome.KILLED)

    def time_out(self, command: str, *, after: float = 120.0, session: str | None = None) -> None:
        self._end(command, None, (), lasted=after, session=session, outcome=Outcome.TIMEOUT)

    def _end(
        self,
        command: str,
        exit_status: int | None,
        pipestatus: tuple[int, ...],
        *,
        lasted: float,
        session: str | None,
        outcome: Outcome | None = None,
        misused: bool = False,
    ) -> None:
        began, self.clock.at = self.clock.at, self.clock.at + lasted
        self.store.record(
            execution(
                command,
                exit_status,
                at=began,
                lasted=lasted,
                outcome=outcome,
                pipestatus=pipestatus,
                session=session or self.session,
                misused=misused,
            )
        )

    def past(self, command: str, session: str | None = None) -> CommandHistory:
        return self.store.past(command, session=session or self.session, now=self.clock.at)

    def kills(self, command: str, session: str | None = None) -> KillHistory:
        return self.store.kills(command, session=session or self.session)

"""Homes of people of a team: each with a memory, a clone of a project, and its own configuration."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import attrs

from zsh_ls.alan import Store
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.history import CommandHistory
from zsh_ls.model.team import TeamStatus
from zsh_ls.model.words import Origin, Outcome
from zsh_ls.sidecar import memory, team
from zsh_ls.sidecar.config import Settings

NOW = 1_800_000_000.0
REMOTE = "git@Git.Example.org:acme/app.git"
SECRET = "a-secret-for-tests-only"
EXITS = {Outcome.SUCCESS: 0, Outcome.FAILURE: 1}


def clone(folder: Path, remote: str | None = REMOTE) -> Path:
    """A repository, as far as anybody looks at it."""
    (folder / ".git").mkdir(parents=True)
    text = "" if remote is None else f'[remote "origin"]\n\turl = {remote}\n'
    (folder / ".git/config").write_text(f"[core]\n\tbare = false\n{text}")
    return folder


@attrs.define
class Home:
    """One person's home; `environment` is what their shell has set."""

    folder: Path
    environment: dict[str, str] = attrs.Factory(dict)
    now: float = NOW

    @classmethod
    def at(cls, folder: Path, remote: str | None = REMOTE) -> Home:
        clone(folder / "app", remote)
        return cls(folder)

    @property
    def project(self) -> Path:
        return self.folder / "app"

    @property
    def settings(self) -> Settings:
        return Settings(database=str(self.folder / "data/alan.db"))

    @contextmanager
    def lived_in(self) -> Iterator[None]:
        before = dict(os.environ)
        os.environ["XDG_CONFIG_HOME"] = str(self.folder / "config")
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)

    @contextmanager
    def store(self) -> Iterator[Store]:
        with memory.opened(self.settings) as (store, _):
            yield store

    def run(
        self,
        command: str = "make test",
        outcome: Outcome = Outcome.SUCCESS,
        *,
        lasted: float = 20.0,
        times: int = 1,
        project: Path | None = None,
        origin: Origin = Origin.CLI,
    ) -> None:
        self.run_all([self.ended(command, outcome, lasted, project, origin)] * times)

    def ended(
        self,
        command: str,
        outcome: Outcome,
        lasted: float,
        project: Path | None = None,
        origin: Origin = Origin.CLI,
    ) -> CompletedRun:
        self.now += 60
        exit_status = EXITS.get(outcome)
        return CompletedRun(
            command=command,
            shell="zsh",
            exit=exit_status,
            pipestatus=() if exit_status is None else (exit_status,),
            outcome=outcome,
            duration_s=lasted,
            started_at=self.now,
            session="s",
            cwd=str(project or self.project),
            project=str(project or self.project),
            origin=origin,
        )

    def run_all(self, runs: list[CompletedRun]) -> None:
        with self.store() as store:
            store.record_all(runs)

    def join(self, dsn: str, *remotes: str, secret: str | None = SECRET) -> team.JoinReport:
        with self.lived_in():
            return team.join(self.settings, dsn, secret, remotes, str(self.project))

    def sync(self) -> TeamStatus:
        with self.lived_in():
            return team.sync(self.settings, self.environment, str(self.project))

    def status(self) -> TeamStatus:
        with self.lived_in():
            return team.status(self.settings, self.environment)

    def show(self) -> tuple[list[Mapping[str, object]], dict[str, str]]:
        with self.lived_in():
            return team.to_be_sent(self.settings, self.environment)

    def leave(self, *, erase: bool = False) -> None:
        with self.lived_in():
            team.leave(self.settings, self.environment, erase=erase)

    def past(self, command: str = "make test", project: Path | None = None) -> CommandHistory:
        with self.store() as store:
            return store.past(
                command, session="s", now=self.now, project=str(project or self.project)
            )

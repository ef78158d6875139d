"""Sharing with a team (TEAM): what may leave, the exchange with the server, and the words about both.

Only this module brings memory and the team's server together. No run, insight or key waits for it.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from platformdirs import user_config_dir

from zsh_ls.alan import Store
from zsh_ls.alan.store.store import SharedByProcess
from zsh_ls.alan.store.team import RUNS_A_BATCH, Pulled, TeamCounts, summed
from zsh_ls.lazy import attrs
from zsh_ls.model.errors import SidecarError
from zsh_ls.model.team import Batch, Given, TeamStatus
from zsh_ls.system.projects import project_of
from zsh_ls.system.remotes import fits, known_remote, normalised, pattern_around, remote_of
from zsh_ls.team.client import (
    MOST_PROJECTS,
    Page,
    TeamClient,
    TeamProblem,
    checked_parameters,
    connected,
    without_password,
)
from zsh_ls.team.init import init_sql
from zsh_ls.team.joining import Joined, forget, is_joined, joined, keep
from zsh_ls.team.keys import BadSecret, MissingExtra, TeamKeys, checked_secret, new_secret

from .config import NAME, Settings
from .memory import MemoryUnavailable, opened, path_of

LOCK_NAME = "team.lock"
LOCK_PATIENCE_S = 1.5
MOST_RENUMBERS = 5
MOST_BATCHES = 1_000

Made = TypeVar("Made")


class Ask(Protocol):
    """Puts a question to memory and waits for its answer."""

    def __call__(self, question: Callable[[Store], Made], /) -> Made:
        """The answer."""
        ...


class TeamUnavailable(SidecarError):
    """The team's memory cannot be used now; the message says why."""


def config_folder() -> Path:
    """The folder of the file that says that a person joined."""
    return Path(user_config_dir(NAME))


def membership(settings: Settings, environ: Mapping[str, str]) -> Joined | None:
    """The team of this process, None for none. Raises TeamUnavailable."""
    if not is_joined(config_folder(), environ):
        return None
    with _explained():
        return joined(config_folder(), path_of(settings).parent, environ)


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except TeamProblem as problem:
        raise TeamUnavailable(str(problem)) from problem
    except (MemoryUnavailable, MissingExtra) as problem:
        raise TeamUnavailable(str(problem)) from problem


@attrs.frozen
class JoinReport:
    """What joining did: the secret if it was made, where it is kept, whose runs leave, how many wait."""

    new_secret: str | None
    kept_in: str
    remotes: tuple[str, ...]
    agents: int
    waiting: int
    has_other_secret: bool
    """Whether the figures that the team has are of another secret."""
    left_out: str | None
    """The remote of the project that was joined from, where its runs do not leave."""


def join(
    settings: Settings, dsn: str, secret: str | None, remotes: tuple[str, ...], folder: str
) -> JoinReport:
    """Join a team for this person, once its server has answered. Raises TeamUnavailable."""
    with _explained():
        patterns = _checked_patterns(remotes, folder)
        checked_parameters(dsn)
        made = new_secret() if secret is None else None
        try:
            keys = TeamKeys(checked_secret(made or secret or ""))
        except BadSecret as wrong:
            raise TeamProblem(str(wrong)) from None
        with connected(dsn, keys, "0" * 32) as client:
            agents = client.pull((0, 0), (), 0).agents
            has_other_secret = client.has_other_secret()
        with opened(settings) as (store, _):
            kept_in = keep(config_folder(), dsn, keys.secret, patterns)
            store.team.join(keys.fingerprint, keys.hashes)
            projects = _eligible(store.team.waiting_places(), patterns, keys)
            store.team.let_go(projects, round(time.time() * 1000))
            waiting = store.team.counts().waiting
        here = _remote_here(folder)
        left_out = None if here is None or fits(here, patterns) else here
        return JoinReport(made, kept_in, patterns, agents, waiting, has_other_secret, left_out)


def _remote_here(folder: str) -> str | None:
    """The normalised remote of a folder's project, None for none."""
    project = project_of(folder)
    return None if project is None else remote_of(project)


def _checked_patterns(remotes: tuple[str, ...], folder: str) -> tuple[str, ...]:
    for pattern in remotes:
        host, slash, path = pattern.partition("/")
        if not host or not slash or not path or "://" in pattern or "@" in host or ":" in host:
            asked = normalised(pattern)
            meant = f"; did you mean {asked}?" if asked else ""
            raise TeamProblem(f"--remote: expected host/owner/*, got {pattern!r}{meant}")
    if remotes:
        return remotes
    remote = _remote_here(folder)
    if remote is None:
        raise TeamProblem(
            "whose runs may leave? This folder's project has no remote: say --remote 'host/owner/*'"
        )
    return (pattern_around(remote),)


def _eligible(
    places: Mapping[int, str], patterns: tuple[str, ...], keys: TeamKeys
) -> dict[int, str]:
    """The hashes of the projects whose runs may leave, by the ids of their folders, which are `places`."""
    found = {}
    for place, path in places.items():
        remote = remote_of(path)
        if remote is not None and fits(remote, patterns):
            found[place] = keys.hashes.project_hash(remote)
    return found


def status(settings: Settings, environ: Mapping[str, str]) -> TeamStatus:
    """The figures of the sharing; no server is asked. Raises TeamUnavailable."""
    if not is_joined(config_folder(), environ):
        return TeamStatus()
    problem, team = None, None
    try:
        team = membership(settings, environ)
    except TeamUnavailable as fault:
        problem = str(fault)
    with _explained(), opened(settings) as (store, _):
        if team is not None and not team.by_environment:
            projects = _eligible(store.team.waiting_places(), team.remotes, team.keys)
            store.team.let_go(projects, round(time.time() * 1000))
        counts = store.team.counts()
        if team is not None and team.by_environment:
            counts = attrs.evolve(counts, waiting=0, waits_since=None)
    shown = None if team is None else without_password(team.dsn)
    return _shown(counts, shown, problem)


def _shown(counts: TeamCounts, dsn: str | None, problem: str | None) -> TeamStatus:
    return TeamStatus(
        True,
        dsn,
        counts.waiting,
        counts.sent,
        counts.dropped,
        counts.last_push,
        counts.last_pull,
        counts.agents,
        problem or counts.error,
        counts.waits_since,
        counts.forgotten,
    )


def asked_for(settings: Settings, environ: Mapping[str, str], folder: str) -> dict[str, str]:
    """The projects that a pull would name: their hashes by their remotes. Raises TeamUnavailable."""
    team = _needed(membership(settings, environ))
    with _explained(), opened(settings) as (store, _):
        return asked_projects(_known_places(store), team, folder)


def to_be_sent(
    settings: Settings, environ: Mapping[str, str]
) -> tuple[list[Mapping[str, object]], dict[str, str]]:
    """The rows that a push would send, and the texts of their templates by hash. Raises TeamUnavailable."""
    team = _needed(membership(settings, environ))
    if team.by_environment:
        return [], {}
    with _explained(), opened(settings) as (store, _):
        projects = _eligible(store.team.waiting_places(), team.remotes, team.keys)
        batches = store.team.preview(projects, team.keys.hashes, team.keys.sealed)
    rows: list[Mapping[str, object]] = []
    texts: dict[str, str] = {}
    for batch in batches:
        for part, given in batch.rows.items():
            rows += [it if part == "add" else {"remove": True, **it} for it in given]
            texts |= {
                str(it["template"]): text
                for it in given
                if (text := team.keys.opened(str(it.get("sealed", "")))) is not None
            }
    return rows, texts


def _needed(team: Joined | None) -> Joined:
    if team is None:
        raise TeamUnavailable("no team is joined: `zsh-ls team join DSN`")
    return team


def sync(
    settings: Settings,
    environ: Mapping[str, str],
    folder: str,
    tell: Callable[[int, int], None] = lambda _sent, _waiting: None,
) -> TeamStatus:
    """Push and pull now; gives the figures after it. Raises TeamUnavailable; what waits waits on then.

    `tell` is told how many batches were sent and how many wait. At whatever moment this process ends,
    nothing is lost and nothing counts twice.
    """
    team = _needed(membership(settings, environ))
    with _explained(), opened(settings) as (store, _):
        data = path_of(settings).parent
        exchange = Exchange(lambda question: question(store), team, data, folder, tell=tell)
        exchange.run()
        return _shown(store.team.counts(), without_password(team.dsn), None)


def leave(settings: Settings, environ: Mapping[str, str], *, erase: bool) -> None:
    """Leave the team; with `erase` what this agent gave is taken out first. Raises TeamUnavailable."""
    if environ.get("ZSH_LS_TEAM_DSN") and not (config_folder() / "team.json").exists():
        raise TeamUnavailable(
            "the environment joined, for this process alone: unset ZSH_LS_TEAM_DSN"
        )
    by_file = {name: it for name, it in environ.items() if not name.startswith("ZSH_LS_TEAM_")}
    if not is_joined(config_folder(), by_file):
        raise TeamUnavailable("no team is joined")
    with _explained(), opened(settings) as (store, _):
        if erase:
            team = _needed(membership(settings, by_file))
            with connected(team.dsn, team.keys, team.agent) as client:
                client.erase()
        forget(config_folder())
        store.team.leave(erased=erase)


class OwnRuns:
    """The runs of this process alone, where the environment joined: what waits, in sums."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Given, str]] = []
        self._moving: Batch | None = None
        self._upto = 0
        self.sent = 0

    def add(self, given: Given, template: str) -> None:
        """One more run."""
        self._waiting.append((given, template))

    @property
    def waiting(self) -> int:
        """How many runs the server does not have."""
        return len(self._waiting) + (self._moving.runs if self._moving else 0)

    def next_batch(self, keys: TeamKeys) -> Batch | None:
        """The batch that is on its way, else a new one; None where nothing waits."""
        if self._moving is None and self._waiting:
            some, self._waiting = self._waiting[:RUNS_A_BATCH], self._waiting[RUNS_A_BATCH:]
            texts = {given.template: text for given, text in some}
            rows = [it.row(keys.sealed(texts[it.template])) for it in summed(it for it, _ in some)]
            self._moving = Batch(secrets.token_hex(16), self._upto + 1, len(some), {"add": rows})
        return self._moving

    def delivered(self, upto: int) -> None:
        """The server has the batch."""
        self.sent += self._moving.runs if self._moving else 0
        self._moving, self._upto = None, upto

    def renumber(self, upto: int) -> None:
        """The batch comes after this number."""
        if self._moving is not None:
            self._moving = attrs.evolve(self._moving, upto=upto + 1)


class Exchange:
    """One exchange with the server after another, on a thread that may wait; memory is asked by `ask`."""

    def __init__(
        self,
        ask: Ask,
        team: Joined,
        data: Path,
        folder: str,
        own: OwnRuns | None = None,
        *,
        tell: Callable[[int, int], None] = lambda _sent, _waiting: None,
        learnt: Callable[[frozenset[str]], None] = lambda _templates: None,
    ) -> None:
        """`tell` is told of batches, as by `sync`; `learnt` of the templates of which something is new."""
        self._ask = ask
        self._tell = tell
        self._learnt = learnt
        self._folder = folder
        self._team = team
        self._lock = data / LOCK_NAME
        self._own = own or OwnRuns()

    def run(self, *, pulls: bool = True) -> None:
        """Push what waits, and pull what is new. Raises TeamProblem, of which memory is told."""
        team = self._team
        try:
            with self._alone():
                if not team.by_environment:
                    self._ask(
                        lambda store: store.team.join(team.keys.fingerprint, team.keys.hashes)
                    )
                    projects = _eligible(self._ask(_places), team.remotes, team.keys)
                    now_ms = round(time.time() * 1000)
                    self._ask(lambda store: store.team.let_go(projects, now_ms))
                else:
                    projects = {}
                with connected(team.dsn, team.keys, team.agent) as client:
                    if team.gives:
                        self._push(client, projects)
                    if pulls:
                        self._pull(client)
        except TeamProblem as problem:
            text = str(problem)
            self._ask(lambda store: store.team.failed(text))
            raise

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Of all processes of this user, only one exchanges at a time."""
        try:
            descriptor = os.open(self._lock, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except OSError as fault:
            raise TeamProblem(f"{self._lock} cannot be opened: {fault.strerror}") from fault
        try:
            until = time.monotonic() + LOCK_PATIENCE_S
            while True:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > until:
                        raise TeamProblem("another zsh-ls is sharing just now") from None
                    time.sleep(0.05)
            yield
        finally:
            os.close(descriptor)

    def _push(self, client: TeamClient, projects: Mapping[int, str]) -> None:
        renumbered = sent = 0
        runs = self._own.waiting
        if not self._team.by_environment:
            runs = self._ask(lambda store: store.team.counts().waiting)
        for _ in range(MOST_BATCHES):
            self._tell(sent, -(-runs // RUNS_A_BATCH))
            batch = self._next(projects)
            if batch is None:
                return
            delivery = client.push(batch)
            if delivery.applied:
                self._delivered(batch, delivery.upto)
                sent, runs, renumbered = sent + 1, max(0, runs - batch.runs), 0
                continue
            renumbered += 1
            if renumbered > MOST_RENUMBERS:
                raise TeamProblem("others push under this agent's name all the time")
            if self._team.by_environment:
                self._own.renumber(delivery.upto)
            else:
                self._ask(partial(_renumber, name=batch.name, upto=delivery.upto))

    def _next(self, projects: Mapping[int, str]) -> Batch | None:
        keys = self._team.keys
        if self._team.by_environment:
            return self._own.next_batch(keys)
        keys.check_usable()  # what that imports is not to be waited for by memory's thread
        name = secrets.token_hex(16)
        return self._ask(
            lambda store: store.team.next_batch(projects, keys.hashes, keys.sealed, name)
        )

    def _delivered(self, batch: Batch, upto: int) -> None:
        if self._team.by_environment:
            self._own.delivered(upto)
            return
        now = time.time()
        self._ask(lambda store: store.team.delivered(batch.name, upto, now))

    def _pull(self, client: TeamClient) -> None:
        """Pull all of the projects that are new here, then what changed of the others."""
        keys = self._team.keys
        asked = frozenset(
            asked_projects(self._ask(_known_places), self._team, self._folder).values()
        )
        kept = self._ask(lambda store: store.team.begin_pull(keys.fingerprint, asked))
        before = kept.projects
        for project in sorted(asked - before):
            at, more = (0, 0), True
            while more:
                page = client.pull(at, [project])
                more, at = page.more and page.next != at, page.next
                if not more:
                    since = min(kept.since, at) if kept.projects else at
                    kept = Pulled(kept.projects | {project}, since)
                self._take(page, kept)
        more = bool(before) or not asked
        while more:
            page = client.pull(kept.since, kept.projects)
            more = page.more and page.next != kept.since
            kept = attrs.evolve(kept, since=page.next)
            self._take(page, kept)

    def _take(self, page: Page, pulled: Pulled) -> None:
        self._ask(partial(_keep, page=page, pulled=pulled, keys=self._team.keys))
        if page.figures:
            self._learnt(frozenset(it.template for it in page.figures))


def asked_projects(places: Sequence[str], team: Joined, folder: str) -> dict[str, str]:
    """The projects that a pull names: their hashes by their remotes.

    That are, of this folder's project and those that this machine knows something of, the ones whose runs
    may leave: of others the server is told nothing.
    """
    here = project_of(folder)
    patterns = team.remotes
    if team.by_environment:
        remote = None if here is None else remote_of(here)
        patterns = () if remote is None else (pattern_around(remote),)
    found: dict[str, str] = {}
    for place in places if here is None else (here, *places):
        remote = known_remote(place)
        if remote is not None and fits(remote, patterns) and len(found) < MOST_PROJECTS:
            found[remote] = team.keys.hashes.project_hash(remote)
    return found


def _known_places(store: Store) -> list[str]:
    return store.team.known_places(MOST_PROJECTS)


def _places(store: Store) -> dict[int, str]:
    return store.team.waiting_places()


def _renumber(store: Store, *, name: str, upto: int) -> None:
    store.team.renumber(name, upto)


def _keep(store: Store, *, page: Page, pulled: Pulled, keys: TeamKeys) -> None:
    store.team.keep(
        page.figures,
        page.gone,
        pulled,
        agents=page.agents,
        hashes=keys.hashes,
        now=time.time(),
    )


def shared_by(team: Joined) -> SharedByProcess | None:
    """What a store needs to know of a team that the environment joined."""
    if not team.by_environment:
        return None
    return SharedByProcess(team.keys.fingerprint, team.keys.hashes)


__all__ = ["init_sql"]

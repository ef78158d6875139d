"""The world of tests/data/answers/asked/WORLD.md: a real memory, real projects, a machine that stands still.

The runs go through the program's own recording into a database file, their outputs into the folder of kept
outputs, as a run leaves them; the projects are folders with real files and commits. Only the facts of the
machine and the tasks that run now are given, for those are the system's.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import subprocess
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path

import attrs

from tests.answers.world import StillMachine
from zsh_ls.alan.store.store import Store
from zsh_ls.insights.flaky_tests import with_inferred
from zsh_ls.insights.segments import with_pipeline
from zsh_ls.machine.changes import is_unchanged
from zsh_ls.model.answer import Answer
from zsh_ls.model.completed_run import CompletedRun, outcome_of
from zsh_ls.model.reports import TaskList, TaskSummary
from zsh_ls.model.words import Origin, Outcome, Status
from zsh_ls.places import PlaceScanner, Surroundings
from zsh_ls.sidecar import Sidecar
from zsh_ls.sidecar.config import Places, SidecarOptions
from zsh_ls.tasks.output.output import Output
from zsh_ls.tasks.output.spool import Spool, SpoolLimits
from zsh_ls.tasks.output.stored_output import StoredTask, store_output

ZONE = timezone(timedelta(hours=2))
NOW = datetime(2026, 11, 21, 11, 30, tzinfo=ZONE)
SESSION = "0000c0de"

RED_TESTS = """\
 FAIL  src/tax.test.js
  tax
    ✓ is zero for food (3 ms)
    ✕ adds tax (12 ms)
    ✕ rounds totals (8 ms)

  ● tax › adds tax

    expect(received).toBe(expected)

    Expected: 119
    Received: 100

      at Object.<anonymous> (src/tax.test.js:7:25)

  ● tax › rounds totals

    expect(received).toBe(expected)

    Expected: 1.2
    Received: 1.19

      at Object.<anonymous> (src/tax.test.js:11:23)

Test Suites: 1 failed, 11 passed, 12 total
Tests:       2 failed, 118 passed, 120 total
Time:        41.2 s
"""
RED_TESTS = RED_TESTS.replace("Tests:       ", "Tests: ")
GREEN_TESTS = (
    "Test Suites: 12 passed, 12 total\nTests: 120 passed, 120 total\nTime:        38.4 s\n"
)
DOCKER = """\
#8 [4/6] RUN npm ci
#8 94.10 npm error code ERESOLVE
#8 94.11 npm error ERESOLVE could not resolve
#8 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1
------
Dockerfile:4
ERROR: failed to solve: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1
"""
TRACEBACK = """\
Traceback (most recent call last):
  File "tools/import_prices.py", line 12, in <module>
    main(sys.argv[1])
  File "tools/import_prices.py", line 5, in main
    with open(path) as prices:
         ^^^^^^^^^^
FileNotFoundError: [Errno 2] No such file or directory: 'prices.csv'
"""
RED_GO = """\
--- FAIL: TestLogin (0.30s)
    login_test.go:21: got status 500, want 200
FAIL
FAIL\texample.com/api/login\t71.2s
FAIL
"""
GREEN_GO = "ok  \texample.com/api/login\t70.1s\n"


@attrs.frozen
class Happened:
    """One run of the world: `at` is when it ended, `days_ago` before today."""

    at: str
    command: str
    exit: int | None = 0
    duration_s: float = 1.0
    output: str = ""
    project: str = "shop"
    days_ago: int = 0
    pipestatus: tuple[int, ...] = ()
    outcome: Outcome | None = None

    @property
    def ended_at(self) -> float:
        hours, minutes = map(int, self.at.split(":"))
        midnight = NOW.replace(hour=0, minute=0) - timedelta(days=self.days_ago)
        return (midnight + timedelta(hours=hours, minutes=minutes)).timestamp()


TIMED_OUT = "ssh: connect to host prod port 22: Connection timed out\n"
TOLD = (
    Happened("11:28", "npm test", 1, 42, RED_TESTS),
    Happened("11:20", "git status", 0, 0.1, "On branch main\n\tmodified:   src/tax.js\n"),
    Happened("11:15", "npm run build", 0, 61, "vite v5.0.0 building for production...\n"),
    Happened("11:05", "vim src/tax.js", 0, 240),
    Happened("10:58", "npm test", 0, 39, GREEN_TESTS),
    Happened("10:50", "gti pull", 127, 0.1, "zsh: command not found: gti\n"),
    Happened("10:45", "docker build -t shop .", 1, 95, DOCKER),
    Happened("10:30", "npm ci", 0, 48, "added 812 packages in 48s\n"),
    Happened(
        "10:10",
        "curl -sf https://staging.example.com/health | jq .status",
        0,
        0.4,
        pipestatus=(22, 0),
    ),
    Happened("9:55", "python tools/import_prices.py prices.csv", 1, 3, TRACEBACK),
    Happened("9:40", "ssh prod uptime", 255, 10, TIMED_OUT),
    Happened("9:20", "ssh prod uptime", 0, 1, " 09:20:01 up 40 days,  1 user\n"),
    Happened("9:00", "npm run e2e", 137, 300, outcome=Outcome.KILLED),
    Happened("18:10", "go test ./...", 0, 75, GREEN_GO, "api", 1),
    Happened("17:30", "go test ./...", 1, 74, RED_GO, "api", 1),
    Happened("16:50", "go test ./...", 0, 75, GREEN_GO, "api", 1),
    Happened("16:10", "go test ./...", 1, 73, RED_GO, "api", 1),
    Happened("17:00", "make deploy", 2, 12, "make: *** [Makefile:14: deploy] Error 1\n", "api", 1),
    Happened("15:00", "go build ./...", 0, 20, "", "api", 1),
    Happened("11:00", "npm run lint", None, 120, "", days_ago=1, outcome=Outcome.TIMEOUT),
    Happened("14:00", "pg_dump shop > dump.sql", 0, 400, days_ago=2),
)
# The other 38 of 40 runs of the tests since the second of November (19 days ago), 30 of them passed; the
# other 29 builds, and the other three deploys.
_FAILED_TESTS = frozenset({3, 7, 12, 18, 22, 27, 30, 34})
EARLIER = (
    *(
        Happened(
            f"{10 + n % 7}:0{n % 6}",
            "npm test",
            1 if n in _FAILED_TESTS else 0,
            39 + n % 3,
            project="shop",
            days_ago=19 - n // 2 if n < 36 else 2,
        )
        for n in range(38)
    ),
    *(
        Happened(f"{9 + n % 8}:30", "go build ./...", 0, 18 + n % 8, "", "api", 18 - n // 2)
        for n in range(29)
    ),
    *(Happened("16:30", "make deploy", 2, 11, "", "api", n + 3) for n in range(3)),
)
RUNNING = (
    TaskSummary("3f9a01bc", "npm run dev", Status.RUNNING, 65 * 60.0, 1000, False, Origin.EDITOR),
    TaskSummary(
        "77aa01bc", "go run ./cmd/server", Status.RUNNING, 210 * 60.0, 1000, False, Origin.EDITOR
    ),
)


PATIENCE_S = 30.0


class StillClock:
    """The moment at which everything is asked."""

    def now(self) -> float:
        return NOW.timestamp()

    def monotonic(self) -> float:
        return 1000.0


def lay_out(home: Path) -> dict[str, str]:
    """The two projects with their files and commits; their folders by name."""
    files = {
        "shop": {
            "src/tax.js": "11:05",
            "package.json": "9:10",
            "Dockerfile": "9:10",
            "tools/import_prices.py": "9:10",
        },
        "api": {"Makefile": "12:00", "login/login.go": "12:00", "go.mod": "12:00"},
    }
    for project, dated in files.items():
        folder = home / project
        folder.mkdir(parents=True)
        for name in dated:
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(f"{name}\n")
        days_ago = 0 if project == "shop" else 2
        date = (NOW - timedelta(days=days_ago, hours=3)).isoformat()
        env = os.environ | {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        identity = ("-c", "user.name=me", "-c", "user.email=me@example.com")
        for words in (
            ("init", "-q", "-b", "main"),
            ("add", "-A"),
            ("commit", "-q", "-m", "Begin"),
        ):
            subprocess.run(("git", *identity, *words), cwd=folder, env=env, check=True)
        (folder / next(iter(dated))).write_text("changed\n")
        for name, at in dated.items():
            moment = Happened(at, "", days_ago=days_ago).ended_at
            os.utime(folder / name, (moment, moment))
        for below in sorted(folder.rglob("*"), reverse=True):
            if below.is_dir() and ".git" not in below.parts:
                os.utime(below, (moment, moment))
    return {name: str(home / name) for name in files}


def recorded(happened: Happened, folder: str) -> CompletedRun:
    """The run as the program makes it of a task that has ended."""
    outcome = happened.outcome or outcome_of(happened.exit)
    statuses = happened.pipestatus or (() if happened.exit is None else (happened.exit,))
    scanner = PlaceScanner(
        Surroundings.of(happened.command, folder, (folder,)), os.path.isfile, lambda _: []
    )
    scanner.feed(happened.output.encode())
    scanner.end()
    run = CompletedRun(
        command=happened.command,
        shell="zsh",
        exit=happened.exit,
        pipestatus=statuses,
        outcome=outcome,
        duration_s=happened.duration_s,
        started_at=happened.ended_at - happened.duration_s,
        session=SESSION,
        cwd=folder,
        project=folder,
        origin=Origin.TERMINAL if "vim" in happened.command else Origin.EDITOR,
        output_is_blank=not happened.output.strip(),
        output=happened.output,
        output_end=happened.output if outcome is Outcome.FAILURE else "",
        tests=scanner.results,
    )
    return with_pipeline(run, statuses)


def keep_output(happened: Happened, folder: str, outputs: Path) -> None:
    """Leave the output as the engine does at a task's end."""
    name = hashlib.sha256(f"{happened.at}{happened.days_ago}{happened.command}".encode())
    task_id = name.hexdigest()[:8]
    status = {Outcome.KILLED: Status.KILLED, Outcome.TIMEOUT: Status.TIMEOUT}
    task = StoredTask(
        task_id=task_id,
        label=happened.command,
        shell="zsh",
        cwd=folder,
        workspace=folder,
        origin=Origin.EDITOR,
        status=status.get(happened.outcome, Status.COMPLETED)
        if happened.outcome
        else Status.COMPLETED,
        exit=happened.exit,
        pipestatus=happened.pipestatus,
        started_at=happened.ended_at - happened.duration_s,
        ended_at=happened.ended_at,
    )
    entry = outputs / task_id
    output = Output(Spool(entry, SpoolLimits()))
    output.append(happened.output.encode())
    store_output(entry, task, output)


@attrs.frozen
class World:
    """A sidecar in the world; `ask` is what a frontend calls."""

    sidecar: Sidecar
    running: Sequence[TaskSummary] = RUNNING

    async def ask(self, question: str) -> Answer:
        return await self.sidecar.ask_knowing(
            question, TaskList(tuple(self.running), len(self.running))
        )


@asynccontextmanager
async def real_world(folder: Path) -> AsyncIterator[World]:
    """The world below `folder`, asked from the project shop. The time zone has to be ZONE."""
    projects = lay_out(folder / "me")
    places = Places(folder / "alan.db", folder / "outputs", folder / "runtime")
    places.outputs.mkdir()
    options = SidecarOptions(
        session=SESSION,
        workspace=projects["shop"],
        folder=projects["shop"],
        warms_up=False,
        places=places,
        clock=StillClock(),
        machine=StillMachine(),
    )
    sidecar = await Sidecar.open(options)
    try:
        for happened in sorted((*TOLD, *EARLIER), key=lambda it: it.ended_at):
            where = projects[happened.project]
            run = recorded(happened, where)
            names = [it.name for it in run.tests]
            known = await sidecar._alan.tests(run.command, names, run.scope)
            succeeded = run.outcome is Outcome.SUCCESS
            tests = with_inferred(run.tests, known, run.command, succeeded=succeeded)
            red = {it.name: it.failed_at or 0.0 for it in known if it.failed[:1] == (True,)}
            tests = tuple(
                attrs.evolve(it, unchanged=True)
                if it.passed
                and it.name in red
                and is_unchanged(run.scope, red[it.name], run.started_at)
                else it
                for it in tests
            )
            await sidecar._alan.record(attrs.evolve(run, tests=tests))
            # As it is done by itself between runs: of old ones only what was learnt is left.
            await asyncio.to_thread(sidecar._alan.ask_from_thread, Store.tidy, PATIENCE_S)
            if happened in TOLD and "vim" not in happened.command:
                keep_output(happened, where, places.outputs)
        yield World(sidecar)
    finally:
        await sidecar.close()

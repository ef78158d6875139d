"""A memory and a machine with fixed values that implement the protocols `Recall` and `Machine`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Literal

import attrs

from zsh_ls.answers.family import Facts
from zsh_ls.model.answer import ProposedCommand
from zsh_ls.model.estimate import Curve, Estimate, Sample
from zsh_ls.model.history import HostHistory
from zsh_ls.model.machine import (
    CpuUse,
    Filesystem,
    Gpu,
    Interface,
    Listener,
    LoadAverage,
    MemoryUse,
    PackageManager,
    ProcessFacts,
    Unavailable,
)
from zsh_ls.model.recall import Order, RunEntry, RunQuery, TemplateRecord
from zsh_ls.model.reports import TaskSummary
from zsh_ls.model.results import OutputPage
from zsh_ls.model.words import Basis, Origin, Outcome, Status

GIB = 1024**3
# A Saturday, late in the morning, two hours east of Greenwich.
NOW = datetime(2026, 11, 21, 11, 30, tzinfo=timezone(timedelta(hours=2)))


def ran(
    command: str,
    *,
    hours_ago: float,
    outcome: Outcome = Outcome.SUCCESS,
    duration_s: float = 1.0,
    template: str | None = None,
    origin: Origin = Origin.CLI,
) -> RunEntry:
    exits = {Outcome.SUCCESS: 0, Outcome.FAILURE: 2, Outcome.KILLED: 137, Outcome.TIMEOUT: None}
    at = (NOW - timedelta(hours=hours_ago)).timestamp()
    template = command if template is None else template
    return RunEntry(command, template, outcome, exits[outcome], duration_s, at, origin)


@attrs.frozen
class MemoryRecall:
    """`Recall` over a tuple of runs."""

    everything: tuple[RunEntry, ...]
    ssh_hosts: tuple[HostHistory, ...] = ()

    def runs(self, which: RunQuery, *, limit: int) -> Sequence[RunEntry]:
        meant = [run for run in self.everything if _is_meant(run, which)]
        return sorted(meant, key=lambda run: -run.at)[:limit]

    def count(self, which: RunQuery) -> int:
        return sum(_is_meant(run, which) for run in self.everything)

    def records(
        self,
        *,
        about: str = "",
        order: Order = "runs",
        limit: int,
        origins: frozenset[Origin] = frozenset(),
        project: str | None = None,
    ) -> Sequence[TemplateRecord]:
        which = RunQuery(about, origins=origins, project=project)
        meant = [run for run in self.everything if _is_meant(run, which)]
        templates = dict.fromkeys(run.template for run in meant)
        records = [_record([run for run in meant if run.template == one]) for one in templates]
        return sorted(records, key=_ORDERS[order], reverse=True)[:limit]

    def estimate(self, command: str, *, project: str) -> Estimate | None:
        return None

    def first_at(self, command: str = "") -> float | None:
        return None

    def hosts(self, *, limit: int) -> Sequence[HostHistory]:
        return sorted(self.ssh_hosts, key=lambda host: -host.failure_rate)[:limit]


_ORDERS = {
    "runs": lambda record: record.runs,
    "median": lambda record: record.median_s or -1,
    "failures": lambda record: record.failed + record.timed_out,
    "last": lambda record: record.last_at,
}


def _is_about(run: RunEntry, about: str) -> bool:
    return not about or any(
        f"{text} ".startswith(f"{about} ") for text in (run.command, run.template)
    )


def _is_meant(run: RunEntry, which: RunQuery) -> bool:
    return (
        _is_about(run, which.about)
        and not which.hiding
        and (not which.outcomes or run.outcome in which.outcomes)
        and (which.since is None or run.at >= which.since)
        and (which.until is None or run.at < which.until)
        and (not which.origins or run.origin in which.origins)
        and which.project in (None, run.project)
    )


def _record(runs: list[RunEntry]) -> TemplateRecord:
    outcomes = Counter(run.outcome for run in runs)
    ended = [run for run in runs if run.outcome in (Outcome.SUCCESS, Outcome.FAILURE)]
    curve = Curve.of(Sample(run.duration_s, censored=run not in ended) for run in runs)
    estimate = Estimate(runs[0].template, curve, Basis.TEMPLATE)
    return TemplateRecord(
        runs[0].template,
        len(runs),
        outcomes[Outcome.SUCCESS],
        outcomes[Outcome.FAILURE],
        outcomes[Outcome.TIMEOUT],
        outcomes[Outcome.KILLED],
        estimate.median_s if ended else None,
        estimate.p90_s if ended else None,
        len(ended),
        max(run.at for run in runs),
        sum(run.origin.is_elsewhere for run in runs),
    )


@attrs.frozen
class StillMachine:
    """A `Machine` whose facts never change."""

    manager: PackageManager | None = "apt"
    kernel: Literal["linux", "darwin", "other"] = "linux"
    graphics: tuple[Gpu, ...] | Unavailable = (Gpu("NVIDIA A10", 24 * GIB, 6 * GIB, 0.4),)

    def memory(self) -> MemoryUse | Unavailable:
        return MemoryUse(16 * GIB, 4 * GIB, 0, 0)

    def cpu(self) -> CpuUse | Unavailable:
        return CpuUse("Intel(R) Core(TM) i7-9700K", 8, 4, 0.25)

    def load(self) -> LoadAverage | Unavailable:
        return LoadAverage(2.45, 1.5, 0.75, 8)

    def filesystems(self) -> Sequence[Filesystem] | Unavailable:
        return [
            Filesystem("/dev/sda1", "/", "ext4", 100 * GIB, 40 * GIB, 55 * GIB),
            Filesystem("/dev/sdb1", "/data", "xfs", 100 * GIB, 95 * GIB, 5 * GIB),
        ]

    def gpus(self) -> Sequence[Gpu] | Unavailable:
        return self.graphics

    def interfaces(self) -> Sequence[Interface] | Unavailable:
        return [Interface("eth0", True, ("192.0.2.7",), 5 * GIB, GIB)]

    def processes(self) -> Sequence[ProcessFacts] | Unavailable:
        return [ProcessFacts(7, "firefox", 3 * GIB, 0.2), ProcessFacts(8, "cc1plus", GIB, 0.99)]

    def listeners(self) -> Sequence[Listener] | Unavailable:
        return [Listener(5173, 4711, "node"), Listener(8080, 5120, "server"), Listener(22)]

    def program(self, name: str) -> str | None:
        installed = ("git", "node", "npm", "jq", "docker", "python3", "go", "ssh", "curl", "make")
        return f"/usr/bin/{name}" if name in installed else None

    def version(self, name: str) -> str | None:
        return {"git": "git version 2.39.5", "node": "v20.11.0"}.get(name)

    def package_manager(self) -> PackageManager | None:
        return self.manager

    def system(self) -> Literal["linux", "darwin", "other"]:
        return self.kernel


NO_GPU = Unavailable(
    "nvidia-smi command not found",
    "NVIDIA driver tools",
    (ProposedCommand("nvidia-smi"),),
)

ASKERS = (
    Origin.EDITOR,
    Origin.AGENT,
    Origin.LENS,
    Origin.TERMINAL,
    Origin.IMPORT,
    Origin.CLI,
)
RUNS = (
    *(
        ran("npm test", hours_ago=2 + n, duration_s=40 + n, origin=origin)
        for n, origin in enumerate(ASKERS)
    ),
    ran("git status", hours_ago=9, origin=Origin.TERMINAL),
    ran("npm test", hours_ago=1, outcome=Outcome.FAILURE, duration_s=12),
    ran("npm test", hours_ago=0.5, outcome=Outcome.FAILURE, duration_s=11),
    *(ran("git push", hours_ago=20 * n + 3, duration_s=2.5) for n in range(4)),
    *(ran("make", hours_ago=n + 5, duration_s=300) for n in range(3)),
    ran("make", hours_ago=4, outcome=Outcome.KILLED, duration_s=900),
    *(ran("pytest -q", hours_ago=50 + n, duration_s=30) for n in range(3)),
    ran("pytest -q", hours_ago=26, outcome=Outcome.FAILURE, duration_s=31),
    ran("docker build .", hours_ago=30, duration_s=120, template="docker build *"),
    ran(
        "docker build .",
        hours_ago=29,
        outcome=Outcome.KILLED,
        duration_s=5,
        template="docker build *",
    ),
    ran("cargo build", hours_ago=80, duration_s=75),
    ran(
        "ssh prod uptime", hours_ago=8, outcome=Outcome.TIMEOUT, duration_s=120, template="ssh * *"
    ),
)
HOSTS = (HostHistory("prod", 10, 4, 0.41), HostHistory("backup", 20, 0, 0.0))
RUNNING = (
    TaskSummary("3f9a01bc", "npm run dev", Status.RUNNING, 65.0, 1000, False, Origin.EDITOR),
)
OUTPUT = OutputPage("3f9a01bc", "npm test", "ok\n" * 200, 1, 200, 200, 600)


def facts(
    *,
    recall: MemoryRecall | None = None,
    machine: StillMachine | None = None,
    running: tuple[TaskSummary, ...] = RUNNING,
    last_output: OutputPage | None = OUTPUT,
) -> Facts:
    return Facts(
        NOW,
        "session-1",
        recall or MemoryRecall(RUNS, HOSTS),
        machine or StillMachine(),
        running,
        last_output,
    )

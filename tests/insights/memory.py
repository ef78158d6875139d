"""Memory of executions as the rules see it, held in a list and without decay."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zsh_ls.model.estimate import Curve, Estimate, Sample
from zsh_ls.model.execution import Execution
from zsh_ls.model.past import HostPast, KillPast, Past, RemotePast, Tally
from zsh_ls.model.words import Basis, Outcome
from zsh_ls.shell.command_word import command_word
from zsh_ls.shell.exits import is_normal_exit

WINDOW_S = 15 * 60.0


class Memory:
    """`model.History` in memory. A template is a command without its last argument, as in the pages."""

    def __init__(self) -> None:
        self.runs: list[Execution] = []

    def past(self, command: str, *, session: str, now: float) -> Past:
        own = [run for run in self.runs if pattern_of(run.command) == pattern_of(command)]
        recent = [
            run for run in self.runs if run.session == session and now - run.started_at <= WINDOW_S
        ]
        alike = [
            run
            for run in recent
            if template_of(run.command) == template_of(command) and run.command != command
        ]
        return Past(
            template=template_of(command),
            base=command.split(maxsplit=1)[0],
            runs=len(own),
            retries=tally([run for run in recent if run.command == command]),
            similar=tally(alike[-5:]),
            streak=streak(own),
            success_rate=share(own, Outcome.SUCCESS),
            timeout_rate=share(own, Outcome.TIMEOUT),
            mean_duration_s=sum(run.duration_s for run in own) / len(own) if own else 0.0,
            host=self._host(command),
            remote=self._remote(command),
        )

    def pasts(self, commands: Sequence[str], *, session: str, now: float) -> list[Past | None]:
        known = [self.past(command, session=session, now=now) for command in commands]
        return [past if past.runs else None for past in known]

    def kills(self, command: str, *, session: str) -> KillPast:
        runs = [run for run in self.runs if template_of(run.command) == template_of(command)]
        killed = [run for run in runs if run.outcome is Outcome.KILLED]
        ended = [Sample(run.duration_s, not run.ended_by_itself) for run in runs]
        estimate = Estimate(template_of(command), Curve.of(ended), Basis.TEMPLATE)
        return KillPast(
            template_of(command),
            len(killed),
            len(runs),
            sum(run.session == session for run in killed),
            sum(run.session == session for run in runs),
            estimate if estimate.sample_size >= 3 else None,
        )

    def _host(self, command: str) -> HostPast | None:
        runs = [run for run in self._ssh() if run.command.split()[1] == ssh_host(command)]
        failed = sum(run.exit == 255 for run in runs)
        if not runs:
            return None
        return HostPast(runs[0].command.split()[1], len(runs), failed, failed / len(runs))

    def _remote(self, command: str) -> RemotePast | None:
        remote = ssh_remote(command)
        runs = [run for run in self._ssh() if ssh_remote(run.command) == remote and run.exit != 255]
        failed = sum(run.exit != 0 for run in runs)
        if not runs or not remote:
            return None
        hosts = len({run.command.split()[1] for run in runs})
        return RemotePast(remote, len(runs), failed, hosts, 1 - failed / len(runs))

    def _ssh(self) -> list[Execution]:
        return [run for run in self.runs if run.command.startswith("ssh ")]


def pattern_of(command: str) -> str:
    return re.sub(r"\d+", "0", command)


def template_of(command: str) -> str:
    words = command.split()
    return " ".join([*words[:-1], "*"]) if len(words) > 2 else command


def ssh_host(command: str) -> str:
    return command.split()[1] if command.startswith("ssh ") else ""


def ssh_remote(command: str) -> str:
    return " ".join(command.split()[2:]) if command.startswith("ssh ") else ""


def tally(runs: list[Execution]) -> Tally:
    judged = [run for run in runs if not is_neutral(run)]
    return Tally(sum(run.outcome is Outcome.SUCCESS for run in judged), len(judged))


def share(runs: list[Execution], outcome: Outcome) -> float:
    return sum(run.outcome is outcome for run in runs) / len(runs) if runs else 0.0


def streak(runs: list[Execution]) -> int:
    length = 0
    for run in runs:
        if not is_neutral(run):
            sign = 1 if run.outcome is Outcome.SUCCESS else -1
            length = length + sign if length * sign > 0 else sign
    return length


def is_neutral(run: Execution) -> bool:
    normal = run.exit is not None and is_normal_exit(command_word(run.command.split()), run.exit)
    return normal and run.outcome is Outcome.FAILURE

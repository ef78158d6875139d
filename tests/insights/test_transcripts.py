"""Tests of polls, heartbeats and kills as transcripts, with a clock that only the transcript advances."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from tests.memory_history import MemoryHistory
from zsh_ls.insights.kills import judge_kill
from zsh_ls.insights.suggestions import IdleCount, suggestion
from zsh_ls.model.completed_run import CompletedRun
from zsh_ls.model.estimate import Estimate
from zsh_ls.model.words import Outcome

STEP = re.compile(r"\+(?P<seconds>[\d.]+)s (?P<verb>\w+) ?(?P<seen>[^:]*?)(?:: (?P<words>.*))?")


def transcripts() -> Iterator[tuple[str, list[str]]]:
    for path in sorted((Path(__file__).parent / "transcripts").glob("*.txt")):
        for part in path.read_text().split("== ")[1:]:
            title, *lines = part.splitlines()
            yield title, [line for line in lines if line]


@attrs.define
class Watch:
    """The state of one session: memory, a running command, two observers."""

    memory: MemoryHistory = attrs.field(factory=MemoryHistory)
    now_s: float = 1000.0
    command: str = ""
    started_s: float = 0.0
    last_output_s: float = 0.0
    estimate: Estimate | None = None
    waits: bool = False
    unseen: dict[str, int] = attrs.field(factory=dict)
    counts: dict[str, IdleCount] = attrs.field(factory=dict)

    def past(self, line: str) -> None:
        template, lasted = line.split(": ")
        for duration_s in lasted.split():
            self._remember(template.replace("*", "x"), float(duration_s), Outcome.SUCCESS, "old")

    def run(self, command: str) -> None:
        self.command, self.waits = command, False
        self.estimate = self.memory.past(command, session="s", now=self.now_s).estimate
        self.started_s = self.last_output_s = self.now_s
        self.unseen = {"poll": 0, "heartbeat": 0}
        self.counts = {"poll": IdleCount(), "heartbeat": IdleCount()}

    def output(self) -> None:
        self.last_output_s = self.now_s
        self.unseen = {observer: count + 1 for observer, count in self.unseen.items()}

    def observe(self, observer: str) -> tuple[str, str]:
        self.counts[observer] = self.counts[observer].after(self.unseen[observer])
        self.unseen[observer] = 0
        advice = suggestion(
            waiting_for_input=self.waits,
            polls_since_output=self.counts[observer].polls,
            idle_s=self.now_s - self.last_output_s,
            elapsed_s=self.now_s - self.started_s,
            estimate=self.estimate,
        )
        return f"{self.counts[observer].polls} idle", advice or "-"

    def kill(self) -> tuple[str, str]:
        elapsed_s, idle_s = self.now_s - self.started_s, self.now_s - self.last_output_s
        self._remember(self.command, elapsed_s, Outcome.KILLED, "s")
        past = self.memory.kills(self.command, session="s")
        insight = judge_kill(past, self.estimate, elapsed_s, idle_s)
        return insight.category, insight.message

    def _remember(self, command: str, duration_s: float, outcome: Outcome, session: str) -> None:
        exit_status = 0 if outcome is Outcome.SUCCESS else 137
        self.memory.record(
            CompletedRun(
                command,
                "zsh",
                exit_status,
                (exit_status,),
                outcome,
                duration_s,
                self.now_s - duration_s,
                session,
            )
        )


@pytest.mark.parametrize("lines", [pytest.param(lines, id=title) for title, lines in transcripts()])
def test_a_transcript_comes_true(lines: list[str]) -> None:
    watch = Watch()
    for line in lines:
        verb, _, rest = line.partition(" ")
        if verb in {"past", "run"}:
            getattr(watch, verb)(rest)
            continue
        step = STEP.fullmatch(line)
        assert step, line
        watch.now_s += float(step["seconds"])
        if step["verb"] == "output":
            watch.output()
        elif step["verb"] == "waits":
            watch.waits = True
        else:
            seen = watch.kill() if step["verb"] == "kill" else watch.observe(step["verb"])
            assert seen == (step["seen"], step["words"]), line

"""Transcripts of a person or an agent watching a task, and how to play them.

    history pip install *: 40 41 47 killed 10     earlier runs of the command, seconds
    task pip install x: 1.9 "one" 30 "two" ends 47 exit 1
    run yield 2          <- steps; what the façade answered stands on the lines below, indented
    +2 poll listen 0
    kill

`+2` lets two seconds pass first. Progress that came meanwhile stands behind `~`.
"""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import attrs

from zsh_ls.model.requests import PollRequest, RunRequest
from zsh_ls.model.results import KillResult, PollMeta, Progress, TaskResult
from zsh_ls.model.words import Status
from zsh_ls.sidecar import Sidecar, SidecarOptions

from .virtual import Timetable, VirtualLoop, in_virtual_time, service

STEP = re.compile(
    r"(?:\+(?P<wait>[\d.]+) )?(?P<verb>run|poll|kill|wait)(?P<options>(?: \w+ [\w.]+)*)$"
)


@attrs.frozen
class Step:
    """One line of a transcript that does something."""

    line: str
    wait_s: float
    verb: str
    options: dict[str, str]


@attrs.define
class Transcript:
    """A file: the past, the task, the steps and what was answered to each."""

    command: str = ""
    history: list[tuple[str, float, bool]] = attrs.field(factory=list)
    timetable: Timetable = attrs.field(factory=Timetable)
    steps: list[Step] = attrs.field(factory=list)
    text: str = ""


def read(path: Path) -> Transcript:
    """The transcript in a file."""
    transcript = Transcript(text=path.read_text())
    for line in transcript.text.splitlines():
        if line.startswith("history "):
            transcript.history += _history(line.removeprefix("history "))
        elif line.startswith("task "):
            transcript.command, transcript.timetable = _task(line.removeprefix("task "))
        elif match := STEP.match(line):
            words = match["options"].split()
            options = dict(zip(words[::2], words[1::2], strict=True))
            transcript.steps.append(Step(line, float(match["wait"] or 0), match["verb"], options))
    return transcript


def _history(text: str) -> Iterator[tuple[str, float, bool]]:
    command, _, durations = text.rpartition(": ")
    killed = False
    for word in durations.split():
        if word == "killed":
            killed = True
        else:
            yield command, float(word), killed
            killed = False


def _task(text: str) -> tuple[str, Timetable]:
    command, _, rest = text.rpartition(": ")
    words = shlex.split(rest)
    prints: list[tuple[float, str]] = []
    options: dict[str, float] = {}
    waits = "waits" in words
    pairs = [word for word in words if word != "waits"]
    for name, value in zip(pairs[::2], pairs[1::2], strict=True):
        if name in ("ends", "exit"):
            options[name] = float(value)
        else:
            prints.append((float(name), value + "\n"))
    return command, Timetable(
        tuple(prints), options.get("ends"), int(options.get("exit", 0)), waits
    )


async def replay(transcript: Transcript, options: SidecarOptions) -> str:
    """The answers of a real sidecar, in real time, to a shell that does what the timetable says."""
    sidecar = await Sidecar.open(options)
    return await _play(attrs.evolve(transcript, command=_script(transcript.timetable)), sidecar)


def without_times(played: str) -> list[str]:
    """What polls and kills answered, without what depends on the machine: seconds, ids, heartbeats."""
    lines = [line for line in played.splitlines() if line.startswith("  ") and "~" not in line]
    return [
        re.sub(r"\d+(\.\d+)?s|Task \w+|'[^']*sleep[^']*'|'\./[^']*'", "…", line) for line in lines
    ]


def _script(timetable: Timetable) -> str:
    moments = [*timetable.prints, *([(timetable.ends, "")] if timetable.ends is not None else [])]
    passed, commands = 0.0, []
    for at, text in moments:
        commands += [f"sleep {at - passed:g}", *([f"echo '{text.strip()}'"] if text else [])]
        passed = at
    return "; ".join(commands)


def play(transcript: Transcript) -> str:
    """The transcript with the answers the façade gives now."""
    loop = VirtualLoop()
    asyncio.set_event_loop(loop)
    sidecar, memory = service(transcript.timetable, loop)
    for command, duration_s, killed in transcript.history:
        memory.lasted(command, duration_s, killed=killed)
    return in_virtual_time(_play(transcript, sidecar), loop)


async def _play(transcript: Transcript, sidecar: Sidecar) -> str:
    progress: list[Progress] = []
    sidecar.on_progress(progress.append)
    lines = [
        line for line in transcript.text.splitlines() if line.startswith(("#", "history ", "task "))
    ]
    lines.append("")
    for step in transcript.steps:
        await asyncio.sleep(step.wait_s)
        answer = await _take(step, transcript.command, sidecar)
        lines.append(step.line)
        lines += [f"  ~ {_told(it)}" for it in progress]
        lines += [f"  {line}" for line in answer]
        progress.clear()
    await sidecar.close()
    return "\n".join(lines) + "\n"


async def _take(step: Step, command: str, sidecar: Sidecar) -> list[str]:
    if step.verb == "wait":
        return []
    if step.verb == "run":
        return _answered(
            await sidecar.run(RunRequest(command, yield_after=float(step.options["yield"])))
        )
    task_id = (await sidecar.tasks(include_ended=True)).tasks[0].task_id
    if step.verb == "kill":
        return _killed(await sidecar.kill(task_id))
    listen = float(step.options.get("listen", 2.0))
    until = "end" if step.options.get("until") == "end" else "output"
    return _answered(await sidecar.poll(PollRequest(task_id, listen=listen, until=until)))


def _answered(result: TaskResult) -> list[str]:
    lines = [repr(result.output)] if result.output else []
    if result.status is Status.RUNNING and result.poll_meta is not None:
        return [*lines, *_meta(result.poll_meta)]
    return [*lines, f"{result.status.value} after {result.elapsed_seconds:g}s exit {result.exit}"]


def _meta(meta: PollMeta) -> list[str]:
    facts = (
        f"polls {meta.polls_since_output}, idle {meta.elapsed_since_last_output_s:g}s "
        f"of {meta.total_elapsed_s:g}s"
    )
    if meta.alan_estimate is not None:
        facts += (
            f", p {meta.alan_estimate.completion_probability:g}, again in {meta.next_useful_poll_s}"
        )
    return [facts, *([meta.suggestion] if meta.suggestion else [])]


def _told(progress: Progress) -> str:
    news = f"{progress.output!r} " if progress.output else ""
    if progress.poll_meta is None:
        return f"{news}{progress.status.value} at {progress.elapsed_seconds:g}s"
    return news + "; ".join(_meta(progress.poll_meta))


def _killed(result: KillResult) -> list[str]:
    assert result.insight is not None
    return [result.message, f"{result.insight.category}: {result.insight.message}"]

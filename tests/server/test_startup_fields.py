"""What `zsh/startup` and `zsh-ls startup --json` hold: the protocol's fields and no others (START-4)."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from zsh_ls.cli.starting import as_json
from zsh_ls.model.startup import (
    BackgroundJob,
    BusyMachine,
    FileCost,
    FirstPrompt,
    Lag,
    LeftRunning,
    LineCost,
    PluginCost,
    SlowerSince,
    StartupCause,
    StartupReport,
    Stuck,
    WithoutLines,
)
from zsh_ls.server.features.zsh_startup import on_the_wire, summary
from zsh_ls.server.shown_messages import MessageFallback
from zsh_ls.sidecar.to_json import to_json

WHOLE = StartupReport(
    "zsh",
    9.0,
    (LineCost("(zsh)", 0, 1.0, 9.0, 1, (), 1, 2), LineCost("/rc", 4, 8.0, 8.0, 2, ("ls",), 2, 2)),
    (FileCost("/rc", 8.0, 8.0, 1, 2, 2),),
    (PluginCost("git", "/git", 1.0, 1.0, 1, 1),),
    (StartupCause("eval-init", "/rc", 4, 8.0, 7.0),),
    (WithoutLines("~/rc:4", 7.0, 0.5, certain=True),),
    (BackgroundJob("/rc", 5, 3.0),),
    2,
    ((1.0, (("(zsh)", 0),)),),
    FirstPrompt(8.0, 7.0, 9.0),
    Stuck("(zsh)", 0, "read", 30.0, 20.0),
    (LeftRunning("agent"),),
    Lag(1.0, 2.0, 3.0, 4.0),
    (SlowerSince("/rc", 4, 82.0, "2026-11-12T12:00:00+00:00"),),
    lost=1,
)


def told(own_line: int | None, less: int) -> dict[str, Any]:
    """All fields of the protocol; lines are less by that much than from 1."""
    line = 4 - less
    return {
        "shell": "zsh",
        "first_prompt_ms": {"median": 8.0, "min": 7.0, "max": 9.0},
        "traced_ms": 9.0,
        "lines": [
            {
                "file": "(zsh)",
                "line": own_line,
                "own_ms": 1.0,
                "total_ms": 9.0,
                "count": 1,
                "programs": [],
            },
            {
                "file": "/rc",
                "line": line,
                "own_ms": 8.0,
                "total_ms": 8.0,
                "count": 2,
                "programs": ["ls"],
            },
        ],
        "files": [{"file": "/rc", "own_ms": 8.0, "total_ms": 8.0, "count": 1}],
        "plugins": [{"name": "git", "folder": "/git", "own_ms": 1.0, "total_ms": 1.0}],
        "causes": [{"code": "eval-init", "file": "/rc", "line": line, "ms": 8.0, "saves_ms": 7.0}],
        "without": [{"range": "~/rc:4", "saves_ms": 7.0, "spread_ms": 0.5, "certain": True}],
        "stuck": {"file": "(zsh)", "line": own_line, "command": "read", "after_ms": 30.0},
        "left": [{"command": "agent"}],
        "background": [{"file": "/rc", "line": line + 1, "ms": 3.0}],
        "lag_ms": {"first_prompt": 1.0, "first_command": 2.0, "command": 3.0, "input": 4.0},
        "since": [
            {"file": "/rc", "line": line, "more_ms": 82.0, "at": "2026-11-12T12:00:00+00:00"}
        ],
    }


def test_the_wire_and_json_have_the_fields_of_the_protocol() -> None:
    assert to_json(on_the_wire(WHOLE)) == told(None, 1)
    as_printed: Any = as_json(WHOLE)
    assert to_json(as_printed) == told(0, 0)


@pytest.mark.parametrize(("line", "place"), [(0, "(zsh)"), (7, "(zsh):7")])
def test_a_start_without_a_prompt_is_summed_up_with_its_place(line: int, place: str) -> None:
    report = StartupReport(
        "zsh", 9.0, (), (), (), (), (), (), 0, (), stuck=Stuck("(zsh)", line, "", 30.0, 30.0)
    )
    assert summary(report) == f"zsh came to no prompt: {place}"


def test_a_client_that_shows_no_results_is_told_what_was_left_running() -> None:
    shown: list[str] = []
    fallback = MessageFallback(lambda it: shown.append(it.message))
    whole = told(None, 1)
    fallback.answered("zsh/startup", whole)
    del whole["stuck"]
    fallback.answered("zsh/startup", whole)
    ended = "Left running, and ended: agent"
    assert [it.splitlines() for it in shown] == [
        ["zsh came to no prompt: (zsh): read", ended],
        [
            "zsh: first prompt after 8 ms",
            "without ~/rc:4: 7 ms less",
            "8 ms /rc:4",
            "1 ms (zsh)",
            ended,
        ],
    ]


def test_what_a_line_saves_is_summed_up() -> None:
    refused = WithoutLines("/home/me/rc:5-6", refused="nothing runs there in a start")
    more = WithoutLines("/home/me/rc:7", -4.0, 0.5, certain=True)
    noise = WithoutLines("/home/me/rc:8", 0.3, 1.7, certain=False)
    report = attrs.evolve(WHOLE, stuck=None, without=(*WHOLE.without, refused, more, noise))
    assert summary(report).split("; ") == [
        "zsh: first prompt after 8 ms",
        "without rc:4: 7 ms less",
        "rc:5-6 was not left out: nothing runs there in a start",
        "without rc:7: 4 ms more",
        "without rc:8: cannot be told from noise (± 2 ms)",
    ]


def test_a_busy_machine_is_told() -> None:
    report = attrs.evolve(WHOLE, stuck=None, left=None, busy=BusyMachine(12.4, 2))
    wire: Any = to_json(on_the_wire(report))
    printed: Any = to_json(as_json(report))
    assert wire["busy"] == printed["busy"] == {"load": 12.4, "processors": 2}
    shown: list[str] = []
    MessageFallback(lambda it: shown.append(it.message)).answered("zsh/startup", wire)
    assert shown[0].splitlines()[1] == "The machine is busy (load 12): times are uncertain"


def test_what_tracing_took_of_a_line_is_told_where_it_is_much() -> None:
    """START-1, START-4: of 100 ms with 10,000 commands half is the trace's; times are as measured."""
    dear = LineCost("/rc", 1, 100.0, 100.0, 1, (), 9_000, 9_000)
    cheap = LineCost("/rc", 2, 80.0, 80.0, 1, (), 10, 10)
    report = attrs.evolve(
        WHOLE,
        lines=(dear, cheap),
        commands=10_000,
        traced_ms=200.0,
        first_prompt_ms=FirstPrompt(100.0, 99.0, 101.0),
        stuck=None,
        without=(),
        left=None,
    )
    wire: Any = to_json(on_the_wire(report))
    printed: Any = to_json(as_json(report))
    for told_of in (wire, printed):
        rows = [(it["own_ms"], it["tracing_ms"]) for it in told_of["lines"]]
        assert rows == [(100.0, 90.0), (80.0, 0.1)]
    shown: list[str] = []
    MessageFallback(lambda it: shown.append(it.message)).answered("zsh/startup", wire)
    assert shown[0].splitlines()[1:] == ["80 ms /rc:2", "10 ms /rc:1"]

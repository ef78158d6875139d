"""Every kind of line that memory tells before a run, held against ALAN-13 to 16 and DOC-4 by its name."""

from __future__ import annotations

import re
from collections.abc import Callable

import attrs
import pytest

from tests.alan.test_projects import ONE, TWO, Projects
from zsh_ls.insights.history import hint, on_history
from zsh_ls.insights.judging import before_run
from zsh_ls.insights.kills import judge_kill
from zsh_ls.insights.registry import RuleKind, rules_of
from zsh_ls.insights.suggestions import IdleCount, poll_meta, prospects_of
from zsh_ls.model.insight import Insight
from zsh_ls.model.span import Span
from zsh_ls.model.words import Level, Outcome

HOUR_S = 3600.0
LINE = Span(0, 4)


def repeated(
    command: str, count: int, exit_status: int = 0, *, wait_s: float = HOUR_S, **how: object
) -> Callable[[Projects], None]:
    """So many runs of the command in project ONE, and then so much time."""

    def lived(world: Projects) -> None:
        for _ in range(count):
            world.ran(ONE, command, exit_status, **how)  # type: ignore[arg-type]
        world.clock.at += wait_s

    return lived


def several(*parts: Callable[[Projects], None]) -> Callable[[Projects], None]:
    def lived(world: Projects) -> None:
        for part in parts:
            part(world)

    return lived


@attrs.frozen
class Kind:
    """A kind of line: what was lived, the next command, what is told.

    `elsewhere` tells whether another project hears it too: hosts are known everywhere (ALAN-13). `is_news`
    tells whether an agent's text has it (ALAN-16), `on_lines` whether a script's line may have it once the
    person switched that on (DOC-4).
    """

    rule: str
    lived: Callable[[Projects], None]
    command: str
    told: str
    is_news: bool
    elsewhere: bool = False
    on_lines: bool = False


AWAY = "ssh db1 uptime"
KINDS = [
    Kind(
        "retry", repeated("make", 2, wait_s=9), "make", r"Retry #3\. Previous 2 succeeded\.", False
    ),
    Kind(
        "retry",
        repeated("make", 2, 2, wait_s=9),
        "make",
        r"Retry #3\. Previous 2 all failed\. Different approach\?",
        True,
    ),
    Kind(
        "retry",
        several(repeated("make", 1, 2, wait_s=1), repeated("make", 1, wait_s=9)),
        "make",
        r"Retry #3 in last 15m\. 1/2 succeeded\.",
        True,
    ),
    Kind(
        "similar-command",
        repeated("git push origin one", 2, wait_s=9),
        "git push origin two",
        r"Similar to 'git push origin \*' - 2/2 succeeded recently\.",
        False,
    ),
    Kind(
        "success-streak",
        repeated("make", 3),
        "make",
        r"Streak: 3 successes in a row\. Solid\.",
        False,
    ),
    Kind(
        "failing-streak",
        repeated("make", 3, 2),
        "make",
        r"Failing streak: 3\. Same approach\?",
        True,
        on_lines=True,
    ),
    Kind(
        "frequent-timeouts",
        repeated("make", 5, 124, outcome=Outcome.TIMEOUT),
        "make",
        r"100% timeout rate for this pattern\.",
        True,
        on_lines=True,
    ),
    Kind(
        "reliable-pattern",
        repeated("make", 5),
        "make",
        r"Reliable pattern: 100% success \(5 runs\)\.",
        False,
    ),
    Kind(
        "usual-duration",
        repeated("make", 3, lasted=47.0),
        "make",
        r"Usually takes ~47s\.",
        True,
    ),
    Kind(
        "flaky-host",
        repeated(AWAY, 3, 255),
        AWAY,
        r"Host 'db1' has 100% connection failure rate \(3/3\)\.",
        True,
        elsewhere=True,
        on_lines=True,
    ),
    Kind(
        "reliable-host",
        repeated(AWAY, 3),
        AWAY,
        r"Host 'db1' is reliable: 3 successful connections\.",
        False,
        elsewhere=True,
    ),
    Kind(
        "failing-remote-command",
        several(repeated("ssh db1 check", 2, 3), repeated("ssh db2 check", 2, 3)),
        "ssh db3 check",
        r"Remote command 'check' fails often \(4/4 across 2 hosts\)\.",
        True,
        elsewhere=True,
        on_lines=True,
    ),
    Kind(
        "reliable-remote-command",
        several(repeated("ssh db1 check", 2), repeated("ssh db2 check", 2)),
        "ssh db3 check",
        r"Remote command 'check' reliable across 2 hosts \(100% success\)\.",
        False,
        elsewhere=True,
    ),
]
OF_OTHERS = [
    Kind("new-here", repeated("make", 5), "make", r"New here\. Elsewhere: 100% of 5\.", False),
    Kind("new-here", repeated("make", 5, 2), "make", r"New here\. Elsewhere: 0% of 5\.", True),
    Kind("new-pattern", repeated("true", 1), "make", r"New pattern\. No history yet\.", False),
]
IDS = [f"{it.rule}: {it.told}" for it in (*KINDS, *OF_OTHERS)]


def told_in(project: str, kind: Kind) -> list[Insight]:
    world = Projects()
    kind.lived(world)
    return [it for it in before_run(world.known(project, kind.command)) if it.rule == kind.rule]


def test_no_kind_of_line_is_left_out() -> None:
    known = {it.name for it in rules_of(RuleKind.BEFORE_RUN)}
    assert {it.rule for it in (*KINDS, *OF_OTHERS)} == known


@pytest.mark.parametrize("kind", KINDS, ids=IDS[: len(KINDS)])
def test_a_line_is_of_the_project_and_of_hosts_everywhere(kind: Kind) -> None:
    """ALAN-13: told where it was lived; in another project only of hosts."""
    [here] = told_in(ONE, kind)
    assert re.fullmatch(kind.told, here.message)
    assert bool(told_in(TWO, kind)) == kind.elsewhere


@pytest.mark.parametrize("kind", OF_OTHERS, ids=IDS[len(KINDS) :])
def test_what_others_know_is_told_where_it_never_ran_and_there_alone(kind: Kind) -> None:
    """ALAN-13: `New here`, or `New pattern` where nobody knows it."""
    [there] = told_in(TWO, kind)
    assert re.fullmatch(kind.told, there.message)
    assert there.is_news == kind.is_news
    if kind.rule == "new-here":
        assert told_in(ONE, kind) == []


@pytest.mark.parametrize("kind", KINDS, ids=IDS[: len(KINDS)])
def test_an_agent_reads_it_only_where_it_is_news(kind: Kind) -> None:
    """ALAN-16: the others stay in `insights`."""
    [told] = told_in(ONE, kind)
    assert told.is_news == kind.is_news


@pytest.mark.parametrize("kind", KINDS, ids=IDS[: len(KINDS)])
def test_a_script_s_line_has_only_its_warnings(kind: Kind) -> None:
    """DOC-4: infos never become diagnostics by history alone, nor do warnings of this session."""
    world = Projects()
    kind.lived(world)
    on_line = on_history(world.known(ONE, kind.command), LINE)
    assert [it.rule for it in on_line if it.rule == kind.rule] == [kind.rule] * kind.on_lines
    assert all(it.level is Level.WARNING for it in on_line)


@pytest.mark.parametrize("wait_s", [9.0, HOUR_S])
@pytest.mark.parametrize("project", [ONE, TWO])
def test_a_run_that_hid_a_failure_is_praised_by_no_line(project: str, wait_s: float) -> None:
    """ALAN-15: `make | tail` exited 0, make 2."""
    world = Projects()
    repeated("make | tail", 6, pipestatus=(2, 0), wait_s=wait_s)(world)
    told = [it.message for it in before_run(world.known(project, "make | tail"))]
    assert not [it for it in told if re.search(r"Solid|Reliable|[1-9]\d*% of|\d succeeded", it)]


def test_every_line_tells_the_same_number() -> None:
    """ALAN-14: before a run, while it is waited for, when it is killed, and on a script's line."""
    world = Projects()
    for seconds in (45.0, 47.0, 49.0):
        world.ran(ONE, "make all", lasted=seconds)
        world.ran(ONE, "make clean", lasted=0.2)
        world.ran(TWO, "make all", lasted=400.0)
    world.clock.at += HOUR_S
    past = world.known(ONE, "make all")
    assert past.estimate is not None
    assert "Usually takes ~47s." in [it.message for it in before_run(past)]
    assert str(hint(past)).startswith("~47s")
    meta = poll_meta(
        IdleCount(),
        elapsed_s=46.0,
        idle_s=0.0,
        waiting_for_input=False,
        estimate=past.estimate,
    )
    assert prospects_of(meta, 120.0) == [
        "usually 47s (3 runs of 'make all'), 33% have ended by now · ends at 120s"
    ]
    assert meta.alan_estimate is not None
    assert (meta.alan_estimate.basis, meta.alan_estimate.scope) == ("exact", "project")
    kills = world.store.kills("make all", session="s1", project=ONE)
    killed = judge_kill(kills, past.estimate, 5.0, 0.0)
    assert "Median completion is 47.0s." in killed.message

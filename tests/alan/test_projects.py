"""Memory by project: what one knows is not said in another, and what is known everywhere is (ALAN-13…15)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import attrs
import pytest

from tests.alan.test_agreed_names import query
from tests.alan.world import START, World, execution
from zsh_ls.alan.learning.recording import HistoryRow
from zsh_ls.alan.store.store import Store
from zsh_ls.model.completed_run import outcome_of
from zsh_ls.model.history import CommandHistory, RunCounts
from zsh_ls.model.recall import RunQuery
from zsh_ls.model.words import Basis, Origin, Outcome, Scope

ONE, TWO = "/work/one", "/work/two"


class Projects(World):
    """A memory whose runs are of projects."""

    def ran(
        self,
        project: str,
        command: str,
        exit_status: int = 0,
        *,
        lasted: float = 0.1,
        outcome: Outcome | None = None,
        pipestatus: Sequence[int] | None = None,
        folder: str = "",
        misused: bool = False,
    ) -> None:
        """One run in a folder of a project."""
        self.store.record(
            execution(
                command,
                exit_status,
                at=self.clock.at,
                lasted=lasted,
                outcome=outcome,
                pipestatus=None if pipestatus is None else tuple(pipestatus),
                cwd=f"{project}{folder}",
                project=project,
                misused=misused,
            )
        )
        self.clock.at += lasted

    def known(self, project: str, command: str) -> CommandHistory:
        """What is known before it runs there."""
        return self.store.past(command, session="s1", now=self.clock.at, project=project)


def test_what_failed_in_one_project_is_no_retry_and_no_streak_in_another() -> None:
    world = Projects()
    for _ in range(3):
        world.ran(ONE, "make", 2, folder="/src", misused=True)
    here, there = world.known(ONE, "make"), world.known(TWO, "make")
    assert (here.retries, here.streak, here.failures_in_row) == (RunCounts(0, 3), -3, 3)
    assert (there.retries, there.streak, there.failures_in_row) == (RunCounts(), 0, 0)
    assert (there.runs, there.everywhere.runs) == (0, 3)
    assert there.similar == RunCounts()


def test_a_run_of_no_project_counts_by_its_folder() -> None:
    world = Projects()
    for folder in ("/tmp/a", "/tmp/a", "/tmp/b"):
        world.store.record(execution("make", 2, at=world.clock.at, cwd=folder))
    assert [world.known(folder, "make").runs for folder in ("/tmp/a", "/tmp/b")] == [2, 1]


def test_durations_are_of_the_project_first_and_then_of_everywhere() -> None:
    world = Projects()
    for _ in range(3):
        world.ran(ONE, "npm install", lasted=41)
        world.ran(TWO, "npm install", lasted=4)
    here, there = (
        world.known(TWO, "npm install").estimate,
        world.known("/x", "npm install").estimate,
    )
    assert here is not None
    assert there is not None
    assert (here.median_s, here.basis, here.scope) == (4.0, Basis.EXACT, Scope.PROJECT)
    assert (there.median_s, there.scope, there.sample_size) == (41.0, Scope.EVERYWHERE, 6)


def test_a_text_is_one_command_whatever_shell_ran_it() -> None:
    """ALAN-13, ALAN-14: a command is its text or its hash in a project; no rule names its shell."""
    world = Projects()
    for shell in ("zsh", "bash", "fish", ""):
        run = execution("make all", 2, at=world.clock.at, lasted=8.0, project=ONE)
        world.store.record(attrs.evolve(run, shell=shell))
    known = world.known(ONE, "make all")
    assert (known.streak, known.retries) == (-4, RunCounts(0, 4))
    estimate = world.store.estimate("make all", project=ONE)
    assert estimate is not None
    assert (estimate.basis, estimate.sample_size) == (Basis.EXACT, 4)


def test_the_exact_text_comes_before_the_command_of_other_numbers() -> None:
    world = Projects()
    for seconds in (2, 30, 2, 30, 2, 30):
        world.ran(ONE, f"sleep {seconds}", lasted=float(seconds))
    estimate = world.known(ONE, "sleep 2").estimate
    assert estimate is not None
    assert (estimate.median_s, estimate.basis, estimate.sample_size) == (2.0, Basis.EXACT, 3)


def test_durations_that_spread_too_far_tell_nothing() -> None:
    world = Projects()
    for seconds in (2, 60, 2, 2, 600, 2, 60, 2, 600):
        world.ran(ONE, f"sleep {seconds}", lasted=float(seconds))
    past = world.known(ONE, "sleep 5")
    assert (past.estimate, past.too_wide) == (None, True)


def test_failures_that_end_at_once_are_not_how_long_it_takes() -> None:
    world = Projects()
    for _ in range(3):
        world.ran(ONE, "./deploy", lasted=60)
    for _ in range(5):
        world.ran(ONE, "./deploy", 1, lasted=1)
    estimate = world.known(ONE, "./deploy").estimate
    assert estimate is not None
    assert (estimate.median_s, estimate.sample_size) == (60.0, 3)


def test_what_ctrl_c_ended_only_lasted_at_least_so_long() -> None:
    world = Projects()
    for lasted, exit_status in ((46.0, 130), (47.0, 130), (2.0, 0)):
        world.ran(ONE, "sleep 30", exit_status, lasted=lasted)
    assert world.store.estimate("sleep 30", project=ONE) is None
    for _ in range(2):
        world.ran(ONE, "sleep 30", lasted=30.0)
    estimate = world.store.estimate("sleep 30", project=ONE)
    assert estimate is not None
    assert estimate.sample_size == 3


def test_a_known_normal_exit_is_a_sample_as_a_success_is() -> None:
    world = Projects()
    for status in (0, 1, 1):
        world.ran(ONE, "grep -r needle .", status, lasted=20)
    world.ran(ONE, "grep -r needle .", 2, lasted=1)
    estimate = world.known(ONE, "grep -r needle .").estimate
    assert estimate is not None
    assert (estimate.median_s, estimate.sample_size) == (20.0, 3)


@pytest.mark.parametrize(
    ("command", "statuses", "sound"),
    [
        ("pytest | tail -3", (1, 0), False),
        ("grep x f | sort", (1, 0), True),
        ("yes | head -1", (141, 0), True),
        ("pytest | tail -3", (0, 0), True),
    ],
)
def test_a_success_that_hid_a_failing_segment_is_none(
    command: str, statuses: Sequence[int], sound: bool
) -> None:
    world = Projects()
    for _ in range(5):
        world.ran(ONE, command, pipestatus=statuses)
    past = world.known(ONE, command)
    assert past.streak == 5
    assert past.streak_is_sound is sound
    assert past.retries == RunCounts(5 if sound else 0, 5)
    assert past.success_rate == past.everywhere.success_rate == float(sound)


def test_a_circuit_opens_for_the_project_alone() -> None:
    world = Projects()
    for _ in range(3):
        world.ran(ONE, "./hangs", lasted=120, outcome=Outcome.TIMEOUT)
    now = world.clock.at
    opened = world.store.circuit_state("./hangs", now, ONE)
    assert opened is not None
    assert (opened.project, opened.timeouts) == (ONE, 3)
    assert world.store.circuit_state("./hangs", now, TWO) is None
    assert world.store.circuits(now, TWO).open == ()
    assert len(world.store.circuits(now).open) == 1
    world.store.reset_circuit("./hangs", TWO)
    assert world.store.circuit_state("./hangs", now, ONE) is not None
    world.store.reset_circuit("./hangs", ONE)
    assert world.store.circuit_state("./hangs", now, ONE) is None


def test_kills_count_within_the_project() -> None:
    world = Projects()
    for _ in range(3):
        world.ran(ONE, "make watch", lasted=5, outcome=Outcome.KILLED)
    kills = [world.store.kills("make watch", session="s1", project=it) for it in (ONE, TWO)]
    assert [(it.killed, it.session_killed) for it in kills] == [(3, 3), (0, 0)]


def test_stats_are_of_the_project_where_it_has_five_runs() -> None:
    world = Projects()
    for _ in range(4):
        world.ran(TWO, "make")
    for _ in range(5):
        world.ran(ONE, "make", 2)
    one, two = (world.store.command_stats("make", project=it) for it in (ONE, TWO))
    assert (one.runs, one.success_rate, one.streak) == (5, 0.0, -5)
    assert (two.runs, two.streak, two.success_rate) == (9, 4, pytest.approx(4 / 9, abs=0.001))
    here = world.store.memory_stats("s1", world.clock.at, TWO)
    assert (here.observations, here.outcomes["FAILURE"], here.templates) == (4, 0, 1)
    assert [(it.command_template, it.runs) for it in here.hot_patterns] == [("make", 4)]


def test_runs_are_recalled_by_project() -> None:
    world = Projects()
    world.ran(ONE, "make", 2)
    world.ran(TWO, "make")
    [found] = world.store.recall().runs(RunQuery(project=ONE), limit=5)
    assert found.exit == 2


def test_an_imported_row_is_of_its_folders_project(tmp_path: Path) -> None:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    folder = str(tmp_path / "project" / "src")
    world = Projects()
    rows = [
        HistoryRow(str(n), "make", round(START * 1000) + n, outcome_of(0), 0, 900, folder=where)
        for n, where in enumerate((folder, folder, None))
    ]
    assert world.store.import_rows("atuin", rows) == 3
    past = world.known(str(tmp_path / "project"), "make")
    assert (past.runs, past.everywhere.runs) == (2, 3)


def files_text(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


def test_a_forgotten_project_leaves_others_as_if_it_had_never_been(tmp_path: Path) -> None:
    world, never = Projects.on_file(tmp_path / "alan.db"), Projects()
    assert isinstance(world, Projects)
    secret = "/work/unmentionable"
    for project, command, status in (
        (ONE, "make", 0),
        (secret, "make", 2),
        (secret, "cat f | grep x", 1),
        (secret, "ssh web uptime", 255),
        (ONE, "ssh web uptime", 0),
        (ONE, "make", 2),
    ):
        statuses = (0, status) if "|" in command else None
        world.ran(project, command, status, pipestatus=statuses, folder="/src")
        never.clock.at = world.clock.at - 0.1
        if project != secret:
            never.ran(project, command, status, pipestatus=statuses, folder="/src")
    assert world.store.forget_project(secret) == 3
    for command in ("make", "cat f | grep x", "ssh web uptime"):
        left, expected = world.known(ONE, command), never.known(ONE, command)
        assert (left.runs, left.streak, left.estimate) == (
            expected.runs,
            expected.streak,
            expected.estimate,
        )
        assert left.everywhere.runs == expected.everywhere.runs
        assert (left.host and left.host.total) == (expected.host and expected.host.total)
        assert world.known(secret, command).runs == 0
    world.store.close()
    assert secret.encode() not in files_text(tmp_path)


def test_a_forgotten_command_is_forgotten_in_all_projects() -> None:
    world = Projects()
    for project in (ONE, TWO):
        for _ in range(3):
            world.ran(project, "make secret", lasted=20)
        world.ran(project, "make all")
    assert world.store.forget("make secret") == 6
    for project in (ONE, TWO):
        past = world.known(project, "make secret")
        assert (past.runs, past.everywhere.runs, past.estimate) == (0, 0, None)
        assert world.known(project, "make all").runs == 1
        assert world.store.command_stats("make all", project=project).runs == 2


def test_what_is_forgotten_since_is_forgotten_in_its_project() -> None:
    world = Projects()
    for status in (0, 0, 2):
        world.ran(ONE, "make", status, lasted=1)
    world.store.forget_since(world.clock.at - 0.5)
    assert (world.known(ONE, "make").runs, world.known(ONE, "make").streak) == (2, 2)


def test_folders_of_which_nothing_is_remembered_go(tmp_path: Path) -> None:
    path = tmp_path / "alan.db"
    world = Projects.on_file(path)
    assert isinstance(world, Projects)
    world.ran(ONE, "make")
    world.clock.at += 3 * 365 * 86_400
    for number in range(64 * 6):
        world.ran(TWO, f"make target{number % 3}")
    assert query(path, "SELECT path FROM place") == [{"path": TWO}]


def test_a_terminals_run_is_of_the_project_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    spool = tmp_path / "spool"
    spool.mkdir(mode=0o700)
    folder = tmp_path / "project" / "src"
    fields = [f"term\n{folder}", str(START), str(START + 2), "0", "0", "make"]
    old = ["term", str(START), str(START + 2), "0", "0", "make"]
    (spool / "1.log").write_text("".join(f"{field}\0" for field in fields + old))
    store = Store(Projects().store._connection)
    assert store.import_terminal_runs(spool) == 2
    now, project = START + 9, str(tmp_path / "project")
    past = store.past("make", session="term", now=now, project=project)
    assert (past.runs, past.retries, past.everywhere.runs) == (1, RunCounts(1, 1), 2)
    [run] = store.recall().runs(RunQuery(project=project), limit=5)
    assert run.origin is Origin.TERMINAL

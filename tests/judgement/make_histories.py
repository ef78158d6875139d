"""Writes down two histories, of atuin and of zsh with times: `python -m tests.judgement.make_histories`.

No history of a real person could be had, so these are made: the forms are those of atuin's
SQLite table `history` (nanoseconds, exit, folder) and of zsh's EXTENDED_HISTORY (whole seconds, no
exit, no folder). The laws behind them are meant to be hard on estimates: builds that are cold or
cached, suites that grow, a change that makes a command three times slower, failures that end early,
Ctrl-C, editors and pagers that stay open as long as a person reads, `sleep` of several numbers, the
same words in several projects. Seeds are fixed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import attrs

HERE = Path(__file__).parent
ATUIN, ZSH_HISTORY = HERE / "history.atuin.sql", HERE / "history.zsh"
BEGIN_S = 1_786_000_000
DAYS = 40
RUNS_A_DAY = 40
INTERRUPTED = 130
SLOWER_SINCE_DAY = 25
NS = 1_000_000_000

SHOP, API, NOTES = "/home/kim/shop", "/home/kim/api", "/home/kim/notes"


@attrs.frozen
class Habit:
    """A command, where it is run, how often, and how long it takes and fails.

    `median_s` and `spread` are of a log-normal law, of a second one in `cold_share` of the runs.
    It grows by `growth` a day, and is three times slower from SLOWER_SINCE_DAY on with `slows`.
    """

    command: str
    folder: str
    weight: float
    median_s: float
    spread: float = 0.2
    cold_s: float = 0.0
    cold_share: float = 0.0
    growth: float = 0.0
    slows: bool = False
    fails: float = 0.02
    failing_share: float = 1.0
    interrupted: float = 0.0


HABITS = (
    Habit("git status", SHOP, 12, 0.03, 0.4),
    Habit("git status", API, 9, 0.03, 0.4),
    Habit("git push", SHOP, 2, 2.5, 0.4, fails=0.1),
    Habit("git push", API, 2, 2.2, 0.4, fails=0.1),
    Habit("git pull --rebase", SHOP, 2, 2.0, 0.4),
    Habit("ls -la", SHOP, 6, 0.01, 0.3),
    Habit("cd ..", SHOP, 3, 0.01, 0.3),
    Habit("rg -n TODO src", SHOP, 3, 0.1, 0.5, fails=0.3),
    Habit("npm install", SHOP, 1, 9.0, 0.4, cold_s=62.0, cold_share=0.3),
    Habit("npm test", SHOP, 7, 21.0, 0.15, growth=0.01, fails=0.3, failing_share=0.7),
    Habit("npm run build", SHOP, 3, 33.0, 0.15, slows=True, fails=0.1, failing_share=0.3),
    Habit("npm test", API, 4, 4.0, 0.2, fails=0.2),
    Habit("cargo build", API, 5, 3.0, 0.6, cold_s=95.0, cold_share=0.2, fails=0.25),
    Habit("cargo test", API, 5, 41.0, 0.3, fails=0.25, failing_share=0.5, interrupted=0.08),
    Habit("docker compose up", API, 1, 1800.0, 1.2, interrupted=0.95),
    Habit("vim notes.md", NOTES, 3, 180.0, 1.3),
    Habit("less app.log", API, 2, 25.0, 1.4),
    Habit("ssh staging", API, 1, 240.0, 1.5, fails=0.2),
    Habit("ssh staging uptime", API, 1, 1.2, 0.3, fails=0.1),
    Habit("make site", NOTES, 2, 12.5, 0.2),
    Habit("make", API, 2, 47.0, 0.25, fails=0.2, failing_share=0.4, interrupted=0.05),
    Habit("make", NOTES, 1, 2.0, 0.2),
    Habit("pip install -r requirements.txt", NOTES, 1, 14.0, 0.5, cold_s=80.0, cold_share=0.2),
    Habit("./backup.sh", NOTES, 1, 310.0, 0.1),
    Habit("curl -s localhost:8080/health", API, 3, 0.08, 0.6, fails=0.2),
    Habit("sleep 5", SHOP, 1, 5.0, 0.001, fails=0.0),
    Habit("sleep 60", SHOP, 1, 60.0, 0.001, fails=0.0),
)


@attrs.frozen
class Lived:
    """One run: when it began, how long it took and how it ended."""

    began_s: float
    lasted_s: float
    exit: int
    habit: Habit


def lived(seed: int) -> Iterator[Lived]:
    """Forty working days of one person."""
    rng = random.Random(seed)
    weights = [habit.weight for habit in HABITS]
    for day in range(DAYS):
        at = BEGIN_S + day * 86_400 + 8 * 3600.0
        for habit in rng.choices(HABITS, weights, k=RUNS_A_DAY):
            at += rng.lognormvariate(3.5, 1.0)
            run = _one(rng, habit, day, at)
            yield run
            at += run.lasted_s


def _one(rng: random.Random, habit: Habit, day: int, at: float) -> Lived:
    median_s = habit.cold_s if rng.random() < habit.cold_share else habit.median_s
    slower = 3.0 if habit.slows and day >= SLOWER_SINCE_DAY else 1.0
    lasts_s = median_s * slower * (1 + habit.growth) ** day * rng.lognormvariate(0, habit.spread)
    if rng.random() < habit.interrupted:
        return Lived(at, lasts_s * rng.uniform(0.05, 0.9), INTERRUPTED, habit)
    if rng.random() < habit.fails:
        return Lived(at, lasts_s * habit.failing_share, 1, habit)
    return Lived(at, lasts_s, 0, habit)


def atuin_lines() -> Iterator[str]:
    """The first person's runs as SQL that makes atuin's table."""
    yield (
        "CREATE TABLE history (id text primary key, timestamp integer not null, "
        "duration integer not null, exit integer not null, command text not null, "
        "cwd text not null, session text not null, hostname text not null, deleted_at integer, "
        "unique(timestamp, cwd, command));"
    )
    for number, run in enumerate(lived(20260917)):
        began, lasted = round(run.began_s * 1000), round(run.lasted_s * 1000)
        yield (
            f"INSERT INTO history VALUES('{number:05}', {began * (NS // 1000)}, "
            f"{lasted * (NS // 1000)}, {run.exit}, '{run.habit.command}', '{run.habit.folder}', "
            f"'s{number // RUNS_A_DAY}', 'laptop:kim', NULL);"
        )


def zsh_lines() -> Iterator[str]:
    """The second person's runs as zsh's EXTENDED_HISTORY has them."""
    for run in lived(20261123):
        yield f": {int(run.began_s)}:{int(run.lasted_s)};{run.habit.command}"


if __name__ == "__main__":
    ATUIN.write_text("".join(f"{line}\n" for line in atuin_lines()))
    ZSH_HISTORY.write_text("".join(f"{line}\n" for line in zsh_lines()))

"""Writes down the working day: `python -m tests.judgement.make_day > tests/judgement/day.jsonl`.

Ann works on four projects with two agents, in an editor and in a terminal. What is
run, in which order and with which exits was written by hand, after what such people
and agents do: loops of editing and testing, builds, installs, git, searches without a
match, time limits, pipelines whose failing segment is hidden, one command in several
projects. How long a run takes is drawn from a log-normal law of its command in its
project, with a fixed seed; pauses too.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator, Sequence

import attrs

SEED = 20260917
WEB, ENGINE, TOOLS, SITE = "work/web", "work/engine", "work/tools", "work/site"
WORKTREE = "work/web-hotfix"
"""A second worktree of the repository in `work/web`."""
HOME = "."

Laws = dict[tuple[str, str], tuple[float, float]]
"""Median seconds of a command by the words it begins with, in a project or anywhere (""), and the
spread of its logarithm. The longest beginning wins."""

LAWS: Laws = {
    ("", ""): (0.05, 0.4),
    ("make", ENGINE): (34.0, 0.25),
    ("make", TOOLS): (2.1, 0.2),
    ("make", SITE): (6.0, 0.3),
    ("make test", ENGINE): (52.0, 0.2),
    ("make clean", ENGINE): (0.4, 0.3),
    ("npm install", WEB): (41.0, 0.3),
    ("npm install", SITE): (4.2, 0.3),
    ("npm ci", WEB): (29.0, 0.2),
    ("npm test", WEB): (18.0, 0.25),
    ("npm test", SITE): (3.0, 0.2),
    ("npm run build", WEB): (24.0, 0.2),
    ("npm run build", SITE): (7.5, 0.2),
    ("npm run lint", WEB): (6.5, 0.2),
    ("npx tsc", WEB): (11.0, 0.2),
    ("pytest", TOOLS): (7.0, 0.2),
    ("pytest tests/test_cli.py", TOOLS): (1.6, 0.2),
    ("python", TOOLS): (0.6, 0.5),
    ("pip install", TOOLS): (12.0, 0.6),
    ("docker build", ENGINE): (96.0, 0.3),
    ("docker build", SITE): (15.0, 0.3),
    ("git push", ""): (2.4, 0.3),
    ("git pull", ""): (1.8, 0.3),
    ("git fetch", ""): (1.5, 0.3),
    ("git commit", ""): (0.3, 0.4),
    ("cargo", ENGINE): (21.0, 0.3),
    ("curl", ""): (0.7, 0.6),
    ("ssh", ""): (1.1, 0.3),
    ("rg", ""): (0.08, 0.4),
    ("find", ""): (0.3, 0.5),
}


@attrs.frozen
class Who:
    """Who asks for runs, by which frontend, and in which session of memory."""

    by: str
    origin: str
    session: str


AGENT = Who("agent", "agent", "agent-1")
"""An agent that works on all projects in one session."""
SECOND_AGENT = Who("agent", "agent", "agent-2")
EDITOR = Who("person", "editor", "editor-1")
TERMINAL = Who("person", "cli", "terminal-1")


class Day:
    """The runs so far and the time of day."""

    def __init__(self, seed: int = SEED, laws: Laws | None = None) -> None:
        self.runs: list[dict[str, object]] = []
        self._at = 8 * 3600.0
        self._rng = random.Random(seed)
        self._laws = LAWS if laws is None else laws
        self._is_edited = False

    def pause(self, median_s: float) -> None:
        """Time passes before the next run."""
        self._at += median_s * self._rng.lognormvariate(0, 0.5)

    def edit(self, median_s: float) -> None:
        """Files are changed before the next run."""
        self._is_edited = True
        self.pause(median_s)

    def run(
        self,
        who: Who,
        cwd: str,
        command: str,
        exit_status: int = 0,
        says: str = "",
        *,
        pipestatus: Sequence[int] | None = None,
        lasts_s: float | None = None,
        outcome: str | None = None,
        again: bool = False,
    ) -> None:
        """One run; `again` if a person pressed a key that runs the same once more."""
        self.pause(9.0 if who.by == "agent" else 25.0)
        drawn = self._duration_s(command, cwd)
        duration_s = round(drawn if lasts_s is None else lasts_s, 2)
        self.runs.append(
            {
                "run": len(self.runs) + 1,
                "at": round(self._at, 1),
                "by": who.by,
                "origin": who.origin,
                "session": who.session,
                "cwd": cwd,
                "command": command,
                "exit": exit_status if outcome is None else None,
                "pipestatus": list(pipestatus or ([exit_status] if outcome is None else [])),
                "outcome": outcome,
                "duration_s": duration_s,
                "says": says,
                "again": again,
                "edited": self._is_edited,
            }
        )
        self._is_edited = False
        self._at += duration_s

    def time_out(self, who: Who, cwd: str, command: str, limit_s: float, says: str = "") -> None:
        self.run(who, cwd, command, says=says, lasts_s=limit_s, outcome="TIMEOUT")

    def kill(self, who: Who, cwd: str, command: str, after_s: float, says: str = "") -> None:
        self.run(who, cwd, command, says=says, lasts_s=after_s, outcome="KILLED")

    def _duration_s(self, command: str, cwd: str) -> float:
        project = WEB if cwd.startswith(WORKTREE) else "/".join(cwd.split("/")[:2])
        fitting = [
            (len(start), place != "", law)
            for (start, place), law in self._laws.items()
            if command.startswith(start) and place in ("", project)
        ]
        median_s, spread = max(fitting)[2]
        return median_s * self._rng.lognormvariate(0, spread)

    # What people and agents do again and again.

    def look_around(self, who: Who, cwd: str, files: Sequence[str]) -> None:
        self.run(who, cwd, "git status --short", says=" M README.md")
        self.run(who, cwd, "ls", says="Makefile  README.md  src  tests")
        for file in files:
            self.run(who, cwd, f"sed -n 1,80p {file}", says="…")

    def search(self, who: Who, cwd: str, words: Sequence[str], found: Sequence[str]) -> None:
        for word in words:
            hit = word in found
            self.run(
                who, cwd, f"rg -n {word} src", 0 if hit else 1, f"src/a:1:{word}" if hit else ""
            )

    def commit(self, who: Who, cwd: str, message: str, branch: str, push_exit: int = 0) -> None:
        self.run(who, cwd, "git diff --stat", says=" 2 files changed, 14 insertions(+)")
        self.run(who, cwd, "git add -u")
        self.run(who, cwd, f"git commit -m '{message}'", says=f"[{branch} 1a2b3c4] {message}")
        rejected = " ! [rejected] (fetch first)"
        self.run(
            who, cwd, f"git push origin {branch}", push_exit, rejected if push_exit else "done"
        )

    def edit_and_test(
        self, who: Who, cwd: str, test: str, exits: Sequence[int], *, fails: str, passes: str
    ) -> None:
        for exit_status in exits:
            self.edit(40.0)
            self.run(who, cwd, test, exit_status, fails if exit_status else passes)


def morning(day: Day) -> None:
    day.run(TERMINAL, HOME, "cd work/web && git pull", says="Already up to date.")
    day.run(TERMINAL, WEB, "git log --oneline -5", says="1a2b3c4 Fix the login form")
    day.run(TERMINAL, WEB, "npm install", says="up to date, audited 912 packages")
    day.run(TERMINAL, WEB, "npm test", says="Tests: 212 passed, 212 total")
    day.run(TERMINAL, ENGINE, "git pull", says="Updating 77aa..88bb\n 6 files changed")
    day.run(TERMINAL, ENGINE, "make", 2, "engine.c:41:5: error: 'n' undeclared\nmake: *** Error 1")
    day.run(TERMINAL, TOOLS, "make", says="wheel built")
    day.run(TERMINAL, SITE, "make", says="42 pages written")

    day.look_around(AGENT, WEB, ("src/login.ts", "src/session.ts", "package.json"))
    day.search(AGENT, WEB, ("refreshToken", "logoutAll", "SessionStore"), ("refreshToken",))
    passes, fails = "Tests: 212 passed, 212 total", "Tests: 1 failed, 211 passed\n● login › keeps"
    day.edit_and_test(AGENT, WEB, "npm test", (1, 1, 1, 0), fails=fails, passes=passes)
    day.run(AGENT, WEB, "npx tsc --noEmit", 2, "src/login.ts(14,3): error TS2322: string")
    day.run(AGENT, WEB, "npx tsc --noEmit")
    day.run(AGENT, WEB, "npm run lint")
    day.run(AGENT, WEB, "npm run build", says="dist/ 412 kB")
    day.commit(AGENT, WEB, "Keep the session after login", "login")


def engine_work(day: Day) -> None:
    broken = "engine.c:41:5: error: 'n' undeclared\nmake: *** [engine.o] Error 1"
    day.look_around(AGENT, ENGINE, ("src/engine.c", "src/engine.h", "Makefile"))
    day.run(AGENT, ENGINE, "make", 2, broken)
    day.run(AGENT, ENGINE, "make 2>&1 | tail -5", 0, broken, pipestatus=(2, 0))
    day.search(AGENT, ENGINE, ("n_threads", "pool_size"), ("n_threads", "pool_size"))
    day.run(AGENT, ENGINE, "make 2>&1 | tail -5", 0, "cc -o engine", pipestatus=(0, 0))
    day.run(AGENT, ENGINE, "make test 2>&1 | tail -20", 0, "FAILED 3 of 140", pipestatus=(2, 0))
    day.run(AGENT, ENGINE, "make test 2>&1 | grep FAIL", 0, "FAIL pool_drain", pipestatus=(2, 0))
    day.edit_and_test(
        AGENT, ENGINE, "make test", (2, 2, 0), fails="FAIL pool_drain", passes="140 passed"
    )
    day.run(AGENT, ENGINE, "git diff | grep TODO", 1, pipestatus=(0, 1))
    day.run(AGENT, ENGINE, "diff src/engine.c /tmp/engine.c", 1, "41c41\n< n\n> n_threads")
    day.commit(AGENT, ENGINE, "Name the pool size", "main", push_exit=1)
    day.run(AGENT, ENGINE, "git pull --rebase", says="Successfully rebased")
    day.run(AGENT, ENGINE, "git push origin main", says="main -> main")

    hung = "starting pool …"
    for _ in range(2):
        day.time_out(AGENT, ENGINE, "./bench --threads 8", 120.0, hung)
    day.run(AGENT, ENGINE, "./bench --threads 2", says="14,201 ops/s", lasts_s=38.0)
    day.run(AGENT, ENGINE, "./bench --threads 4", says="21,870 ops/s", lasts_s=41.0)
    day.time_out(AGENT, ENGINE, "./bench --threads 8", 120.0, hung)
    day.run(AGENT, ENGINE, "gdb -batch -ex bt ./bench core", says="#0 pool_wait", lasts_s=3.0)
    day.run(AGENT, ENGINE, "./bench --threads 8", says="30,114 ops/s", lasts_s=44.0)
    day.run(AGENT, ENGINE, "./engine --selftest", 139, "")
    day.run(AGENT, ENGINE, "./engine --selftest", 139, "")
    day.run(AGENT, ENGINE, "make CFLAGS=-g", says="cc -g -o engine")
    day.run(AGENT, ENGINE, "./engine --selftest", 0, "ok")


def tools_work(day: Day) -> None:
    fails, passes = (
        "FAILED tests/test_cli.py::test_help - assert 1 == 0\n1 failed, 88 passed",
        "89 passed",
    )
    day.look_around(SECOND_AGENT, TOOLS, ("tools/cli.py", "tests/test_cli.py"))
    day.run(SECOND_AGENT, TOOLS, "python -m venv .venv", lasts_s=4.0)
    day.run(SECOND_AGENT, TOOLS, "pip install -e .", says="Successfully installed tools")
    day.edit_and_test(SECOND_AGENT, TOOLS, "pytest -q", (1, 1, 0), fails=fails, passes=passes)
    one = "pytest tests/test_cli.py -q"
    day.edit_and_test(SECOND_AGENT, TOOLS, one, (1, 0, 0, 0, 0), fails=fails, passes="12 passed")
    day.run(SECOND_AGENT, TOOLS, "pytest -q 2>&1 | tail -3", 0, fails, pipestatus=(1, 0))
    traceback = "Traceback (most recent call last):\nKeyError: 'name'"
    for _ in range(3):
        day.run(SECOND_AGENT, TOOLS, "python tools/cli.py list", 1, traceback)
    day.run(SECOND_AGENT, TOOLS, "python tools/cli.py list", 0, "alpha\nbeta")
    day.search(SECOND_AGENT, TOOLS, ("KeyError", "def main", "argparse"), ("def main", "argparse"))
    day.run(SECOND_AGENT, TOOLS, "ruff check .", says="All checks passed!")
    day.run(SECOND_AGENT, TOOLS, "mypy tools", 1, "tools/cli.py:7: error: Missing return")
    day.run(SECOND_AGENT, TOOLS, "mypy tools", 0, "Success: no issues found")
    day.commit(SECOND_AGENT, TOOLS, "List names that have none", "names")
    usage = "usage: cli.py [-h] {list,add}\ncli.py: error: unrecognized arguments: --jsn"
    day.run(SECOND_AGENT, TOOLS, "python tools/cli.py list --jsn", 2, usage)
    day.run(SECOND_AGENT, TOOLS, "python tools/cli.py list --json", 0, '["alpha"]')
    for seconds in (30, 30, 5, 2, 2, 60, 2):
        day.run(SECOND_AGENT, TOOLS, f"sleep {seconds}", lasts_s=float(seconds))


def site_work(day: Day) -> None:
    day.look_around(AGENT, SITE, ("src/index.md", "package.json"))
    day.run(AGENT, SITE, "npm install", says="added 41 packages")
    day.run(AGENT, SITE, "npm test", says="links: 42 ok")
    day.run(AGENT, SITE, "npm run build", 1, "Error: Cannot find module './nav'")
    day.run(AGENT, SITE, "npm run build", 1, "Error: Cannot find module './nav'")
    day.run(AGENT, SITE, "npm run build", says="built in 7.1s")
    day.run(AGENT, SITE, "make", says="42 pages written")
    day.run(AGENT, SITE, "curl -sf http://localhost:8000/health", 7)
    day.run(AGENT, SITE, "curl -sf http://localhost:8000/health", 7)
    day.run(AGENT, SITE, "curl -sf http://localhost:8000/health", says="ok")
    day.run(
        AGENT, SITE, "ssh web1 uptime", 255, "ssh: connect to host web1: timed out", lasts_s=10.0
    )
    day.run(
        AGENT, SITE, "ssh web1 uptime", 255, "ssh: connect to host web1: timed out", lasts_s=10.0
    )
    day.run(AGENT, SITE, "ssh web1 uptime", 0, " 11:02 up 41 days")
    day.run(AGENT, SITE, "ssh web1 systemctl is-active nginx", 3, "inactive")
    day.run(AGENT, SITE, "ssh web2 systemctl is-active nginx", 0, "active")
    day.run(AGENT, SITE, "ssh web2 uptime", 0, " 11:04 up 3 days")
    day.run(AGENT, SITE, "docker build -t site .", says="naming to docker.io/library/site")
    day.run(AGENT, SITE, "gti status", 127, "zsh: command not found: gti")
    day.run(AGENT, SITE, "git status --short", says="?? dist/")
    day.run(AGENT, SITE, "./deploy.sh", 126, "zsh: permission denied: ./deploy.sh")
    day.run(AGENT, SITE, "chmod +x deploy.sh")
    day.run(AGENT, SITE, "./deploy.sh", says="deployed", lasts_s=31.0)
    day.commit(AGENT, SITE, "Navigation as a module", "main")


def person_in_editor(day: Day) -> None:
    day.run(EDITOR, TOOLS, "source .venv/bin/activate; pytest -q", says="89 passed", lasts_s=7.4)
    for exit_status in (0, 0, 1, 1, 0):
        day.run(EDITOR, TOOLS, "pytest -q", exit_status, "89 passed", again=True)
    for name in ("alpha", "beta", "gamma"):
        day.run(EDITOR, TOOLS, f"python tools/cli.py add {name}", says=f"added {name}")
    day.run(EDITOR, TOOLS, "grep -c alpha names.txt", says="1")
    day.run(EDITOR, TOOLS, "grep -q delta names.txt", 1)
    day.run(EDITOR, TOOLS, "cat names.txt | grep delta | wc -l", says="0", pipestatus=(0, 1, 0))
    day.run(
        EDITOR,
        TOOLS,
        "set -o pipefail; cat names.txt | sort",
        1,
        "cat: names.txt",
        pipestatus=(1, 0),
    )
    day.run(EDITOR, TOOLS, "set -o pipefail; cat names.txt | sort", says="alpha\nbeta")
    day.run(EDITOR, TOOLS, "cmp a.bin b.bin", 1, "a.bin b.bin differ: byte 9")
    day.run(EDITOR, ENGINE, "make", says="cc -o engine")
    day.run(EDITOR, ENGINE, "make", says="make: Nothing to be done", again=True, lasts_s=0.3)
    day.run(EDITOR, ENGINE, "make clean")
    day.run(EDITOR, ENGINE, "make", says="cc -o engine")
    day.run(EDITOR, ENGINE, "docker build -t engine .", says="naming to docker.io/library/engine")
    day.run(EDITOR, ENGINE, "docker run --rm engine --selftest", says="ok", lasts_s=2.0)


def person_in_terminal(day: Day) -> None:
    for folder in (WEB, ENGINE, TOOLS, SITE):
        day.run(TERMINAL, folder, "git fetch", says="")
        day.run(TERMINAL, folder, "git status", says="Your branch is up to date.")
    day.run(TERMINAL, WORKTREE, "git checkout -b hotfix", says="Switched to a new branch")
    day.run(TERMINAL, WORKTREE, "npm ci", says="added 912 packages")
    day.run(TERMINAL, WORKTREE, "npm test", 1, "Tests: 2 failed, 210 passed")
    day.run(TERMINAL, WORKTREE, "npm test", 1, "Tests: 1 failed, 211 passed")
    day.run(TERMINAL, WORKTREE, "npm test", says="Tests: 212 passed")
    day.run(TERMINAL, WORKTREE, "git push origin hotfix", says="hotfix -> hotfix")
    day.run(TERMINAL, HOME, "tar xzvf engine.tgz", 2, "tar: engine.tgz: Cannot open")
    day.run(TERMINAL, HOME, "tar xzf work/engine.tgz", 2, "tar: work/engine.tgz: Cannot open")
    day.run(TERMINAL, HOME, "find work -name 'engine*.tgz'", says="")
    day.run(TERMINAL, HOME, "df -h .", says="/dev/sda1 200G 151G 41G 79% /")
    day.run(TERMINAL, HOME, "du -sh work | sort -h", says="4.1G work", pipestatus=(1, 0))
    day.run(TERMINAL, HOME, "yes | head -1", says="y", pipestatus=(141, 0))
    day.run(TERMINAL, HOME, "test -d work/engine.bak", 1)
    for file in ("notes.md", "todo.md", "letter.md"):
        day.run(TERMINAL, HOME, f"cat {file}", says="…")


def agent_rounds(day: Day) -> None:
    """The afternoon: small changes, each looked at, built, tested and committed."""
    topics = (
        (WEB, "npm test", "npm run lint", "src/form.ts", (1, 0)),
        (TOOLS, "pytest -q", "ruff check .", "tools/io.py", (0,)),
        (ENGINE, "make test", "make", "src/pool.c", (2, 0)),
        (WEB, "npm test", "npm run lint", "src/theme.ts", (0,)),
        (SITE, "npm test", "npm run build", "src/about.md", (0,)),
        (TOOLS, "pytest -q", "mypy tools", "tools/names.py", (1, 1, 0)),
        (ENGINE, "make test", "make", "src/queue.c", (0,)),
        (WEB, "npm test", "npx tsc --noEmit", "src/api.ts", (1, 1, 1, 1, 0)),
    )
    for number, (cwd, test, check, file, exits) in enumerate(topics, 1):
        who = AGENT if number % 2 else SECOND_AGENT
        day.pause(400.0)
        day.run(who, cwd, "git status --short", says="")
        day.run(who, cwd, f"cat {file}", says="…")
        day.search(who, cwd, (f"topic{number}", "deprecated"), (f"topic{number}",))
        day.run(who, cwd, f"sed -n 40,90p {file}", says="…")
        day.run(who, cwd, f"sed -i s/old/new/ {file}")
        day.edit_and_test(who, cwd, test, exits, fails="1 failed", passes="all passed")
        day.run(who, cwd, check, says="")
        day.run(who, cwd, f"wc -l {file}", says=f"120 {file}")
        day.commit(who, cwd, f"Topic {number}", f"topic-{number}")
        day.run(who, cwd, f"git log --oneline -{number}", says="1a2b3c4 Topic")


def afternoon(day: Day) -> None:
    agent_rounds(day)
    day.run(AGENT, WEB, "npm install left-pad", says="added 1 package")
    day.run(AGENT, WEB, "npm install lodash", says="added 1 package")
    day.run(AGENT, WEB, "npm install", says="up to date")
    day.run(AGENT, SITE, "npm install", says="up to date")
    day.run(AGENT, WEB, "npm run e2e", 1, "Error: browser not found", lasts_s=12.0)
    day.run(AGENT, WEB, "npx playwright install", lasts_s=64.0)
    day.time_out(AGENT, WEB, "npm run e2e", 120.0, "Running 31 tests …")
    day.run(AGENT, WEB, "npm run e2e", says="31 passed", lasts_s=109.0)
    day.run(AGENT, ENGINE, "docker build -t engine .", 1, "ERROR: failed to solve", lasts_s=9.0)
    day.run(AGENT, ENGINE, "docker build -t engine .", says="naming to engine")
    for name in ("a", "b", "c", "d"):
        day.run(
            AGENT,
            ENGINE,
            f"rg -l {name}_init src | xargs wc -l",
            says="40 total",
            pipestatus=(0, 0),
        )
    day.run(AGENT, ENGINE, "rg -l zz_init src | xargs -r wc -l", pipestatus=(1, 0))
    person_in_terminal(day)
    for exit_status in (1, 1, 0):
        day.run(TERMINAL, TOOLS, "make release", exit_status, "make: *** [release] Error 1")
    day.run(TERMINAL, ENGINE, "make release", says="engine-2.1.tgz", lasts_s=71.0)
    day.run(TERMINAL, SITE, "make release", says="uploaded", lasts_s=22.0)
    for _ in range(3):
        day.run(EDITOR, SITE, "npm run build", says="built", again=True)


def whole_day() -> Day:
    """The day from eight in the morning."""
    day = Day()
    for part in (morning, engine_work, tools_work, site_work, person_in_editor, afternoon):
        part(day)
    return day


def lines() -> Iterator[str]:
    """The day as JSON, one run a line."""
    for run in whole_day().runs:
        yield json.dumps(run, ensure_ascii=False)


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in lines())

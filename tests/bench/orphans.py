"""How long the processes of tasks live after their server went, for each way it can go.

They ignore TERM, leave their session, empty their environment, fork twice, or do all of it, and are
found in /proc by a token in their arguments. What ignores TERM is given 0.3 s of grace.

`python -m tests.bench orphans 5 chains`: of twenty chains that fork and end every 2 ms, without a cgroup.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.tasks.servers import ENDS, STUCK, End, serve
from tests.tasks.survivors import CHAINS

ROUNDS = 20
LIMIT_S = 60.0


def main(arguments: list[str]) -> int:
    rounds = int(arguments[0]) if arguments else ROUNDS
    is_chains = "chains" in arguments
    print(f"{'seconds until nothing was left':40}{'median':>8}{'p90':>8}{'most':>8}{'left':>6}")
    for how, end in {**ENDS, **STUCK}.items():
        taken_s = sorted(
            _once(end, is_chains) for _ in range(rounds if how in ENDS else max(1, rounds // 10))
        )
        left = taken_s.count(float("inf"))
        figures = (taken_s[len(taken_s) // 2], taken_s[int(0.9 * len(taken_s))], taken_s[-1])
        print(f"{how:40}" + "".join(f"{figure:8.2f}" for figure in figures) + f"{left:6}")
    return 0


def _once(end: End, is_chains: bool) -> float:
    with tempfile.TemporaryDirectory(prefix="zsh-ls-bench-", ignore_cleanup_errors=True) as folder:
        how, commands = (("no-cgroup",), [CHAINS]) if is_chains else ((), None)
        server = serve(Path(folder), *how, commands=commands)
        end(server)
        taken_s = server.seconds_until_nothing_is_left(LIMIT_S)
        server.forget()
        return taken_s

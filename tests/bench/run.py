"""`zsh/run` of `true` over stdio against a bare `zsh -fc true`, in the same rounds."""

from __future__ import annotations

import statistics
import subprocess

from tests.server.rpc import Peer

from ._peers import OURS, interleaved, own_home, table, timed

ROUNDS = 60


def main(arguments: list[str]) -> int:
    with own_home() as env:
        found = Peer(OURS, env)
        found.initialize()
        found.call("zsh/run", {"command": "true"})
        work = {
            "zsh/run true over stdio": lambda: timed(
                lambda: found.call("zsh/run", {"command": "true"})
            ),
            "zsh -fc true": lambda: timed(
                lambda: subprocess.run(["zsh", "-fc", "true"], stdin=subprocess.DEVNULL, check=True)
            ),
        }
        taken = interleaved(work, ROUNDS)
        found.end()
    table("a command that does nothing", taken, "ms")
    least = min(taken["zsh/run true over stdio"]) / min(taken["zsh -fc true"])
    said = statistics.quantiles(taken["zsh/run true over stdio"], n=20)[-1] * 1e3
    print(f"  least against least x{least:.2f}; p95 of zsh/run {said:.1f} ms")
    return 0

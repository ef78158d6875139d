"""What a session costs: a run that begins with 200 variables and 100 functions, over a run without one.

    python -m tests.bench sessions [ROUNDS]

Each round runs `true` once without a session and once in one, in turn, through the façade. Said are the
medians in milliseconds, their difference (SESS-1 allows 15), and what the shell said of reading its state.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from zsh_ls.model.requests import RunRequest
from zsh_ls.sidecar import Settings, Sidecar, SidecarOptions
from zsh_ls.sidecar.config import Places

ROUNDS = 60
# The runtime folder is in memory, as a login session's is.
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
FILL = """for i in {1..200}; do eval "name$i='value $i'"; done
body='local x=$1; for y in a b c; do echo "$x $y" | sed s/a/b/; done'
for i in {1..100}; do eval "work$i() { $body; }"; done
"""


def main(arguments: Sequence[str]) -> None:
    """Measure, and print a line for each shell."""
    asyncio.run(_measure(int(arguments[0]) if arguments else ROUNDS))


async def _measure(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory(dir=MEMORY) as run:
        home = Path(folder)
        places = Places(home / "alan.db", home / "outputs", Path(run))
        settings = Settings(manopt_enabled=False, environment_resolve=False)
        sidecar = await Sidecar.open(
            SidecarOptions(session="bench", workspace=folder, places=places, settings=settings)
        )
        for shell in ("zsh", "bash"):
            await _run(sidecar, FILL, shell, shell)
            without, within = [], []
            for _ in range(rounds):
                without.append(await _run(sidecar, "true", shell, None))
                within.append(await _run(sidecar, "true", shell, shell))
            [state] = (await sidecar.sessions("list", shell)).sessions
            bare, kept = statistics.median(without), statistics.median(within)
            least = min(within) - min(without)
            print(
                f"{shell:4}  without {bare:5.1f} ms  in a session {kept:5.1f} ms  "
                f"more {kept - bare:4.1f} ms (of the quickest {least:4.1f})  "
                f"read by the shell in {state.restored_ms} ms  "
                f"({state.variables} variables, {state.functions} functions)"
            )
        await sidecar.close()


async def _run(sidecar: Sidecar, command: str, shell: str, session: str | None) -> float:
    """The milliseconds until the answer."""
    request = RunRequest(command=command, shell=shell, session=session, yield_after=60)
    begin = time.perf_counter()
    result = await sidecar.run(request)
    took = (time.perf_counter() - begin) * 1000
    assert result.exit == 0, result.output
    return took

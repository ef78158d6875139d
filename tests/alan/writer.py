"""A process that records runs as fast as it can and prints each one that is stored.

`python -m tests.alan.writer DATABASE NAME SECONDS`: a line on standard output
for each acknowledged record; errors end it with a traceback.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from tests.alan.world import execution
from zsh_ls.alan.store.fallback_store import FallbackStore
from zsh_ls.alan.store.store import Store
from zsh_ls.model.clock import SystemClock


def main(path: Path, name: str, seconds: float) -> None:
    fallback = FallbackStore(path, Store, SystemClock())
    until = time.monotonic() + seconds
    run = 0
    while time.monotonic() < until:
        command = f"build {name}" if run % 2 else f"cat {run} | grep x"
        pipestatus = (0, 0) if "|" in command else None
        fallback.record(
            execution(command, at=time.time(), session=name, pipestatus=pipestatus, lasted=0.0)
        )
        run += 1
        if fallback.in_memory:
            raise SystemExit(fallback.problem)
        os.write(1, b"%d\n" % run)
    fallback.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]))

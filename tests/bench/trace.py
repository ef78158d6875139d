"""What tracing costs: scripts through the engine, traced against untraced, in the same rounds.

`python -m tests.bench trace`: a script such as people write (programs, loops, functions), and ten
thousand lists that do nothing, in zsh and in bash. A ratio is of the least times.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from tests.tasks.conftest import request_for
from zsh_ls.model.clock import SystemClock
from zsh_ls.model.requests import RunnableScript
from zsh_ls.shell.syntax.dialect import SHELLS
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.tracing.timeline import Tracing
from zsh_ls.shell.tracing.traceable import needs_a_full_trap
from zsh_ls.tasks import Engine

from ._peers import table

ROUNDS = 7
REALISTIC = """\
count() {
  local total=0 file
  for file in "$@"; do
    total=$((total + $(wc -l <"$file")))
  done
  echo "$total"
}
work=$(mktemp -d)
for name in one two three four five six seven eight; do
  seq 2000 | sed "s/^/$name /" >"$work/$name"
  if grep -q "$name 77" "$work/$name"; then
    sort -r "$work/$name" | head -n 100 >"$work/$name.sorted"
  fi
done
count "$work"/*.sorted
gzip -9 "$work"/one "$work"/two
find "$work" -type f | sort | xargs cksum | awk '{ sum += $1 } END { print (sum > 0) }'
rm -r "$work"
"""
CHEAP = "for ((i = 0; i < 10000; i++)); do\n  :\ndone\n"
NO_LONGER_THAN = {"zsh": (1.15, 5), "bash": (1.15, 10)}


async def seconds(engine: Engine, shell: str, text: str, *, traces: bool) -> float:
    subshells = needs_a_full_trap(parse(text, SHELLS[shell]))
    script = RunnableScript(text, traces=traces, traces_subshells=subshells)
    task = await engine.start(request_for("x", shell, script=script))
    began = time.perf_counter()
    await task.wait_end()
    took = time.perf_counter() - began
    if task.trace is not None and task.script_file is not None:
        tracing = Tracing(parse(text, SHELLS[shell]), task.script_file)
        while (lines := task.trace.new_lines()) is not None:
            tracing.feed(lines)
        assert tracing.lines()
    return took


async def measure(engine: Engine, shell: str, name: str, text: str) -> None:
    rounds = [
        (
            await seconds(engine, shell, text, traces=False),
            await seconds(engine, shell, text, traces=True),
        )
        for _ in range(ROUNDS)
    ]
    columns = [list(column) for column in zip(*rounds, strict=True)]
    table(f"{shell}, {name}", {"traced": columns[1], "untraced": columns[0]}, "ms")
    plain, traced = map(min, columns)
    print(
        f"{shell:<5} {name:<20} {plain * 1e3:7.1f} ms, traced {traced * 1e3:7.1f} ms:"
        f" x{traced / plain:.2f} (to reach: x{NO_LONGER_THAN[shell][text is CHEAP]})"
    )


async def all_of_it() -> None:
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(clock=SystemClock(), spool_root=Path(folder) / "outputs")
        for shell in ("zsh", "bash"):
            await measure(engine, shell, "a realistic script", REALISTIC)
            await measure(engine, shell, "10,000 cheap lists", CHEAP)
        await engine.close()


def main(arguments: list[str]) -> int:
    asyncio.run(all_of_it())
    return 0

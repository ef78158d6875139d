"""The figures of speed in one table, beside peers and lower bounds: `python -m tests.bench all`.

Each is measured in turns with what it is compared to, so that a ratio is of one run; what a peer is and where
it comes from is said in the benchmark's own docstring. Parts are named by words: `all run check`. Rows are
printed as docs/performance.md keeps them, and `all --keep` puts them in the place of the table there.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import platform
import re
import statistics
import sys
import time
from collections.abc import Sequence

from tests.server.rpc import ROOT

from ._peers import Measured, measured

PAGE = ROOT / "docs" / "performance.md"
# The line with the date, and the table below it.
_KEPT = re.compile(r"^\d{4}-\d{2}-\d{2}, .*\n\n(?:\|.*\n)+", re.MULTILINE)
PARTS: dict[str, tuple[str, ...]] = {
    "start": ("server", "start"),
    "commands": ("start",),
    "findings": ("server", "findings"),
    "trips": ("server", "trips"),
    "edits": ("server", "edits"),
    "answers": ("editing",),
    "run": ("run",),
    "waits": ("server", "waits"),
    "output": ("output",),
    "trace": ("trace",),
    "store": ("store", "1000000"),
    "memory": ("server", "memory"),
    "idle": ("server", "idle"),
    "parse": ("parse",),
    "check": ("check",),
    "script": ("script",),
}


def main(arguments: Sequence[str]) -> int:
    """Measure the parts, and print the table."""
    keep, arguments = "--keep" in arguments, [name for name in arguments if name != "--keep"]
    began_with = os.getloadavg()[0]
    unknown = [name for name in arguments if name not in PARTS]
    if unknown:
        print(f"no part is called {unknown[0]}: there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    for name in arguments or PARTS:
        module, *words = PARTS[name]
        print(f"measuring {name}", file=sys.stderr, flush=True)
        before = dict(os.environ)
        # Its own table is of one part; here are all of them together.
        with contextlib.redirect_stdout(io.StringIO()):
            importlib.import_module(f"tests.bench.{module}").main(words)
        # Some of them work in a home of their own.
        os.environ.clear()
        os.environ.update(before)
    table = as_markdown(measured, began_with)
    print(table)
    if keep:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(_KEPT.sub(lambda _: f"{table}\n", page, count=1), encoding="utf-8")
    return 0


def as_markdown(tables: Sequence[Measured], began_with: float) -> str:
    """One table: least, median and 95% of each, and what multiple of the last of its kind its least is.

    `began_with` is the load before the first was measured; the benchmarks make some themselves.
    """
    where = f"{os.cpu_count()} processors, Python {platform.python_version()}"
    lines = [
        f"{time.strftime('%Y-%m-%d')}, {where}, load {began_with:.1f} before the first part.",
        "",
        "| what | which | least | median | 95% | ratio of the least |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for one in tables:
        title = one.title
        *_, base = one.taken.values()
        for name, values in one.taken.items():
            least, usual = min(values), statistics.median(values)
            high = sorted(values)[min(len(values) - 1, len(values) * 19 // 20)]
            times = " | ".join(
                f"{it * one.scale:.2f} {one.unit}".strip() for it in (least, usual, high)
            )
            ratio = f"{least / min(base):.2f}" if len(one.taken) > 1 and min(base) else ""
            lines.append(f"| {title} | {name} | {times} | {ratio} |")
            title = ""
    return "\n".join(lines)

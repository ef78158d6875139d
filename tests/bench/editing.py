"""Completion and hover on 5,000 lines, through the façade: milliseconds at the median and at p95.

Each completion follows an edit, as when somebody types; `after an edit` are
hovers whose text has to be read again first.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import quantiles

from zsh_ls.model.span import Span
from zsh_ls.sidecar import Settings, Sidecar, SidecarOptions
from zsh_ls.sidecar.config import Places
from zsh_ls.sidecar.editor.types import Edit

from ._peers import table

FUNCTIONS = Path("/usr/share/zsh/functions/Completion")
LINES = 5_000
ROUNDS = 40
SEED = 20261121
URI = "file:///tmp/long.zsh"
WRITTEN = {
    "flag": "git push --fo",
    "command": "pri",
    "parameter": "echo $HO",
    "option": "setopt ext",
    "sub-command": "git pu",
}


def script() -> str:
    """Functions of zsh's own completion system, one behind the other."""
    text = ""
    for path in sorted(FUNCTIONS.rglob("_*")):
        text += path.read_text(encoding="utf-8", errors="replace")
        if text.count("\n") >= LINES:
            break
    return text


async def timed(what: Callable[[], Awaitable[object]]) -> float:
    """Milliseconds."""
    start = time.perf_counter()
    await what()
    return 1000 * (time.perf_counter() - start)


def say(name: str, times_ms: list[float]) -> None:
    table(f"{name}, 5,000 lines", {"zsh-ls": [it / 1000 for it in times_ms]}, "ms")
    cuts = quantiles(times_ms, n=20)
    print(f"{name:28} median {cuts[9]:7.1f} ms   p95 {cuts[18]:7.1f} ms")


async def measure(sidecar: Sidecar, text: str) -> None:
    draw, version = random.Random(SEED), 1
    sidecar.open_document(URI, text, "zsh", version)
    await sidecar.insights_for(URI)
    ends = [at + 1 for at, letter in enumerate(text) if letter == "\n"]
    for name, written in WRITTEN.items():
        times_ms = []
        for _ in range(ROUNDS):
            at, version = draw.choice(ends), version + 2
            sidecar.edit_document(URI, [Edit(Span(at, at), written + "\n")], version - 1)
            place = at + len(written)
            times_ms.append(await timed(lambda place=place: sidecar.completions(URI, place)))
            sidecar.edit_document(URI, [Edit(Span(at, place + 1), "")], version)
        say(f"completion of a {name}", times_ms)
    for name, edits in (("hover", False), ("hover after an edit", True)):
        times_ms = []
        for _ in range(ROUNDS):
            if edits:
                version += 1
                sidecar.edit_document(URI, [Edit(Span(0, 0), "\n")], version)
            place = draw.randrange(len(text))
            times_ms.append(await timed(lambda place=place: sidecar.hover(URI, place)))
        say(name, times_ms)


async def run() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        places = Places(home / "alan.db", home / "outputs", home / "run")
        options = SidecarOptions("bench", workspace=folder, places=places, settings=Settings())
        sidecar = await Sidecar.open(options)
        try:
            await measure(sidecar, script())
        finally:
            await sidecar.close()


def main(arguments: list[str] | None = None) -> None:
    argparse.ArgumentParser(description=__doc__).parse_args(arguments)
    asyncio.run(run())

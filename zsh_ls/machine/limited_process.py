"""Work on a text in a process of its own, which the kernel ends when it takes too much.

The process is this program once more, told to call one function with one text and do nothing
else: no start-up file, no folder of the user's on its path, no more processor time and memory
than it is allowed. Nothing of it outlives that.
"""

from __future__ import annotations

import asyncio
import math
import os
import resource
import sys
from collections.abc import Sequence
from importlib import import_module

from zsh_ls.system import programs

MOST_MEMORY_BYTES = 2 << 30
_BEGIN = (
    "import sys; sys.path[:] = {path!r}; from zsh_ls.machine.limited_process import main; main()"
)
_GAVE_UP = 3


async def completes(
    function: str, text: str, arguments: Sequence[str], *, warm_up: str, allowed_s: int
) -> bool:
    """Whether `function` ("package.module:name") comes to an end with `text` within the limits.

    It is called as `function(text, *arguments)`. `allowed_s` are seconds of processor time; what a
    first call with `warm_up` takes, imports above all, does not count. True where no process could
    find out.
    """
    path = [folder for folder in sys.path if os.path.isabs(folder)]
    given = [_BEGIN.format(path=path), function, str(allowed_s), warm_up, *arguments]
    process = await programs.start(
        [sys.executable, "-IS", "-c", *given],
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await process.communicate(await asyncio.to_thread(text.encode, "utf-8", "replace"))
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    was_ended_by_kernel = process.returncode is not None and process.returncode < 0
    return process.returncode != _GAVE_UP and not was_ended_by_kernel


def main() -> None:
    """What the process does: read the text from standard input, set the limits, call the function."""
    target, seconds, warm_up, *arguments = sys.argv[1:]
    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    module, _, name = target.partition(":")
    function = getattr(import_module(module), name)
    function(warm_up, *arguments)
    allowed_s = math.ceil(sum(os.times()[:2])) + int(seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (allowed_s, allowed_s + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        function(text, *arguments)
    except (MemoryError, RecursionError):
        sys.exit(_GAVE_UP)

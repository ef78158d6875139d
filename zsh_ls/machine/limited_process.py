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
    try:
        exit_status, _ = await _run(function, text, arguments, warm_up=warm_up, allowed_s=allowed_s)
    except OSError:
        return True
    return exit_status >= 0 and exit_status != _GAVE_UP


async def result_of(
    function: str, text: str, arguments: Sequence[str] = (), *, warm_up: str, allowed_s: int
) -> bytes | None:
    """The string that `function` gives for `text`, in UTF-8; None where it cannot be had so.

    The arguments are those of `completes`. Raises OSError where no process can be started.
    """
    exit_status, printed = await _run(
        function, text, arguments, warm_up=warm_up, allowed_s=allowed_s
    )
    return printed if exit_status == 0 else None


async def _run(
    function: str, text: str, arguments: Sequence[str], *, warm_up: str, allowed_s: int
) -> tuple[int, bytes]:
    """The exit status of the process, negative where a signal ended it, and what it printed."""
    path = [folder for folder in sys.path if os.path.isabs(folder)]
    given = [_BEGIN.format(path=path), function, str(allowed_s), warm_up, *arguments]
    process = await programs.start(
        [sys.executable, "-IS", "-c", *given],
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        encoded = await asyncio.to_thread(text.encode, "utf-8", "replace")
        printed, _ = await process.communicate(encoded)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return process.returncode, printed


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
        made = function(text, *arguments)
    except (MemoryError, RecursionError):
        sys.exit(_GAVE_UP)
    if isinstance(made, str):
        sys.stdout.buffer.write(made.encode())

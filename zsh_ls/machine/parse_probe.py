"""Whether a long text can be read without holding up everybody: tried out in a process of its own.

Some texts cost out of all proportion: a construct over and over, nested or never closed. The process
is this program once more, told to read one text and do nothing else: no start-up file, no folder of
the user's on its path, no more processor time and memory than a text of that length may take. The
kernel ends what takes more, and nothing of it outlives that.
"""

from __future__ import annotations

import asyncio
import math
import os
import resource
import sys

from zsh_ls.model.syntax import Dialect
from zsh_ls.system import programs

# What an ordinary script takes on a slow machine, several times over; seconds of processor time.
ALLOWED_S = 5
ALLOWED_S_EACH_MB = 2
MOST_MEMORY_BYTES = 2 << 30
_BEGIN = "import sys; sys.path[:] = {path!r}; from zsh_ls.machine.parse_probe import main; main()"
_GAVE_UP = 3


async def is_readable(text: str, dialect: Dialect) -> bool:
    """Whether `text` can be read at an ordinary cost; yes where that cannot be found out."""
    path = [folder for folder in sys.path if os.path.isabs(folder)]
    told = [_BEGIN.format(path=path), dialect.value, str(allowed_s(len(text)))]
    process = await programs.start(
        [sys.executable, "-IS", "-c", *told],
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
    return process.returncode != _GAVE_UP and not _was_ended(process.returncode)


def _was_ended(status: int | None) -> bool:
    """Whether a signal ended the process: the kernel's, when its time was up."""
    return status is not None and status < 0


def allowed_s(length: int) -> int:
    """Processor time that a text of so many characters may take."""
    return ALLOWED_S + round(ALLOWED_S_EACH_MB * length / 1_000_000)


def main() -> None:
    """The process: read standard input as the server would, within the limits."""
    dialect, seconds = Dialect(sys.argv[1]), int(sys.argv[2])
    text = sys.stdin.buffer.read().decode("utf-8", "replace")
    from zsh_ls.insights import static_of  # noqa: PLC0415  before the time counts
    from zsh_ls.shell.syntax.parser import parse  # noqa: PLC0415

    static_of(parse("true | true", dialect))
    used_s = math.ceil(sum(os.times()[:2]))
    resource.setrlimit(resource.RLIMIT_CPU, (used_s + seconds, used_s + seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY_BYTES, MOST_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        _read(text, dialect)
    except (MemoryError, RecursionError):
        sys.exit(_GAVE_UP)


def _read(text: str, dialect: Dialect) -> None:
    """All that editors ask of every open document."""
    from zsh_ls.insights import static_of  # noqa: PLC0415
    from zsh_ls.shell.ide.folding import folds  # noqa: PLC0415
    from zsh_ls.shell.ide.runnable import runnable_lines  # noqa: PLC0415
    from zsh_ls.shell.ide.semantic_tokens import Around, tokens  # noqa: PLC0415
    from zsh_ls.shell.symbols.collect import names_of  # noqa: PLC0415
    from zsh_ls.shell.symbols.outline import outline  # noqa: PLC0415
    from zsh_ls.shell.syntax.lines import LineIndex  # noqa: PLC0415
    from zsh_ls.shell.syntax.parser import parse  # noqa: PLC0415

    script = parse(text, dialect)
    names = names_of(script)
    static_of(script)
    list(runnable_lines(script))
    outline(names)
    list(tokens(names, Around(frozenset(), frozenset(), frozenset(), is_complete=False)))
    list(folds(script, LineIndex(text)))

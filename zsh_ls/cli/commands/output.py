"""Print the whole output of a past run.

Without a TASK, of the last one of this workspace that ended. Of a detached run what there is so far.

    zsh-ls output                    everything, as a terminal would show it
    zsh-ls output --lines 100:200    from line 100 to line 200, both included
    zsh-ls output 3f9a01bc --raw     the very bytes
"""

from __future__ import annotations

import argparse
import base64
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zsh_ls.sidecar import Sidecar
    from zsh_ls.sidecar.remote.neighbours import SharedTasks


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls output` takes."""
    parser.add_argument(
        "task", nargs="?", metavar="TASK", help="a task id, as the status line shows it"
    )
    parser.add_argument(
        "--lines", type=_range, metavar="A:B", help="lines A to B, 1-based; either may be left out"
    )
    parser.add_argument(
        "--raw", action="store_true", help="the bytes as they came, escape codes and all"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the output page by page, so that a GiB needs no GiB of memory."""
    from zsh_ls.cli.servers import may_have_detached
    from zsh_ls.cli.session import with_sidecar

    async def printed(sidecar: Sidecar) -> int:
        if arguments.task is None or not may_have_detached():
            return await _print(sidecar, arguments)
        from zsh_ls.sidecar.remote.neighbours import with_detached

        tasks = with_detached(sidecar)
        try:
            return await _print(tasks, arguments)
        finally:
            await tasks.close()

    return with_sidecar(printed)


async def _print(sidecar: Sidecar | SharedTasks, arguments: argparse.Namespace) -> int:
    from zsh_ls.model.requests import OutputRequest

    task_id = arguments.task
    first, last = arguments.lines or (None, None)
    while True:
        page = await sidecar.output(OutputRequest(task_id, first, last, arguments.raw))
        if arguments.raw:
            sys.stdout.buffer.write(base64.b64decode(page.output))
        else:
            sys.stdout.write(page.output)
        sys.stdout.flush()
        if page.gap is not None:
            missing = page.gap.to_byte - page.gap.from_byte
            print(f"zsh-ls: {missing} bytes in the middle were not kept", file=sys.stderr)
        if not page.more or page.to_line is None:
            return 0
        # The task by its id: "the last one" may be another by now.
        task_id, first = page.task_id, page.to_line + 1


def _range(text: str) -> tuple[int | None, int | None]:
    first, colon, last = text.partition(":")
    try:
        low, high = (int(part) if part else None for part in (first, last if colon else first))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected A:B, two line numbers, got {text!r}") from None
    if any(number is not None and number < 1 for number in (low, high)):
        raise argparse.ArgumentTypeError("lines are counted from 1")
    return low, high

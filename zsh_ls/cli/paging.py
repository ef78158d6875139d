"""`zsh-ls output`: prints a kept output, page by page."""

from __future__ import annotations

import argparse
import base64
import sys

from zsh_ls.model.requests import OutputRequest
from zsh_ls.model.results import OutputPage
from zsh_ls.sidecar import Sidecar


async def print_output(sidecar: Sidecar, arguments: argparse.Namespace) -> int:
    """Print the pages of a kept output to standard output."""
    first, last = arguments.lines or (None, None)
    while True:
        page = await sidecar.output(OutputRequest(arguments.task, first, last, arguments.raw))
        _write(page, raw=arguments.raw)
        if page.gap is not None:
            missing = page.gap.to_byte - page.gap.from_byte
            print(f"zsh-ls: {missing} bytes in the middle were not kept", file=sys.stderr)
        if not page.more or page.to_line is None:
            return 0
        arguments.task, first = page.task_id, page.to_line + 1


def _write(page: OutputPage, *, raw: bool) -> None:
    if raw:
        sys.stdout.buffer.write(base64.b64decode(page.output))
    else:
        sys.stdout.write(page.output)
    sys.stdout.flush()

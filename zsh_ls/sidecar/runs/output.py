"""Kept output by line range, of this process's tasks or of another's of the same user (RUN-8)."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping

from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.requests import OutputRequest
from zsh_ls.model.results import Gap, OutputPage
from zsh_ls.shell.template.identity import shown_command
from zsh_ls.sidecar.config import SidecarOptions
from zsh_ls.tasks import Output, StoredOutput, past_output

from .run import Run
from .view import MESSAGE_BYTES

RAW_BYTES = MESSAGE_BYTES // 4 * 3  # what base64 makes MESSAGE_BYTES of


async def stored_output(
    request: OutputRequest, own: Mapping[str, Run], options: SidecarOptions
) -> OutputPage:
    """The lines asked for; without a task, of the last one of this workspace that ended."""
    _check(request)
    run = own.get(request.task_id) if request.task_id else _last_ended(own)
    if run is not None:
        return await asyncio.to_thread(
            _page, request, run.task.task_id, run.told_command, run.task.output
        )
    return await asyncio.to_thread(_from_disk, request, options)


def _check(request: OutputRequest) -> None:
    for name, line in (("from_line", request.from_line), ("to_line", request.to_line)):
        if line is not None and line < 1:
            raise InvalidRequest(f"{name}: lines are counted from 1, got {line}")


def _last_ended(own: Mapping[str, Run]) -> Run | None:
    ended = [run for run in own.values() if run.judged.is_set()]
    return max(ended, key=lambda run: run.task.started_at + run.task.elapsed_s, default=None)


def _from_disk(request: OutputRequest, options: SidecarOptions) -> OutputPage:
    workspace = options.workspace if request.task_id is None else None
    kept = past_output(options.places.outputs, request.task_id, workspace=workspace)
    if kept is None:
        if request.task_id is not None:
            raise InvalidRequest(f"Unknown task: {request.task_id}")
        raise InvalidRequest("task_id: no task of this workspace has ended yet; name one")
    return _page_of_kept(request, kept)


def _page_of_kept(request: OutputRequest, kept: StoredOutput) -> OutputPage:
    try:
        # An earlier release may have written it down as it was typed.
        return _page(request, kept.task.task_id, shown_command(kept.task.label), kept.output)
    finally:
        kept.close()


def _page(request: OutputRequest, task_id: str, command: str, output: Output) -> OutputPage:
    page = output.lines(
        request.from_line, request.to_line, RAW_BYTES if request.raw else MESSAGE_BYTES
    )
    text, more = page.text, page.more
    if request.raw:
        text = _raw(output, page.from_line, page.to_line)
        # Raw lines are whole, however long.
        more = more and page.to_line != min(page.total_lines, request.to_line or page.total_lines)
    return OutputPage(
        task_id=task_id,
        command=command,
        output=text,
        from_line=page.from_line,
        to_line=page.to_line,
        total_lines=page.total_lines,
        total_bytes=output.size_bytes,
        more=True if more else None,
        gap=Gap(page.gap.from_byte, page.gap.to_byte) if page.gap else None,
    )


def _raw(output: Output, from_line: int | None, to_line: int | None) -> str:
    if from_line is None or to_line is None:
        return ""
    start, end = output.bytes_of_lines(from_line, to_line)
    return base64.b64encode(output.read(start, end)).decode("ascii")

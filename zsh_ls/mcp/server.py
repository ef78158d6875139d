"""The SDK's server with our tools: what is listed, how a call is answered, how progress is reported."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from zsh_ls import __version__
from zsh_ls.model.errors import InvalidRequest, SidecarError, refused_by_system
from zsh_ls.model.results import Progress
from zsh_ls.sidecar.params import MISFITS, params_of, problems
from zsh_ls.sidecar.redact import redacted, redacted_beside_the_loop
from zsh_ls.sidecar.remote.failover import FailoverClient
from zsh_ls.sidecar.to_json import to_json

from .opening import INSTRUCTIONS
from .paging import Waiting, clipped
from .schema import fields_described, schema_of
from .structured import structured
from .tool import Tell, Tool, ToolCall
from .tools import all_tools

Context = ServerRequestContext[Any, Any]
MOST_OF_AN_ERROR = 4_000
# Where Claude Code reads how long an answer may be, whatever its own limit is; every agent reads all of it.
LIMIT_OF_A_PAGE: dict[str, Any] = {"anthropic/maxResultSizeChars": 48_000}
ANSWER_IN_PAGES = frozenset({"zsh", "zsh_ask", "zsh_check", "zsh_output", "zsh_poll", "zsh_send"})


class Agents:
    """The MCP frontend: one sidecar, one client, the tools between them."""

    def __init__(self, sidecar: FailoverClient, shell: str | None = None) -> None:
        self._sidecar = sidecar
        self._shell = shell
        self._waiting = Waiting()
        self._tools = all_tools()
        self._reports: set[asyncio.Task[None]] = set()

    def server(self) -> Server[Any]:
        """The SDK's server, to be run on a transport."""
        return Server(
            "zsh-ls",
            version=__version__,
            title="zsh-ls",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    async def _list(self, _: Context, __: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[declared(tool) for tool in self._tools.values()])

    async def _call(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = self._tools.get(params.name)
        if tool is None:
            return error_result(f"Unknown tool: {params.name}; there are {', '.join(self._tools)}")
        tell = self._tell(context)
        report = None if tell is None else partial(_report, tell)
        call = ToolCall(self._sidecar, report, self._shell, self._waiting, tell)
        return await call_result(tool, params.arguments or {}, call)

    def _tell(self, context: Context) -> Tell | None:
        """Where progress of this request goes; None where its client asked for none."""
        if not context.meta or "progress_token" not in context.meta:
            return None

        def tell(elapsed_s: float, line: str) -> None:
            job = asyncio.ensure_future(context.session.report_progress(elapsed_s, None, line))
            self._reports.add(job)  # the loop itself would not keep it alive
            job.add_done_callback(self._reports.discard)

        return tell


def _report(tell: Tell, progress: Progress) -> None:
    tell(progress.elapsed_seconds, progress_line(progress))


def declared(tool: Tool) -> types.Tool:
    """A tool as agents see it."""
    described = fields_described(tool.Arguments.__doc__ or "")
    return types.Tool(
        name=tool.NAME,
        description=tool.DESCRIPTION,
        input_schema=schema_of(tool.Arguments, described),
        # The schemas of results are 26 kB, which every agent would read before its first call.
        output_schema={"type": "object"},
        # What is left out is the protocol's default; every agent reads all of this.
        annotations=types.ToolAnnotations(
            title=tool.TITLE,
            read_only_hint=tool.READ_ONLY or None,
            destructive_hint=None if tool.READ_ONLY else tool.DESTRUCTIVE,
        ),
        _meta=LIMIT_OF_A_PAGE if tool.NAME in ANSWER_IN_PAGES else None,
    )


async def call_result(tool: Tool, given: object, call: ToolCall) -> types.CallToolResult:
    """The result of a tool, without secrets; errors are results with `is_error`."""
    try:
        try:
            arguments: Any = params_of(tool.Arguments, given)
        except MISFITS as wrong:
            reason = problems(wrong, is_ours=True).replace("params.", "")
            raise InvalidRequest(reason) from None
        answer = await tool.answer(call, arguments)
    except SidecarError as fault:
        return error_result(str(fault))
    except Exception as fault:
        if (refused := refused_by_system(fault)) is None:
            raise
        return error_result(str(refused))
    shown = {"text": answer.text, "result": structured(answer.result)}
    masked = await redacted_beside_the_loop(shown)
    annotations = None
    if answer.annotations is not None:
        annotations = types.Annotations.model_validate(to_json(answer.annotations))
    content = types.TextContent(type="text", text=masked["text"], annotations=annotations)
    return types.CallToolResult(
        content=[content], structured_content=masked["result"], is_error=False
    )


def error_result(reason: str) -> types.CallToolResult:
    """A result that is an error with this text, which may hold what its caller sent."""
    content = types.TextContent(type="text", text=redacted(clipped(reason, MOST_OF_AN_ERROR)))
    return types.CallToolResult(content=[content], is_error=True)


def progress_line(progress: Progress) -> str:
    """One line: how far the task is, how many such runs have ended by now, and what it printed last."""
    estimate = progress.poll_meta.alan_estimate if progress.poll_meta else None
    ended = (
        f"{estimate.completion_probability:.0%} of such runs have ended by now" if estimate else ""
    )
    last = progress.output.rstrip("\n").rpartition("\n")[2]
    return " · ".join(filter(None, [f"{progress.elapsed_seconds:.0f}s", ended, last]))

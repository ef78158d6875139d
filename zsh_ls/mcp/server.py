"""The SDK's server with our tools: what is listed, what a call does, how progress travels."""

from __future__ import annotations

import asyncio
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from zsh_ls import __version__
from zsh_ls.model.results import Progress
from zsh_ls.sidecar.remote.failover import FailoverClient

from .calls import answered, refused
from .following import said
from .schema import fields_described, schema_of
from .tool import Report, Tool, ToolCall
from .tools import all_tools

Context = ServerRequestContext[Any, Any]
INSTRUCTIONS = (
    "zsh-ls runs commands, remembers how they went and says what their exits meant. Run with zsh; "
    "what takes longer is waited for with zsh_poll until=end, not by repeated polls. Exit statuses "
    "behind pipes are in pipestatus. Test failure output is never truncated; everything that was "
    "ever printed is in zsh_output."
)


class Agents:
    """The MCP frontend: one sidecar, one client, the tools between them."""

    def __init__(self, sidecar: FailoverClient) -> None:
        self._sidecar = sidecar
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
            return refused(f"Unknown tool: {params.name}; there are {', '.join(self._tools)}")
        call = ToolCall(self._sidecar, self._report(context))
        return await answered(tool, params.arguments or {}, call)

    def _report(self, context: Context) -> Report | None:
        """Where progress of this request goes; None where its client asked for none."""
        if not context.meta or "progress_token" not in context.meta:
            return None

        def report(news: Progress) -> None:
            job = asyncio.ensure_future(
                context.session.report_progress(news.elapsed_seconds, None, said(news))
            )
            self._reports.add(job)
            job.add_done_callback(self._reports.discard)

        return report


def declared(tool: Tool) -> types.Tool:
    """A tool as agents see it."""
    described = fields_described(tool.Arguments.__doc__ or "")
    return types.Tool(
        name=tool.NAME,
        title=tool.TITLE,
        description=tool.DESCRIPTION,
        input_schema=schema_of(tool.Arguments, described),
        output_schema=schema_of(tool.RESULT),
        annotations=types.ToolAnnotations(
            title=tool.TITLE,
            read_only_hint=tool.READ_ONLY,
            destructive_hint=tool.DESTRUCTIVE,
            open_world_hint=not tool.READ_ONLY,
        ),
    )

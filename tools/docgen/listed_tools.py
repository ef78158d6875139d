"""What `zsh-ls mcp` answers to `tools/list`: written beforehand, so that no client waits for the SDK."""

from __future__ import annotations

import json

import mcp_types as types
from mcp_types.methods import serialize_server_result

from zsh_ls.mcp.opening import VERSIONS
from zsh_ls.mcp.server import declared
from zsh_ls.mcp.tools import all_tools


def document() -> str:
    """The result, one tool a line; it is the same in each version that is opened by `initialize`."""
    listed = types.ListToolsResult(tools=[declared(tool) for tool in all_tools().values()])
    fields = listed.model_dump(mode="json", by_alias=True, exclude_none=True)
    tools = serialize_server_result("tools/list", VERSIONS[-1], fields)["tools"]
    rows = ",\n".join(json.dumps(it, ensure_ascii=False) for it in tools)
    return f'{{"tools": [\n{rows}\n]}}\n'

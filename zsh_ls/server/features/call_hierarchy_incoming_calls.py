"""`callHierarchy/incomingCalls`: who calls a function, in this script and in those that share its names."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.call_hierarchy import asked_about, item_of, ranges_of
from zsh_ls.server.server import ShellLanguageServer

METHOD = types.CALL_HIERARCHY_INCOMING_CALLS


async def handle(
    server: ShellLanguageServer, params: types.CallHierarchyIncomingCallsParams
) -> list[types.CallHierarchyIncomingCall]:
    """The callers; a script, which nothing calls, has none."""
    root, name = asked_about(params.item)
    if name is None:
        return []
    found = await (await server.sidecar()).navigation.callers(root, name)
    return [
        types.CallHierarchyIncomingCall(
            item_of(server, root, it.end), ranges_of(server, it.end.lines, it.spans)
        )
        for it in found
    ]

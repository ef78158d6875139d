"""`callHierarchy/outgoingCalls`: the functions that a function, or a script by itself, calls."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.call_hierarchy import asked_about, item_of, ranges_of
from zsh_ls.server.server import ShellLanguageServer

METHOD = types.CALL_HIERARCHY_OUTGOING_CALLS


async def handle(
    server: ShellLanguageServer, params: types.CallHierarchyOutgoingCallsParams
) -> list[types.CallHierarchyOutgoingCall]:
    """Those that are defined here or in what is sourced; programs and builtins are left out."""
    root, name = asked_about(params.item)
    navigation = (await server.sidecar()).navigation
    found = await navigation.callees(root, params.item.uri, name)
    return [
        types.CallHierarchyOutgoingCall(
            item_of(server, root, it.end), ranges_of(server, it.caller_lines, it.spans)
        )
        for it in found
    ]

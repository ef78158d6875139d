"""`textDocument/foldingRange`: functions, compound commands, heredocs, comments, regions, in whole lines."""

from __future__ import annotations

from lsprotocol import types

from zsh_ls.server.locations import question
from zsh_ls.server.long_answers import worded
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.shell.ide.folding import COMMENT, REGION

METHOD = types.TEXT_DOCUMENT_FOLDING_RANGE
KINDS = {COMMENT: types.FoldingRangeKind.Comment, REGION: types.FoldingRangeKind.Region}


async def handle(
    server: ShellLanguageServer, params: types.FoldingRangeParams
) -> list[types.FoldingRange]:
    """The longest ranges, up to the limit of the client."""
    asked = await question(server, params.text_document.uri)
    if asked is None:
        return []
    found = await asked.navigation.folds(asked.uri, server.client.most_folds)
    if asked.is_stale:
        return []
    return await worded(
        asked.document.text,
        len(found),
        lambda _: [
            types.FoldingRange(fold.first_line, fold.last_line, kind=KINDS.get(fold.kind))
            for fold in found
        ],
    )

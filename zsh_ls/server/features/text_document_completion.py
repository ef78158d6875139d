"""`textDocument/completion`: completes commands, flags, parameters, options and arguments."""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types

from zsh_ls.server.capabilities import TRIGGERS
from zsh_ls.server.documents import Text
from zsh_ls.server.long_answers import worded
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.editor.types import Completion, CompletionKind

METHOD = types.TEXT_DOCUMENT_COMPLETION
OPTIONS = types.CompletionOptions(trigger_characters=list(TRIGGERS), resolve_provider=True)
ITEM = types.CompletionItemKind
KINDS: Mapping[CompletionKind, types.CompletionItemKind] = {
    CompletionKind.FUNCTION: ITEM.Function,
    CompletionKind.BUILTIN: ITEM.Method,
    CompletionKind.KEYWORD: ITEM.Keyword,
    CompletionKind.COMMAND: ITEM.File,
    CompletionKind.SUB_COMMAND: ITEM.EnumMember,
    CompletionKind.FLAG: ITEM.Property,
    CompletionKind.PARAMETER: ITEM.Variable,
    CompletionKind.OPTION: ITEM.Constant,
    CompletionKind.FILE: ITEM.File,
    CompletionKind.FOLDER: ITEM.Folder,
    CompletionKind.TARGET: ITEM.Event,
    CompletionKind.BRANCH: ITEM.Reference,
    CompletionKind.LETTER: ITEM.Operator,
    CompletionKind.SNIPPET: ITEM.Snippet,
}
# Described only when one is selected, as that may require reading a manual page.
RESOLVED = frozenset({CompletionKind.BUILTIN, CompletionKind.COMMAND})
# What a mere space, slash or parenthesis has an editor offer: more would come up at every word.
OFFERED_AT: Mapping[str, frozenset[CompletionKind]] = {
    " ": frozenset({CompletionKind.TARGET, CompletionKind.BRANCH, CompletionKind.SUB_COMMAND}),
    "(": frozenset({CompletionKind.LETTER}),
    "/": frozenset({CompletionKind.FILE, CompletionKind.FOLDER, CompletionKind.BRANCH}),
}
NOTHING = types.CompletionList(is_incomplete=False, items=[])


async def handle(
    server: ShellLanguageServer, params: types.CompletionParams
) -> types.CompletionList:
    """The completions; none if the text was edited in between."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return NOTHING
    sidecar = await server.sidecar()
    version = document.version
    found = await sidecar.completions(document.uri, document.text.offset(params.position))
    if document.version != version:
        return types.CompletionList(is_incomplete=True, items=[])

    offered = OFFERED_AT.get(_typed(params.context))

    def items(text: Text) -> list[types.CompletionItem]:
        where, with_snippets = text.range(found.span), server.client.takes_snippets
        return [
            _item(each, where, at)
            for at, each in enumerate(found.found)
            if (with_snippets or not each.inserts) and (offered is None or each.kind in offered)
        ]

    return types.CompletionList(
        # What was held back at a space is asked for again at the first letter.
        is_incomplete=offered is not None or not found.is_complete,
        items=await worded(document.text, len(found.found), items),
    )


def _typed(context: types.CompletionContext | None) -> str:
    """The character that had the editor ask by itself, `""` where a person asked."""
    if context is None or context.trigger_kind is not types.CompletionTriggerKind.TriggerCharacter:
        return ""
    return context.trigger_character or ""


def _item(found: Completion, where: types.Range, at: int) -> types.CompletionItem:
    return types.CompletionItem(
        label=found.label,
        kind=KINDS[found.kind],
        detail=found.detail or None,
        sort_text=f"{at:05}",
        text_edit=types.TextEdit(where, found.inserts or found.label),
        insert_text_format=types.InsertTextFormat.Snippet if found.inserts else None,
        data={"command": found.label} if found.kind in RESOLVED and not found.detail else None,
    )

"""`textDocument/codeAction`: fix or ignore an insight of a line, run the line, or explain it.

A request that the editor sends by itself, to show a light bulb, only gets edits:
every line can be run, and a bulb on every line would be useless.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from lsprotocol import types

from zsh_ls.model.words import Origin
from zsh_ls.server.capabilities import ACTION_KINDS
from zsh_ls.server.diagnostics import diagnostic
from zsh_ls.server.documents import Document, Text
from zsh_ls.server.long_answers import worded
from zsh_ls.server.messages import explain_command, run_command
from zsh_ls.server.server import ShellLanguageServer
from zsh_ls.sidecar.editor.types import Action, ActionKind

METHOD = types.TEXT_DOCUMENT_CODE_ACTION
OPTIONS = types.CodeActionOptions(code_action_kinds=list(ACTION_KINDS), resolve_provider=False)
FIX_ALL = "source.fixAll.zsh-ls"
KINDS: Mapping[ActionKind, str] = {
    ActionKind.FIX: "quickfix",
    ActionKind.IGNORE: "quickfix",
    ActionKind.FIX_ALL: FIX_ALL,
    ActionKind.RUN: "zsh-ls.run",
    ActionKind.EXPLAIN: "zsh-ls.explain",
}
COMMANDS = frozenset({ActionKind.RUN, ActionKind.EXPLAIN})


async def handle(
    server: ShellLanguageServer, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """The requested actions; none if the text was edited in between."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return []
    await server.may_run()
    sidecar = await server.sidecar()
    version = document.version
    found = await sidecar.actions_for(document.uri, document.text.span(params.range))
    if document.version != version:
        return []
    wanted = [action for action in found if _is_wanted(action, params.context)]
    replaced = sum(len(action.replacements) for action in wanted)
    document_of = partial(Document, document.uri, document.language_id, version)
    shown = partial(_all_shown, wanted, document_of, params.context, server)
    actions = await worded(document.text, replaced, shown)
    return actions if document.version == version else []


def _is_wanted(action: Action, context: types.CodeActionContext) -> bool:
    if context.only is not None:
        kind = KINDS[action.kind]
        return any(only in ("", kind) or kind.startswith(f"{only}.") for only in context.only)
    if action.kind is ActionKind.FIX_ALL:
        return False
    by_itself = context.trigger_kind is types.CodeActionTriggerKind.Automatic
    return not (by_itself and action.kind in COMMANDS)


def _all_shown(
    wanted: Sequence[Action],
    document_of: Callable[[Text], Document],
    context: types.CodeActionContext,
    server: ShellLanguageServer,
    text: Text,
) -> list[types.CodeAction]:
    """All actions, for the text of one version."""
    still = document_of(text)
    return [_shown(action, still, context, server) for action in wanted]


def _shown(
    action: Action,
    document: Document,
    context: types.CodeActionContext,
    server: ShellLanguageServer,
) -> types.CodeAction:
    return types.CodeAction(
        title=action.title,
        kind=KINDS[action.kind],
        diagnostics=_diagnostics(action, document, context.diagnostics),
        is_preferred=True if action.kind is ActionKind.FIX else None,
        edit=_edit(action, document, server) if action.replacements else None,
        command=_command(action, document),
    )


def _diagnostics(
    action: Action, document: Document, shown: Sequence[types.Diagnostic]
) -> list[types.Diagnostic] | None:
    """The diagnostics that the action fixes, the client's own if it sent them."""
    if action.about is None:
        return None
    ours = diagnostic(action.about, document.text)
    same = (one for one in shown if (one.code, one.range) == (ours.code, ours.range))
    return [next(same, ours)]


def _edit(action: Action, document: Document, server: ShellLanguageServer) -> types.WorkspaceEdit:
    edits = [types.TextEdit(document.text.range(one.span), one.text) for one in action.replacements]
    if not server.client.edits_versions:
        return types.WorkspaceEdit(changes={document.uri: edits})
    versioned = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(versioned, edits)])


def _command(action: Action, document: Document) -> types.Command | None:
    if action.kind is ActionKind.RUN:
        text = document.text
        command = text.whole[action.span.start : action.span.end]
        where = text.range(action.span)
        return run_command(action.title, command, document.uri, where, Origin.EDITOR)
    if action.kind is ActionKind.EXPLAIN:
        return explain_command(action.title, document, action.span.start)
    return None

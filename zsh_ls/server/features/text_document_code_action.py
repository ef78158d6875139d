"""`textDocument/codeAction`: fix or ignore an insight of a line, run the line, explain it, or its failure.

Of a start-up file also: measure the start of its shell without the line.

A request that the editor sends by itself, to show a light bulb, only gets edits:
every line can be run, and a bulb on every line would be useless.
"""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types

from zsh_ls.model.words import Origin
from zsh_ls.server.capabilities import ACTION_KINDS
from zsh_ls.server.diagnostics import diagnostic
from zsh_ls.server.documents import Document, Text
from zsh_ls.server.long_answers import worded
from zsh_ls.server.messages import explain_command, run_command, startup_command, why_command
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
    ActionKind.WHY: "zsh-ls.explain",
    ActionKind.START: "zsh-ls.startup",
}
COMMANDS = frozenset({ActionKind.RUN, ActionKind.EXPLAIN, ActionKind.WHY, ActionKind.START})


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

    def shown(text: Text) -> list[types.CodeAction]:
        of_this_version = Document(document.uri, document.language_id, version, text)
        return [_shown(action, of_this_version, params.context, server) for action in wanted]

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


def _shown(
    action: Action,
    document: Document,
    context: types.CodeActionContext,
    server: ShellLanguageServer,
) -> types.CodeAction:
    text = document.text
    shown = types.CodeAction(
        title=action.title,
        kind=KINDS[action.kind],
        is_preferred=True if action.kind is ActionKind.FIX else None,
    )
    if action.about is not None:
        # The diagnostic that it fixes, the client's own if it sent it.
        ours = diagnostic(action.about, text)
        same = (it for it in context.diagnostics if (it.code, it.range) == (ours.code, ours.range))
        shown.diagnostics = [next(same, ours)]
    if action.replacements:
        edits = [types.TextEdit(text.range(one.span), one.text) for one in action.replacements]
        shown.edit = types.WorkspaceEdit(changes={document.uri: edits})
        if server.client.edits_versions:
            versioned = types.OptionalVersionedTextDocumentIdentifier(
                document.uri, document.version
            )
            changes = [types.TextDocumentEdit(versioned, edits)]
            shown.edit = types.WorkspaceEdit(document_changes=changes)
    if action.kind is ActionKind.RUN:
        command = action.command or text.whole[action.span.start : action.span.end]
        where = text.range(action.span)
        shown.command = run_command(
            action.title,
            command,
            document.uri,
            where,
            Origin.EDITOR,
            missing="ask",
            folder=action.folder,
        )
    elif action.kind is ActionKind.EXPLAIN:
        shown.command = explain_command(action.title, document, action.span.start, action.command)
    elif action.kind is ActionKind.WHY and action.task_id is not None:
        shown.command = why_command(action.title, action.task_id)
    elif action.start is not None:
        asked = action.start
        shown.command = startup_command(
            action.title, asked.shell, login=asked.login, without=asked.without
        )
    return shown

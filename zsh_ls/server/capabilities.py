"""The server's answer to `initialize`.

A fixed table with a few choices, so that it can be sent before pygls is
imported; a test compares it with what pygls would build from the features.
"""

from __future__ import annotations

import os
from typing import Any

from zsh_ls import __version__
from zsh_ls.system import programs

from .client import Client

PROTOCOL_VERSION = 1
INCREMENTAL = 2
FEATURES = os.path.join(os.path.dirname(__file__), "features")
PREFIX = "zsh_"
# Types and modifiers that themes of editors know. Only `missing` is our own, and always comes with
# `deprecated`, which themes strike through.
LEGEND = {
    "tokenTypes": ["function", "method", "macro", "variable", "parameter"],
    "tokenModifiers": ["declaration", "defaultLibrary", "deprecated", "missing"],
}
# The characters that begin a parameter, a flag or an argument, and zsh's glob qualifiers.
TRIGGERS = ("$", "{", "-", "/", " ", "(")
ACTION_KINDS = (
    "quickfix",
    "source.fixAll.zsh-ls",
    "zsh-ls.run",
    "zsh-ls.explain",
    "zsh-ls.startup",
)


def zsh_methods() -> list[str]:
    """The `zsh/*` requests: the modules of `features` that are named after one."""
    names = {entry.partition(".")[0] for entry in os.listdir(FEATURES) if entry.startswith(PREFIX)}
    return sorted(method_of(name) for name in names)


def method_of(module: str) -> str:
    """The method of a module of `features`: `zsh/runScript` for `zsh_run_script`."""
    first, *others = module.removeprefix(PREFIX).split("_")
    return "zsh/" + first + "".join(word.capitalize() for word in others)


def command_of(method: str) -> str:
    """The command of a method: `zsh.run` for `zsh/run`."""
    return method.replace("/", ".")


def initialize_result(client: Client, shells: dict[str, str]) -> dict[str, Any]:
    """The result of `initialize`; `shells` maps the installed shells to their versions."""
    methods = zsh_methods()
    capabilities = {
        "positionEncoding": client.position_encoding,
        "textDocumentSync": {"openClose": True, "change": INCREMENTAL, "save": False},
        "executeCommandProvider": {"commands": [command_of(method) for method in methods]},
        "inlayHintProvider": {"resolveProvider": False},
        "hoverProvider": True,
        "definitionProvider": True,
        "referencesProvider": True,
        "callHierarchyProvider": True,
        "documentHighlightProvider": True,
        "documentLinkProvider": {"resolveProvider": False},
        "documentSymbolProvider": True,
        "workspaceSymbolProvider": {"resolveProvider": False},
        "foldingRangeProvider": True,
        "selectionRangeProvider": True,
        "renameProvider": {"prepareProvider": True} if client.prepares_rename else True,
        "semanticTokensProvider": {"legend": LEGEND, "full": {"delta": True}, "range": True},
        "codeActionProvider": {"codeActionKinds": list(ACTION_KINDS), "resolveProvider": False},
        "completionProvider": {"triggerCharacters": list(TRIGGERS), "resolveProvider": True},
        "codeLensProvider": {"resolveProvider": False},
        "workspace": {"workspaceFolders": {"supported": True}},
        "experimental": {
            "zshLs": {"version": PROTOCOL_VERSION, "methods": methods, "shells": shells}
        },
    }
    if programs.find("shfmt") is not None:
        capabilities["documentFormattingProvider"] = True
        capabilities["documentRangeFormattingProvider"] = True
    if client.pulls_diagnostics:
        capabilities["diagnosticProvider"] = {
            "identifier": "zsh-ls",
            "interFileDependencies": False,
            "workspaceDiagnostics": True,
        }
    return {
        "capabilities": capabilities,
        "serverInfo": {"name": "zsh-ls", "version": __version__},
    }

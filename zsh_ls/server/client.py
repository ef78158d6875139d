"""What the client declares in `initialize`, read leniently: an invalid section counts as absent.

Standard library only: the answer is made from it before anything large is imported.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlsplit

from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.system.process_ids import is_there

SECTION = "zshLs"
TRUSTED = "trusted"
UTF_16 = "utf-16"
ENCODINGS = ("utf-8", UTF_16, "utf-32")


class Client(NamedTuple):
    """One client and its capabilities.

    `process_id` is None if no such process exists here (a client in a container).
    `pulls_diagnostics` requires refresh requests as well: without them the insights
    of a run would only be shown at the next edit. `speaks_zsh` is what the client
    declared; one that has sent a `zsh/*` request counts, too. `workspace` is the
    first of its `folders`. `asks` is whether it puts the question of SESS-3 itself.
    """

    process_id: int | None = None
    workspace: str | None = None
    options: dict[str, Any] = {}  # noqa: RUF012 - a NamedTuple's default, never changed
    position_encoding: str = UTF_16
    pulls_diagnostics: bool = False
    refreshes_hints: bool = False
    refreshes_lenses: bool = False
    shows_progress: bool = False
    gives_configuration: bool = False
    registers_configuration: bool = False
    speaks_zsh: bool = False
    answers_questions: bool = False
    asks: bool = False
    wants_colour: bool = False
    wants_only_news: bool = False
    shows_markdown: bool = True
    edits_versions: bool = False
    nests_symbols: bool = False
    most_folds: int | None = None
    prepares_rename: bool = False
    takes_snippets: bool = False
    folders: tuple[str, ...] = ()

    @property
    def is_trusted_at_first(self) -> bool:
        """Whether its folders are trusted, as far as `initialize` tells."""
        return all(value is True for value in trust_values(self.options))

    @classmethod
    def of(cls, params: object) -> Client:
        """The client that sent `params` with `initialize`."""
        capabilities = dig(params, "capabilities")
        workspace = dig(capabilities, "workspace")
        document = dig(capabilities, "textDocument")
        declared = dig(capabilities, "experimental", "zshLs")
        process_id = dig(params, "processId")
        options = dig(params, "initializationOptions")
        encodings = dig(capabilities, "general", "positionEncodings")
        offered = encodings if isinstance(encodings, list) else []
        hovers = dig(document, "hover", "contentFormat")
        most_folds = dig(document, "foldingRange", "rangeLimit")
        folders = _folders(params)
        return cls(
            process_id=process_id if is_there(process_id) else None,
            workspace=next(iter(folders), None),
            folders=folders,
            options=options if isinstance(options, dict) else {},
            # The first known one that it offers; every client supports UTF-16.
            position_encoding=next((it for it in offered if it in ENCODINGS), UTF_16),
            # LSP 3.17 names the section `diagnostics`; its meta model once had `diagnostic`.
            pulls_diagnostics=isinstance(dig(document, "diagnostic"), dict)
            and any(
                dig(workspace, section, "refreshSupport") is True
                for section in ("diagnostics", "diagnostic")
            ),
            refreshes_hints=dig(workspace, "inlayHint", "refreshSupport") is True,
            refreshes_lenses=dig(workspace, "codeLens", "refreshSupport") is True,
            shows_progress=dig(capabilities, "window", "workDoneProgress") is True,
            gives_configuration=dig(workspace, "configuration") is True,
            registers_configuration=dig(workspace, "didChangeConfiguration", "dynamicRegistration")
            is True,
            speaks_zsh=isinstance(declared, dict),
            answers_questions=dig(declared, "answer") is True,
            asks=dig(declared, "asks") is True,
            wants_colour=dig(declared, "colour") is True,
            wants_only_news=dig(declared, "only_news") is True,
            # Every client does that does not list formats without it.
            shows_markdown=not isinstance(hovers, list) or not hovers or "markdown" in hovers,
            edits_versions=dig(workspace, "workspaceEdit", "documentChanges") is True,
            nests_symbols=dig(document, "documentSymbol", "hierarchicalDocumentSymbolSupport")
            is True,
            most_folds=most_folds if type(most_folds) is int and most_folds >= 0 else None,
            prepares_rename=dig(document, "rename", "prepareSupport") is True,
            takes_snippets=dig(document, "completion", "completionItem", "snippetSupport") is True,
        )


def trust_values(options: object) -> list[Any]:
    """All values for `trusted` in `initializationOptions`, in each of the places they may have it."""
    section = dig(options, SECTION)
    places = [(options, TRUSTED), (options, f"{SECTION}.{TRUSTED}"), (section, TRUSTED)]
    return [it[name] for it, name in places if isinstance(it, dict) and name in it]


def dig(value: object, *path: str) -> Any:
    """The value at `path` in nested objects; None if there is none."""
    for name in path:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def _folders(params: object) -> tuple[str, ...]:
    """The workspace folders on this machine, or the client's root if it names none."""
    listed = dig(params, "workspaceFolders")
    named = [dig(folder, "uri") for folder in listed] if isinstance(listed, list) else []
    folders = [folder for uri in named if (folder := _local(uri)) is not None]
    root, path = _local(dig(params, "rootUri")), dig(params, "rootPath")
    if root is None and isinstance(path, str) and path.startswith("/"):
        root = path
    return tuple(dict.fromkeys(folders or ([root] if root is not None else [])))


def _local(uri: object) -> str | None:
    """The path of a `file:` URI."""
    if isinstance(uri, str) and urlsplit(uri).scheme == "file":
        return unquote(urlsplit(uri).path)
    return None

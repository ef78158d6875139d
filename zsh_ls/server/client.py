"""What the client declares in `initialize`, read leniently: an invalid section counts as absent.

Standard library only: the answer is made from it before anything large is imported.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

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
    first of its `folders`.
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
    wants_colour: bool = False
    shows_markdown: bool = True
    edits_versions: bool = False
    nests_symbols: bool = False
    most_folds: int | None = None
    prepares_rename: bool = False
    folders: tuple[str, ...] = ()

    @property
    def is_trusted_at_first(self) -> bool:
        """Whether its folders are trusted, as far as `initialize` tells."""
        return all(value is True for value in trust_values(self.options))

    @classmethod
    def of(cls, params: object) -> Client:
        """The client that sent `params` with `initialize`."""
        capabilities = dig(params, "capabilities")
        declared = dig(capabilities, "experimental", "zshLs")
        process_id = dig(params, "processId")
        options = dig(params, "initializationOptions")
        return cls(
            process_id if is_there(process_id) else None,
            _workspace(params),
            options if isinstance(options, dict) else {},
            _encoding(dig(capabilities, "general", "positionEncodings")),
            _pulls(capabilities),
            dig(capabilities, "workspace", "inlayHint", "refreshSupport") is True,
            dig(capabilities, "workspace", "codeLens", "refreshSupport") is True,
            dig(capabilities, "window", "workDoneProgress") is True,
            dig(capabilities, "workspace", "configuration") is True,
            dig(capabilities, "workspace", "didChangeConfiguration", "dynamicRegistration") is True,
            isinstance(declared, dict),
            dig(declared, "answer") is True,
            dig(declared, "colour") is True,
            _shows_markdown(dig(capabilities, "textDocument", "hover", "contentFormat")),
            dig(capabilities, "workspace", "workspaceEdit", "documentChanges") is True,
            _nests_symbols(dig(capabilities, "textDocument", "documentSymbol")),
            _number(dig(capabilities, "textDocument", "foldingRange", "rangeLimit")),
            dig(capabilities, "textDocument", "rename", "prepareSupport") is True,
            _folders(params),
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


def _encoding(offered: object) -> str:
    """The first known one of the client's encodings; every client supports UTF-16."""
    if not isinstance(offered, list):
        return UTF_16
    return next((name for name in offered if name in ENCODINGS), UTF_16)


def _shows_markdown(formats: object) -> bool:
    """Whether it shows Markdown: true for all clients that do not list formats without it."""
    return not isinstance(formats, list) or not formats or "markdown" in formats


def _nests_symbols(section: object) -> bool:
    return dig(section, "hierarchicalDocumentSymbolSupport") is True


def _number(value: object) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _pulls(capabilities: object) -> bool:
    can_pull = isinstance(dig(capabilities, "textDocument", "diagnostic"), dict)
    # LSP 3.17 names the section `diagnostics`; its meta model once had `diagnostic`.
    return can_pull and any(
        dig(capabilities, "workspace", section, "refreshSupport") is True
        for section in ("diagnostics", "diagnostic")
    )


def _workspace(params: object) -> str | None:
    """The folder the client works in: its first workspace folder, else its root."""
    return next(iter(_folders(params)), None)


def _folders(params: object) -> tuple[str, ...]:
    """The workspace folders on this machine, or the client's root if it names none."""
    listed = dig(params, "workspaceFolders")
    named = [dig(folder, "uri") for folder in listed] if isinstance(listed, list) else []
    folders = [folder for uri in named if (folder := _local(uri)) is not None]
    root = _local(dig(params, "rootUri")) or _absolute(dig(params, "rootPath"))
    return tuple(dict.fromkeys(folders or ([root] if root is not None else [])))


def _local(uri: object) -> str | None:
    if isinstance(uri, str) and urlsplit(uri).scheme == "file":
        return unquote(urlsplit(uri).path)
    return None


def _absolute(path: object) -> str | None:
    return path if isinstance(path, str) and path.startswith("/") else None

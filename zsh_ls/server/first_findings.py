"""The findings of the first script, told before the rest of the server is loaded.

What reads a script, and the rules, are a third of the server's imports. They are loaded first, and if the
client has opened a script by then, its findings are told at once: pushed, or as the answer to the pull
that waits for them. The server then starts as if nothing had been told, and pushes what it finds if that
is something else. A text that it would read with more care, or of which it may know more, is left to it.
"""

from __future__ import annotations

import json
import os
import select
from typing import Any

from zsh_ls.lazy.typing import NamedTuple

from .boot import InitialHandshake, Wire, messages_in, send
from .client import dig

DID_OPEN = "textDocument/didOpen"
PULL = "textDocument/diagnostic"
# They change nothing of what is found in a text. Behind anything else the server decides.
HARMLESS = frozenset({"initialized", "$/setTrace", "workspace/didChangeConfiguration", DID_OPEN})
# Everything else waits while a text is read here: about 1,000 lines.
LONGEST_TEXT = 40_000
MOST_BYTES = 256 * 1024
# Beside the answer to `initialize` it has to fit into the pipe: a client that writes on before it reads
# would wait for us, and we for it.
LARGEST_ANSWER_BYTES = 32 * 1024


class Opened(NamedTuple):
    """A document as the client has opened it."""

    uri: str
    language_id: str
    version: int
    text: str

    @classmethod
    def of(cls, item: Any) -> Opened | None:
        """The document of a `TextDocumentItem`; None where that is none."""
        match item:
            case {
                "uri": str(uri),
                "languageId": str(language_id),
                "version": int(version),
                "text": str(text),
            }:
                return cls(uri, language_id, version, text)
        return None


class Pull(NamedTuple):
    """A request for the diagnostics of a document, and its bytes."""

    id: int | str
    whole: bytes


def tell(wire: Wire, beginning: InitialHandshake) -> InitialHandshake:
    """Tell the findings of the first document, if it is a script; gives what is left to the server."""
    client = beginning.client
    if client is None:
        return beginning
    # Loaded while the client sends what it has open.
    from zsh_ls.insights import static_of  # noqa: F401, PLC0415

    received = _with_what_came(wire, beginning.received)
    left = beginning._replace(received=received)
    opened, pull = _first_of(received, pulls=client.pulls_diagnostics)
    if opened is None or (client.pulls_diagnostics and pull is None) or not _is_read_here(opened):
        return left
    found = _findings(opened, client.position_encoding)
    if not found or len(json.dumps(found)) > LARGEST_ANSWER_BYTES:
        return left
    if pull is None:
        params = {"uri": opened.uri, "version": opened.version, "diagnostics": found}
        message = {"method": "textDocument/publishDiagnostics", "params": params}
        send(wire, {"jsonrpc": "2.0", **message})
        return left._replace(published=params)
    send(wire, {"jsonrpc": "2.0", "id": pull.id, "result": {"kind": "full", "items": found}})
    return beginning._replace(received=received.replace(pull.whole, b"", 1))


def _with_what_came(wire: Wire, received: bytes) -> bytes:
    """`received` and what the client has sent since; that it has gone, the server hears again."""
    ready = select.poll()
    ready.register(wire.incoming, select.POLLIN)
    while len(received) < MOST_BYTES and ready.poll(0):
        piece = os.read(wire.incoming, MOST_BYTES)
        if not piece:
            break
        received += piece
    return received


def _first_of(received: bytes, *, pulls: bool) -> tuple[Opened | None, Pull | None]:
    """The first document that was opened, and the pull for it, where nothing else comes between."""
    opened = None
    for whole, message in messages_in(received):
        method = message.get("method")
        if method == DID_OPEN and opened is None:
            opened = Opened.of(dig(message, "params", "textDocument"))
            if opened is None or not pulls:
                break
        elif method == PULL and opened is not None:
            number = message.get("id")
            is_for_it = dig(message, "params", "textDocument", "uri") == opened.uri
            if is_for_it and isinstance(number, int | str):
                return opened, Pull(number, whole)
        elif method not in HARMLESS:
            break
    return opened, None


def _is_read_here(opened: Opened) -> bool:
    """Whether it is a short and ordinary script, on whose lines nothing else stands."""
    from zsh_ls.shell.embedded.hosts import kind_of  # noqa: PLC0415  as above
    from zsh_ls.shell.syntax.strange import looks_strange  # noqa: PLC0415
    from zsh_ls.sidecar.config import Places  # noqa: PLC0415
    from zsh_ls.sidecar.documents.kept_marks import KeptMarks  # noqa: PLC0415

    return (
        len(opened.text) <= LONGEST_TEXT
        and kind_of(opened.uri, opened.language_id) is None
        and not looks_strange(opened.text)
        and not KeptMarks(Places.of_this_user().lines).has(opened.uri)
    )


def _findings(opened: Opened, encoding: str) -> list[dict[str, Any]]:
    """What the rules say of a document, as diagnostics; nothing of a text they stumble over."""
    from zsh_ls.insights import static_of  # noqa: PLC0415  as above
    from zsh_ls.shell.syntax.dialect import dialect_of  # noqa: PLC0415
    from zsh_ls.shell.syntax.parser import parse  # noqa: PLC0415

    from .diagnostic_fields import fields_of  # noqa: PLC0415
    from .positions import clean, lines_of, place_of, starts_of  # noqa: PLC0415

    text = clean(opened.text)
    try:
        dialect = dialect_of(text, opened.language_id, opened.uri.rpartition("/")[2])
        found = static_of(parse(text, dialect))
    except Exception:  # the server meets it again, and says so in its log
        return []
    lines = lines_of(text)
    starts = starts_of(lines)

    def position(offset: int) -> dict[str, int]:
        line, column = place_of(offset, lines, starts, encoding)
        return {"line": line, "character": column}

    placed = sorted(((it.span, it) for it in found if it.span), key=lambda pair: pair[0])
    return [
        {
            "range": {"start": position(span.start), "end": position(span.end)},
            **fields_of(insight),
        }
        for span, insight in placed
    ]

"""What hurts beside the text of a document: FIFOs and devices, manual pages, patterns of the person's own."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import attrs

from tests.server.rpc import Peer, position

SCRIPT = "#!/bin/zsh\nsource ./lib.zsh\nf() { :; }\nf\nfrob -x\n"
PAGE_BYTES = 2_900_000
BEGINNING = ".TH FROB 1\n.SH NAME\nfrob \\- do it\n.SH OPTIONS\n"
IN_MDOC = ".Dd x\n.Dt FROB 1\n.Os\n.Sh OPTIONS\n"
# One piece over and over, as long as a page may be that is read.
ROFF = (
    "\\[", "\\*[", "\\f[", "\\n[", "\\(", "\\s", ".if n ", ".if n \\{\n", ".ie n .el ", ".RS\n", ".B '",
    ".TP\n.B \\-x\nDo it.\n", ".de a\n", ".so a\n", ".ds a \\*a\n\\*a", "a", " ", "\n", "-x, ", "\\\n",
)  # fmt: skip
MDOC = (".Fl a ", ".It Fl a\n", ".Op ", ".Bl -tag\n", ".Oo\n", ".Xo ", ".Ar a Ns ")
PATTERNS = (
    r"(a|aa)+(a|aa)+(a|aa)+$x", r"(a*)*b", r"(a+a+)+c", r"(.*)(.*)(.*)(.*)(.*)x", r"(?:a?){500}a{500}",
    r"([a-z]+)*=", r".", r"(?s).*?$", r"(\w+\s?)+:", r"a{1000}",
)  # fmt: skip
# Printed over and over, up to the longest that one answer shows.
PRINTED = (
    "\x1b[31mred\x1b[0m äöü\n",
    "ä",
    "a\r",
    "a\b",
    "\x1b",
    "\x9b",
    "\r",
    "\x1bP",
    "y\n",
    "\x01",
)
PRINTED_BYTES = 4_000_000

Asking = Callable[[Peer, Path], set[int]]


def _nothing(folder: Path) -> None:
    """There is nothing to prepare."""


@attrs.frozen
class Case:
    """The files made before the server starts, its settings, and the hostile requests."""

    ask: Asking
    prepare: Callable[[Path], None] = _nothing
    options: Mapping[str, Any] = attrs.field(factory=dict)


def cases() -> dict[str, Case]:
    """Each by its name."""
    found = {
        f"a script that is a {kind}": Case(_run_script, partial(_odd, kind=kind, name="work/a.zsh"))
        for kind in ("FIFO", "device", "file of 64 GiB")
    }
    for kind in ("FIFO", "device", "file of 64 GiB"):
        sourced, logged = "work/lib.zsh", "XDG_DATA_HOME/zsh-ls/terminal/1.log"
        found[f"a sourced {kind}"] = Case(_names, partial(_odd, kind=kind, name=sourced))
        found[f"a terminal log: {kind}"] = Case(_memory, partial(_odd, kind=kind, name=logged))
        found[f"a page that is a {kind}"] = Case(_page, partial(_odd, kind=kind, name=PAGE))
    pages = {f"roff {it!r}": BEGINNING + it * (PAGE_BYTES // len(it)) for it in ROFF}
    pages |= {f"mdoc {it!r}": IN_MDOC + it * (PAGE_BYTES // len(it)) for it in MDOC}
    each_another = (f".TP\n.B \\-x{n}\nDo {n}.\n" for n in range(100_000))
    pages["roff of 100,000 options"] = BEGINNING + "".join(each_another)
    found |= {name: Case(_page, partial(_written, text=text)) for name, text in pages.items()}
    found["a page of 1.25 GiB, packed"] = Case(_page, _packed)
    found |= {f"pattern {it}": Case(_run_for_an_agent, options={"redact": [it]}) for it in PATTERNS}
    found |= {f"output {it!r}": Case(partial(_run_printing, text=it)) for it in PRINTED}
    found |= {
        f"output {it!r} of a task that runs": Case(partial(_run_printing, text=it, then="; read x"))
        for it in PRINTED
    }
    return found


PAGE = "man/man1/frob.1"


def _odd(folder: Path, *, kind: str, name: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "FIFO":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        with path.open("wb") as sparse:
            sparse.truncate(64 << 30)


def _written(folder: Path, *, text: str) -> None:
    path = folder / PAGE
    path.parent.mkdir(parents=True)
    path.write_text(text)


def _packed(folder: Path) -> None:
    path = folder / f"{PAGE}.gz"
    path.parent.mkdir(parents=True)
    piece = gzip.compress(b".TP\n.B \\-x\nDo it.\n" + b"\n" * (64 << 20))
    path.write_bytes(gzip.compress(BEGINNING.encode()) + piece * 20)


def _opened(peer: Peer, folder: Path) -> dict[str, Any]:
    uri = (folder / "work" / "a.zsh").as_uri()
    peer.open(uri, SCRIPT)
    return {"textDocument": {"uri": uri}}


def _run_script(peer: Peer, folder: Path) -> set[int]:
    return {peer.ask("zsh/runScript", {**_opened(peer, folder), "yield_after": 30.0})}


def _names(peer: Peer, folder: Path) -> set[int]:
    at = {**_opened(peer, folder), "position": position(3, 0)}
    both = {**at, "context": {"includeDeclaration": True}}
    return {
        peer.ask("textDocument/definition", at),
        peer.ask("textDocument/references", both),
        peer.ask("textDocument/rename", {**at, "newName": "g"}),
        peer.ask("workspace/symbol", {"query": "f"}),
    }


def _memory(peer: Peer, folder: Path) -> set[int]:
    return {
        peer.ask("zsh/stats", {}),
        peer.ask("zsh/health", {}),
        peer.ask("zsh/run", {"command": "true", "yield_after": 30.0}),
    }


def _page(peer: Peer, folder: Path) -> set[int]:
    at = {**_opened(peer, folder), "position": position(4, 6)}
    return {
        peer.ask("textDocument/hover", at),
        peer.ask("textDocument/completion", at),
        peer.ask("zsh/explain", {"command": "frob -x"}),
        peer.ask("zsh/ask", {"query": "how do I use frob"}),
    }


def _run_for_an_agent(peer: Peer, folder: Path) -> set[int]:
    """Its output is masked by the patterns, its command before it is remembered."""
    commands = (f"echo {'a' * 10_000}", "head -c 5000000 /dev/zero | tr '\\0' a", "seq 1 300000")
    asked = {"origin": "agent", "yield_after": 30.0, "verbosity": "debug"}
    return {peer.ask("zsh/run", {**asked, "command": command}) for command in commands}


def _run_printing(peer: Peer, folder: Path, *, text: str, then: str = "") -> set[int]:
    """For a person and for an agent; with `then` it is answered while it runs."""
    file = folder / "work" / "printed"
    file.write_text(text * (PRINTED_BYTES // len(text.encode())))
    patience_s = 1.0 if then else 30.0
    asked = {
        "command": f"cat printed{then}",
        "yield_after": patience_s,
        "verbosity": "debug",
        "interactive": bool(then),
    }
    return {peer.ask("zsh/run", {**asked, "origin": it}) for it in ("editor", "agent")}

"""Every request, valid and invalid, while its document is edited: one response each, no internal error."""

from __future__ import annotations

import asyncio
import copy
import importlib
import pkgutil
import random
from collections import Counter
from typing import Any

import pytest

from zsh_ls.server import features

from .mutations import spoil
from .rpc import Message, Peer, position, range_of

URI = "file:///tmp/every.zsh"
DOCUMENT = {"textDocument": {"uri": URI}}
PLACE = {**DOCUMENT, "position": position(1, 14)}
PART = {**DOCUMENT, "range": range_of((0, 0), (9, 9))}
CALLED = {
    "item": {
        "name": "f",
        "kind": 12,
        "uri": URI,
        "range": range_of((1, 0), (1, 40)),
        "selectionRange": range_of((1, 0), (1, 1)),
        "data": {"root": URI, "name": "f"},
    }
}
ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("callHierarchy/incomingCalls", CALLED),
    ("callHierarchy/outgoingCalls", CALLED),
    ("textDocument/codeAction", {**PART, "context": {"diagnostics": [], "only": ["quickfix"]}}),
    ("textDocument/codeLens", DOCUMENT),
    ("textDocument/completion", PLACE),
    ("completionItem/resolve", {"label": "ls", "data": {"command": "ls"}}),
    ("textDocument/definition", PLACE),
    ("textDocument/diagnostic", {**DOCUMENT, "previousResultId": "x"}),
    ("textDocument/documentHighlight", PLACE),
    ("textDocument/documentLink", DOCUMENT),
    ("textDocument/documentSymbol", DOCUMENT),
    ("textDocument/foldingRange", DOCUMENT),
    ("textDocument/hover", PLACE),
    ("textDocument/inlayHint", PART),
    ("textDocument/prepareCallHierarchy", PLACE),
    ("textDocument/prepareRename", PLACE),
    ("textDocument/references", {**PLACE, "context": {"includeDeclaration": True}}),
    ("textDocument/rename", {**PLACE, "newName": "other"}),
    ("textDocument/selectionRange", {**DOCUMENT, "positions": [position(0, 0), position(3, 1)]}),
    ("textDocument/semanticTokens/full", DOCUMENT),
    ("textDocument/semanticTokens/full/delta", {**DOCUMENT, "previousResultId": "1"}),
    ("textDocument/semanticTokens/range", PART),
    ("workspace/diagnostic", {"previousResultIds": [{"uri": URI, "value": "x"}]}),
    ("workspace/symbol", {"query": "f"}),
    ("workspace/executeCommand", {"command": "zsh.explain", "arguments": [PLACE]}),
    ("zsh/ask", {"query": "what is running"}),
    ("zsh/why", {}),
    ("zsh/circuit", {"action": "status", "command": "ls"}),
    ("zsh/session", {"action": "list"}),
    ("zsh/explain", PLACE),
    ("zsh/failures", DOCUMENT),
    ("zsh/history", {"query": "ls", "project": None, "limit": 3}),
    ("zsh/script", DOCUMENT),
    ("zsh/rule", {"name": "masked-segment"}),
    ("zsh/output", {"from_line": 1, "to_line": 3}),
    ("zsh/resize", {"task_id": "0", "cols": 80, "rows": 24}),
    ("zsh/stats", {"command": "ls -l"}),
    ("zsh/tasks", {"all": True}),
    ("zsh/terminalRun", {"command": "ls", "exit": 0, "cwd": "/", "duration_s": 1.0}),
)
# What starts something or needs a task is asked elsewhere.
ELSEWHERE = {
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "zsh/run",
    "zsh/runScript",
    "zsh/poll",
    "zsh/kill",
    "zsh/send",
    "zsh/health",
    "zsh/rehearse",
    "zsh/startup",
}
TEXTS = (
    "#!/bin/zsh\nf() { local a=1; echo $a | grep x; }\nf\nfor i in *; do f $i; done\ncat <<E\n$a é😀\nE\n",
    "",
    "a\r\nb\r\r\nif [[ $x = y ]]; then\n ls -la\nfi\n# zsh-ls: ignore=x\n",
    'echo "é😀$(ls -l | wc -l)" && rm -rf $y\n' * 400,
)
WRITTEN = ("", "x\n", "\r", "é", "😀", "\ud800", '"', "$(", "'", "}\n", "f() {\n")
INTERNAL_ERROR = -32603


def _edit(peer: Peer, version: int, rng: random.Random) -> None:
    if rng.random() < 0.3:
        peer.open(URI, rng.choice(TEXTS), version)
    start, end = sorted((rng.randrange(12), rng.randrange(30)) for _ in range(2))
    change = {"range": range_of(start, end), "text": rng.choice(WRITTEN)}
    peer.change(URI, version + 1, *[change] * rng.randrange(1, 4))


def _question(rng: random.Random) -> tuple[str, Any]:
    method, params = copy.deepcopy(rng.choice(ASKED))
    if "position" in params:
        params["position"] = position(rng.randrange(9), rng.randrange(30))
    message: dict[str, Any] = {"params": params}
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        spoil(message, rng)
    return method, message.get("params")


def _answer(peer: Peer) -> Message:
    return peer.until(lambda it: "method" not in it)


def test_no_method_is_forgotten() -> None:
    names = (it.name for it in pkgutil.iter_modules(features.__path__))
    modules = [importlib.import_module(f"{features.__name__}.{name}") for name in names]
    requests = {it.METHOD for it in modules if asyncio.iscoroutinefunction(it.handle)}
    assert requests - ELSEWHERE <= {method for method, _ in ASKED} | {"workspace/executeCommand"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_of_all_that_is_asked_nothing_is_lost_and_nothing_breaks(real_one: Peer, seed: int) -> None:
    rng, asked = random.Random(seed), {}
    for number in range(800):
        if rng.random() < 0.2:
            _edit(real_one, number, rng)
        method, params = _question(rng)
        msg_id = real_one.ask(method, params)
        asked[msg_id] = method, params
        if rng.random() < 0.1:
            real_one.notify("$/cancelRequest", {"id": msg_id - rng.randrange(6)})
    answers = [_answer(real_one) for _ in asked]
    real_one.ask("zsh/tasks", {})
    assert Counter(it["id"] for it in answers) == Counter(asked.keys())
    assert "error" not in _answer(real_one)
    broken = [it for it in answers if it.get("error", {}).get("code") == INTERNAL_ERROR]
    assert [(asked[it["id"]], it["error"]) for it in broken] == []
    real_one.received.clear()

"""How long others wait while an editor asks about a text with very many functions.

Prints for each request of the editor, and for opening and editing the text, how often another process of the
user asked for the tasks meanwhile, and the median and the longest time it waited.
`python -m tests.bench waiting [FUNCTIONS]`.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import attrs

from tests.server.conftest import home_in
from tests.server.rpc import Peer, peer, position, range_of
from zsh_ls.sidecar.remote.thin import join

URI = "file:///nowhere/huge.zsh"
PAUSE_S = 0.005
PATIENCE_S = 300.0
ASKER = "from tests.bench.waiting import ask_for_tasks; ask_for_tasks({runtime!r}, {folder!r})"


def ask_for_tasks(runtime: str, folder: str) -> None:
    """Ask again and again, and write when each question began and how long it took."""
    server = join(Path(runtime), Path(folder))
    assert server is not None
    while True:
        began = time.monotonic()
        server.call("tasks")
        print(began, time.monotonic() - began, flush=True)
        time.sleep(PAUSE_S)


@attrs.define
class Phases:
    """What the editor asks, each told with how long the other one waited meanwhile."""

    server: Peer
    functions: int
    waited: list[tuple[float, float]] = attrs.field(factory=list)

    def listen(self, asker: subprocess.Popen[str]) -> None:
        assert asker.stdout is not None
        for line in asker.stdout:
            began, took_s = map(float, line.split())
            self.waited.append((began, took_s))

    def during(self, name: str, work: Callable[[], object]) -> None:
        began = time.monotonic()
        work()
        ended = time.monotonic()
        while not self.waited or self.waited[-1][0] < ended:
            time.sleep(PAUSE_S)
        times = [s for at, s in self.waited if began - s < at < ended] or [0.0]
        print(
            f"{name:36}{ended - began:8.2f} s{len(times):7} asked"
            f"{statistics.median(times) * 1000:8.1f} ms median{max(times) * 1000:8.1f} ms at most",
            flush=True,
        )

    def ask(self, method: str, **more: Any) -> None:
        params = {"textDocument": {"uri": URI}, **more}
        self.during(
            method,
            lambda: self.server.answer_to(self.server.ask(method, params), PATIENCE_S),
        )


def main(arguments: list[str]) -> int:
    functions = int(arguments[0]) if arguments else 200_000
    with tempfile.TemporaryDirectory(prefix="zsh-ls-bench-") as folder:
        home = home_in(Path(folder))
        workspace = Path(folder) / "workspace"
        workspace.mkdir()
        with peer(env=home) as server:
            server.initialize({"textDocument": {"diagnostic": {}}}, rootUri=workspace.as_uri())
            server.call("zsh/run", {"command": "true"})
            runtime = str(Path(home["XDG_RUNTIME_DIR"]) / "zsh-ls")
            code = ASKER.format(runtime=runtime, folder=str(workspace))
            phases = Phases(server, functions)
            with subprocess.Popen(
                [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
            ) as asker:
                threading.Thread(target=phases.listen, args=(asker,), daemon=True).start()
                _work(phases)
                asker.terminate()
    return 0


def _work(phases: Phases) -> None:
    server, last = phases.server, phases.functions
    text = "".join(f"f{number}() {{ :; }}\n" for number in range(last)) + "f7\n"
    end = {"position": position(last, 1)}
    phases.during("nothing", lambda: time.sleep(3))

    def opened() -> None:
        server.open(URI, text)
        server.call("zsh/tasks")

    def edited(line: int, version: int) -> None:
        server.change(
            URI, version, {"range": range_of((line, 0), (line, 0)), "text": "g() { :; }\n"}
        )
        server.call("zsh/tasks")

    def found() -> None:
        server.answer_to(server.ask("workspace/symbol", {"query": "f"}), PATIENCE_S)

    def closed() -> None:
        server.notify("textDocument/didClose", {"textDocument": {"uri": URI}})

    phases.during("didOpen", opened)
    for version in (2, 3):
        phases.ask("textDocument/documentSymbol")
        phases.ask("textDocument/foldingRange")
        phases.ask("textDocument/semanticTokens/full")
        phases.ask("textDocument/codeLens")
        phases.ask("textDocument/hover", **end)
        phases.ask("textDocument/completion", **end)
        phases.ask("textDocument/definition", **end)
        phases.ask("textDocument/references", **end, context={"includeDeclaration": True})
        phases.ask("textDocument/rename", **end, newName="another")
        phases.ask("textDocument/inlayHint", range=range_of((0, 0), (last, 0)))
        phases.ask("textDocument/selectionRange", positions=[position(last, 1)])
        phases.ask("textDocument/documentHighlight", **end)
        phases.ask("textDocument/documentLink")
        phases.during("workspace/symbol", found)
        phases.ask("textDocument/diagnostic")
        phases.during("didChange", partial(edited, last // 2, version))
    phases.during("didClose", closed)
    phases.during("after it", lambda: time.sleep(2))

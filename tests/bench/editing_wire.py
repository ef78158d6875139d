"""How long an editor waits on a script of 5,000 lines, over the wire: right away, and after a keystroke.

Prints p50 and p95 of the time from the request to its answer, for each feature
twice: on a text that was asked about before, and on one that was edited right
before the request. `python -m tests.bench editing_wire [ROUNDS] [LINES]`.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.server.conftest import home_in
from tests.server.rpc import Peer, peer, position, range_of

URI = "file:///nowhere/long.zsh"
BLOCK = """\
# Backs up what changed in part {n} and says how much that was.
backup_{n}() {{
  emulate -L zsh
  local target=${{1:-/tmp}} file count_{n}=0
  local -a files=( $target/*.txt(N) )
  for file in $files; do
    if [[ -r $file && ${{#files}} -gt 2 ]]; then
      (( count_{n} += ${{#file}} ))
      print -r -- "${{file:t}}: $(wc -l < $file | tr -d ' ')" >> "$logfile"
    elif [[ $file == *.tmp ]]; then
      rm -f -- "$file" || report "cannot remove $file"
    fi
  done
  case $target in
    (/tmp) report "temporary $count_{n}" ;;
    (*) grep -rn "part {n}" $target | sort -u | head -n 20 ;;
  esac
  cat <<EOT
part {n}: $count_{n} of ${{total:-0}}
EOT
}}
backup_{n} /var/tmp && total=$(( total + {n} ))

"""
HEAD = "#!/bin/zsh\nlogfile=/tmp/log total=0\nreport() { print -u2 -r -- $1 }\n"


def script(lines: int) -> str:
    blocks = lines // BLOCK.count("\n") + 1
    return HEAD + "".join(BLOCK.format(n=n) for n in range(blocks))


class Editor:
    """Types into the middle of the script and asks."""

    def __init__(self, server: Peer, text: str) -> None:
        self.server = server
        lines = text.split("\n")
        self.middle = next(at for at in range(len(lines) // 2, len(lines)) if "rm -f" in lines[at])
        self.version = 1
        self.server.open(URI, text)

    def type(self) -> None:
        """One character more in a comment, which moves everything behind it."""
        self.version += 1
        place = position(self.middle - 10, 1)
        change = {"range": {"start": place, "end": place}, "text": "x"}
        self.server.change(URI, self.version, change)

    def at(self, line: int, character: int) -> dict[str, Any]:
        return {"textDocument": {"uri": URI}, "position": position(line, character)}

    def questions(self) -> dict[str, tuple[str, dict[str, Any]]]:
        whole = {"textDocument": {"uri": URI}}
        command, flag, variable = (self.at(self.middle, column) for column in (7, 10, 17))
        function = self.at(2, 2)
        screen = range_of((self.middle - 25, 0), (self.middle + 25, 0))
        return {
            "completion": ("completion", command),
            "hover, command": ("hover", command),
            "hover, flag": ("hover", flag),
            "documentSymbol": ("documentSymbol", whole),
            "foldingRange": ("foldingRange", whole),
            "semanticTokens": ("semanticTokens/full", whole),
            "  of one screen": ("semanticTokens/range", {**whole, "range": screen}),
            "definition": ("definition", variable),
            "documentHighlight": ("documentHighlight", variable),
            "references": ("references", {**function, "context": {"includeDeclaration": True}}),
            "rename": ("rename", {**function, "newName": "tell"}),
        }


def waits_ms(ask: Callable[[], object], before: Callable[[], object], rounds: int) -> list[float]:
    found = []
    for _ in range(rounds):
        before()
        started = time.perf_counter()
        ask()
        found.append(1e3 * (time.perf_counter() - started))
    return sorted(found)


def shown(found: Sequence[float]) -> str:
    p95 = found[min(len(found) - 1, round(0.95 * len(found)))]
    return f"{found[len(found) // 2]:8.1f} {p95:8.1f}"


def report(editor: Editor, rounds: int) -> None:
    print(f"{'ms':20} {'p50':>8} {'p95':>8}   after a keystroke: p50, p95")
    for name, (method, params) in editor.questions().items():

        def ask(method: str = method, params: dict[str, Any] = params) -> object:
            return editor.server.call(f"textDocument/{method}", params)

        ask()
        still = waits_ms(ask, lambda: None, rounds)
        typed = waits_ms(ask, editor.type, rounds)
        print(f"{name:20} {shown(still)}   {shown(typed)}", flush=True)


def main(arguments: Sequence[str] = ()) -> None:
    rounds = int(arguments[0]) if arguments else 20
    text = script(int(arguments[1]) if len(arguments) > 1 else 5_000)
    with tempfile.TemporaryDirectory() as folder, peer(env=home_in(Path(folder))) as server:
        capabilities = {
            "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}
        }
        server.initialize(capabilities)
        print(f"a script of {text.count(chr(10))} lines")
        report(Editor(server, text), rounds)

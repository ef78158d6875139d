"""Our own expressions on texts made to hurt them: how time grows when the text is twice as long.

    python -m tests.bench patterns                all of them
    python -m tests.bench patterns redact hooks   some

Printed is what takes three times as long for twice the text, or more than 3 s: processor time in
milliseconds for each length, and the last ratio. A text is one piece over and over.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.identity import LONGEST_READ, identify
from zsh_ls.shell.manual_page import page_of
from zsh_ls.shell.redact import mask_output, redact
from zsh_ls.shell.traceable import reason_against
from zsh_ls.tasks.hooks import ask_for_report
from zsh_ls.verbosity.recorded import Recorded
from zsh_ls.verbosity.resolve import resolve

RATIO, NOTICED_S, LONG_S = 3.0, 0.03, 3.0
SHORT, LONG = LONGEST_READ // 8, 32_768
DOUBLINGS = 3
PIECES = [
    "a", "a ", "=", "a=", "--", "-p ", "'", '"', "\\", "\\\n", "$(", "${", "((", "[", "]", "{", "|",
    "<<E\n", "&&", ";", "/", "@", ":", "://", "https://a:b@", "eyJ", "eyJa.", "-----BEGIN ", "0", "0 ",
    "_", "-", "a-", "a_b=", "token ", "password=", "Bearer ", "sk-", "ghp_", "AKIA", "\t", " ", "\n",
    "a\n", "\r", "\x1b[", "error: ", "E ", "FAILED ", "   at ", 'File "', "1.", "é", "trap ", "set -",
    "trap -- '' ", "xtrace", "((a", "x:1:", "==", "=== ", "...", "a.b.", "#", "*", "?", "!", "\\[",
    "\\*[", ".if n ", ".ie n \\{\n", '.B "', ".RS\n", ".TP\n.B \\-x\nDo it.\n", "-x, ", ".Fl a ",
]  # fmt: skip

MEASURED: dict[str, tuple[Callable[[str], object], int]] = {
    "redact": (redact, SHORT),
    "identify": (identify, SHORT),
    "output": (mask_output, LONG),
    "resolve": (lambda text: resolve(Recorded(command="make", exit=1, combined=text)), LONG),
    "pytest": (lambda text: resolve(Recorded(command="pytest", exit=1, combined=text)), LONG),
    "hooks": (lambda text: [ask_for_report(it, text, "/x", {}) for it in ("zsh", "bash")], LONG),
    "traceable": (lambda text: reason_against(text, Dialect.ZSH), LONG),
    "man": (lambda text: page_of("a", f".TH A 1\n.SH OPTIONS\n{text}\n"), LONG),
    "mdoc": (lambda text: page_of("a", f".Dd x\n.Dt A 1\n.Os\n.Sh OPTIONS\n{text}\n"), LONG),
}


def main(arguments: list[str]) -> int:
    worse = 0
    for name in arguments or MEASURED:
        work, shortest = MEASURED[name]
        for piece in PIECES:
            taken_s = _taken_s(work, piece, shortest)
            ratio = taken_s[-1] / max(taken_s[-2], 1e-4)
            if (ratio >= RATIO and taken_s[-1] > NOTICED_S) or taken_s[-1] > LONG_S:
                worse += 1
                told = " ".join(f"{it * 1e3:8.1f}" for it in taken_s)
                print(f"{name:12}{piece!r:24}{told}  ratio {ratio:.1f}", flush=True)
    print(f"{worse} worse than they should be, of {len(PIECES)} texts each")
    return 0


def _taken_s(work: Callable[[str], object], piece: str, shortest: int) -> list[float]:
    taken_s = []
    for doubled in range(DOUBLINGS + 1):
        text = piece * ((shortest << doubled) // len(piece))
        began_s = time.thread_time()
        work(text)
        taken_s.append(time.thread_time() - began_s)
    return taken_s

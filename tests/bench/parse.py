"""How fast scripts are parsed: zsh's installed functions, each alone and many in one long file.

The long files have 20,000 and 100,000 lines. Two more are of the densest shell there is, the parser's own
sample. The same for the contexts of all pipelines. No garbage is collected meanwhile, as while a thread of
the server reads a long document (`sidecar/documents/executor.py`): with Python's thresholds a line in 100,000
takes twice as long as one in 1,000, for going over what is there already. The lower bound is what splitting
the texts into words takes.
"""

import gc
import itertools
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from zsh_ls.shell.status.context import contexts
from zsh_ls.shell.syntax.parser import parse

from ._peers import interleaved, table

FUNCTIONS = Path("/usr/share/zsh/functions")
SAMPLE = Path(__file__).parents[1] / "shell" / "sample.zsh"
LONG_FILES_LINES = (20_000, 100_000)
ROUNDS = 2


def processor_s(action: Callable[[], object]) -> Callable[[], float]:
    """What it takes of the processor, once."""

    def once() -> float:
        started = time.process_time()
        action()
        return time.process_time() - started

    return once


def report(name: str, texts: Sequence[str]) -> None:
    lines = sum(text.count("\n") for text in texts)
    scripts = [parse(text) for text in texts]
    work = {
        "parse": processor_s(lambda: [parse(text) for text in texts]),
        "contexts": processor_s(lambda: [contexts(script) for script in scripts]),
        "words alone": processor_s(
            lambda: [line.split() for text in texts for line in text.split("\n")]
        ),
    }
    taken = {
        each: [it / lines for it in values] for each, values in interleaved(work, ROUNDS).items()
    }
    table(f"a line of {name}", taken, "us", 1e6)
    for what in ("parse", "contexts"):
        print(f"  {what:10}{1 / min(taken[what]):9,.0f} lines/s")


def _joined(texts: Sequence[str], lines: int) -> str:
    """The texts, one behind the other and over again, until there are so many lines."""
    found, so_far = [], 0
    for text in itertools.cycle(texts):
        if so_far >= lines:
            break
        found.append(text)
        so_far += text.count("\n") + 1
    return "\n".join(found)


def main(_arguments: Sequence[str] = ()) -> None:
    gc.disable()
    try:
        installed = sorted(path for path in FUNCTIONS.rglob("*") if path.suffix != ".zwc")
        texts = [path.read_text("latin-1") for path in installed if path.is_file()]
        if texts:
            report("zsh's functions", texts[::4])
            for lines in LONG_FILES_LINES:
                report(f"{lines:,} of zsh's functions in a file", [_joined(texts, lines)])
        sample = SAMPLE.read_text() + "\n"
        for lines in LONG_FILES_LINES:
            report(
                f"{lines:,} of the densest shell in a file",
                [sample * (lines // sample.count("\n") + 1)],
            )
    finally:
        gc.enable()

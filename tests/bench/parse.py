"""How fast scripts are parsed: lines a second over zsh's installed functions, and one long file.

Prints the same for the contexts of all pipelines, and how many pipelines there are.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from zsh_ls.shell.status.context import contexts
from zsh_ls.shell.syntax.parser import parse

FUNCTIONS = Path("/usr/share/zsh/functions")
SAMPLE = Path(__file__).parents[1] / "shell" / "sample.zsh"
LONG_FILE_LINES = 10_000
ROUNDS = 5


def best_s(action: Callable[[], object]) -> float:
    """The shortest of some rounds of processor time: what others do on the machine is left out."""
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        action()
        times.append(time.process_time() - started)
    return min(times)


def report(name: str, texts: Sequence[str]) -> None:
    lines = sum(text.count("\n") for text in texts)
    scripts = [parse(text) for text in texts]
    pipelines = sum(len(script.every_pipeline()) for script in scripts)
    parse_s = best_s(lambda: [parse(text) for text in texts])
    context_s = best_s(lambda: [contexts(script) for script in scripts])
    print(f"{name}: {len(texts)} files, {lines} lines, {pipelines} pipelines")
    print(f"  parse     {lines / parse_s:9,.0f} lines/s  {1e3 * parse_s:8.1f} ms")
    print(f"  contexts  {lines / context_s:9,.0f} lines/s  {1e3 * context_s:8.1f} ms")


def main(_arguments: Sequence[str] = ()) -> None:
    installed = sorted(path for path in FUNCTIONS.rglob("*") if path.suffix != ".zwc")
    texts = [path.read_text("latin-1") for path in installed if path.is_file()]
    if texts:
        report("zsh's functions", texts[::4])
    sample = SAMPLE.read_text() + "\n"
    copies = LONG_FILE_LINES // sample.count("\n") + 1
    report("one long file", [sample * copies])

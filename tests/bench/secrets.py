"""How many commands with secrets come out clean, how many without are changed, and what it costs.

The files of tests/data/secrets; `--misses` shows what slips through. What each
set of rules scored at first sight stands in tests/data/secrets/scores.md.
"""

import argparse
import statistics
import time

from tests.shell.secret_cases import DATA, benign_cases, secret_cases
from zsh_ls.shell.identity import identify
from zsh_ls.shell.redact import redact


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench secrets")
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args(arguments)
    texts: list[str] = []
    for path in sorted(DATA.glob("*.txt")):
        texts += report(path.name, show_misses=options.misses)
    print(f"redact   {median_us(texts, redact):6.0f} us a command (median)")
    print(f"identify {median_us(texts, identify):6.0f} us a command (median, nothing kept)")
    return 0


def report(name: str, *, show_misses: bool) -> list[str]:
    """Prints a file's score and gives its commands."""
    if name.startswith("benign"):
        commands = benign_cases(name)
        wrong = [command for command in commands if redact(command) != command]
        print(f"{name:15} {len(wrong):3} of {len(commands)} changed")
    else:
        cases = list(secret_cases(name))
        commands = [case.command for case in cases]
        wrong = [c.line for c in cases if any(secret in redact(c.command) for secret in c.secrets)]
        print(f"{name:15} {len(cases) - len(wrong):3} of {len(cases)} redacted")
    if show_misses:
        print(*(f"    {line}" for line in wrong), sep="\n")
    return commands


def median_us(texts: list[str], judge: object) -> float:
    assert callable(judge)
    spent = []
    for number, text in enumerate(texts):
        fresh = f"{text} #{number}"  # another text each time: nothing is found in a cache
        started = time.perf_counter()
        judge(fresh)
        spent.append(time.perf_counter() - started)
    return 1e6 * statistics.median(spent)

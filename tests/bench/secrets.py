"""How many commands with secrets come out clean, how many without are changed, and what it costs.

The files of tests/data/secrets; `--misses` shows what slips through. What each
set of rules scored at first sight stands in tests/data/secrets/scores.md.
"""

import argparse
import statistics
import time

from tests.shell.secret_cases import DATA, SecretCase, categories, filled, leaks, lines, shown
from zsh_ls.shell.redaction.redact import redact
from zsh_ls.shell.template.identity import identify


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
    """Prints a file's score, over all and by category, and gives its commands."""
    cases = [filled(line) for line in lines(name)]
    benign = name.startswith("benign")
    wrong = {case.line for case in cases if (changed(case) if benign else slips(case))}
    print(f"{name:15} {score(set(categories(name)), wrong, benign=benign)}")
    for category in dict.fromkeys(categories(name).values()):
        of_it = {line for line, named in categories(name).items() if named == category}
        if category:
            print(f"  {category:13} {score(of_it, wrong, benign=benign)}")
    telling = [case.line for case in cases if leaks(case, shown(case.command))]
    if telling and not benign:
        print(f"  in a template {len(telling)}", *telling, sep="\n      ")
    if show_misses:
        print(*(f"    {case.line}" for case in cases if case.line in wrong), sep="\n")
    return [case.command for case in cases]


def score(lines: set[str], wrong: set[str], *, benign: bool) -> str:
    failed = len(lines & wrong)
    if benign:
        return f"{failed:3} of {len(lines)} changed"
    redacted = len(lines) - failed
    return f"{redacted:3} of {len(lines)} redacted ({redacted / len(lines):.0%})"


def slips(case: SecretCase) -> bool:
    return leaks(case, redact(case.command))


def changed(case: SecretCase) -> bool:
    return redact(case.command) != case.command


def median_us(texts: list[str], judge: object) -> float:
    assert callable(judge)
    spent = []
    for number, text in enumerate(texts):
        fresh = f"{text} #{number}"  # another text each time: nothing is found in a cache
        started = time.perf_counter()
        judge(fresh)
        spent.append(time.perf_counter() - started)
    return 1e6 * statistics.median(spent)

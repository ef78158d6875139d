"""Tests of the claims of static rules in real shells, with and without the fix.

`speaks` of the rule's claim must print what is expected, and the rule must say so
of that very text; `silent` is the mended or harmless look-alike.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from zsh_ls.insights import static
from zsh_ls.shell.syntax.dialect import dialect_of

BOTH = ("zsh", "bash")


class Claim(NamedTuple):
    rule: str
    speaks: str
    printed: str
    silent: str
    printed_then: str
    shells: tuple[str, ...] = BOTH


CLAIMS = [
    Claim(
        "errexit-on-normal-exit",
        "set -e\nx=$(grep _none_ /etc/passwd)\necho reached$x",
        "",
        "set -e\nx=$(grep _none_ /etc/passwd) || [ $? -eq 1 ]\necho reached$x",
        "reached",
    ),
    Claim(
        "errexit-on-zero-arithmetic",
        "set -e\nn=0\n(( n++ ))\necho reached",
        "",
        "set -e\nn=0\n(( ++n ))\necho reached",
        "reached",
    ),
    Claim(
        "errexit-on-zero-arithmetic",
        "set -e\nlet n=0\necho reached",
        "",
        "set -e\nlet n=0 || true\necho reached",
        "reached",
    ),
    Claim(
        "errexit-on-read-to-end",
        "set -e\nread -r -d '' x < /etc/hostname\necho reached",
        "",
        "set -e\nread -r -d '' x < /etc/hostname || true\necho ${x:+reached}",
        "reached",
    ),
    Claim(
        "errexit-on-no-file",
        "set -e\nrm -f /tmp/_no_such_*.tmp\necho reached",
        "",
        "set -e\nrm -f /tmp/_no_such_*.tmp(N)\necho reached",
        "reached",
        ("zsh",),
    ),
    Claim(
        "errexit-off-in-condition",
        "set -e\nf() {\nfalse\necho ran on\n}\nf || exit 1",
        "ran on",
        "set -e\nf() {\nfalse\necho ran on\n}\nf",
        "",
    ),
    Claim(
        "declaration-masks-exit",
        "f() {\nlocal x=$(cat /nonexistent) || echo caught\necho end\n}\nf",
        "end",
        "f() {\nlocal x=; x=$(cat /nonexistent) || echo caught\necho end\n}\nf",
        "caught\nend",
    ),
    Claim(
        "masked-segment",
        "set -e\ncurl -fs file:///nonexistent | sort\necho reached",
        "reached",
        "set -e\nset -o pipefail\ncurl -fs file:///nonexistent | sort\necho reached",
        "",
    ),
    Claim(
        "masked-build-failure",
        "set -e\n./build.sh | cat\necho reached",
        "reached",
        "set -e\nset -o pipefail\n./build.sh | cat\necho reached",
        "",
    ),
    Claim(
        "sigpipe-under-pipefail",
        "set -o pipefail\nif yes | head -n 1; then echo fine; else echo failed; fi",
        "y\nfailed",
        "if yes | head -n 1; then echo fine; else echo failed; fi",
        "y\nfine",
    ),
    Claim(
        "unchecked-cd",
        "cd /nonexistent\nrm -rf _nothing_\necho wrong folder",
        "wrong folder",
        "cd /nonexistent || exit\nrm -rf _nothing_\necho wrong folder",
        "",
    ),
    Claim(
        "late-status",
        "false\necho done\nif [ $? -eq 0 ]; then echo fine; fi",
        "done\nfine",
        "false\nstatus_was=$?\necho done\nif [ $status_was -eq 0 ]; then echo fine; fi",
        "done",
    ),
    Claim(
        "late-status",
        "(exit 7)\n[ $? -ne 0 ] && exit $?\necho end",
        "",
        "true\n[ $? -ne 0 ] && exit 1\necho end",
        "end",
    ),
    Claim(
        "late-pipestatus",
        "false | true\na=${PIPESTATUS[0]}\nb=${PIPESTATUS[1]}\necho $a-$b",
        "1-",
        'false | true\nc=("${PIPESTATUS[@]}")\necho ${c[0]}-${c[1]}',
        "1-0",
        ("bash",),
    ),
    Claim(
        "late-pipestatus",
        "false | true\nprint done\nprint $pipestatus",
        "done\n0",
        "false | true\na=$pipestatus[1]\nb=$pipestatus[2]\nprint $a $b",
        "1 0",
        ("zsh",),
    ),
    Claim(
        "foreign-pipestatus",
        'false | true\necho "<${PIPESTATUS[0]}>"',
        "<>",
        'false | true\necho "<${pipestatus[1]}>"',
        "<1>",
        ("zsh",),
    ),
    Claim(
        "lost-loop-variable",
        "n=0\necho a | while read x; do\nn=1\ndone\necho $n",
        "0",
        "n=0\nwhile read x; do\nn=1\ndone < <(echo a)\necho $n",
        "1",
        ("bash",),
    ),
    Claim(
        "condition-without-then",
        "f() {\nif [[ a == b ]]\nprint body\n}\nf",
        "body",
        "f() {\nif [[ a == b ]] print body\n}\nf",
        "",
        ("zsh",),
    ),
    Claim(
        "background-exit-lost",
        "set -e\ncp /nonexistent /tmp/_x_ &\nsleep 0.2\necho reached",
        "reached",
        "set -e\ncp /nonexistent /tmp/_x_ &\nwait $!\necho reached",
        "",
    ),
]
RUNS = [
    pytest.param(claim, shell, id=f"{claim.rule}-{number}-{shell}")
    for number, claim in enumerate(CLAIMS)
    for shell in claim.shells
]


def script(shell: str, text: str) -> str:
    return f"#!/bin/{shell}\n{text}\n"


def rules_said(shell: str, text: str) -> set[str]:
    whole = script(shell, text)
    named = {claim.rule for claim in CLAIMS}
    return {insight.rule for insight in static(whole, dialect_of(whole), named=named)}


def printed(shell: str, text: str, folder: Path) -> str:
    flags = ["-f"] if shell == "zsh" else []
    path = folder / "script"
    path.write_text(script(shell, text))
    done = subprocess.run(
        [shell, *flags, str(path)],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    return done.stdout.strip()


@pytest.mark.parametrize(("claim", "shell"), RUNS)
def test_a_rule_speaks_of_its_claim_and_is_silent_of_the_mended_text(
    claim: Claim, shell: str
) -> None:
    assert claim.rule in rules_said(shell, claim.speaks)
    assert claim.rule not in rules_said(shell, claim.silent)


@pytest.mark.live
@pytest.mark.parametrize(("claim", "shell"), RUNS)
def test_the_shell_does_what_the_rule_claims(claim: Claim, shell: str, tmp_path: Path) -> None:
    assert printed(shell, claim.speaks, tmp_path) == claim.printed
    assert printed(shell, claim.silent, tmp_path) == claim.printed_then

"""Tests that the static rules speak of failures that go wrong, and of no others (FATE-9)."""

from __future__ import annotations

import pytest

from zsh_ls.insights import static
from zsh_ls.insights.script_model import LONGEST_ANALYSED
from zsh_ls.shell.syntax.dialect import dialect_of
from zsh_ls.shell.syntax.parser import parse

from .failures.score import Case, cases

CASES = list(cases())
DEPLOY = """#!/bin/bash
set -e
deploy() {
  cp app.conf /etc/app.conf
  systemctl restart app
}
deploy || exit 1
"""


@pytest.mark.parametrize("case", CASES, ids=lambda it: it.name)
def test_the_rules_speak_of_the_marked_lines_alone(case: Case) -> None:
    assert case.said == case.lines


def test_no_two_cases_have_a_name() -> None:
    assert len(CASES) == len({it.name for it in CASES})


def test_a_finding_carries_the_fate_that_decides_it() -> None:
    # FATE-10
    found = static(DEPLOY, dialect_of(DEPLOY))
    assert [(it.rule, it.then_line) for it in found] == [("errexit-off-in-condition", 5)]
    assert "errexit is ignored" in found[0].because


def test_no_fate_is_asked_of_a_very_long_script() -> None:
    long = DEPLOY + "# " + "x" * LONGEST_ANALYSED + "\n"
    assert static(long, dialect_of(long)) == []


def test_a_script_whose_trap_tells_of_errors_does_not_end_without_a_word() -> None:
    script = "#!/bin/bash\nset -eE\ntrap 'echo \"line $LINENO\" >&2' ERR\nx=$(grep a f)\necho $x\n"
    [found] = static(script, dialect_of(script))
    assert found.message == 'grep exits 1 for "no match", and errexit ends the script'


@pytest.mark.parametrize("case", CASES, ids=lambda it: it.name)
def test_a_case_is_good_shell_text(case: Case) -> None:
    assert not parse(case.text, dialect_of(case.text)).problems


@pytest.mark.parametrize(
    ("text", "consequence"),
    [
        (
            'set -e\nx=$(grep a f)\ny=1\nif [ -z "$x" ]; then\n  x=b\nfi\necho $x $y',
            ": the look for an empty x on line 5 is never reached",
        ),
        ("set -e\nx=$(grep a f)\necho $x", "ends the script without a word"),
        (
            'set -e\nx=$(grep a f)\nls\nfor y in $x; do ship "$y"; done',
            "ends the script without a word",
        ),
        ("make all\necho made\nexit $?", "echo here: 0, whatever 'make all' came to"),
        ("make\n[ $? -ne 0 ] && exit $?\nship", ": always 0, and not what it tested"),
        ('make\n[ $? -eq 0 ] || echo "$?"\nship', ": always 1, and not what it tested"),
        ("f() {\n  local x=$(make) || return 1\n}\nf", ", and '|| return 1' never runs"),
        ("set -e\nexport X=$(make -s id)\nship", ", and it goes on with X empty"),
        ('set -e\nexport X="$(make -s id)/bin:$X"\nship', ", and X is set without it"),
        ("set -e\ncurl -s http://x | sh\nship", "runs what came, and exits 0 if that is nothing"),
        ("set -e\npg_dump a | gzip > a.gz\nship", ", and what is kept may be half"),
        ("set -e\nmake test | tee log\n\nship now", ", and 'ship now' on line 5 runs all the same"),
        (
            "set -e\nf() {\n  git pull\n  ship\n}\nf || warn no",
            "does not stop it, and 'ship' on line 5 runs all the same",
        ),
        (
            "set -e\nf() {\n  git pull\n  echo x\n}\nx=$(f)\nship $x",
            "does not stop it, and 'echo x' on line 5 runs all the same",
        ),
    ],
)
def test_a_finding_says_what_comes_of_the_failure(text: str, consequence: str) -> None:
    """FATE-10."""
    script = f"#!/bin/bash\n{text}\n"
    assert [consequence in it.message for it in static(script, dialect_of(script))] == [True]


def test_of_a_text_that_zsh_refuses_no_rule_says_what_always_runs() -> None:
    script = (
        "#!/bin/zsh\nif (( a > 2 )) || (( b == 2 ))) then\n  print one\nelse\n  print two\nfi\n"
    )
    assert static(script, dialect_of(script)) == []

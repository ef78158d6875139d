"""A status in a variable is followed as far as somebody reads it, and no further (FATE-1, 12)."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.shell.fates.oracle import laboratory
from tests.shell.fates.score import analysed, answers
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.fates import fates
from zsh_ls.shell.fates.nodes import Known
from zsh_ls.shell.syntax.parser import parse

# How a status may go from one function to another, or must not.
WRITTEN_IN_A_CALL = "f() { a; ret=$?; }\nf\nif [ $ret -ne 0 ]; then b; fi\nc\n"
READ_IN_A_CALL = "f() { if [ $ret -ne 0 ]; then b; fi; c; }\na\nret=$?\nf\nd\n"
OVERWRITTEN_BY_A_CALL = "f() { a; ret=$?; }\nb\nret=$?\nf\n[ $ret -eq 0 ] || exit 3\nc\n"
PERHAPS_OVERWRITTEN = (
    "f() { if a; then b; ret=$?; fi; }\nc\nret=$?\nf\n[ $ret -eq 0 ] || exit 3\nd\n"
)
KEPT_BY_A_LOCAL = (
    "f() { local ret; a; ret=$?; return $ret; }\nb\nret=$?\nf || c\n[ $ret -eq 0 ] || exit 3\nd\n"
)
READ_OF_A_CALLER = (
    "g() { [ $ret -eq 0 ] || b; }\nf() { local ret; a; ret=$?; g; c; }\nret=0\nf\ng\nd\n"
)
IN_A_SUBSHELL = "f() { a; ret=$?; }\nb\nret=$?\n( f )\n[ $ret -eq 0 ] || exit 3\nc\n"
TWO_CALLS_DEEP = "g() { a; ret=$?; }\nf() { g; b; }\nf\n[ $ret -eq 0 ] || exit 3\nc\n"
WRITTEN_AGAIN = (
    "f() { a; ret=$?; [ $ret -eq 0 ] || return 1; }\n"
    "g() { b; ret=$?; [ $ret -eq 0 ] || return 1; }\nf || exit 2\ng || c\nd\n"
)
SCRIPTS = {name: text for name, text in dict(globals()).items() if name.isupper()}


@pytest.mark.parametrize("dialect", list(Dialect))
def test_statuses_cross_functions_as_in_the_shell(dialect: Dialect) -> None:
    with laboratory() as lab:
        texts = [(text, dialect) for text in SCRIPTS.values()]
        said = [answer for found in answers(lab, texts, analysed) for answer in found]
    assert len(said) >= 3 * len(SCRIPTS)
    assert [it.shown() for it in said if not it.is_right] == []


def many_functions(count: int) -> str:
    """Functions that call each other, and keep statuses in variables of the same few names."""
    functions = [
        "log() { echo x; ret=$?; return $ret; }\n",
        *(
            f"f{at}() {{\n  log\n"
            + "".join(
                f"  f{at // step}{'' if at // step else '0'} a\n  rc{step}=$?\n  log\n"
                f"  if [ $rc{step} -ne 0 ]; then log; return $rc{step}; fi\n"
                for step in (2, 3, 5)
            )
            + f"  c{at}\n  ret=$?\n  [ $ret -eq 0 ] || log\n}}\n"
            for at in range(1, count)
        ),
    ]
    return "f00() { a; }\n" + "".join(functions) + f"f{count - 1} || exit 1\n"


@pytest.mark.parametrize("dialect", list(Dialect))
def test_large_scripts_with_statuses_in_variables_have_fates(dialect: Dialect) -> None:
    """All that nvm.sh, acme.sh and zinit.zsh had before was `unknown`."""
    found = fates(parse(many_functions(60), dialect), Known())
    assert len(found) > 60
    assert Counter(str(it.fate) for it in found)["unknown"] == 0

"""Mutants of small scripts: what the shells refuse is seen by our parser too, and nothing else is."""

import pytest

from tests.shell.mutants import SOURCES, accepted, refused_by_us, score
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.parser import parse

ZSH, BASH = Dialect.ZSH, Dialect.BASH
# Of 300 mutants by this seed, how many that the shell refuses pass us in silence, and how many that
# it takes we call an error: at most so many.
SEED = 21
MOST = {ZSH: (6, 0), BASH: (21, 0), Dialect.SH: (18, 1)}

TAKEN = [
    (ZSH, "case $x { a) b;; esac"),
    (ZSH, "case $x in a) b;; }"),
    (ZSH, "if x=$(a) then b; fi"),
    (ZSH, "if x=(a) >f then b; fi"),
    (ZSH, "if >f then b; fi"),
    (ZSH, "while x=1 do b; done"),
    (ZSH, "{ if a; then x=1 fi }"),
    (ZSH, "case a in b) x=1 esac"),
    (ZSH, "foreach a (b) x=1 end"),
    (ZSH, "x=1 in"),
    (ZSH, "x=1 done2"),
    (ZSH, "typeset a[2,3]=()"),
    (ZSH, "local a[1]=() b"),
    (ZSH, "[[ $x = \\\n (a|b) ]]"),
    (ZSH, "[[ -n $x || \\\n -z y ]]"),
    (ZSH, "[[ -foo a b c ]]"),
    (ZSH, "[[ a -foo b ]]"),
    (BASH, "let x=(78-3)/2"),
    (BASH, "let x=(1 + 2) y=3"),
    (BASH, "declare a[2]=(x)"),
    (BASH, "[[ $x =~ ^a|b$ ]]"),
    (BASH, "[[ a && ( $x =~ ^/ || $x =~ ^[[:space:]]*#) ]]"),
    (BASH, "[[ $x =~ (a|b) && y ]]"),
]
REFUSED = [
    (ZSH, "[[ $x $y ]]"),
    (ZSH, "[[ a b c ]]"),
    (ZSH, "[[ -n $x && ]]"),
    (ZSH, "[[ $x < < $y ]]"),
    (ZSH, "[[ ( $x == a ]]"),
    (ZSH, "[[ a | b ]]"),
    (ZSH, "x=1 fi"),
    (ZSH, "x=1 [[ a ]]"),
    (ZSH, "x=1 (( a ))"),
    (BASH, "[[ $x $y ]]"),
    (BASH, "[[ $x == (a|b) ]]"),
    (BASH, "[[ -f ]]"),
    (BASH, "[[ a -foo b ]]"),
]


@pytest.mark.parametrize(("dialect", "text"), TAKEN)
def test_what_the_shell_takes_is_no_error(dialect, text):
    assert accepted(SOURCES[dialect][1], [text]) == [True]
    assert not parse(text, dialect).problems


@pytest.mark.parametrize(("dialect", "text"), REFUSED)
def test_what_the_shell_refuses_is_an_error(dialect, text):
    assert accepted(SOURCES[dialect][1], [text]) == [False]
    assert refused_by_us(text, dialect)


def test_a_declared_slice_is_no_function():
    assert not parse("typeset a[2,3]=()").functions


def test_a_long_regular_expression_takes_linear_time():
    # In quadratic time this would time out.
    assert not parse(f"[[ x =~ {'a|' * 300_000}b ]]", BASH).problems


@pytest.mark.parametrize("dialect", SOURCES)
def test_mutants_are_judged_as_the_shell_judges_them(dialect):
    result = score(dialect, SEED, 300)
    passed, accused = MOST[dialect]
    assert len(result.passed) <= passed, result.passed
    assert len(result.accused) <= accused, result.accused

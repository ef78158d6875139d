"""Patterns that are compiled when they are first used are used as the library's are."""

from __future__ import annotations

import re

import pytest

from zsh_ls.lazy import re as lazy

TEXT = "a1 b22, c"


@pytest.mark.parametrize("name", ["search", "match", "fullmatch", "findall", "split"])
@pytest.mark.parametrize("text", [r"[a-z](\d*)", r"\d", r"A1.*"])
def test_a_function_takes_them_and_texts(name: str, text: str) -> None:
    usual = getattr(re, name)(re.compile(text, re.IGNORECASE), TEXT)
    ours = getattr(lazy, name)(lazy.compile(text, re.IGNORECASE), TEXT)
    assert str(ours) == str(usual)
    assert str(getattr(lazy, name)(text, TEXT)) == str(getattr(re, name)(text, TEXT))


def test_what_replaces_and_iterates_takes_them() -> None:
    digits = lazy.compile(r"\d+")
    assert lazy.sub(digits, "#", TEXT) == digits.sub("#", TEXT) == "a# b#, c"
    assert lazy.subn(digits, "#", TEXT, count=1) == ("a# b22, c", 1)
    assert [it[0] for it in lazy.finditer(digits, TEXT)] == ["1", "22"]


def test_a_mistake_is_found_when_the_pattern_is_used() -> None:
    wrong = lazy.compile("(")
    with pytest.raises(re.error):
        wrong.search("")

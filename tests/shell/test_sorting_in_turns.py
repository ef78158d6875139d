"""No step over a long text compares very many keys or searches much at once: others would wait."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.insights import script_model
from zsh_ls.insights.script_model import ScriptModel
from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.shell.ide import semantic_tokens
from zsh_ls.shell.ide.runnable import runnable_lines
from zsh_ls.shell.ide.semantic_tokens import Around, tokens
from zsh_ls.shell.status.context import contexts
from zsh_ls.shell.symbols.collect import names_of
from zsh_ls.shell.symbols.outline import outline
from zsh_ls.shell.syntax import error_policy
from zsh_ls.shell.syntax.error_policy import syntax_authorities
from zsh_ls.shell.syntax.lines import PIECE
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.system import sorting
from zsh_ls.system.sorting import sorted_in_turns
from zsh_ls.system.taking_down import take_down

AT_ONCE = 100
TEXT = "".join(f"f{number}() {{ :; }}\n" for number in range(3 * AT_ONCE)) + "f7\n"


@attrs.define
class Sorting:
    """Counts the keys that each call of Python's own sorting asks for."""

    is_sorting: bool = False
    keys: int = 0
    most: int = 0

    def __call__(self, frame: FrameType, event: str, what: Any) -> None:
        if event in ("c_call", "c_return") and what.__name__ in ("sorted", "sort"):
            self.is_sorting, self.keys = event == "c_call", 0
        elif event == "call" and self.is_sorting and frame.f_back is not None:
            self.keys += 1
            self.most = max(self.most, self.keys)


STEPS: dict[str, Callable[[Script], object]] = {
    "contexts": contexts,
    "names": names_of,
    "outline": lambda script: outline(names_of(script)),
    "runnable lines": runnable_lines,
    "every pipeline": Script.every_pipeline,
    "tokens": lambda script: tokens(names_of(script), Around()),
}


@pytest.mark.parametrize("step", STEPS)
def test_keys_are_compared_some_at_a_time(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorting, "AT_ONCE", AT_ONCE)
    script = parse(TEXT, Dialect.ZSH)
    seen = Sorting()
    sys.setprofile(seen)
    try:
        STEPS[step](script)
    finally:
        sys.setprofile(None)
    assert 0 < seen.most <= AT_ONCE


@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 9))
def test_the_order_is_that_of_sorted(values: list[int], at_once: int) -> None:
    pairs = list(enumerate(values))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sorting, "AT_ONCE", at_once)
        found = sorted_in_turns(pairs, lambda pair: pair[1])
    assert found == sorted(pairs, key=lambda pair: pair[1])


@attrs.define
class Searching:
    """A pattern, and how much text each search of it was given."""

    pattern: re.Pattern[str]
    lengths: list[int] = attrs.field(factory=list)

    def search(self, text: str) -> re.Match[str] | None:
        self.lengths.append(len(text))
        return self.pattern.search(text)


LONG = "echo a line\n" * (2 * PIECE // 12)
SHEBANG = "#!/bin/bash\n"
LONGEST = 100  # of its lines
SIGNS = {
    "TMUX": "set -g status-style bg=black\n",
    "FILL_IN": "ping <your.time.server>\n",
    "FILLED_IN": "f() {{\n  git checkout {branch}\n}}\n",
}


@pytest.mark.parametrize("name", ["TMUX", "FILL_IN", "DOUBLED", "CLOSED", "FILLED_IN"])
def test_signs_of_another_language_are_looked_for_piece_by_piece(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = Searching(getattr(error_policy, name))
    monkeypatch.setattr(error_policy, name, seen)
    text = SHEBANG + LONG + (SIGNS["FILLED_IN"] if name in ("CLOSED", "FILLED_IN") else "")
    syntax_authorities(text, Dialect.BASH)
    assert 0 < max(seen.lengths) <= PIECE + LONGEST < len(LONG)


@pytest.mark.parametrize("sign", SIGNS)
def test_a_sign_far_down_is_found(sign: str) -> None:
    assert syntax_authorities(SHEBANG + LONG, Dialect.BASH) == (Dialect.BASH,)
    assert syntax_authorities(SHEBANG + LONG + SIGNS[sign] + LONG, Dialect.BASH) == ()


def test_the_sum_of_a_test_suite_is_looked_for_piece_by_piece(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = Searching(script_model.TEST_SUM)
    monkeypatch.setattr(script_model, "TEST_SUM", seen)
    text = "fail() { exit 1; }\n" + LONG + 'echo "$passed tests passed"\n'
    assert ScriptModel(parse(text, Dialect.BASH)).is_test_suite
    assert 0 < max(seen.lengths) <= PIECE + LONGEST < len(LONG)


def test_what_tokens_needed_is_taken_down_a_piece_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 200,000 functions it held up everybody for 190 ms when it went."""
    sizes: list[int] = []

    def noting(things: list[Any]) -> None:
        sizes.extend(map(len, things))
        take_down(things)

    monkeypatch.setattr(semantic_tokens, "take_down", noting)
    monkeypatch.setattr(semantic_tokens, "_MANY", AT_ONCE)
    tokens(names_of(parse(TEXT, Dialect.ZSH)), Around())
    assert max(sizes) >= 3 * AT_ONCE

"""No step over a long text compares very many keys at once, for no other thread runs meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.model.syntax import Dialect, Script
from zsh_ls.shell.ide.runnable import runnable_lines
from zsh_ls.shell.status.context import contexts
from zsh_ls.shell.symbols.collect import names_of
from zsh_ls.shell.symbols.outline import outline
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.system import sorting
from zsh_ls.system.sorting import sorted_in_turns

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

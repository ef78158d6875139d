"""Tests of where a value goes before it is tested."""

from __future__ import annotations

import pytest

from zsh_ls.insights.script_model import ScriptModel
from zsh_ls.insights.value_flow import is_looked_at
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.syntax.parser import parse


def _looked_at(text: str, *, for_one_text: bool = False) -> bool:
    model = ScriptModel(parse(text, Dialect.BASH))
    place = next(one for one in model.places if one.pipeline.segments[0].command_word == "export")
    return is_looked_at(model, place, "x", for_one_text=for_one_text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[ -n $x ]] || exit 1\nship $x", True),
        ("echo at $x\n[[ $x ]] || exit 1", True),
        ("ship $x\n[[ $x ]] || exit 1", False),
        ("y=${x%.*}\ncase $y in a) ship ;; esac", True),
        ('y="$(echo "$x" | cut -c1)"\nship $y', False),
        ("ship ${x:-none}", True),
        ('if echo "$x" | grep -q yes; then ship; fi', True),
        ('echo "$x" | jq .', False),
        ("one() {\n  [[ -z $2 ]] && return\n}\none a $x", True),
        ("one() {\n  ship $2\n}\none a $x", False),
        ("ship $x || true\n[[ $x ]] || exit 1", True),
        ("for y in $x; do ship; done", False),
        ("ship", False),
    ],
)
def test_a_value_is_looked_at_before_anything_is_done_with_it(text: str, expected: bool) -> None:
    assert _looked_at(f"export x=$(make)\n{text}\n") == expected


def test_a_function_that_calls_itself_ends() -> None:
    assert not _looked_at("one() {\n  one $1\n}\nexport x=$(make)\none $x\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('y="${x%%:*}"\n[[ $y == dirty ]] && ship', True),
        ('y="${x%%:*}"\n[[ -z $y ]] && exit 1', False),
        ('[[ $? -ne 0 ]] && [[ $x == "no" ]] && exit 1', False),
        ("(( ${#x} > 9 )) && exit 1", False),
    ],
)
def test_a_test_for_one_text_is_another_than_one_for_none(text: str, expected: bool) -> None:
    assert _looked_at(f"export x=$(make)\n{text}\n", for_one_text=True) == expected

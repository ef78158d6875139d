"""Which programs a traced command starts (START-1)."""

from __future__ import annotations

import pytest

from zsh_ls.startup.programs import programs_of

LONG = 'eval "_widget_$action() {\n  local -i retval\n  _highlight_reset\n  # ' + "x" * 200


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x=$(python3 -c 1)", ("python3",)),
        ('eval "a() {\n  b\n}"', ()),
        (LONG[:160], ()),
        (f"git log --format={'x' * 150}"[:160], ("git",)),
    ],
)
def test_what_stands_in_quotes_is_no_program(text: str, names: tuple[str, ...]) -> None:
    """A trace cuts a text after 160 characters: then its quotes may be open."""
    assert programs_of([text], "zsh", frozenset()) == names

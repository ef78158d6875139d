"""The lines of an output that say why it failed (ANS-7)."""

from __future__ import annotations

from zsh_ls.verbosity.telling import telling_lines

COLLECTING = """==================================== ERRORS ====================================
______________________ ERROR collecting tests/test_cli.py ______________________
ImportError while importing test module '/shop/tests/test_cli.py'.
Traceback:
tests/test_cli.py:14: in <module>
    from _pytest.monkeypatch import notset
E   ImportError: cannot import name 'notset' from '_pytest.monkeypatch'
1 error in 1.65s
"""


# ANS-7
def test_headings_and_the_rules_around_titles_are_left_out() -> None:
    told = telling_lines(COLLECTING, 5)
    assert "E   ImportError: cannot import name 'notset' from '_pytest.monkeypatch'" in told
    assert "ERROR collecting tests/test_cli.py" in told
    assert not {"Traceback:", ""} & set(told)
    assert not any("____" in line or "====" in line for line in told)


def test_a_line_of_nothing_but_a_heading_is_better_than_none() -> None:
    assert telling_lines("Error:\n", 5) == ("Error:",)

"""What a long failed run says of passed tests is counted, with headings of nothing else (VERB-9)."""

from __future__ import annotations

import pytest

from zsh_ls.verbosity.fold import FOLDED_FROM_CHARS, folded

SUITES = "".join(
    f"  shelf {n}\n    .hold(thing)\n      ✔ holds {n} things of a kind\n"
    f"      when it is full\n        ✔ says so of {n}\n\n"
    for n in range(250)
)
FAILING = """  lock
    .open(key)
      ✔ opens
      when the key is broken
        1) is refused
    .close()
      ✔ closes
      - is not written yet


  503 passing (2s)
  1 pending
  1 failing

  1) lock
       .open(key)
         when the key is broken
           is refused:
     Error: expected 403, got 200
      at Context.<anonymous> (test/lock.js:5:1)
"""


# VERB-9
def test_headings_with_nothing_but_passed_tests_are_counted_with_them() -> None:
    """Of 1,256 tests of a web framework with two failures half of 70 kB were headings."""
    assert len(SUITES) > FOLDED_FROM_CHARS
    text = folded(f"\n\n{SUITES}{FAILING}")
    assert text is not None
    rows = [row for _, row in text.rows]
    assert rows[:3] == ["", "", "... 1499 lines of passed tests folded, lines 3-1501"]
    assert rows[3:] == ["", *FAILING.split("\n")[:-1]]
    assert text.hidden == 1499


# VERB-9
@pytest.mark.parametrize(
    "said",
    [
        "connected to the shelf",
        "     connected to the shelf",
        "          { shelf: 3 }",
        "      - holds no such thing",
        "      2) holds nothing",
    ],
)
def test_what_is_no_passed_test_stays_with_the_headings_above_it(said: str) -> None:
    group = f"  a shelf of its own\n    .hold()\n      ✔ holds one\n{said}\n      ✔ holds two\n\n"
    text = folded(f"{SUITES}{group}{SUITES}{FAILING}")
    assert text is not None
    rows = [row for _, row in text.rows]
    assert said in rows
    if said.startswith("      "):
        assert rows[rows.index(said) - 3 : rows.index(said)] == group.split("\n")[:3]


# VERB-9
def test_groups_of_node_are_counted_too() -> None:
    suites = "".join(
        f"▶ shelf {n}\n  ✔ holds {n} things of a kind (0.2ms)\n✔ shelf {n} (0.4ms)\n"
        for n in range(400)
    )
    failing = (
        "▶ lock\n  ✔ opens (0.1ms)\n  ✖ is refused (0.3ms)\n✖ lock (0.5ms)\nℹ tests 3\nℹ fail 1\n"
    )
    text = folded(suites + failing)
    assert text is not None
    rows = [row for _, row in text.rows]
    assert rows[0] == "... 1200 lines of passed tests folded, lines 1-1200"
    assert rows[1:] == failing.split("\n")[:-1]

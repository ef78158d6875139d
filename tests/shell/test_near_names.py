"""Names of commands that are one slip of the fingers away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zsh_ls.shell.words.near_names import near_command

NAMES = ("cat", "git", "gtk", "grep", "ls", "make", "sl", "ssh", "tar", "vim")


@pytest.mark.parametrize(
    ("name", "near"),
    [
        pytest.param("gti", "git", id="swapped"),
        pytest.param("mkae", "make", id="swapped, longer"),
        pytest.param("gi", "", id="of two letters a missing one is too much to guess"),
        pytest.param("gt", "", id="nor another one"),
        pytest.param("makke", "make", id="one more"),
        pytest.param("mak", "make", id="one less"),
        pytest.param("vin", "", id="of three letters another one is too much to guess"),
        pytest.param("vimm", "vim", id="one more, doubled"),
        pytest.param("mske", "make", id="another one"),
        pytest.param("rgep", "grep", id="the first two"),
        pytest.param("docker", "", id="far from all"),
        pytest.param("mae", "make", id="one missing within"),
        pytest.param("./gti", "", id="a path"),
        pytest.param("g", "", id="a letter"),
        pytest.param("x" * 40, "", id="too long"),
    ],
)
def test_the_nearest_name(name: str, near: str) -> None:
    assert near_command(name, NAMES) == near


def test_swapped_letters_of_two_are_found() -> None:
    assert near_command("sl", ("ls", "sh")) == "ls"


@given(st.text("abc", min_size=3, max_size=8), st.integers(0, 6))
def test_a_swap_of_neighbours_is_found(name: str, at: int) -> None:
    at %= len(name) - 1
    typed = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    assert near_command(typed, [name]) == ("" if typed == name else name)

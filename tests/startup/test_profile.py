"""Whose time it is, of traces as the shells write them (START-1)."""

from __future__ import annotations

import pytest

from zsh_ls.startup.profile import Profile, Timing, profile_of
from zsh_ls.startup.programs import programs_of
from zsh_ls.startup.sources import Sources
from zsh_ls.startup.trace import read_trace

LIST = "(( ready )) && zpmod report || report+=1"


def profile_with(*took_ms: float, text: str) -> Profile:
    """Of a zsh that runs this command on line 2 of its file, so long each time; before it `x=1` on line 1."""
    at, written = 100.0, ""
    for line, ms, command in ((1, 0.01, "x=1"), *((2, ms, text) for ms in took_ms), (3, 0.01, ":")):
        written += "\1" + "\2".join(
            (f"{at:.6f}", "7", f"{line}%1%/home/.zshrc", "/home/.zshrc:0", "/home", command)
        )
        at += ms / 1000
    trace = read_trace(written.encode(), 7, "/hooks")
    return profile_of("zsh", trace.events, Timing(99.99, at, at), Sources("zsh", lambda _: ""), 7)


@pytest.mark.parametrize(
    ("took_ms", "told"),
    [([0.03] * 50, ()), ([0.03] * 49 + [2.0], ("zpmod",)), ([1.2], ("zpmod",))],
)
def test_a_program_of_a_list_is_told_where_it_may_have_run(
    took_ms: list[float], told: tuple[str, ...]
) -> None:
    """zsh tells a list before it runs: many short ones start no program, however long they take together."""
    profile = profile_with(*took_ms, text=LIST)
    [row] = [it for it in profile.rows if it.place.line == 2]
    assert row.own_s == pytest.approx(sum(took_ms) / 1000)
    assert programs_of(row.may_start, "zsh", profile.functions) == told

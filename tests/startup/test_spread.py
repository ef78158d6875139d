"""What a difference is worth (START-2)."""

from __future__ import annotations

from zsh_ls.startup.spread import difference, half_quartiles, is_hopeless, wants_more


def test_the_spread_is_half_the_distance_of_the_quartiles() -> None:
    assert half_quartiles([1, 2, 3, 4, 5]) == 1.0
    assert half_quartiles([7]) == 0.0


def test_a_clear_saving_is_certain() -> None:
    told = difference([93.0, 91.0, 95.0, 92.0, 90.0])
    assert (told.median_ms, told.certain) == (92.0, True)
    assert not wants_more([93.0, 91.0, 95.0, 92.0, 90.0])


def test_noise_is_not() -> None:
    assert not difference([3.0, -2.0, 1.0, -4.0, 2.0]).certain
    assert not difference([0.1, 0.1, 0.1]).certain
    assert not difference([50.0, 51.0]).certain
    assert wants_more([3.0, -9.0, 1.0, -4.0, 12.0])


def test_a_line_that_makes_the_start_faster_is_certain_too() -> None:
    assert difference([-20.0, -21.0, -19.0]).certain


def test_what_no_number_of_pairs_could_tell_is_hopeless() -> None:
    """START-2: a line of 5 ms where starts differ by 300; one of 500 ms may still be told."""
    busy = [300.0, -250.0, 10.0]
    assert is_hopeless(busy, 5.0, 15)
    assert not is_hopeless(busy, 500.0, 15)
    assert not is_hopeless(busy[:2], 5.0, 15), "two pairs say nothing"
    assert not is_hopeless([6.0, 5.0, 5.5], 5.0, 15)

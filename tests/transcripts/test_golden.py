"""Nothing a user sees has changed without being written down: `python -m tests.transcripts record`."""

from __future__ import annotations

import sys

import pytest

from .__main__ import PARTS, difference

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(sys.platform != "linux", reason="messages of Linux's programs are in it"),
]


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_the_day_is_as_it_is_written_down(part: str) -> None:
    found = difference(part)
    assert not found, f"if that is meant: python -m tests.transcripts record {part}\n{found}"

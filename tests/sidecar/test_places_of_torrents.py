"""PLACE-1 where a run writes faster than its output can be read: nobody waits long for its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from zsh_ls.model.requests import RunRequest
from zsh_ls.sidecar.runs import places
from zsh_ls.sidecar.service import Sidecar

LINES = 5_000
# Each line looks like a place, of a file that is not there.
TORRENT = f"for ((n = 0; n < {LINES}; n++)) print missing$n.c:1:1: error: no such thing"


@pytest.mark.parametrize(("limit_s", "found"), [(0.0, [1, 3]), (1000.0, [1, 2, 3])])
async def test_of_what_is_left_at_the_end_the_beginning_and_the_end_are_read(
    sidecar: Sidecar,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    limit_s: float,
    found: list[int],
) -> None:
    for name in ("AT_BEGINNING_S", "AT_END_S"):
        monkeypatch.setattr(places, name, limit_s)
    (tmp_path / "main.c").write_text("\n\n\n")
    shown = [f"print main.c:{line}:1: error: wrong" for line in (1, 2, 3)]
    command = f"{shown[0]}; {TORRENT}; {shown[1]}; {TORRENT}; {shown[2]}"
    result = await sidecar.run(RunRequest(command, shell="zsh", cwd=str(tmp_path), yield_after=60))
    assert [each.line for each in result.places or ()] == found

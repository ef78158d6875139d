"""Lines of a session end as the same lines of one script do, in real shells (SESS-1)."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zsh_ls.sidecar import Sidecar

from .session_lines import compare, environment, lines, options_in


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["zsh", "bash"])
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_lines_one_by_one_end_as_their_script_does(
    shell: str, tmp_path: Path, data: st.DataObject
) -> None:
    texts = data.draw(lines(shell))

    async def both() -> None:
        sidecar = await Sidecar.open(options_in(tmp_path))
        try:
            compared = await compare(sidecar, shell, texts, tmp_path)
        finally:
            await sidecar.close()
        assert compared.session == compared.script

    with patch.dict(os.environ, environment(tmp_path), clear=True):
        asyncio.run(both())

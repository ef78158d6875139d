"""What VS Code's own API sees of the extension, asked inside the extension host."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from .studio import Studio
from .studio import studio as opened

pytestmark = [
    pytest.mark.slow,
    pytest.mark.real_editor,
    pytest.mark.xdist_group("vscode"),
    pytest.mark.asyncio(loop_scope="module"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def studio(
    vsixes: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Studio]:
    async with opened(tmp_path_factory.mktemp("host"), vsixes, {"start.zsh": "print hi\n"}) as it:
        yield it


async def test_the_extension_is_active_once_a_script_is_open(studio: Studio) -> None:
    script = await studio.show("active.zsh", "#!/bin/zsh\nprint hi\n")
    found = await studio.host.until(
        "extension", "zsh-ls.zsh-ls", holds=lambda it: it is not None and it["active"]
    )
    assert found["manifest"]["version"]
    assert await studio.host.until("lenses", script, holds=bool)

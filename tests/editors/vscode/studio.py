"""A real VS Code with the extension in it, seen from both sides: on the screen and in the extension host."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import attrs
import pytest

from tests.editors.environment import EditorEnvironment, editor_environment

from .code_server import CodeServer, serving
from .host import PATIENCE_S, SOCKET, Host
from .workbench import Workbench, expect, workbench

# One worker has all of these tests (tests/one_worker.py), in one loop: many share a window of VS Code.
# The first of them waits for the build of the .vsix too.
REAL_EDITOR = [
    pytest.mark.slow,
    pytest.mark.real_editor,
    pytest.mark.timeout(600),
    pytest.mark.asyncio(loop_scope="package"),
]
STARTED_BY = "start.zsh"


@attrs.frozen
class Studio:
    """One VS Code: `screen` is the person's side of it, `host` the extensions'."""

    environment: EditorEnvironment
    server: CodeServer
    screen: Workbench
    host: Host

    async def show(self, name: str, text: str) -> str:
        """A script of the folder, opened; gives its path."""
        path = str(self.environment.write(name, text))
        await self.host.ask("open", path)
        return path

    async def reload(self) -> None:
        """Reload the window, until its extensions are another process: the old one answers for a while."""
        before = await self.host.ask("process")
        await self.screen.reload()
        found = before
        async with asyncio.timeout(PATIENCE_S):
            while found == before:
                with contextlib.suppress(ConnectionError):
                    found = await self.host.ask("process")
                await asyncio.sleep(0.05)

    async def ready(self) -> None:
        """Until the extension has started and what it offers is there."""
        await self.host.ask("open", str(self.environment.project / STARTED_BY))
        await expect(self.screen.lens("run")).to_be_visible()

    def logged(self) -> str:
        """What the extension has logged until now."""
        logs = sorted(self.environment.home.rglob("*zsh-ls*.log"))
        return "\n".join(it.read_text(errors="replace") for it in logs)


@asynccontextmanager
async def studio(
    folder: Path,
    vsixes: Sequence[Path],
    *,
    settings: Mapping[str, object] | None = None,
    look: Mapping[str, object] | None = None,
    trusted: bool = True,
    env: Mapping[str, str] | None = None,
    project: Mapping[str, str] | None = None,
    language: str = "en",
) -> AsyncIterator[Studio]:
    """VS Code on a folder with these files; by default with the server of this checkout."""
    with editor_environment(folder) as own:
        for name, text in {STARTED_BY: "#!/bin/zsh\nprint hi\n", **(project or {})}.items():
            (own.project / name).parent.mkdir(exist_ok=True)
            own.write(name, text).chmod(0o755)
        socket = Path(own.env["XDG_RUNTIME_DIR"]) / "host"
        chosen = {"zshLs.path": str(own.home / "bin" / "zsh-ls")} if settings is None else settings
        variables = {SOCKET: str(socket), **(env or {})}
        with serving(
            own,
            vsixes,
            look=look or {},
            settings=chosen,
            trusted=trusted,
            env=variables,
            language=language,
        ) as server:
            async with workbench(server.url, own.project) as screen:
                yield Studio(own, server, screen, Host(socket))

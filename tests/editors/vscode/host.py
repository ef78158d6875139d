"""The extension host's side of a test: what the probe extension in `host/` sees and does there."""

from __future__ import annotations

import asyncio
import json
import time
import zipfile
from pathlib import Path
from typing import Any

from .kit import HERE

SOCKET = "ZSH_LS_HOST_SOCKET"
PATIENCE_S = 90.0
PROBE = HERE / "host"
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata><Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}"/></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json"/></Assets>
</PackageManifest>
"""


class Failed(Exception):
    """VS Code's API refused; the words are its own."""


class Host:
    """Asks the probe; every question has its own connection, so that they may overlap."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket

    async def ask(self, what: str, *args: object) -> Any:
        """One call of `host/extension.js`; raises Failed with the words it failed with."""
        reader, writer = await self._connected()
        try:
            writer.write(json.dumps({"do": what, "with": args}).encode() + b"\n")
            async with asyncio.timeout(PATIENCE_S):
                line = await reader.readline()
        except TimeoutError:
            raise AssertionError(f"{what}{args} is not answered") from None
        finally:
            writer.close()
        if not line:
            raise ConnectionResetError(f"the window has gone before {what}{args} was answered")
        answer = json.loads(line)
        if "failed" in answer:
            raise Failed(answer["failed"])
        return answer["is"]

    async def until(self, what: str, *args: object, holds: Any = bool) -> Any:
        """The first answer for which `holds` is true."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            answer = await self.ask(what, *args)
            if holds(answer):
                return answer
            assert time.monotonic() < deadline, f"{what}{args} is still {answer!r}"
            await asyncio.sleep(0.1)

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """The probe listens once the workbench has started."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                return await asyncio.open_unix_connection(str(self._socket), limit=2**24)
            except (FileNotFoundError, ConnectionRefusedError):
                assert time.monotonic() < deadline, "the probe extension does not listen"
                await asyncio.sleep(0.05)


def packed_probe(folder: Path, source: Path = PROBE) -> Path:
    """The probe, or another extension of the tests, as a .vsix: an archive of its files and a manifest."""
    about = json.loads((source / "package.json").read_text())
    types = {
        ".json": "application/json",
        ".js": "application/javascript",
        ".vsixmanifest": "text/xml",
    }
    defaults = "".join(f'<Default Extension="{it}" ContentType="{types[it]}"/>' for it in types)
    target = folder / f"{about['name']}.vsix"
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("extension.vsixmanifest", MANIFEST.format(**about))
        archive.writestr(
            "[Content_Types].xml",
            '<?xml version="1.0" encoding="utf-8"?>'
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f"{defaults}</Types>",
        )
        for file in sorted(source.iterdir()):
            archive.write(file, f"extension/{file.name}")
    return target

"""The .vsix files under test, built once; what was on the screen and in the log when a test failed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator
from pathlib import Path

import pytest
import pytest_asyncio

from .kit import CACHE, missing

if not missing():
    from .host import packed_probe
    from .studio import Studio
    from .studio import studio as opened
else:
    collect_ignore_glob = ["test_*.py"]

FAILED = pytest.StashKey[bool]()


@pytest.fixture(scope="session")
def vsixes(packed: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The extension and the probe of the tests."""
    return [packed, packed_probe(tmp_path_factory.mktemp("probe"))]


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def trusted(
    vsixes: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Studio]:
    """A VS Code with the extension started on a folder that is trusted; many tests share it."""
    async with opened(tmp_path_factory.mktemp("trusted"), vsixes) as studio:
        await studio.ready()
        yield studio


@pytest_asyncio.fixture(loop_scope="package")
async def studio(trusted: Studio) -> Studio:
    """The shared VS Code, tidied."""
    await trusted.host.ask("tidy")
    return trusted


@pytest_asyncio.fixture(loop_scope="package", autouse=True)
async def _pictured(request: pytest.FixtureRequest) -> AsyncIterator[None]:
    """Keep a picture of the screen at each failure in .cache/vscode/failed."""
    yield
    if request.node.stash.get(FAILED, False):
        for seen in (it for it in request.node.funcargs.values() if isinstance(it, Studio)):
            await seen.screen.picture(CACHE / "failed" / f"{request.node.name}.png")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let fixtures know whether the test failed, and the reader what the extension logged until then."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    if report.failed and not missing():
        studios = [it for it in getattr(item, "funcargs", {}).values() if isinstance(it, Studio)]
        report.sections += [("the extension's log", seen.logged()) for seen in studios]
    return report

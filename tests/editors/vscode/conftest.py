"""The .vsix files under test, built once; what was on the screen when a test failed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from .host import packed_probe
from .kit import CACHE, missing
from .product import packed_extension


@pytest.fixture(scope="session")
def vsixes(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The extension and the probe of the tests."""
    lacking = missing()
    if lacking:
        pytest.skip(lacking)
    folder = tmp_path_factory.mktemp("vsix")
    return [packed_extension(folder), packed_probe(folder)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> object:
    """Let fixtures know whether the test failed."""
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


FAILED = pytest.StashKey[bool]()


@pytest_asyncio.fixture(loop_scope="module", autouse=True)
async def _tidied(request: pytest.FixtureRequest) -> AsyncIterator[None]:
    """A picture of every failure in .cache/vscode/failed; then as it was before the test."""
    yield
    if "studio" not in request.fixturenames:
        return
    screen = request.getfixturevalue("studio").screen
    if request.node.stash.get(FAILED, False):
        await screen.page.screenshot(path=CACHE / "failed" / f"{request.node.name}.png")
    await screen.tidy()

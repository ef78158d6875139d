"""What the plugin promises, checked from inside of each Neovim: one test for each `it` in specs/*.lua."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

from .neovim import HERE, VERSIONS, neovim

SPECS = sorted((HERE / "specs").glob("*.lua"))
PROMISE = re.compile(r"""^it\((['"])(.*?)\1, """, re.MULTILINE)
ONLY_SINCE_0_11 = " (0.11)"

pytestmark = [pytest.mark.slow, pytest.mark.real_editor]

Results = dict[str, str]


def _promises() -> list[tuple[str, str, str]]:
    return [
        (version, spec.stem, promise)
        for spec in SPECS
        for version in VERSIONS
        for _, promise in PROMISE.findall(spec.read_text())
        if version != "0.10" or not promise.endswith(ONLY_SINCE_0_11)
    ]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> object:
    """The results of a file of specs in a version, run at its first test."""

    @cache
    def of(version: str, spec: str) -> Results:
        with neovim(version, tmp_path_factory.mktemp("nvim")) as editor:
            written = editor.desk.home / "results.json"
            arguments = ("-l", str(HERE / "harness.lua"), str(HERE / "specs" / f"{spec}.lua"))
            done = editor.run(*arguments, ZSH_LS_RESULTS=str(written))
            assert written.exists(), done.stderr
            found: Results = json.loads(written.read_text())
            return found

    return of


@pytest.mark.parametrize(("version", "spec", "promise"), _promises())
def test_promise(results, version: str, spec: str, promise: str) -> None:  # type: ignore[no-untyped-def]
    assert results(version, spec)[promise] == "kept"

"""What the plugin promises, checked from inside of each Neovim: one test for each `it` in specs/*.lua."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from pathlib import Path

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


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Results]:
    """The results of a file of specs in a version; one worker has all its tests (tests/one_worker.py)."""

    @functools.cache
    def of(version: str, spec: str) -> Results:
        folder = tmp_path_factory.mktemp("nvim")
        written = folder / "results.json"
        _run(version, spec, folder, written)
        found: Results = json.loads(written.read_text())
        return found

    return of


def _run(version: str, spec: str, home: Path, written: Path) -> None:
    """An editor that dies leaves results that say so."""
    with neovim(version, home) as editor:
        arguments = ("-l", str(HERE / "harness.lua"), str(HERE / "specs" / f"{spec}.lua"))
        done = editor.run(*arguments, ZSH_LS_RESULTS=str(written))
    if not written.exists():
        written.write_text(json.dumps({"": done.stderr}))


def test_each_spec_is_declared_where_it_is_found() -> None:
    """A spec that is not written out at the beginning of a line would run, and nobody would look at it."""
    indented = re.compile(r"""^[ \t]+it\(""", re.MULTILINE)
    written = re.compile(r"""^it\(""", re.MULTILINE)
    for spec in SPECS:
        text = spec.read_text()
        assert indented.findall(text) == [], spec.name
        assert len(written.findall(text)) == len(PROMISE.findall(text)), spec.name


@pytest.mark.parametrize(("version", "spec", "promise"), _promises())
def test_promise(
    results: Callable[[str, str], Results], version: str, spec: str, promise: str
) -> None:
    found = results(version, spec)
    assert found.get(promise, found.get("", "not tried")) == "kept"

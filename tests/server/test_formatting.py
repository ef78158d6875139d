"""Formatting on the wire by the real shfmt, and its absence (DOC-11)."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from .rpc import Peer, peer, range_of

pytestmark = pytest.mark.slow

TEXT = "#!/bin/zsh\nf() {\nprint *(.N) | wc\n  # a remark\n}\nif true\nthen f\nfi\n"
WANTED = "#!/bin/zsh\nf() {\n  print *(.N) | wc\n  # a remark\n}\nif true; then\n  f\nfi\n"
BLANKS = {"tabSize": 2, "insertSpaces": True}


@contextmanager
def formatter(home: Mapping[str, str]) -> Iterator[tuple[Peer, Any]]:
    """A server that finds the shfmt of the development environment, and what it offers."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    with peer(env={**home, "PATH": path}) as found:
        yield found, found.initialize()["capabilities"]


def opened(client: Peer, folder: Path, text: str, name: str = "a.zsh") -> dict[str, Any]:
    uri = (folder / name).as_uri()
    client.open(uri, text)
    return {"textDocument": {"uri": uri}, "options": BLANKS}


def applied(text: str, edits: list[Any]) -> str:
    """The text with edits of whole lines."""
    lines = text.splitlines(keepends=True)
    for edit in reversed(edits):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert (start["character"], end["character"]) == (0, 0)
        lines[start["line"] : end["line"]] = [edit["newText"]]
    return "".join(lines)


def test_a_script_is_formatted_as_shfmt_does(home: dict[str, str], tmp_path: Path) -> None:
    """DOC-11."""
    with formatter(home) as (client, capabilities):
        assert capabilities["documentFormattingProvider"]
        assert capabilities["documentRangeFormattingProvider"]
        params = opened(client, tmp_path, TEXT)
        assert applied(TEXT, client.call("textDocument/formatting", params)) == WANTED
        part = {**params, "range": range_of((2, 0), (2, 5))}
        (edit,) = client.call("textDocument/rangeFormatting", part)
        assert edit == {"range": range_of((2, 0), (3, 0)), "newText": "  print *(.N) | wc\n"}


def test_a_line_beside_the_range_is_left_as_it_is(home: dict[str, str], tmp_path: Path) -> None:
    """DOC-11: also where shfmt would write both anew."""
    with formatter(home) as (client, _):
        params = opened(client, tmp_path, "#!/bin/zsh\nprint   a\nprint   b\n")
        part = {**params, "range": range_of((2, 0), (2, 5))}
        (edit,) = client.call("textDocument/rangeFormatting", part)
        assert edit == {"range": range_of((2, 0), (3, 0)), "newText": "print b\n"}


def test_an_editorconfig_decides(home: dict[str, str], tmp_path: Path) -> None:
    """DOC-11."""
    (tmp_path / ".editorconfig").write_text("root = true\n[*]\nindent_style = tab\n")
    with formatter(home) as (client, _):
        for name in ("a.zsh", ".zshrc"):
            params = opened(client, tmp_path, TEXT.partition("\n")[2], name)
            edits = client.call("textDocument/formatting", params)
            assert "\tprint *(.N) | wc\n" in "".join(it["newText"] for it in edits)


def test_other_commands_are_never_written(home: dict[str, str], tmp_path: Path) -> None:
    """DOC-11: shfmt takes the key of an association for arithmetic."""
    text = "#!/bin/zsh\ntypeset -A a=(b-c 1)\nf() {\nREPLY=${a[b-c]}\n}\n"
    with formatter(home) as (client, _):
        refused = client.refusal("textDocument/formatting", opened(client, tmp_path, text))
        assert (refused["code"], "other commands" in refused["message"]) == (-32803, True)
        broken = opened(client, tmp_path, "#!/bin/zsh\nif true\n", "b.zsh")
        refused = client.refusal("textDocument/formatting", broken)
        assert "shfmt cannot read this text: line 2: " in refused["message"]


def test_without_shfmt_nothing_is_offered(home: dict[str, str], tmp_path: Path) -> None:
    """DOC-11."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for name in ("zsh", "bash", "sh"):
        (bin_folder / name).symlink_to(f"/bin/{name}")
    with peer(env={**home, "PATH": str(bin_folder)}) as client:
        capabilities = client.initialize()["capabilities"]
        assert "documentFormattingProvider" not in capabilities
        assert "documentRangeFormattingProvider" not in capabilities
        params = opened(client, tmp_path, TEXT)
        refused = client.refusal("textDocument/formatting", params)
        assert "not installed" in refused["message"]


@pytest.mark.parametrize(
    ("method", "more", "program"),
    [
        ("textDocument/formatting", {}, "shfmt"),
        ("zsh/run", {"command": "true", "shell": "bash"}, "bash"),
    ],
)
def test_an_error_names_a_missing_program_and_what_would_install_it(
    home: dict[str, str], tmp_path: Path, method: str, more: dict[str, Any], program: str
) -> None:
    """ANS-3."""
    # On this PATH are a zsh and a package manager alone.
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "zsh").symlink_to(shutil.which("zsh") or "zsh")
    (folder / "apt-get").symlink_to(shutil.which("true") or "true")
    with peer(env={**home, "PATH": str(folder)}) as client:
        client.initialize()
        params = opened(client, tmp_path, TEXT)
        error = client.answer_to(client.ask(method, more or params))["error"]
    answer = error["data"]["answer"]
    assert f"\nMissing: the program `{program}`\n" in answer["details"]
    assert [it["command"] for it in answer["commands"]] == [
        "apt-get update",
        f"apt-get install {program}",
    ]

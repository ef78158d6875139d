"""What the server reads from the `initialize` of real editors (recorded by tests/editors/hello)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from zsh_ls.server.capabilities import initialize_result
from zsh_ls.server.client import Client

RECORDED = Path(__file__).parents[1] / "data/initialize"
EDITORS = [path.stem for path in sorted(RECORDED.glob("*.json"))]


def client(editor: str) -> Client:
    return Client.of(json.loads((RECORDED / f"{editor}.json").read_text()))


@pytest.mark.parametrize(
    ("editor", "encoding"),
    [
        ("emacs-30.1", "utf-32"),
        ("helix-25.01", "utf-8"),
        ("neovim-0.10", "utf-16"),
        ("neovim-0.12", "utf-8"),
        ("vscode-1.139", "utf-16"),
    ],
)
def test_columns_are_counted_as_the_editor_likes_best(editor: str, encoding: str) -> None:
    said = initialize_result(client(editor), {})["capabilities"]
    assert said["positionEncoding"] == encoding


def test_diagnostics_are_pulled_where_the_editor_can_be_asked_to_pull_again() -> None:
    assert {it for it in EDITORS if client(it).pulls_diagnostics} == {"neovim-0.12", "vscode-1.139"}


def test_hints_are_refreshed_wherever_the_editor_or_our_plugin_can() -> None:
    refreshed = {it for it in EDITORS if client(it).refreshes_hints}
    assert refreshed == {"emacs-30.1", "neovim-0.10", "neovim-0.12", "vscode-1.139"}


def test_results_are_shown_as_messages_only_where_nothing_of_ours_shows_them() -> None:
    assert {it for it in EDITORS if not client(it).speaks_zsh} == {"helix-25.01"}


def test_hovers_are_plain_text_where_markdown_would_be_seen_raw() -> None:
    assert {it for it in EDITORS if not client(it).shows_markdown} == {"emacs-30.1"}


def test_every_editor_shows_progress() -> None:
    assert all(client(editor).shows_progress for editor in EDITORS)


def test_only_vs_code_lends_its_language_model() -> None:
    assert {it for it in EDITORS if client(it).answers_questions} == {"vscode-1.139"}

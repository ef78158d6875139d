"""`zsh-ls parse`: its JSON for tools and its text for people."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Cli

ORDINARY = {
    "checked": "none",
    "function": None,
    "substitution": None,
    "subshell": False,
    "background": False,
    "errexit": "off",
    "pipefail": "off",
}


# CLI-8
def test_json_has_every_pipeline_with_its_segments_connector_and_context(
    cli: Cli, tmp_path: Path
) -> None:
    script = tmp_path / "script.zsh"
    script.write_text("#!/bin/zsh\n! é | b && x=1\n", encoding="utf-8")
    found = json.loads(cli("parse", str(script), "--json").stdout)
    assert found == {
        "pipelines": [
            {
                "start": 11,
                "end": 18,
                "line": 2,
                "segments": [
                    {"start": 13, "end": 14, "word": "é"},
                    {"start": 17, "end": 18, "word": "b"},
                ],
                "connector": "&&",
                "negated": True,
                "context": {**ORDINARY, "checked": "negated"},
            },
            {
                "start": 22,
                "end": 25,
                "line": 2,
                "segments": [{"start": 22, "end": 25, "word": None}],
                "connector": "",
                "negated": False,
                "context": ORDINARY,
            },
        ],
        "errors": [],
    }


def test_nested_pipelines_come_in_the_order_of_the_text(cli: Cli) -> None:
    text = "f() { a $(b) }; if c; then d | e; fi\n"
    found = json.loads(cli("parse", "-", "--json", input=text).stdout)
    sources = [text[each["start"] : each["end"]] for each in found["pipelines"]]
    assert sources == ["f() { a $(b) }", "a $(b)", "b", "if c; then d | e; fi", "c", "d | e"]
    assert [each["context"]["function"] for each in found["pipelines"][:3]] == [None, "f", "f"]


def test_errors_have_their_place_and_the_rest_is_there(cli: Cli) -> None:
    shown = cli("parse", "-", "--json", input="a\n)\nb\n")
    found = json.loads(shown.stdout)
    assert found["errors"] == [{"start": 2, "end": 3, "line": 2, "message": "unexpected `)`"}]
    assert len(found["pipelines"]) == 2
    assert shown.returncode == 0


def test_the_dialect_is_that_of_the_file(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/bin/bash\necho } | b\n")
    found = json.loads(cli("parse", str(script), "--json").stdout)
    assert [len(each["segments"]) for each in found["pipelines"]] == [2]


def test_a_byte_that_is_no_utf_8_counts_as_one_character(cli: Cli, tmp_path: Path) -> None:
    script = tmp_path / "script.zsh"
    script.write_bytes(b"\xe2\x82a | b\n")
    found = json.loads(cli("parse", str(script), "--json").stdout)
    (pipeline,) = found["pipelines"]
    assert (pipeline["start"], pipeline["end"]) == (0, 7)
    assert pipeline["segments"][0]["word"] == "\ufffda"


def test_a_file_without_an_interpreter_line_may_find_any_option_set(
    cli: Cli, tmp_path: Path
) -> None:
    script = tmp_path / "plugin.zsh"
    script.write_text("a\n")
    (pipeline,) = json.loads(cli("parse", str(script), "--json").stdout)["pipelines"]
    assert pipeline["context"]["errexit"] == "maybe"


def test_what_cannot_be_read_is_reported_and_exits_with_2(cli: Cli, tmp_path: Path) -> None:
    for path, reason in ((tmp_path / "none", "No such file"), (tmp_path, "directory")):
        shown = cli("parse", str(path), "--json")
        assert shown.returncode == 2
        assert reason in shown.stderr
        assert shown.stdout == ""


def test_text_has_one_line_a_pipeline_and_no_control_characters(cli: Cli) -> None:
    shown = cli("parse", "-", input="set -e\nif a; then\n  echo '\x1b[2J' | b\nfi\n)\n").stdout
    assert shown.splitlines() == [
        "1  set -e",
        "2  if a; then⏎  echo '␛[2J' | b⏎fi    [errexit=on]",
        "2  a    [checked=condition errexit=on]",
        "3  echo '␛[2J' | b    [errexit=on]",
        "5  error: unexpected `)`",
    ]

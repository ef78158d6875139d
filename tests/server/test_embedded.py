"""Shell inside other files on the wire: findings, hovers, completions and lenses at their places (DOC-10)."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .rpc import PATIENCE_S, Message, Peer, position, range_of

pytestmark = pytest.mark.slow

README = """\
# Use

1. Set up:

   ```bash
   greeting=hello
   say() { echo "$greeting $1"; }
   ```

2. Say it:

   ```console
   $ say é
   hello é
   ```

```python
print("no shell")
```
"""
WORKFLOW = """\
jobs:
  build:
    steps:
      - run: |
          echo é; pg_dump shop | gzip > shop.gz
      - run: |
          if true; then
      - run: |
          pg_dump shop | gzip > shop.gz
        shell: bash
"""
DOCKERFILE = "FROM debian\nRUN wget -O - https://x.org/x \\\n  | sort\nRUN echo a | sort\n"


def opened(peer: Peer, folder: Path, name: str, text: str, language: str) -> str:
    uri = (folder / name).as_uri()
    peer.open(uri, text, language=language)
    return uri


def findings(peer: Peer, uri: str, enough: Callable[[list[Any]], object]) -> list[Any]:
    """The findings that were published last, once there are enough."""
    until, found = time.monotonic() + PATIENCE_S, list[Any]()

    def came(it: Message) -> bool:
        nonlocal found
        if it.get("method") != "textDocument/publishDiagnostics" or it["params"]["uri"] != uri:
            return False
        found = it["params"]["diagnostics"]
        return bool(enough(found)) or time.monotonic() > until

    peer.until(came)
    return found


def lenses(peer: Peer, uri: str) -> list[Any]:
    found: list[Any] = peer.call("textDocument/codeLens", {"textDocument": {"uri": uri}})
    return found


def press(peer: Peer, lens: Any) -> Any:
    command = {key: lens["command"][key] for key in ("command", "arguments")}
    return peer.call("workspace/executeCommand", command)


def test_a_reader_runs_markdown_block_by_block_in_the_documents_session(
    real: Callable[..., Peer], tmp_path: Path
) -> None:
    """DOC-10, SESS-2."""
    peer = real({"experimental": {"zshLs": {"version": 1, "asks": True}}})
    uri = opened(peer, tmp_path, "README.md", README, "markdown")
    first, second = lenses(peer, uri)
    assert (first["range"], second["range"]) == (
        range_of((4, 0), (4, 0)),
        range_of((11, 0), (11, 0)),
    )
    assert first["command"]["title"] == "▷ run"
    refused = peer.refusal("workspace/executeCommand", second["command"])
    assert [(it["name"], it["line"]) for it in refused["data"]["missing"]] == [
        ("greeting", 5),
        ("say", 6),
    ]
    assert refused["data"]["offer"]["ranges"] == [
        range_of((5, 3), (5, 17)),
        range_of((6, 3), (6, 33)),
    ]
    assert press(peer, first)["exit"] == 0
    said = press(peer, second)
    assert (said["output"].strip(), said["exit"], said["session"]) == ("hello é", 0, uri)
    assert said["shell"] == "bash"


def test_what_a_block_needs_from_those_above_it_runs_first(
    real: Callable[..., Peer], tmp_path: Path
) -> None:
    """DOC-10, SESS-3."""
    peer = real()
    uri = opened(peer, tmp_path, "README.md", README, "markdown")
    params = {
        "command": "say you",
        "document": {"uri": uri, "range": range_of((12, 5), (12, 10))},
        "missing": "first",
        "yield_after": PATIENCE_S,
    }
    assert peer.call("zsh/run", params)["output"].strip() == "hello you"


@pytest.mark.parametrize(
    ("opening", "asked"),
    [
        ("cd myproject", []),  # a folder of the reader's
        ("cd below", ["below"]),
        ("git clone https://x.org/myproject; cd myproject", ["myproject"]),
        ("cd myproject; cd {}/below", ["{}/below"]),
    ],
)
def test_an_example_that_begins_in_a_folder_of_the_readers_is_no_question_for_other_blocks(
    real: Callable[..., Peer], tmp_path: Path, opening: str, asked: list[str]
) -> None:
    """DOC-10, SESS-3."""
    (tmp_path / "below").mkdir()
    peer = real()
    text = f"```sh\n{opening.format(tmp_path)}\n```\n\n```sh\nls\n```\n"
    uri = opened(peer, tmp_path, "README.md", text, "markdown")
    params = {
        "command": "ls",
        "document": {"uri": uri, "range": range_of((5, 0), (5, 2))},
        "missing": "ask",
        "yield_after": PATIENCE_S,
    }
    answer = peer.answer_to(peer.ask("zsh/run", params))
    missing = answer.get("error", {}).get("data", {}).get("missing", [])
    assert [it["name"] for it in missing][-1:] == [it.format(tmp_path) for it in asked]


def test_findings_stand_where_the_host_has_them(real: Callable[..., Peer], tmp_path: Path) -> None:
    """DOC-10."""
    peer = real()
    (tmp_path / ".github/workflows").mkdir(parents=True)
    uri = opened(peer, tmp_path, ".github/workflows/ci.yml", WORKFLOW, "yaml")
    found = findings(peer, uri, lambda all_: any(it["severity"] == 1 for it in all_))
    assert {(it["code"], it["range"]["start"]["line"]) for it in found} == {
        ("masked-segment", 4),
        ("syntax-error", 6),
    }
    (masked,) = (it for it in found if it["code"] == "masked-segment")
    assert masked["range"]["start"] == position(4, 18)
    # Mended: the one step is whole again, and the other had pipefail all along.
    peer.change(uri, 2, {"range": range_of((6, 10), (6, 23)), "text": "true"})
    assert {it["code"] for it in findings(peer, uri, lambda all_: len(all_) == 1)} == {
        "masked-segment"
    }


def test_a_pipe_of_a_dockerfile_needs_pipefail(real: Callable[..., Peer], tmp_path: Path) -> None:
    """DOC-10: hadolint's question."""
    peer = real()
    uri = opened(peer, tmp_path, "Dockerfile", DOCKERFILE, "dockerfile")
    (found,) = findings(peer, uri, len)
    assert (found["code"], found["range"]) == ("pipe-without-pipefail", range_of((1, 4), (1, 29)))
    shell = 'SHELL ["/bin/bash", "-o", "pipefail", "-c"]\n'
    peer.change(uri, 2, {"range": range_of((1, 0), (1, 0)), "text": shell})
    assert findings(peer, uri, lambda all_: not all_) == []


def test_words_in_a_block_are_explained_and_completed(
    real: Callable[..., Peer], tmp_path: Path
) -> None:
    """DOC-10."""
    peer = real()
    text = "all:\n\t@printf '%s' \"$$HOME\" $(X)\n\tprin\n"
    uri = opened(peer, tmp_path, "Makefile", text, "make")

    def ask(method: str, line: int, character: int) -> Any:
        where = {"textDocument": {"uri": uri}, "position": position(line, character)}
        return peer.call(f"textDocument/{method}", where)

    said = ask("hover", 1, 4)
    assert said["range"] == range_of((1, 2), (1, 8))
    assert "printf" in said["contents"]["value"]
    assert ask("hover", 1, 26) is None
    assert ask("hover", 0, 1) is None
    items = ask("completion", 2, 5)["items"]
    (printf,) = (it for it in items if it["label"] == "printf")
    assert printf["textEdit"]["range"] == range_of((2, 1), (2, 5))
    assert ask("completion", 0, 1)["items"] == []


def test_a_host_is_no_script(real: Callable[..., Peer], tmp_path: Path) -> None:
    """DOC-10."""
    peer = real()
    uri = opened(peer, tmp_path, "README.md", README, "markdown")
    refused = peer.refusal("zsh/runScript", {"textDocument": {"uri": uri}})
    assert refused["code"] == -32803
    assert "run one of its blocks" in refused["message"]
    other = opened(peer, tmp_path, "values.yaml", "a: if then\n", "yaml")
    for method in ("codeLens", "foldingRange", "documentSymbol"):
        assert peer.call(f"textDocument/{method}", {"textDocument": {"uri": other}}) == []


def test_a_rule_is_run_by_make_and_leaves_its_result_on_its_line(
    real: Callable[..., Peer], tmp_path: Path
) -> None:
    """DOC-10, DOC-2: from any line of it, in the folder of its file, and not what is unsaved."""
    text = "CC ?= cc\n\nbuild: .made\n\n.made:\n\t@pwd\n\t@exit 3\n"
    (tmp_path / "deep").mkdir()
    file = tmp_path / "deep/Makefile"
    file.write_text(text)
    peer = real(initializationOptions={"run": {"cwd": "workspace"}})
    uri = opened(peer, tmp_path, "deep/Makefile", text, "makefile")

    def offered(line: int) -> list[Any]:
        params = {
            "textDocument": {"uri": uri},
            "range": range_of((line, 0), (line, 0)),
            "context": {"diagnostics": [], "only": ["zsh-ls.run"]},
        }
        found: list[Any] = peer.call("textDocument/codeAction", params)
        return found

    assert [offered(line) for line in (0, 1, 3, 4, 5)] == [
        []
    ] * 5  # `.made` is no target to ask for
    [action] = offered(2)
    assert action["title"] == "Run make build"
    said = press(peer, action)
    assert (said["output"].splitlines()[0], said["exit"]) == (str(tmp_path / "deep"), 2)
    whole = {"textDocument": {"uri": uri}, "range": range_of((0, 0), (7, 0))}
    [hint] = peer.call("textDocument/inlayHint", whole)
    assert hint["position"] == position(2, 12)
    assert hint["label"].startswith("✗ 2 · ")
    change = {"range": range_of((6, 0), (6, 8)), "text": "\t@true"}
    peer.change(uri, 2, change)
    assert len(peer.call("textDocument/inlayHint", whole)) == 1  # another rule's line
    refused = peer.refusal("workspace/executeCommand", action["command"])
    assert "make reads the file, and Makefile has changes" in refused["message"]


def test_an_ignore_comment_is_put_into_the_step(real: Callable[..., Peer], tmp_path: Path) -> None:
    """DOC-10, DOC-5."""
    peer = real()
    uri = opened(
        peer, tmp_path, "action.yml", WORKFLOW.replace("jobs:\n  build:", "runs:\n  x:"), "yaml"
    )
    peer.change(uri, 2, {"text": WORKFLOW.replace("jobs:\n  build:\n", "runs:\n")})
    found = findings(peer, uri, lambda all_: any(it["code"] == "masked-segment" for it in all_))
    (masked,) = (it for it in found if it["code"] == "masked-segment")
    asked = {
        "textDocument": {"uri": uri},
        "range": masked["range"],
        "context": {"diagnostics": [masked], "only": ["quickfix"]},
    }
    (action,) = peer.call("textDocument/codeAction", asked)
    (edit,) = action["edit"]["changes"][uri]
    assert edit["newText"].strip() == "# zsh-ls: ignore=masked-segment"
    peer.change(uri, 3, {"range": edit["range"], "text": edit["newText"]})
    left = findings(peer, uri, lambda all_: all(it["code"] != "masked-segment" for it in all_))
    assert "masked-segment" not in {it["code"] for it in left}


def test_a_block_with_something_to_replace_is_no_syntax_error(
    real_one: Peer, tmp_path: Path
) -> None:
    """`<url>` is what a reader puts in; what else the shell cannot read is an error there too."""
    text = "```sh\ngit clone <url>\n```\n\n```sh\necho 'open\n```\n"
    uri = opened(real_one, tmp_path, "README.md", text, "markdown")
    found = findings(real_one, uri, len)
    assert [(it["code"], it["range"]["start"]["line"]) for it in found] == [("syntax-error", 5)]

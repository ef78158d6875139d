"""A command imports what it uses: modules are counted, as times depend on the machine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

import pytest

DRAWING = {"rich", "textual"}
OF_EDITORS = {"lsprotocol", "pygls", "cattrs", "zsh_ls.server", "zsh_ls.sidecar.editor.navigation"}
OF_ANSWERS = {"zsh_ls.answers.ask", "zsh_ls.answers.explain", "zsh_ls.verbosity.resolve"}
OF_SCRIPTS = {"zsh_ls.shell.fates.interpreter", "zsh_ls.insights.script_model"}
OF_FAILURES = {"zsh_ls.shell.manpages.option_table", "zsh_ls.shell.manpages.mdoc"}
OF_DOCUMENTS = {
    "zsh_ls.sidecar.editor.types",
    "zsh_ls.sidecar.documents.marks",
    "zsh_ls.model.answer",
}


def imported(environment: Mapping[str, str], *arguments: str) -> set[str]:
    """Every module that a command imports, beside those that Python starts with."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "zsh_ls", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    lines = [line for line in done.stderr.split("\n") if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines}


# CLI-26
@pytest.mark.parametrize(
    ("arguments", "left_out"),
    [
        (["--version"], DRAWING | {"argparse", "asyncio", "attr", "zsh_ls.cli.commands.run"}),
        (
            ["run", "true"],
            DRAWING | OF_EDITORS | OF_ANSWERS | OF_SCRIPTS | OF_FAILURES | OF_DOCUMENTS,
        ),
        (["config"], DRAWING | {"asyncio", "zsh_ls.sidecar.service", "zsh_ls.shell.syntax.parser"}),
        (["tasks"], DRAWING | {"asyncio", "zsh_ls.sidecar.service", "zsh_ls.shell.syntax.parser"}),
    ],
)
def test_what_a_command_does_not_use_is_not_imported(
    environment: Mapping[str, str], arguments: list[str], left_out: set[str]
) -> None:
    found = imported(environment, *arguments)
    assert "zsh_ls.cli" in found
    assert not left_out & found


# CLI-26
def test_the_version_is_told_by_two_modules(environment: Mapping[str, str]) -> None:
    found = {name for name in imported(environment, "--version") if name.startswith("zsh_ls")}
    assert found == {"zsh_ls", "zsh_ls.cli"}

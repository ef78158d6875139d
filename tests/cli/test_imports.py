"""A command imports what it uses: modules are counted, as times depend on the machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from tests.server.shared import place, started

from .conftest import ROOT

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


# What a run does without: what it would take longer to load than the shell.
SLOW_TO_LOAD = {
    "argparse",
    "ast",
    "attr",
    "bz2",
    "cattrs",
    "_ssl",
    "fractions",
    "importlib.resources",
    "inspect",
    "ipaddress",
    "platform",
    "platformdirs",
    "random",
    "shutil",
    "statistics",
    "tempfile",
    "tokenize",
}
# What a command does without that only asks a server: it may cost five times what Python does.
HEAVY = {
    "argparse",
    "asyncio",
    "attr",
    "attrs",
    "cattrs",
    "logging",
    "platformdirs",
    "shutil",
    "ssl",
    "subprocess",
}
OF_JOINED = {
    "zsh_ls",
    "zsh_ls.cli",
    "zsh_ls.cli.commands",
    "zsh_ls.cli.plain_arguments",
    "zsh_ls.cli.screen",
    "zsh_ls.cli.servers",
    "zsh_ls.insights",
    "zsh_ls.insights.formatting",
    "zsh_ls.ipc",
    "zsh_ls.ipc.address",
    "zsh_ls.ipc.blocking",
    "zsh_ls.ipc.errors",
    "zsh_ls.ipc.framing",
    "zsh_ls.lazy",
    "zsh_ls.lazy.re",
    "zsh_ls.model",
    "zsh_ls.model.errors",
    "zsh_ls.model.words",
    "zsh_ls.sidecar",
    "zsh_ls.sidecar.remote",
    "zsh_ls.sidecar.remote.greeting",
    "zsh_ls.sidecar.remote.thin",
    "zsh_ls.system",
    "zsh_ls.system.private_folders",
    "zsh_ls.system.process_ids",
}
OF_JOINED_RUNS = OF_JOINED | {
    "zsh_ls.cli.commands.run",
    "zsh_ls.cli.joined",
    "zsh_ls.cli.run_end",
    "zsh_ls.cli.run_request",
    "zsh_ls.cli.title",
    "zsh_ls.hooks",
    "zsh_ls.hooks.signs",
    "zsh_ls.insights.display",
    "zsh_ls.model.received_result",
    "zsh_ls.shell",
    "zsh_ls.shell.status",
    "zsh_ls.shell.status.exit_codes",
    "zsh_ls.tasks",
    "zsh_ls.tasks.process",
    "zsh_ls.tasks.process.without_terminal",
}


def imported(
    environment: Mapping[str, str],
    *arguments: str,
    folder: Path | None = None,
    program: Sequence[str] = ("-m", "zsh_ls"),
) -> set[str]:
    """Every module that a command imports, beside those that Python starts with."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *program, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
        cwd=folder,
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
            DRAWING
            | OF_EDITORS
            | OF_ANSWERS
            | OF_SCRIPTS
            | OF_FAILURES
            | OF_DOCUMENTS
            | SLOW_TO_LOAD,
        ),
        (["config"], DRAWING | {"asyncio", "zsh_ls.sidecar.service", "zsh_ls.shell.syntax.parser"}),
    ],
)
def test_what_a_command_does_not_use_is_not_imported(
    environment: Mapping[str, str], arguments: list[str], left_out: set[str]
) -> None:
    found = imported(environment, *arguments)
    assert "zsh_ls.cli" in found
    assert not left_out & found


def test_a_check_without_news_loads_what_reads_results_alone(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    script = tmp_path / "a.sh"
    script.write_text("#!/bin/bash\n. ./b.sh\n")
    (tmp_path / "b.sh").write_text("#!/bin/bash\ntrue\n")
    first = imported(environment, "check", str(tmp_path))
    assert "zsh_ls.insights.script_model" in first
    again = imported(environment, "check", str(tmp_path))
    assert "zsh_ls.cli.check_cache" in again
    assert not again & (HEAVY | OF_SCRIPTS | {"_hashlib", "gettext", "threading", "typing"})


# What ends as `zsh-ls` does, but first says which modules it has; those that are put off are not loaded.
LOADED = """
import sys
from zsh_ls.cli import main
status = main(sys.argv[2:])
from zsh_ls.lazy.modules import is_put_off
with open(sys.argv[1], "w") as file:
    print(*(name for name in sys.modules if not is_put_off(name)), sep="\\n", file=file)
sys.exit(status)
"""
# A module of ours costs up to a fiftieth of `python -c pass`, and what it loads in turn. So a name is added
# there only where a command needs what stands in it.
MODULES = Path(__file__).with_name("modules")


# CLI-26
@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "true"],
        ["run", "--brief", "true"],
        ["stats"],
        ["explain", "ls"],
        ["ask", "what failed today"],
    ],
    ids=lambda words: words[0] + ("-brief" if "--brief" in words else ""),
)
def test_a_command_loads_these_modules_of_ours_and_no_other(
    environment: Mapping[str, str], tmp_path: Path, arguments: list[str]
) -> None:
    told = tmp_path / "loaded"
    name = arguments[0] + ("-brief" if "--brief" in arguments else "")
    listed = (MODULES / f"{name}.txt").read_text().split()
    for _ in range(2):  # memory begins with the first, and is asked by the second
        imported(environment, str(told), *arguments, folder=tmp_path, program=("-c", LOADED))
        own = {it for it in told.read_text().split() if it.partition(".")[0] == "zsh_ls"}
        assert sorted(own - set(listed)) == []


# The folder in /tmp that stands in for a runtime folder with a long name is that of all tests: another one
# may keep a detached run in it, which is asked.
ALONE = """
import sys
from zsh_ls.ipc import address
address.socket_folders = lambda runtime: (runtime,)
from zsh_ls.cli import main
sys.exit(main(sys.argv[1:]))
"""


# CLI-26
def test_the_list_of_tasks_where_nothing_runs_loads_no_event_loop(
    environment: Mapping[str, str], tmp_path: Path
) -> None:
    found = imported(environment, "tasks", folder=tmp_path, program=("-c", ALONE))
    assert "zsh_ls.cli.servers" in found
    assert (
        not (DRAWING | {"asyncio", "zsh_ls.sidecar.service", "zsh_ls.shell.syntax.parser"}) & found
    )


# CLI-26
def test_the_version_is_told_by_two_modules(environment: Mapping[str, str]) -> None:
    found = {name for name in imported(environment, "--version") if name.startswith("zsh_ls")}
    assert found == {"zsh_ls", "zsh_ls.cli"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Mapping[str, str], Path]]:
    """The environment and the folder of a server that runs."""
    with place(tmp_path_factory.mktemp("served")) as (home, project):
        editor = started(home, project)
        yield {**os.environ, **home, "PYTHONPATH": str(ROOT)}, project
        editor.leave()
        editor.end()


# CLI-45
@pytest.mark.parametrize(
    ("arguments", "may_import"),
    [
        (["run", "--shared", "true"], OF_JOINED_RUNS),
        (["run", "--shared", "--brief", "false || true"], OF_JOINED_RUNS),
        (["run", "--shared", "--json", "true"], OF_JOINED_RUNS),
        (
            ["tasks"],
            OF_JOINED
            | {
                "zsh_ls.cli.commands.tasks",
                "zsh_ls.cli.task_list",
                "zsh_ls.cli.one_line",
                "zsh_ls.model.shown_command",
            },
        ),
    ],
    ids=["run", "brief", "json", "tasks"],
)
def test_who_asks_a_server_imports_nothing_that_it_does_itself(
    served: tuple[Mapping[str, str], Path], arguments: list[str], may_import: set[str]
) -> None:
    environment, folder = served
    found = imported(environment, *arguments, folder=folder)
    assert {name for name in found if name.partition(".")[0] == "zsh_ls"} <= may_import
    assert not (HEAVY | DRAWING) & found

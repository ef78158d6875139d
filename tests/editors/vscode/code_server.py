"""A VS Code of its own for tests: code-server with a home, settings and extensions nobody else has.

Everything it starts carries a mark in its environment, so that at the end
nothing is left of it, however far from its parents it went.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import attrs
import psutil

from tests.editors.environment import EditorEnvironment, printed_by

from .kit import CODE_SERVER, NODE

PATIENCE_S = 90.0
MARK = "ZSH_LS_TEST_VSCODE"

# What would come between a test and the editor, or differ from run to run.
QUIET: Mapping[str, object] = {
    "chat.disableAIFeatures": True,
    "extensions.autoCheckUpdates": False,
    "extensions.ignoreRecommendations": True,
    "git.enabled": False,
    "security.workspace.trust.startupPrompt": "never",
    "telemetry.telemetryLevel": "off",
    "terminal.integrated.gpuAcceleration": "off",  # else its text is on a canvas
    "update.mode": "none",
    "window.commandCenter": False,
    "editor.minimap.enabled": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.enableExperiments": False,
    # What moves is drawn anew all the time, by the processors that the tests share.
    "workbench.reduceMotion": "on",
    "editor.cursorBlinking": "solid",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
}

# Else a login shell is asked for the environment, and /etc/profile sets another PATH.
AS_GIVEN: Mapping[str, str] = {"VSCODE_CLI": "1"}


@attrs.frozen
class CodeServer:
    """A running one: where the browser finds it, and what its processes are marked with."""

    url: str
    mark: str
    process: subprocess.Popen[bytes]

    def of_ours(self) -> list[psutil.Process]:
        """The processes that it, or anything it started, left running."""
        return list(_marked(self.mark))

    def language_servers(self) -> list[psutil.Process]:
        """The running processes of our server, without its helper processes."""
        serving = [it for it in self.of_ours() if _serves(it)]
        pids = {it.pid for it in serving}
        return [it for it in serving if _parent(it) not in pids]

    async def language_server(self) -> psutil.Process:
        """The one that serves, once what is left of the one before it is gone."""
        deadline = time.monotonic() + PATIENCE_S
        while len(found := self.language_servers()) != 1:
            assert time.monotonic() < deadline, [it.cmdline() for it in found]
            await asyncio.sleep(0.1)
        return found[0]

    def quit(self) -> None:
        """End it as a person does who is done."""
        self.process.terminate()

    async def until_nothing_is_left(self) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while left := self.of_ours():
            assert time.monotonic() < deadline, [it.cmdline() for it in left]
            await asyncio.sleep(0.1)


@contextlib.contextmanager
def serving(
    environment: EditorEnvironment,
    vsixes: Sequence[Path],
    *,
    look: Mapping[str, object],
    settings: Mapping[str, object],
    trusted: bool,
    env: Mapping[str, str],
    language: str = "en",
) -> Iterator[CodeServer]:
    """Install extensions into a fresh home, start the editor, and end all of it."""
    mark = uuid.uuid4().hex
    variables = {**environment.env, **AS_GIVEN, **env, MARK: mark}
    _write_settings(environment.home, "User", {**QUIET, **look})
    _write_settings(environment.home, "Machine", settings)
    _install(vsixes, environment, variables)
    log = environment.home / "code-server.log"
    # It names a language to VS Code in any case, and that goes before the browser's.
    flags = [f"--locale={language}", *(["--disable-workspace-trust"] if trusted else [])]
    with log.open("wb") as sink:
        process = subprocess.Popen(
            [*_command(environment.home), "--auth=none", "--bind-addr=127.0.0.1:0", *flags],
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield CodeServer(_address(process, log), mark, process)
    finally:
        _end(process, mark)


# A folder with them, for each set that was installed: to install takes five seconds, to copy one.
_installed: dict[tuple[Path, ...], Path] = {}


def _install(
    vsixes: Sequence[Path], environment: EditorEnvironment, variables: Mapping[str, str]
) -> None:
    """Install extensions, or copy what was installed of them for another window."""
    extensions = environment.home / "extensions"
    known = _installed.get(tuple(vsixes))
    if known is not None:
        shutil.copytree(known, extensions)
        return
    installing = [flag for vsix in vsixes for flag in ("--install-extension", str(vsix))]
    install = [*_command(environment.home), *installing]
    printed_by(install, variables, cwd=environment.project, patience_s=PATIENCE_S)
    kept = Path(tempfile.mkdtemp(prefix="zsh-ls-extensions-"))
    atexit.register(shutil.rmtree, kept, ignore_errors=True)
    shutil.copytree(extensions, kept, dirs_exist_ok=True)
    _installed[tuple(vsixes)] = kept


def _write_settings(home: Path, scope: str, settings: Mapping[str, object]) -> None:
    """`Machine`: a browser's window is a remote one, where those that name programs are read from."""
    folder = home / "user-data" / scope
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "settings.json").write_text(json.dumps(settings, indent=1))


def _command(home: Path) -> list[str]:
    return [
        str(NODE),
        str(CODE_SERVER),
        f"--user-data-dir={home / 'user-data'}",
        f"--extensions-dir={home / 'extensions'}",
        f"--config={home / 'code-server.yaml'}",
        "--disable-telemetry",
        "--disable-update-check",
        "--disable-getting-started-override",
    ]


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        said = log.read_text(errors="replace")
        found = re.search(r"listening on (http://\S+?)/?\s", said)
        if found:
            return found[1]
        assert process.poll() is None, said
        time.sleep(0.05)
    raise AssertionError(f"code-server does not listen:\n{log.read_text(errors='replace')}")


def _marked(mark: str) -> Iterator[psutil.Process]:
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE:
                yield process


def _serves(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        line = process.cmdline()
        return "serve" in line and any("zsh_ls" in it or "zsh-ls" in it for it in line)
    return False


def _parent(process: psutil.Process) -> int | None:
    with contextlib.suppress(psutil.Error):
        return process.ppid()
    return None


def _end(process: subprocess.Popen[bytes], mark: str) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for left in _marked(mark):
        with contextlib.suppress(psutil.Error):
            left.kill()

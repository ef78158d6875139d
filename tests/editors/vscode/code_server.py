"""A VS Code of its own for tests: code-server with a home, settings and extensions nobody else has.

Everything it starts carries a mark in its environment, so that at the end
nothing is left of it, however far from its parents it went.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import attrs
import psutil

from .kit import CODE_SERVER, NODE, ROOT

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
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
}


@attrs.frozen
class CodeServer:
    """A running one: where the browser finds it, and the folder everything of it is in."""

    url: str
    home: Path
    mark: str

    def of_ours(self) -> list[psutil.Process]:
        """The processes that it, or anything it started, left running."""
        return list(_marked(self.mark))


@contextlib.contextmanager
def serving(
    home: Path,
    vsixes: Sequence[Path],
    *,
    settings: Mapping[str, object],
    trusted: bool = True,
    env: Mapping[str, str] | None = None,
) -> Iterator[CodeServer]:
    """Install extensions into a fresh home, start the editor, and end all of it."""
    mark = uuid.uuid4().hex
    environment = _environment(home, mark) | dict(env or {})
    _write_settings(home, {**QUIET, **settings})
    for vsix in vsixes:
        _code_server(home, environment, "--install-extension", str(vsix))
    log = home / "code-server.log"
    flags = ["--disable-workspace-trust"] if trusted else []
    with log.open("wb") as sink:
        process = subprocess.Popen(
            [*_command(home), "--auth=none", "--bind-addr=127.0.0.1:0", *flags],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield CodeServer(_address(process, log), home, mark)
    finally:
        _end(process, mark)


def _environment(home: Path, mark: str) -> dict[str, str]:
    """A home, and no variable of the editor or the memory from outside."""
    kept = ("PATH", "LANG", "LC_ALL", "TZ")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    home.mkdir(parents=True, exist_ok=True)
    places = {
        "HOME": home,
        "XDG_CONFIG_HOME": home / "config",
        "XDG_DATA_HOME": home / "data",
        "XDG_CACHE_HOME": home / "cache",
        "XDG_STATE_HOME": home / "state",
        "XDG_RUNTIME_DIR": home / "runtime",
    }
    for place in places.values():
        place.mkdir(mode=0o700, exist_ok=True)
    return environment | {name: str(place) for name, place in places.items()} | {MARK: mark}


def own_server_settings() -> dict[str, object]:
    """The server of this checkout, run by the Python that runs the tests."""
    return {"zshLs.interpreter": sys.executable, "zshLs.importStrategy": "fromEnvironment"}


def own_server_environment() -> dict[str, str]:
    return {"PYTHONPATH": str(ROOT)}


def _write_settings(home: Path, settings: Mapping[str, object]) -> None:
    user = home / "user-data" / "User"
    user.mkdir(parents=True, exist_ok=True)
    (user / "settings.json").write_text(json.dumps(settings, indent=1))


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


def _code_server(home: Path, environment: Mapping[str, str], *args: str) -> None:
    said = subprocess.run(
        [*_command(home), *args],
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert said.returncode == 0, said.stdout + said.stderr


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


def _end(process: subprocess.Popen[bytes], mark: str) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for left in _marked(mark):
        with contextlib.suppress(psutil.Error):
            left.kill()

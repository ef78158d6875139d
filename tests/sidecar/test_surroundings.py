"""A server that a desktop started runs commands in the environment of the user's login shell."""

from __future__ import annotations

from pathlib import Path

import pytest

from zsh_ls.model.requests import RunRequest
from zsh_ls.sidecar import Sidecar, SidecarOptions

from .conftest import settled

SAYS = RunRequest("echo ${FROM_RC-nothing}", yield_after=60)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".zshrc").write_text("export FROM_RC=found; echo welcome\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", "/bin/zsh")
    monkeypatch.delenv("TERM", raising=False)
    monkeypatch.delenv("ZDOTDIR", raising=False)
    return tmp_path


async def ran(options: SidecarOptions) -> str:
    service = await Sidecar.open(options)
    result = await service.run(SAYS)
    await service.close()
    return result.output


async def test_without_a_terminal_the_login_shell_is_asked(
    home: Path, options: SidecarOptions
) -> None:
    assert await ran(options) == "found\n"


async def test_a_server_started_from_a_terminal_has_its_environment(
    home: Path, options: SidecarOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert await ran(options) == "nothing\n"


async def test_the_setting_switches_it_off(home: Path, options: SidecarOptions) -> None:
    assert await ran(settled(options, environment_resolve=False)) == "nothing\n"


@pytest.mark.slow
async def test_a_login_shell_that_never_comes_to_an_end_is_said_and_stops_no_run(
    home: Path, options: SidecarOptions
) -> None:
    (home / ".zshrc").write_text("while :; do sleep 1; done\n")
    service = await Sidecar.open(options)
    result = await service.run(SAYS)
    await service.close()
    assert result.output == "nothing\n"
    assert result.insights is not None
    assert result.insights["warning"][0].startswith("The environment of /bin/zsh was not had: ")

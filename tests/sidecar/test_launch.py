"""What is asked is checked before anything runs, and the message names the field and what was expected."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from zsh_ls.model.faults import BadRequest, Refused
from zsh_ls.model.requests import RunRequest
from zsh_ls.sidecar.launch import check, folder_of, shell_of, timeout_of
from zsh_ls.sidecar.options import Settings

ALL = {"zsh": "/usr/bin/zsh", "bash": "/bin/bash", "sh": "/bin/sh"}


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (RunRequest(""), "command"),
        (RunRequest(" \n\t"), "command"),
        (RunRequest("a\0b"), "command"),
        (RunRequest("a", pty=True, interactive=True), "interactive"),
        (RunRequest("a", yield_after=-1.0), "yield_after"),
        (RunRequest("a", yield_after=float("nan")), "yield_after"),
        (RunRequest("a", cols=0), "cols"),
        (RunRequest("a", rows=70_000), "rows"),
        (RunRequest("a", env={"": "x"}), "env"),
        (RunRequest("a", env={"A=B": "x"}), "env"),
        (RunRequest("a", env={"A": "\0"}), "env.A"),
    ],
)
def test_what_cannot_run_is_refused_by_the_name_of_its_field(
    request_: RunRequest, field: str
) -> None:
    with pytest.raises(BadRequest, match=rf"^{field}: "):
        check(request_)


def test_the_default_timeout_is_120_s_and_the_most_is_600_s() -> None:
    assert timeout_of(None, Settings()).seconds == 120
    assert timeout_of(600, Settings()).notices == ()
    cut = timeout_of(900, Settings())
    assert cut.seconds == 600
    assert [notice.message for notice in cut.notices] == [
        "Timeout of 900s cut to the maximum of 600s."
    ]


def test_without_a_maximum_nothing_is_cut() -> None:
    assert timeout_of(9000, Settings(timeout_max_s=None)).seconds == 9000


@pytest.mark.parametrize("wrong", [0, -1, float("nan")])
def test_a_timeout_of_0_or_less_is_refused(wrong: float) -> None:
    with pytest.raises(BadRequest, match="^timeout: "):
        timeout_of(wrong, Settings())


def test_the_folder_is_the_one_asked_for_then_the_documents_then_the_workspaces(
    tmp_path: Path,
) -> None:
    script = tmp_path / "a b" / "x.zsh"
    script.parent.mkdir()
    assert folder_of(tmp_path.as_uri(), None, None) == str(tmp_path)
    assert folder_of(None, script.as_uri(), "/") == str(script.parent)
    assert folder_of(None, "untitled:Untitled-1", str(tmp_path)) == str(tmp_path)
    assert folder_of(None, None, None) == os.getcwd()


@pytest.mark.parametrize("wrong", ["/nowhere/at/all", "relative", "http://x/y", "/etc/passwd"])
def test_a_folder_that_is_not_there_is_refused(wrong: str) -> None:
    with pytest.raises(BadRequest, match="^cwd: "):
        folder_of(wrong, None, None)


def test_the_shell_is_the_one_asked_for_then_the_documents_then_zsh() -> None:
    assert shell_of("sh", "bash", None, ALL)[0].kind == "sh"
    assert shell_of(None, "bash", None, ALL)[0].kind == "bash"
    assert shell_of(None, None, None, ALL)[0].kind == "zsh"
    assert shell_of("/bin/sh", None, None, ALL)[0].kind == "sh"


def test_a_stand_in_is_named() -> None:
    shell, notices = shell_of(None, None, None, {"bash": "/bin/bash", "sh": "/bin/sh"})
    assert shell.kind == "bash"
    assert [notice.message for notice in notices] == ["zsh is not installed; bash stands in."]


@pytest.mark.parametrize("asked", ["zsh", "fish", "/bin/nothing", "/etc/passwd"])
def test_a_shell_that_was_asked_for_and_is_not_there_is_refused(asked: str) -> None:
    with pytest.raises(BadRequest, match="^shell: "):
        shell_of(asked, None, None, {"bash": "/bin/bash"})


def test_without_any_shell_the_refusal_says_what_to_do() -> None:
    with pytest.raises(Refused, match="install zsh"):
        shell_of(None, None, None, {})

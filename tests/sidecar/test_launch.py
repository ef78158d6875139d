"""Requests are checked before anything runs; the message names the field and what was expected."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.requests import DocumentRange, RunRequest
from zsh_ls.model.span import Span
from zsh_ls.model.words import Level, Origin
from zsh_ls.sidecar.config import Settings
from zsh_ls.sidecar.runs.launch import (
    Timeout,
    check,
    check_place,
    folder_of,
    name_of,
    shell_of,
    timeout_of,
)

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
    with pytest.raises(InvalidRequest, match=rf"^{field}: "):
        check(request_)


@pytest.mark.parametrize(
    ("command", "has_name"),
    [
        ('cd "${0%/*}"', True),
        ("echo $0", True),
        ("awk '{ print $0 }' f; basename $0", True),
        ("awk '{ print $0 }' f", False),
        ("echo $01x $OLD", False),
    ],
)
def test_a_line_that_reads_its_name_is_given_its_scripts(command: str, has_name: bool) -> None:
    where = DocumentRange("file:///work/a%20b.zsh", Span(0, 1))
    found = name_of(RunRequest(command, document=where))
    assert found == ("/work/a b.zsh" if has_name else None)


CUT_TO_600 = ["Time limit cut to 600s; a server or watcher runs with detached."]


@pytest.mark.parametrize("origin", [origin for origin in Origin if origin is not Origin.AGENT])
@pytest.mark.parametrize(
    ("asked_s", "own_s", "limit_s"),
    [
        (None, None, None),
        (0, None, None),
        (0, 30.0, None),
        (None, 0.0, None),
        (None, 30.0, 30),
        (5, 30.0, 5),
        (9000, None, 9000),
        (None, 9000.0, 9000),
        (float("inf"), 30.0, None),
    ],
)
def test_a_persons_run_has_the_limit_that_was_asked_for_or_set_or_none(
    origin: Origin, asked_s: float | None, own_s: float | None, limit_s: float | None
) -> None:
    limit = timeout_of(asked_s, origin, Settings(timeout_s=own_s))
    assert limit == Timeout(limit_s)


@pytest.mark.parametrize(
    ("asked_s", "own_s", "limit_s", "said"),
    [
        (None, None, 120, []),
        (None, 30.0, 30, []),
        (5, 30.0, 5, []),
        (600, None, 600, []),
        (601, None, 600, CUT_TO_600),
        (0, None, 600, CUT_TO_600),
        (0, 30.0, 600, CUT_TO_600),
        (None, 0.0, 600, CUT_TO_600),
        (None, 9000.0, 600, CUT_TO_600),
        (float("inf"), None, 600, CUT_TO_600),
    ],
)
def test_an_agents_run_ends_after_600_s_at_the_latest(
    asked_s: float | None, own_s: float | None, limit_s: float, said: list[str]
) -> None:
    limit = timeout_of(asked_s, Origin.AGENT, Settings(timeout_s=own_s))
    assert limit.seconds == limit_s
    assert [notice.message for notice in limit.notices] == said
    assert {notice.level for notice in limit.notices} <= {Level.INFO}


def test_an_agents_two_numbers_can_be_set() -> None:
    short = Settings(agent_timeout_s=7.0, agent_timeout_max_s=60.0)
    assert timeout_of(None, Origin.AGENT, short) == Timeout(7.0)
    cut = timeout_of(61, Origin.AGENT, short)
    assert cut.seconds == 60
    assert [it.message for it in cut.notices] == [
        "Time limit cut to 60s; a server or watcher runs with detached."
    ]
    assert timeout_of(61, Origin.CLI, short) == Timeout(61)
    endless = Settings(agent_timeout_max_s=None)
    assert timeout_of(9000, Origin.AGENT, endless) == Timeout(9000)
    assert timeout_of(0, Origin.AGENT, endless) == Timeout(None)


@pytest.mark.parametrize("wrong", [-1, -0.001, float("nan"), float("-inf")])
def test_a_timeout_below_0_is_refused(wrong: float) -> None:
    for origin in Origin:
        with pytest.raises(InvalidRequest, match="^timeout: "):
            timeout_of(wrong, origin, Settings())


HERE = [
    "file:///home/me/x",
    "file://localhost/x",
    "FILE:///x",
    "file://",
    "untitled:Untitled-1",
    "untitled:/a/b",
]
ELSEWHERE = """
scp://prod/etc/x                         lies on `prod` by scp, not on this machine
sftp://me@prod.example:22//etc/x         lies on `prod.example` by sftp, not on this machine
oil-ssh://me@prod//etc/x                 lies on `prod` by oil-ssh, not on this machine
https://example.org/install.sh           lies on `example.org` by https, not on this machine
file://nas/share/x                       lies on `nas`, not on this machine
vscode-remote://ssh-remote+prod/home/x   lies on `prod` by ssh-remote, not on this machine
vscode-remote://wsl%2BUbuntu/home/x      lies on `Ubuntu` by wsl, not on this machine
vscode-vfs://github/Owner/repo/x         lies on `github` by vscode-vfs, not on this machine
git:/home/me/x.sh                        lies in a version that git keeps, not in a file on this machine
fugitive:///r/.git//0/x                  lies in a version that git keeps, not in a file on this machine
zipfile:///a.zip::x                      lies in an archive, not in a file on this machine
output:extension-output                  lies in a panel of the editor, not in a file on this machine
term://~//1234:/bin/zsh                  lies in a terminal of the editor, not in a file on this machine
oil:///home/me                           lies in what the editor calls `oil:`, not in a file on this machine
/etc/x                                   is no URI of a file on this machine
"""


@pytest.mark.parametrize("uri", HERE)
def test_a_document_of_this_machine_may_run(uri: str) -> None:
    check_place(uri)


@pytest.mark.parametrize("line", ELSEWHERE.strip().splitlines())
def test_a_document_that_lies_elsewhere_is_refused_and_where_it_lies_is_said(line: str) -> None:
    uri, _, said = line.partition(" ")
    with pytest.raises(RequestRejected) as refused:
        check_place(uri)
    assert str(refused.value) == f"{uri} {said.strip()}; nothing was run."


def test_a_refusal_names_no_password_and_no_query() -> None:
    encoded = "7b22686f737450617468223a222f77"
    for uri, shown in (
        ("ftp://me:secret@prod/x", "ftp://me@prod/x lies on `prod` by ftp"),
        ("https://h/x?token=secret", "https://h/x lies on `h` by https"),
        (
            f"vscode-remote://dev-container%2B{encoded}/x",
            "lies on `dev-container` by vscode-remote",
        ),
    ):
        with pytest.raises(RequestRejected) as refused:
            check_place(uri)
        assert shown in str(refused.value)
        assert "secret" not in str(refused.value)


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
    with pytest.raises(InvalidRequest, match="^cwd: "):
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
    with pytest.raises(InvalidRequest, match="^shell: "):
        shell_of(asked, None, None, {"bash": "/bin/bash"})


def test_without_any_shell_the_refusal_says_what_to_do() -> None:
    with pytest.raises(RequestRejected, match="install zsh"):
        shell_of(None, None, None, {})


# RUN-1, setting run.cwd
@pytest.mark.parametrize(
    ("run_cwd", "of_document", "of_none"),
    [
        ("document", "workspace/repo/deep", "workspace"),
        ("workspace", "workspace", "workspace"),
        ("project", "workspace/repo", "workspace"),
    ],
)
def test_the_setting_says_where_a_run_begins_that_names_no_folder(
    tmp_path: Path, run_cwd: str, of_document: str, of_none: str
) -> None:
    deep = tmp_path / "workspace" / "repo" / "deep"
    deep.mkdir(parents=True)
    (tmp_path / "workspace" / "repo" / ".git").mkdir()
    workspace, document = str(tmp_path / "workspace"), (deep / "a.sh").as_uri()
    assert folder_of(None, document, workspace, run_cwd) == str(tmp_path / of_document)
    assert folder_of(None, None, workspace, run_cwd) == str(tmp_path / of_none)
    assert folder_of(str(deep), None, workspace, run_cwd) == str(deep)
    plain = tmp_path / "workspace" / "plain"
    plain.mkdir()
    beside = str(tmp_path / ("workspace" if run_cwd != "document" else "workspace/plain"))
    assert folder_of(None, (plain / "b.sh").as_uri(), workspace, run_cwd) == beside

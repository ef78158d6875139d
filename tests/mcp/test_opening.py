"""How a client opens, and `tools/list`, are answered before the SDK is loaded, with what the SDK answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from zsh_ls.mcp.main import MISSING
from zsh_ls.mcp.opening import LISTED_TOOLS, MODERN, VERSIONS, answer_to, listed_tools
from zsh_ls.system.installation import adding

from .session import COMMAND, environment


def initialize(version: str, number: object = 0) -> str:
    params = {
        "protocolVersion": version,
        "capabilities": {"roots": {"listChanged": True}},
        "clientInfo": {"name": "tests", "version": "1"},
    }
    message = {"jsonrpc": "2.0", "id": number, "method": "initialize", "params": params}
    return json.dumps(message)


def request(method: str, number: object, **params: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, **params})


def carried(version: str = MODERN, **others: object) -> dict[str, object]:
    """The params of a request that carries its version, as Claude Code sends them."""
    about: dict[str, object] = {
        "protocolVersion": version,
        "clientInfo": {"name": "tests", "version": "1"},
        "clientCapabilities": {"roots": {}},
    }
    about |= others
    return {"_meta": {f"io.modelcontextprotocol/{name}": it for name, it in about.items()}}


def test_the_versions_are_those_of_the_sdk() -> None:
    assert set(VERSIONS) == set(HANDSHAKE_PROTOCOL_VERSIONS)
    assert {MODERN} == set(MODERN_PROTOCOL_VERSIONS)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "{",
        "[]",
        "null",
        '{"jsonrpc": "2.0", "id": 1, "method": "ping"}',
        initialize("1999-01-01"),
        initialize("2026-07-28"),
        initialize(VERSIONS[0], None),
        initialize(VERSIONS[0], [1]),
        initialize(VERSIONS[0]).replace("clientInfo", "client"),
        initialize(VERSIONS[0]).replace("initialize", "server/discover"),
        request("server/discover", 1),
        request("server/discover", 1, params=carried("2027-01-01")),
        request("server/discover", 1, params=carried(clientCapabilities=None)),
        request("server/discover", 1, params=carried(clientInfo={"name": "tests"})),
        request("tools/list", 1, params=carried()),
    ],
)
def test_every_other_opening_is_left_to_the_sdk(line: str) -> None:
    assert answer_to(line.encode()) is None


def test_tools_are_listed_from_the_first_one_and_all_else_is_left_to_the_sdk() -> None:
    known: list[dict[str, object]] = [{}, {"params": {}}, {"params": {"_meta": {"a": 1}}}]
    for params in known:
        answer = listed_tools(request("tools/list", "x", **params).encode(), modern=False)
        assert answer == {
            "jsonrpc": "2.0",
            "id": "x",
            "result": json.loads(LISTED_TOOLS.read_text()),
        }
    others: list[dict[str, object]] = [{"params": it} for it in ({"cursor": "2"}, [], None, 3)]
    lines = [request("tools/list", 1, **it) for it in [*others, {"params": {"_meta": 1}}]]
    lines += [request("tools/call", 1), request("tools/list", None), "", "[" * 100_000, "{"]
    of_another_time = request("tools/list", 1, params=carried())
    lines.append(of_another_time)
    assert not [it for it in lines if listed_tools(it.encode(), modern=False) is not None]
    assert listed_tools(of_another_time.encode(), modern=True) is not None
    assert listed_tools(request("tools/list", 1).encode(), modern=True) is None


def said(home: dict[str, str], project: Path, typed: str, *, by_the_sdk: bool) -> list[Any]:
    """All that the server says to some lines, with or without the early answer."""
    start = COMMAND
    if by_the_sdk:
        code = (
            "from zsh_ls.mcp import opening; opening.VERSIONS, opening.MODERN = (), None;"
            "from zsh_ls.cli import main; main()"
        )
        start = [sys.executable, "-c", code, "mcp"]
    with subprocess.Popen(
        start,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(home),
        cwd=project,
        text=True,
    ) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write(typed)
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(typed.count('"id"'))]
        rest, _ = server.communicate()
    assert rest == ""
    return answers


@pytest.mark.parametrize("version", [VERSIONS[0], VERSIONS[-1]])
def test_the_answer_is_that_of_the_sdk_and_comes_once(
    version: str, home: dict[str, str], project: Path
) -> None:
    started = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
    asked = [request("ping", 1), request("tools/list", 2), request("tools/list", 3, params={})]
    typed = "\n".join([initialize(version), started, *asked, ""])
    early = said(home, project, typed, by_the_sdk=False)
    assert sorted(it["id"] for it in early) == [0, 1, 2, 3]
    by_the_sdk = said(home, project, typed, by_the_sdk=True)
    assert sorted(early, key=lambda it: it["id"]) == by_the_sdk


def test_the_answers_to_who_discovers_are_those_of_the_sdk(
    home: dict[str, str], project: Path
) -> None:
    """Claude Code 2.1.332 asks so; waiting for the SDK it took the server for one of the older protocol."""
    asked = [
        request("server/discover", "probe", params=carried()),
        request("tools/list", "1", params=carried()),
        request("tools/list", "2"),
        request("server/discover", "3", params=carried()),
        initialize(VERSIONS[-1], "4"),
    ]
    typed = "\n".join([*asked, ""])
    early, by_the_sdk = (said(home, project, typed, by_the_sdk=it) for it in (False, True))
    by_id: list[list[Any]] = [sorted(it, key=lambda one: one["id"]) for it in (early, by_the_sdk)]
    assert [it["id"] for it in by_id[0]] == ["1", "2", "3", "4", "probe"]
    assert by_id[0] == by_id[1]


OLD = (initialize(VERSIONS[-1]), "protocolVersion", request("tools/list", 1))
NEW = (
    request("server/discover", 0, params=carried()),
    "supportedVersions",
    request("tools/list", 1, params=carried()),
)


@pytest.mark.parametrize("opening", [OLD, NEW], ids=["initialize", "discover"])
@pytest.mark.parametrize("options", [[], ["--shell", "bash"]])
def test_the_first_answers_wait_for_none_of_the_sdk(
    options: list[str], opening: tuple[str, str, str], home: dict[str, str], project: Path
) -> None:
    """The SDK cannot be loaded before the answers: here it waits for a line that comes after them."""
    blocked = project / "blocked"
    (blocked / "pydantic").mkdir(parents=True)
    (blocked / "pydantic" / "__init__.py").write_text(
        "import os\nopen(os.environ['GATE']).read()\nraise SystemExit\n"
    )
    gate = project / "gate"
    os.mkfifo(gate)
    env = environment(home)
    env = {**env, "PYTHONPATH": f"{blocked}:{env['PYTHONPATH']}", "GATE": str(gate)}
    with subprocess.Popen(
        [*COMMAND, *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=env,
        cwd="/",
        text=True,
    ) as server:
        assert server.stdin
        assert server.stdout
        for line, result in ((opening[0], opening[1]), (opening[2], "tools")):
            server.stdin.write(line + "\n")
            server.stdin.flush()
            assert result in json.loads(server.stdout.readline())["result"]
        gate.write_text("")
        server.stdin.close()
        server.terminate()
        server.wait(60)


def test_without_the_sdk_one_line_says_how_it_is_installed(
    home: dict[str, str], project: Path
) -> None:
    code = (
        "import importlib.util as u; real = u.find_spec;"
        "u.find_spec = lambda name, *a: None if name == 'mcp' else real(name, *a);"
        "from zsh_ls.cli import main; raise SystemExit(main())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "mcp"],
        input="",
        env=environment(home),
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{MISSING.format(command=adding('mcp'))}\n"

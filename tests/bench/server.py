"""The server against its peers: start, round trips, waiting requests, memory; ratios of one run.

`start`, `findings`, `trips`, `edits`, `waits`, `memory`, `idle` choose parts; without one, all are measured.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from tests.server.rpc import Peer, framed, range_of

from ._peers import (
    OURS,
    STOCK,
    bash_ls,
    interleaved,
    largest,
    own_home,
    resident_mib,
    table,
    timed,
    unique_mib,
    wakeups,
)

ROUNDS = 7
TRIPS = 400
WAITS = 2_000
HOUR = {"edits": 6_000, "runs": 400, "polls": 4_000}

EDITS = 4
IDLE_FROM_S, MINUTE_S = 15.0, 60.0
# shellcheck needs minutes for what it finds in 5,000 lines on a busy machine.
SLOWEST_S = 240.0
SCRIPT_URI = "file:///tmp/bench.sh"
SCRIPT = """\
#!/bin/bash
greet() {
  local name=$1
  if [ -z "$name" ]; then
    echo "usage: greet NAME" >&2
    return 1
  fi
  printf 'hello %s\\n' "$name" | tr a-z A-Z
}
for each in one two three; do greet $each; done
"""

Env = dict[str, str]
_version = [1]


def _script(lines: int) -> str:
    """A script whose functions are named apart: a text that repeats itself is read with more care."""
    parts = SCRIPT.partition("\n")[2]
    copies = range(lines // parts.count("\n"))
    functions = (parts.replace("greet", f"greet_{it * it}_{it}") for it in copies)
    return "#!/bin/bash\n" + "".join(functions) + 'cd "$folder"\nrm -rf *\n'


def start(env: Env) -> None:
    """From nothing to `initialize` answered."""

    def once(command: tuple[str, ...]) -> Callable[[], float]:
        return lambda: timed(lambda: _hello(command, env).end())

    work = {"zsh-ls": once(OURS), "stock pygls": once(STOCK)}
    if (bash := bash_ls()) is not None:
        work["bash-language-server"] = once(bash)
    work["zsh-ls"]()  # the first start of all asks the shells for their versions
    table("start to initialize answered", interleaved(work, ROUNDS), "ms")


def trips(env: Env) -> None:
    """A tiny custom request: one after the other, then all at once."""
    servers = {"zsh-ls": _hello(OURS, env)}
    if (bash := bash_ls()) is not None:
        servers["bash-ls (unknown method)"] = _hello(bash, env)
    servers["stock pygls"] = _hello(STOCK, env)
    for found in servers.values():
        _one_by_one(found)
    for title, how in (
        ("round trip", _one_by_one),
        ("request when all are sent at once", _at_once),
    ):
        work = {name: partial(how, found) for name, found in servers.items()}
        table(title, interleaved(work, ROUNDS), "us", 1e6)
    for found in servers.values():
        found.end()


def edits(env: Env) -> None:
    """From an edit to the diagnostics of the text it made; SLOWEST_S stands for those that never came."""
    for lines in (1_000, 5_000):
        servers = {"zsh-ls": _hello(OURS, env)}
        if (bash := bash_ls()) is not None:
            servers["bash-language-server"] = _hello(bash, env)
        for found in servers.values():
            found.open(SCRIPT_URI, SCRIPT * (lines // SCRIPT.count("\n")))
            with suppress(TimeoutError):
                _next_diagnostics(found)
        work = {name: partial(_edit, found) for name, found in servers.items()}
        rounds = EDITS if lines < 5_000 else EDITS // 2
        table(f"edit to diagnostics, {lines} lines", interleaved(work, rounds), "ms")
        for found in servers.values():
            found.end()


def findings(env: Env) -> None:
    """The first diagnostics of 1,000 lines: from their opening, and from the start of the server."""
    text = _script(1_000)
    commands = {"zsh-ls": OURS}
    if (bash := bash_ls()) is not None:
        commands["bash-language-server"] = bash
    from_opening: dict[str, list[float]] = {name: [] for name in commands}

    def once(name: str) -> float:
        began = time.perf_counter()
        found = _hello(commands[name], env)
        opened = time.perf_counter()
        found.open(SCRIPT_URI, text)
        with suppress(TimeoutError):
            _next_diagnostics(found)
        ended = time.perf_counter()
        found.end()
        from_opening[name].append(ended - opened)
        return ended - began

    from_start = interleaved({name: partial(once, name) for name in commands}, EDITS)
    table("first findings of 1,000 lines, from their opening", from_opening, "ms")
    table("first findings of 1,000 lines, from the server's start", from_start, "ms")


def waits(env: Env) -> None:
    """Polls that wait for the end of one task, all at once."""
    found = _hello(OURS, env)
    run = {"command": "sleep 1", "yield_after": 0}
    task_id = found.call("zsh/run", run)["task_id"]
    began = time.perf_counter()
    for _ in range(WAITS):
        found.ask("zsh/poll", {"task_id": task_id, "listen": 30, "until": "end"})
    answered = sum(
        found.until(lambda it: "method" not in it)["result"]["status"] == "completed"
        for _ in range(WAITS)
    )
    took_s = time.perf_counter() - began
    size = resident_mib(found.process.pid)
    table(
        f"{WAITS} polls that wait for one end, all answered after it", {"all": [took_s - 1]}, "s", 1
    )
    print(
        f"\n{answered} of {WAITS} polls that wait for a `sleep 1`: all answered in {took_s:.2f} s"
    )
    print(f"  memory then {size:.0f} MiB")
    found.end()


def memory(env: Env) -> None:
    """An hour's traffic in a minute: edits, runs from the document, polls. Ended tasks are kept an hour."""
    found = _hello(OURS, env)
    found.call("zsh/health")
    print(f"\nmemory {'after start':<16}{_sizes(found)}")
    first = unique_mib(largest(found.process.pid))
    uri, text = "file:///tmp/bench.zsh", "echo test | grep nope\n" * 300
    found.open(uri, text)
    for quarter in range(4):
        _traffic(found, uri, quarter)
        print(f"memory {f'after {15 * (quarter + 1)} minutes':<16}{_sizes(found)}")
    last = unique_mib(largest(found.process.pid))
    table("memory of its own", {"after an hour": [last], "after start": [first]}, "MiB", 1)
    found.end()


def idle(env: Env) -> None:
    """How often the server and its watchers wake up in a minute in which nobody asks for anything."""
    found = _hello(OURS, env)
    found.open(SCRIPT_URI, SCRIPT)
    _next_diagnostics(found)
    found.call("zsh/run", {"command": "true"})
    time.sleep(IDLE_FROM_S)
    before = wakeups(found.process.pid)
    time.sleep(MINUTE_S)
    after = wakeups(found.process.pid)
    table("wake-ups in an idle minute", {"zsh-ls": [float(after - before)]}, "", 1)
    found.end()


def main(arguments: list[str]) -> int:
    parts = {
        "start": start,
        "findings": findings,
        "trips": trips,
        "edits": edits,
        "waits": waits,
        "memory": memory,
        "idle": idle,
    }
    with own_home() as env:
        for name, part in parts.items():
            if not arguments or name in arguments:
                part(env)
    return 0


def _hello(command: tuple[str, ...], env: Env) -> Peer:
    found = Peer(command, env)
    params = {"processId": os.getpid(), "rootUri": None, "capabilities": {}}
    found.answer_to(found.ask("initialize", params))
    found.notify("initialized", {})
    return found


def _one_by_one(found: Peer) -> float:
    def ask() -> None:
        for _ in range(TRIPS):
            found.answer_to(found.ask("zsh/tasks", {}))

    return timed(ask) / TRIPS


def _at_once(found: Peer) -> float:
    def ask() -> None:
        sent = [
            framed({"jsonrpc": "2.0", "id": n, "method": "zsh/tasks", "params": {}})
            for n in range(TRIPS)
        ]
        found.send_bytes(b"".join(sent))
        for _ in range(TRIPS):
            found.until(lambda it: "method" not in it)

    return timed(ask) / TRIPS


def _edit(found: Peer) -> float:
    _version[0] += 1
    found.received.clear()
    change = {"range": range_of((2, 0), (2, 0)), "text": " "}
    began = time.perf_counter()
    found.change(SCRIPT_URI, _version[0], change)
    with suppress(TimeoutError):
        _next_diagnostics(found)
    return time.perf_counter() - began


def _next_diagnostics(found: Peer) -> None:
    method = "textDocument/publishDiagnostics"
    found.until(
        lambda it: it.get("method") == method and it["params"]["uri"] == SCRIPT_URI, SLOWEST_S
    )


def _traffic(found: Peer, uri: str, quarter: int) -> None:
    where = {"uri": uri, "range": range_of((5, 0), (5, 21))}
    for number in range(HOUR["edits"] // 4):
        edit = {
            "range": range_of((number % 300, 0), (number % 300, 0)),
            "text": "# x\n" if number % 2 else "",
        }
        found.change(uri, 2 + quarter * HOUR["edits"] + number, edit)
        if number % 100 == 0:
            found.call("zsh/health")
            found.received.clear()
    for number in range(HOUR["runs"] // 4):
        task_id = found.call(
            "zsh/run", {"command": f"echo {number} | grep -q {number}", "document": where}
        )["task_id"]
        for _ in range(HOUR["polls"] // HOUR["runs"]):
            found.call("zsh/poll", {"task_id": task_id})
        found.received.clear()


def _sizes(found: Peer) -> str:
    pid = found.process.pid
    return f"{resident_mib(pid):6.1f} MiB resident, {unique_mib(pid):6.1f} MiB its own and its watchers'"

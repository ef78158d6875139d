"""Processes that try to be left behind, and how they are found: by a token in their arguments alone."""

from __future__ import annotations

import os
import time
from collections.abc import Callable

TERM_IGNORED = "sh -c 'trap \"\" TERM INT HUP; while :; do sleep 1000.{token}; done'"
DOUBLE_FORK = "setsid env -i sh -c '(setsid sleep 1000.{token} </dev/null >/dev/null 2>&1 &)'"
ALL_OF_IT = (
    'setsid env -i sh -c \'trap "" TERM HUP; '
    '(setsid sh -c "trap \\"\\" TERM; sleep 1000.{token}; : " </dev/null >/dev/null 2>&1 &)\''
)
STUBBORN = {
    "plain": "sleep 1000.{token}",
    "pipeline": "sleep 1000.{token} | sleep 1000.{token} | cat",
    "background": "sleep 1000.{token} & sleep 1000.{token}",
    "ignores TERM": TERM_IGNORED,
    "setsid": "setsid sleep 1000.{token} & sleep 1000.{token}",
    "empty environment": "env -i sleep 1000.{token} & sleep 1000.{token}",
    "double fork": DOUBLE_FORK + "; sleep 1000.{token}",
    "all of it": ALL_OF_IT + "; sleep 1000.{token}",
}
# What outlives its shell.
LEFT_BEHIND = {
    "background": "sleep 1000.{token} &",
    "setsid": "setsid sleep 1000.{token} &",
    "double fork": DOUBLE_FORK,
    "all of it": ALL_OF_IT,
}

# Each of the chain is gone after 2 ms, when the next one is there, in a session of its own and without
# environment and output. Where no process can be had it tries again, and it ends by itself.
CHAIN = (
    "env -i perl -MPOSIX -e 'for (1..3000) { select undef, undef, undef, 0.002; $p = fork; exit if $p; "
    "POSIX::setsid() if defined $p }' 1000.{token} </dev/null >/dev/null 2>&1 &"
)
CHAINS = f"{CHAIN} " * 20 + "sleep 1000.{token}"


def alive_with(token: str) -> list[int]:
    """The living processes that have `token` in their arguments."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with (
                open(f"/proc/{name}/cmdline", "rb") as arguments,
                open(f"/proc/{name}/stat", "rb") as stat,
            ):
                if token.encode() in arguments.read() and b") Z" not in stat.read():
                    found.append(int(name))
        except OSError:
            pass
    return found


def eventually(condition: Callable[[], object], within_s: float = 10.0) -> bool:
    """Whether `condition` comes true; waits no longer than it takes."""
    deadline = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True

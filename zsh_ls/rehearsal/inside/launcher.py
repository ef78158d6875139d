"""Becomes bubblewrap, after it has put writable layers over the folders outside the workspace.

Run as a program with one argument, a Python literal: `overlays` [(folder, upper, work, mounted)],
`command` with the place for their arguments marked by `@overlays`, `cgroups` to join, `parent` the
process with which it ends, `told` the descriptor on which it says what could be mounted. A layer is the
kernel's overlay file system in a user namespace of its own: what is written lands in `upper`. A folder
that cannot have one is left as it is, read-only.
"""

from __future__ import annotations

import ast
import contextlib
import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1
CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
MS_REC, MS_PRIVATE = 0x4000, 0x40000


def main() -> None:
    """Do it; what fails is said on `told`, and bubblewrap is started without it."""
    plan = ast.literal_eval(sys.argv[1])
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != plan["parent"]:
        sys.exit("zsh-ls: who wanted the sandbox has ended")
    for group in plan["cgroups"]:
        with open(f"{group}/cgroup.procs", "w", encoding="ascii") as file:
            file.write(str(os.getpid()))
    mounted = _mounted(libc, plan["overlays"])
    os.write(plan["told"], repr(mounted).encode())
    os.close(plan["told"])
    command = plan["command"]
    for sign, is_meant in (("@overlays", False), ("@stand-ins", True)):
        at = command.index(sign)
        command[at : at + 1] = [
            word
            for folder, lower, _, _, place in plan["overlays"]
            if folder in mounted and (lower != folder) is is_meant
            for word in ("--bind", place, folder)
        ]
    os.execv(command[0], command)


def _mounted(libc: ctypes.CDLL, overlays: list[tuple[str, str, str, str, str]]) -> list[str]:
    """The folders that have a layer now."""
    with open("/proc/self/uid_map", encoding="ascii") as file:
        users = [line.split() for line in file]
    with open("/proc/self/gid_map", encoding="ascii") as file:
        groups = [line.split() for line in file]
    user, group = os.geteuid(), os.getegid()
    # Who maps more than itself must stand outside of the new namespace.
    wait, go = os.pipe()
    mapper = os.fork() if user == 0 else -1
    if mapper == 0:
        os.close(go)
        status = 1
        if os.read(wait, 1):
            with contextlib.suppress(OSError):
                _write(
                    os.getppid(),
                    "uid_map",
                    "\n".join(f"{first} {first} {n}" for first, _, n in users),
                )
                _write(
                    os.getppid(),
                    "gid_map",
                    "\n".join(f"{first} {first} {n}" for first, _, n in groups),
                )
                status = 0
        os._exit(status)
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNS):
        os.close(go)
        return []
    if mapper > 0:
        os.write(go, b"1")
        if os.waitpid(mapper, 0)[1]:
            sys.exit("zsh-ls: the users of the sandbox cannot be mapped")
    else:
        _write(os.getpid(), "setgroups", "deny")
        _write(os.getpid(), "uid_map", f"{user} {user} 1")
        _write(os.getpid(), "gid_map", f"{group} {group} 1")
    os.close(go)
    os.close(wait)
    if libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None):
        return []
    return [
        folder
        for folder, lower, upper, work, place in overlays
        if not libc.mount(
            b"overlay",
            os.fsencode(place),
            b"overlay",
            0,
            os.fsencode(
                f"lowerdir={_escaped(lower)},upperdir={_escaped(upper)},workdir={_escaped(work)},userxattr"
            ),
        )
    ]


def _escaped(path: str) -> str:
    return "".join(f"\\{sign}" if sign in "\\,:" else sign for sign in path)


def _write(pid: int, name: str, text: str) -> None:
    with open(f"/proc/{pid}/{name}", "w", encoding="ascii") as file:
        file.write(text)


main()

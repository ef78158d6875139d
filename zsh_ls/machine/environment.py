"""The environment that the user's terminal would have, read from their login shell.

An editor that was started from a desktop lacks the PATH of version managers and
the variables of rc files. Like some editors, this runs the login shell once,
interactive, and reads its environment. Whatever the rc files print or wait for,
the environment is printed between two random marks, and within a time limit.
"""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping

from zsh_ls.lazy import attrs
from zsh_ls.system import programs

TIME_LIMIT_S = 10.0
# Variables of that shell process, which are not part of the user's environment.
_OF_THE_SHELL_ITSELF = frozenset(
    {"_", "SHLVL", "PWD", "OLDPWD", "TERM", "COLUMNS", "LINES", "ZSH_LS_RESOLVING"}
)
# Prompts draw less on a dumb terminal, and oh-my-zsh must not ask whether to update itself.
_FOR_RC_FILES = {"TERM": "dumb", "ZSH_LS_RESOLVING": "1", "DISABLE_AUTO_UPDATE": "true"}
_PRINT = "import os,sys;sys.stdout.write(sys.argv[1]+__import__('json').dumps(dict(os.environ))+sys.argv[1])"
_ANSWER_LIMIT_BYTES = 4 << 20
_UNDERSTAND_C = ("zsh", "bash", "sh", "dash", "ksh", "fish")


@attrs.frozen
class UserEnvironment:
    """The variables, or why there are none (`problem`); `shell` is the one that was run."""

    variables: Mapping[str, str]
    shell: str
    problem: str | None = None


def login_shell() -> str:
    """`$SHELL`, as in terminals, else the shell of the user's account."""
    named = os.environ.get("SHELL") or ""
    if not os.access(named, os.X_OK) or programs.is_passed_over(named):
        with contextlib.suppress(KeyError):
            named = pwd.getpwuid(os.getuid()).pw_shell
    return named if os.access(named, os.X_OK) else "/bin/sh"


def user_environment(
    shell: str | None = None,
    *,
    base: Mapping[str, str] | None = None,
    time_limit_s: float = TIME_LIMIT_S,
) -> UserEnvironment:
    """The environment of an interactive login `shell` of the user. Blocks; never raises."""
    shell = shell or login_shell()
    if os.path.basename(shell) not in _UNDERSTAND_C:
        return UserEnvironment({}, shell, f"{shell} is none of {', '.join(_UNDERSTAND_C)}")
    mark = os.urandom(16).hex()
    try:
        output = _ask(shell, mark, dict(os.environ if base is None else base), time_limit_s)
    except (OSError, ValueError) as error:
        return UserEnvironment({}, shell, f"{shell} could not be asked: {error}")
    if output is None:
        return UserEnvironment({}, shell, f"{shell} -ilc gave no answer within {time_limit_s:g} s")
    parts = output.split(mark.encode())
    if len(parts) != 3:
        return UserEnvironment({}, shell, f"{shell} -ilc ended before it told its environment")
    try:
        found = json.loads(parts[1])
    except ValueError:
        return UserEnvironment({}, shell, f"{shell} -ilc told something else than its environment")
    variables = {name: value for name, value in found.items() if name not in _OF_THE_SHELL_ITSELF}
    return UserEnvironment(variables, shell)


def _ask(shell: str, mark: str, base: dict[str, str], time_limit_s: float) -> bytes | None:
    """The shell's output; None if it took too long. It has no terminal and empty input."""
    # Isolated (-I) and without `site` (-S): no module of the user's is imported.
    home = base.get("HOME", "/")
    text = f"exec {_quoted(sys.executable)} -I -S -c {_quoted(_PRINT)} {mark}"
    process = programs.popen(
        [shell, "-i", "-l", "-c", text],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=programs.without_pointers(base) | _FOR_RC_FILES,
        cwd=home if os.path.isdir(home) else "/",
    )
    assert process.stdout
    too_late = threading.Event()

    def give_up() -> None:
        too_late.set()
        _end(process.pid)

    timer = threading.Timer(time_limit_s, give_up)
    timer.start()
    try:
        output = _read_to_the_second_mark(process.stdout.fileno(), mark.encode())
    finally:
        timer.cancel()
        # Also ends processes that rc files left in the session; agents have one of their own.
        _end(process.pid)
        process.wait()
        process.stdout.close()
    return None if too_late.is_set() else output


def _read_to_the_second_mark(descriptor: int, mark: bytes) -> bytes:
    """Read up to the second mark; a background process of an rc file may keep the pipe open."""
    output = b""
    while (
        output.count(mark) < 2
        and len(output) < _ANSWER_LIMIT_BYTES
        and (piece := os.read(descriptor, 1 << 16))
    ):
        output += piece
    return output


def _end(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"

"""What making and trying an artefact came to."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parent.parent.parent
OK = "ok"
FAILED = "FAILED"
NOT_TRIED = "not tried"
ANSWER = "pipestatus=[2,0]"
MAIN_JOB = ("run", "ls /nowhere | wc -l")


@frozen
class Result:
    """One row of the table: what was tried with which artefact, and what came of it."""

    artefact: str
    tried: str
    outcome: str
    detail: str = ""


def tried(artefact: str, what: str, check: Callable[[], str]) -> Result:
    """The row for a check, which gives a detail to show and raises where it fails."""
    try:
        return Result(artefact, what, OK, check())
    except MissingToolError as missing:
        return Result(artefact, what, NOT_TRIED, str(missing))
    except (AssertionError, subprocess.CalledProcessError, OSError) as fault:
        return Result(artefact, what, FAILED, told(fault))


class MissingToolError(Exception):
    """A program that a check needs is not on this machine."""


def told(fault: BaseException) -> str:
    """A fault in one line; of a program that failed what it said last."""
    if isinstance(fault, subprocess.CalledProcessError):
        said = (fault.stderr or fault.stdout or "").strip().splitlines()
        return f"{Path(fault.cmd[0]).name} exited {fault.returncode}: {said[-1] if said else ''}"
    return " ".join(str(fault).split()) or type(fault).__name__


def run(
    words: Sequence[str | Path], folder: Path = ROOT, more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end; raises CalledProcessError where it fails."""
    return subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env={**os.environ, **(more or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )


def home_in(folder: Path) -> dict[str, str]:
    """The environment of a person who has nothing yet, with everything below `folder`."""
    runtime = folder / "runtime"
    runtime.mkdir(parents=True, exist_ok=True)
    runtime.chmod(0o700)
    places = {
        f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("DATA", "STATE", "CONFIG")
    }
    return {**places, "HOME": str(folder), "XDG_RUNTIME_DIR": str(runtime)}


def does_the_main_job(words: Sequence[str | Path], home: Path) -> str:
    """Run a line by an installed program, in an empty home; gives the version that answered."""
    environment = home_in(home)
    done = run([*words, *MAIN_JOB], home, environment)
    assert done.stdout == "0\n", f"printed {done.stdout!r}"
    assert ANSWER in done.stderr, f"said {done.stderr!r}"
    return run([*words, "--version"], home, environment).stdout.strip()

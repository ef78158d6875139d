"""How many of the attempts get out: `python -m tests.rehearsal.score_attempts [--outside] [--ordinary]`.

With `--ordinary` root tries them as a user without rights.
With `--outside` the scripts run with nothing around them, which shows that each would have done what
it says. Only for a machine that may be harmed: the attempts are harmless but for the world they are in.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from zsh_ls.rehearsal.rehearse import rehearse
from zsh_ls.rehearsal.request import RehearsalRequest
from zsh_ls.sidecar.rehearsing import as_plain

from .attempts import ATTEMPTS, Attempt
from .world import World, settled, world

# Who opens a FIFO to write waits for its reader, which is outside: the time limit ends the wait.
NOBODY_READS = frozenset({"fifo", "fifo-link"})
PARENT = Path(__file__).parent.parent.parent / ".cache"


def try_outside(made: World, attempt: Attempt) -> set[str]:
    """What the script reaches when it just runs."""
    script = written(made, attempt)
    return settled(
        made, made.run([shutil.which(attempt.shell) or "", str(script)]), attempt.reaches
    )


def tried(made: World, attempt: Attempt) -> tuple[str | None, set[str]]:
    """The limit that it comes to in a rehearsal, programs for real, and what it reaches."""
    script = written(made, attempt)
    os.set_inheritable(made.inherited, True)
    found = rehearse(
        RehearsalRequest(
            str(script),
            cwd=str(made.workspace),
            real=True,
            environment=made.environment,
            timeout_s=20 if attempt.name in NOBODY_READS else 60,
        )
    )
    stopped = None if found.stopped is None else found.stopped.reason.value
    return stopped, made.touched(f"{as_plain(found, first_line=1)}{found.output}")


def written(made: World, attempt: Attempt) -> Path:
    """The attempt's script, in the workspace."""
    script = made.workspace / "script"
    script.write_text(f"#!{shutil.which(attempt.shell)}\n{attempt.text}\n")
    script.chmod(0o755)
    return script


def main() -> None:
    """Print each attempt that reached what it aimed at, and the sum."""
    PARENT.mkdir(exist_ok=True)
    outside, ordinary = ("--outside" in sys.argv, "--ordinary" in sys.argv)
    reached = 0
    for attempt in ATTEMPTS:
        found = (
            _as_ordinary(attempt, outside=outside) if ordinary else _here(attempt, outside=outside)
        )
        reached += bool(found)
        right = attempt.reaches in found
        note = " (not everywhere)" if attempt.elsewhere else ""
        print(
            f"{attempt.name:20} {'reached' if right else 'held':8} {' '.join(sorted(found))}{note}",
            flush=True,
        )
    print(f"{reached} of {len(ATTEMPTS)} got out")


def _here(attempt: Attempt, *, outside: bool) -> set[str]:
    with world(PARENT) as made:
        return try_outside(made, attempt) if outside else tried(made, attempt)[1]


def _as_ordinary(attempt: Attempt, *, outside: bool) -> set[str]:
    from .ordinary import folder_of_ordinary, tried_as

    with tempfile.TemporaryDirectory(prefix="ordinary-", dir=PARENT) as made:
        os.chmod(made, 0o755)
        home = folder_of_ordinary(Path(made) / "home")
        return set(tried_as(home, [*(["outside"] if outside else []), attempt.name])["touched"])


if __name__ == "__main__":
    main()

"""How many of the attempts get out: `python -m tests.rehearsal.score_attempts [--outside]`.

With `--outside` the scripts run with nothing around them, which shows that each would have done what
it says. Only for a machine that may be harmed: the attempts are harmless but for the world they are in.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from .attempts import ATTEMPTS, Attempt
from .world import World, settled, world

PARENT = Path(__file__).parent.parent.parent / ".cache"


def try_outside(made: World, attempt: Attempt) -> set[str]:
    """What the script reaches when it just runs."""
    script = written(made, attempt)
    return settled(
        made, made.run([shutil.which(attempt.shell) or "", str(script)]), attempt.reaches
    )


def try_inside(made: World, attempt: Attempt) -> set[str]:
    """What it reaches in a rehearsal, programs for real."""
    script = written(made, attempt)
    output = made.run([sys.executable, "-m", "tests.rehearsal.rehearsed", str(script)])
    assert '"exit"' in output, output
    return made.touched(output)


def written(made: World, attempt: Attempt) -> Path:
    """The attempt's script, in the workspace."""
    script = made.workspace / "script"
    script.write_text(f"#!{shutil.which(attempt.shell)}\n{attempt.text}\n")
    script.chmod(0o755)
    return script


def main() -> None:
    """Print each attempt that reached what it aimed at, and the sum."""
    PARENT.mkdir(exist_ok=True)
    run = try_outside if "--outside" in sys.argv else try_inside
    reached = 0
    for attempt in ATTEMPTS:
        with world(PARENT) as made:
            found = run(made, attempt)
        reached += bool(found)
        right = attempt.reaches in found
        note = " (not everywhere)" if attempt.elsewhere else ""
        print(
            f"{attempt.name:20} {'reached' if right else 'held':8} {' '.join(sorted(found))}{note}",
            flush=True,
        )
    print(f"{reached} of {len(ATTEMPTS)} got out")


if __name__ == "__main__":
    main()

"""A small file system for a tablespace, in a mount namespace of its own: nothing of it outlives the test."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SIZE_MB = 8
ALL_USERS = ["--user", "--map-users=0,0,65535", "--map-groups=0,0,65535"]
THIS_USER = ["--user", "--map-current-user", "--keep-caps"]
# How to get a mount namespace, and how to enter it, for root and for everybody else.
AS_ROOT = (([], []), (ALL_USERS, ["--user"]))
AS_A_USER = ((THIS_USER, ["--user", "--preserve-credentials"]),)


class NoMounts(Exception):
    """This user may not mount here; the message says what was tried."""


class SmallDisk:
    """A tmpfs of SIZE_MB at `path`, seen by what the words `inside` start; `outside` is it for all others.

    Raises NoMounts.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir()
        mount = f"mount -t tmpfs -o size={SIZE_MB}m,mode=777 none '{path}' && echo mounted && cat"
        problems = []
        for spaces, entered in AS_ROOT if os.geteuid() == 0 else AS_A_USER:
            self._keeper = subprocess.Popen(
                ["unshare", "--mount", *spaces, "sh", "-c", mount],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            assert self._keeper.stdout is not None
            if self._keeper.stdout.readline() == b"mounted\n":
                self.outside = Path(f"/proc/{self._keeper.pid}/root{path}")
                target = f"--target={self._keeper.pid}"
                self.inside = ["nsenter", target, "--mount", *entered]
                return
            problems.append(self._keeper.communicate()[1].decode().strip())
        raise NoMounts("; ".join(problems))

    def fill(self) -> None:
        """Leave no byte."""
        done = subprocess.run(
            ["dd", "if=/dev/zero", f"of={self.outside}/ballast", "bs=4096"],
            check=False,
            capture_output=True,
            text=True,
        )
        assert "No space left on device" in done.stderr

    def empty(self) -> None:
        """Give the room back."""
        (self.outside / "ballast").unlink()

    def close(self) -> None:
        self._keeper.communicate()

"""What holds for all tests: no property is judged by a clock, and tools of the environment are found."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hypothesis import settings

pytest_plugins = ["tests.editors.guard", "tests.one_worker"]

settings.register_profile("patient", deadline=None)
settings.register_profile("fast", deadline=None, max_examples=25)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "patient"))

# shfmt and ruff are installed beside the interpreter, which need not be on the PATH.
_BIN = str(Path(sys.executable).parent)
os.environ["PATH"] = os.pathsep.join([_BIN, os.environ.get("PATH", os.defpath)])

# Where there is none, as under cron or a CI's runner, a server takes itself for one that a desktop
# started and asks a login shell for the environment; what that does has tests of its own.
os.environ.setdefault("TERM", "xterm")

"""What holds for all tests: no property is judged by a clock, and tools of the environment are found."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from hypothesis import settings

pytest_plugins = ["tests.editors.guard", "tests.one_worker"]

# The same examples in every run, so that a run says something of the change before it. Others are looked
# for by `HYPOTHESIS_PROFILE=search`.
settings.register_profile("patient", deadline=None, derandomize=True)
settings.register_profile("fast", settings.get_profile("patient"), max_examples=25)
settings.register_profile("search", deadline=None, max_examples=1500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "patient"))

# shfmt and ruff are installed beside the interpreter, which need not be on the PATH.
_BIN = str(Path(sys.executable).parent)
os.environ["PATH"] = os.pathsep.join([_BIN, os.environ.get("PATH", os.defpath)])

# Where there is none, as under cron or a CI's runner, a server takes itself for one that a desktop
# started and asks a login shell for the environment; what that does has tests of its own.
os.environ.setdefault("TERM", "xterm")

# What a script starts in the background ignores Ctrl-C, and so would all that the tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

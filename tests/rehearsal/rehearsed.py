"""Rehearses a script for real and prints what was found and what the script printed: `… SCRIPT`."""

from __future__ import annotations

import json
import os
import sys

from zsh_ls.rehearsal.rehearse import rehearse
from zsh_ls.rehearsal.request import RehearsalRequest
from zsh_ls.sidecar.rehearsing import as_plain

if __name__ == "__main__":
    found = rehearse(
        RehearsalRequest(
            sys.argv[1], cwd=os.getcwd(), real=True, timeout_s=30, environment=dict(os.environ)
        )
    )
    print(json.dumps(as_plain(found, first_line=1)))
    print(found.output)

"""Where things live, by the platform's conventions; shared by server, command line and MCP door."""

from __future__ import annotations

import warnings
from pathlib import Path

import attrs
import platformdirs

NAME = "zsh-ls"


@attrs.frozen
class Places:
    """The database file, the folder of kept outputs, the folder of sockets."""

    database: Path
    outputs: Path
    runtime: Path

    @classmethod
    def of_this_user(cls) -> Places:
        """The places of the user this process runs as; nothing is created."""
        with warnings.catch_warnings():
            # A machine without XDG_RUNTIME_DIR is told so by nobody's editor; platformdirs falls back.
            warnings.simplefilter("ignore")
            runtime = Path(platformdirs.user_runtime_dir(NAME))
        return cls(
            database=Path(platformdirs.user_data_dir(NAME)) / "alan.db",
            outputs=Path(platformdirs.user_state_dir(NAME)) / "outputs",
            runtime=runtime,
        )


def workspace_of(folder: Path) -> str:
    """The project `folder` lies in: the nearest folder above with a `.git`, else `folder` itself."""
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists():
            return str(candidate)
    return str(folder)

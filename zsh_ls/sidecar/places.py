"""Where things live, by the platform's conventions; shared by server, command line and MCP door."""

from __future__ import annotations

from pathlib import Path

import attrs
import platformdirs

from zsh_ls._passing_folder import runtime_folder, state_folder

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
        # platformdirs would fall back to a folder in /tmp that anybody may have made before.
        runtime, state = runtime_folder(), Path(state_folder())
        return cls(
            database=Path(platformdirs.user_data_dir(NAME)) / "alan.db",
            outputs=state / "outputs",
            runtime=Path(runtime) / NAME if runtime else state / "run",
        )


def workspace_of(folder: Path) -> str:
    """The project `folder` lies in: the nearest folder above with a `.git`, else `folder` itself."""
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists():
            return str(candidate)
    return str(folder)

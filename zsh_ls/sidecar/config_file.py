"""The person's settings on the command line: `config.toml`, and where each value came from.

The names are those of the settings in editors (`sidecar/config.py: NAMES`), dotted or as
tables. What is wrong in the file is said, and everything else in it holds.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zsh_ls.lazy import attrs, platformdirs
from zsh_ls.system.bounded_files import read_with_status

from .config import NAME, NAMES, VARIABLES, Settings, changed, flat, from_environment

FILE_NAME = "config.toml"
LONGEST_FILE_BYTES = 1024 * 1024
DEFAULT = "default"


@attrs.frozen
class PersonalSettings:
    """The settings that hold, what is wrong with any, and the source of each by its field's name."""

    settings: Settings
    problems: tuple[str, ...]
    sources: Mapping[str, str]
    file: Path
    is_there: bool


def config_file() -> Path:
    """The path of `config.toml` in this user's configuration folder; it need not be there."""
    return Path(platformdirs.user_config_dir(NAME)) / FILE_NAME


def is_in_team(environ: Mapping[str, str]) -> bool:
    """Whether this person or the environment joined a team; costs next to nothing."""
    return bool(environ.get("ZSH_LS_TEAM_DSN")) or os.path.exists(
        config_file().with_name("team.json")
    )


def personal_settings(environ: Mapping[str, str]) -> PersonalSettings:
    """The defaults, changed by environment variables, and these by `config.toml`."""
    settings, problems = from_environment(environ)
    sources = {
        field: name
        for name, (field, _) in VARIABLES.items()
        if environ.get(name, "") != "" and not any(it.startswith(f"{name}:") for it in problems)
    }
    path = config_file()
    given, faults, is_there = _read(path)
    settings, wrong = changed(settings, given)
    taken = {name for name in flat(given) if not any(it.startswith(f"{name}:") for it in wrong)}
    # Of a list some items may hold where others are wrong.
    taken |= {
        name for name in flat(given) if getattr(settings, NAMES[name][0]) and name == "redact"
    }
    sources |= {NAMES[name][0]: FILE_NAME for name in taken}
    problems += [f"{path}: {it}" for it in (*faults, *wrong)]
    return PersonalSettings(settings, tuple(problems), sources, path, is_there)


def _read(path: Path) -> tuple[dict[str, Any], list[str], bool]:
    """The settings in the file that have a known name, what is wrong with the others, whether it is there."""
    if not os.path.lexists(path):
        return {}, [], False
    import tomllib  # noqa: PLC0415  most have no such file

    try:
        content, status = read_with_status(path, LONGEST_FILE_BYTES)
        if status.st_uid not in (os.geteuid(), 0) or status.st_mode & stat.S_IWOTH:
            return {}, ["not read, for another user can write to it"], True
        given = flat(tomllib.loads(content.decode()))
    except OSError as unread:
        return {}, [f"not read: {unread.strerror or unread}"], True
    except ValueError as wrong:  # no UTF-8, or no TOML: that says the line
        return {}, [f"no TOML, so nothing in it holds: {wrong}"], True
    unknown = [name for name in given if name not in NAMES]
    return (
        {name: value for name, value in given.items() if name in NAMES},
        [_unknown(name) for name in unknown],
        True,
    )


def _unknown(name: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415

    near = get_close_matches(name, NAMES, n=1)
    advice = f"did you mean {near[0]}?" if near else "`zsh-ls config` lists them"
    return f"{name}: there is no such setting; {advice}"

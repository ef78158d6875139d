"""The text that an interactive shell evaluates so that memory learns from it.

Every new shell waits for it, so this module imports nothing but what Python has loaded, but where
a file of settings names another database.
"""

from __future__ import annotations

import os
import sys

CTRL_R = "--ctrl-r"
SHELLS = ("zsh", "bash", "fish")


def wanted(words: list[str]) -> tuple[str, bool] | None:
    """The shell, and whether Ctrl-R is asked for, that the words of `zsh-ls init` name; None for others."""
    shells = [word for word in words if word != CTRL_R]
    if len(shells) != 1 or shells[0] not in SHELLS or len(words) - len(shells) > 1:
        return None
    return shells[0], len(words) > 1


def text_for(shell: str, *, ctrl_r: bool) -> str:
    """What `shell` evaluates; the same for every terminal, but for where this program is."""
    with open(os.path.join(os.path.dirname(__file__), f"hook.{shell}"), encoding="utf-8") as file:
        hook = file.read()
    program = sys.argv[0]
    if os.path.basename(program) != "zsh-ls":
        program = "zsh-ls"
    set_word = "set -g {} {}\n" if shell == "fish" else "{}={}\n"
    ours = set_word.format("_zsh_ls_program", _quoted(program, shell))
    ours += set_word.format("_zsh_ls_ctrl_r", "1" if ctrl_r else "''")
    return ours + set_word.format("_zsh_ls_database", _quoted(_database(), shell)) + hook


def spool_folder() -> str:
    """The folder in which runs are written down for memory to import; it may not be there yet."""
    database = _database() or os.environ.get("ALAN_DB_PATH", "")
    if database:
        return os.path.join(os.path.dirname(os.path.abspath(database)), "terminal")
    if sys.platform == "darwin":
        data = os.path.expanduser("~/Library/Application Support")
    else:
        data = os.environ.get("XDG_DATA_HOME", "").strip() or os.path.expanduser("~/.local/share")
    return os.path.join(data, "zsh-ls", "terminal")


def _database() -> str:
    """The database that the person's file of settings names; empty where the shell finds it alone."""
    folder = os.environ.get("XDG_CONFIG_HOME", "").strip() or os.path.expanduser("~/.config")
    try:
        with open(os.path.join(folder, "zsh-ls", "config.toml"), encoding="utf-8") as file:
            if "database" not in file.read():
                return ""
    except (OSError, ValueError):
        return ""
    from zsh_ls.sidecar.config_file import personal_settings

    return personal_settings(os.environ).settings.database or ""


def _quoted(text: str, shell: str) -> str:
    if shell == "fish":
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return "'" + text.replace("'", "'\\''") + "'"

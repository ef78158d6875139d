"""The secret in a real keyring: GNOME's, on a message bus of the test's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from .postgres import Server
from .test_sharing import stored
from .world import Home

PATIENCE_S = 120.0
ZSH_LS = f'"{sys.executable}" -m zsh_ls'
UNLOCKED = "printf %s password | gnome-keyring-daemon --unlock --components=secrets >/dev/null"
ENTRIES = f""""{sys.executable}" -c '
import secretstorage
bus = secretstorage.dbus_init()
for item in secretstorage.get_default_collection(bus).get_all_items():
    print(item.get_secret().decode())
'"""


def in_a_session(home: Home, script: str) -> subprocess.CompletedProcess[str]:
    """Run a shell script in a login session of that home, whose keyring is as the last one left it."""
    (home.folder / "runtime").mkdir(mode=0o700, exist_ok=True)
    return subprocess.run(
        ["dbus-run-session", "--", "sh", "-eu", "-c", script],
        cwd=home.project,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(home.folder),
            "XDG_RUNTIME_DIR": str(home.folder / "runtime"),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


def test_the_secret_is_kept_in_the_keyring_and_rotated_there(
    home: Home, server: Server, team_database: str
) -> None:
    """Nothing of it is in a file; a new one takes the place of the old one, and leaving removes it."""
    dsn = server.dsn(team_database)
    kept = home.folder / ".config/zsh-ls/team.json"
    joined = in_a_session(
        home,
        f"""{UNLOCKED}
        {ZSH_LS} team join '{dsn}' > first
        {ZSH_LS} run true
        {ZSH_LS} team sync
        {ENTRIES}""",
    )
    assert joined.returncode == 0, joined.stderr
    assert "the secret is in the keyring" in joined.stderr
    first = (home.project / "first").read_text().strip()
    (entry,) = joined.stdout.splitlines()
    assert json.loads(entry) == {"dsn": dsn, "secret": first}
    assert set(json.loads(kept.read_text())) == {"remotes", "account"}
    assert stored(server, team_database) == [(1, 0, 0, 0, 1)]

    locked = in_a_session(home, f"{ZSH_LS} team sync")
    # The bus and the keyring write to the same standard error, at moments of their own.
    assert (
        "zsh-ls: the keyring does not give the team's secret: unlock it, or join again\n"
        in locked.stderr
    )
    assert locked.returncode == 1

    rotated = in_a_session(
        home,
        f"""{UNLOCKED}
        {ZSH_LS} team leave --erase
        {ZSH_LS} team join '{dsn}' > second
        {ZSH_LS} run true
        {ZSH_LS} team sync
        {ENTRIES}""",
    )
    assert rotated.returncode == 0, rotated.stderr
    second = (home.project / "second").read_text().strip()
    (entry,) = rotated.stdout.splitlines()
    assert json.loads(entry)["secret"] == second != first
    # What the old secret sealed is taken out; all that the log has is given anew, under the new one.
    assert stored(server, team_database) == [(0, 0, 0, 0, 0), (2, 0, 0, 0, 1)]

    left = in_a_session(home, f"{UNLOCKED}\n{ZSH_LS} team leave\n{ENTRIES}")
    assert (left.returncode, left.stdout) == (0, ""), left.stderr
    assert not kept.exists()

"""Which team this installation is in: a private file, the keyring where there is one, or the environment.

`team.json` in the configuration folder (0600) says that a person joined; where a keyring can keep
secrets, the secret and the DSN are there, and nothing of them in the file.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from zsh_ls.lazy import attrs
from zsh_ls.system.bounded_files import read_bytes

from .client import TeamProblem
from .keys import BadSecret, TeamKeys, checked_secret

FILE_NAME = "team.json"
AGENT_FILE_NAME = "team-agent"
SERVICE = "zsh-ls team"
LONGEST_FILE_BYTES = 1 << 16
KEYRING_S = 3.0
DSN, SECRET = "ZSH_LS_TEAM_DSN", "ZSH_LS_TEAM_SECRET"
READ_ONLY, AGENT = "ZSH_LS_TEAM_READONLY", "ZSH_LS_TEAM_AGENT"
OFF = ("", "0", "false", "no", "off")
# Of a pipeline that names none itself: what a CI says of it.
PIPELINES = (("GITHUB_REPOSITORY", "GITHUB_WORKFLOW"), ("CI_PROJECT_URL",), ("JOB_NAME",))

Made = TypeVar("Made")
_log = logging.getLogger(__name__)


@attrs.frozen
class Joined:
    """How this process takes part: `by_environment` only with its own runs, as long as it lives."""

    dsn: str = attrs.field(repr=False)
    keys: TeamKeys
    agent: str
    remotes: tuple[str, ...] = ()
    gives: bool = True
    by_environment: bool = False


def joined(config: Path, data: Path, environ: Mapping[str, str]) -> Joined | None:
    """The team of this process, None where nobody joined. Raises TeamProblem."""
    return _by_environment(data, environ) or _by_file(config, data)


def is_joined(config: Path, environ: Mapping[str, str]) -> bool:
    """Whether somebody joined; costs next to nothing."""
    return bool(environ.get(DSN)) or (config / FILE_NAME).exists()


def _by_environment(data: Path, environ: Mapping[str, str]) -> Joined | None:
    dsn = environ.get(DSN)
    if not dsn:
        return None
    if not environ.get(SECRET):
        raise TeamProblem(f"{DSN} is set and {SECRET} is not")
    try:
        keys = TeamKeys(checked_secret(environ[SECRET]))
    except BadSecret as wrong:
        raise TeamProblem(f"{SECRET}: {wrong}") from None
    name = environ.get(AGENT) or _pipeline(environ)
    return Joined(
        dsn,
        keys,
        keys.agent_of(name) if name else agent_here(data),
        gives=environ.get(READ_ONLY, "").lower() in OFF,
        by_environment=True,
    )


def _pipeline(environ: Mapping[str, str]) -> str | None:
    for names in PIPELINES:
        found = [environ.get(name, "") for name in names]
        if all(found):
            return "\n".join(found)
    return None


def _by_file(config: Path, data: Path) -> Joined | None:
    path = config / FILE_NAME
    if not path.exists():
        return None
    try:
        raw = read_bytes(path, LONGEST_FILE_BYTES)
        if path.stat().st_uid != os.geteuid():
            raise TeamProblem(f"{path} belongs to another user and is not used")
        kept = json.loads(raw)
        remotes = tuple(str(it) for it in kept["remotes"])
        entry = kept if "secret" in kept else _from_keyring(str(kept["account"]))
        return Joined(
            str(entry["dsn"]), TeamKeys(checked_secret(entry["secret"])), agent_here(data), remotes
        )
    except OSError as fault:
        raise TeamProblem(
            f"{path} cannot be read: {fault.strerror or type(fault).__name__}"
        ) from fault
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise TeamProblem(f"{path} is damaged: `zsh-ls team join` makes it anew") from fault


def keep(config: Path, dsn: str, secret: str, remotes: tuple[str, ...]) -> str:
    """Write down that this installation joined; gives where the secret is kept. Raises TeamProblem."""
    account = f"team-{secrets.token_hex(4)}"
    entry = {"dsn": dsn, "secret": secret}
    in_keyring = _to_keyring(account, json.dumps(entry))
    _forget_in_keyring(config)
    kept = {"remotes": remotes, **({"account": account} if in_keyring else entry)}
    _write_private(config / FILE_NAME, json.dumps(kept, indent=1) + "\n")
    return "the keyring" if in_keyring else str(config / FILE_NAME)


def forget(config: Path) -> None:
    """Remove what `keep` wrote down."""
    _forget_in_keyring(config)
    (config / FILE_NAME).unlink(missing_ok=True)


def agent_here(data: Path) -> str:
    """The name of this installation, random, made when it is first asked for. Raises TeamProblem."""
    path = data / AGENT_FILE_NAME
    for _ in range(2):
        try:
            name = read_bytes(path, 64).decode("ascii", "replace") if path.exists() else ""
            if len(name.strip()) == 32 and set(name.strip()) <= set("0123456789abcdef"):
                return name.strip()
        except OSError as fault:
            raise TeamProblem(
                f"{path} cannot be read: {fault.strerror or type(fault).__name__}"
            ) from fault
        _write_private(path, secrets.token_hex(16) + "\n", replace=path.exists())
    raise TeamProblem(f"{path} cannot be used")


def _write_private(path: Path, text: str, *, replace: bool = True) -> None:
    """Write a file of mode 0600 as a whole; without `replace` one that is there already stays."""
    new = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
        if replace:
            os.replace(new, path)
        else:
            with suppress(FileExistsError):  # another process was first, and its name holds
                os.link(new, path)
            new.unlink()
    except OSError as fault:
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise TeamProblem(
            f"{path} cannot be written: {fault.strerror or type(fault).__name__}"
        ) from fault


def _within(seconds: float, work: Callable[[], Made]) -> Made | None:
    """What `work` gives on another thread, None where it fails or takes longer: a keyring may ask."""
    found: list[Made] = []

    def do() -> None:
        try:
            found.append(work())
        except (
            Exception
        ):  # whatever a keyring's backend raises: the private file is there without it
            _log.debug("the keyring cannot be used", exc_info=True)

    thread = threading.Thread(target=do, daemon=True)
    thread.start()
    thread.join(seconds)
    return found[0] if found else None


def _keyring() -> Any:
    """The keyring, where one is there that keeps secrets from others; raises where none is."""
    import keyring

    if keyring.get_keyring().priority < 1:
        raise RuntimeError("no keyring")
    return keyring


def _to_keyring(account: str, text: str) -> bool:
    def put() -> bool:
        ring = _keyring()
        ring.set_password(SERVICE, account, text)
        return bool(ring.get_password(SERVICE, account) == text)

    return _within(KEYRING_S, put) or False


def _from_keyring(account: str) -> dict[str, Any]:
    text = _within(KEYRING_S, lambda: _keyring().get_password(SERVICE, account))
    if text is None:
        raise TeamProblem("the keyring does not give the team's secret: unlock it, or join again")
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError("the keyring's entry is no object")
    return found


def _forget_in_keyring(config: Path) -> None:
    try:
        account = json.loads(read_bytes(config / FILE_NAME, LONGEST_FILE_BYTES)).get("account")
    except (OSError, ValueError, AttributeError):
        return
    if account:
        _within(KEYRING_S, lambda: _keyring().delete_password(SERVICE, str(account)))

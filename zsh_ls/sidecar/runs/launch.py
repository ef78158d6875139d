"""From what was asked to what is started: every check before anything runs (RUN-11, 13, 16)."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from zsh_ls.lazy import attrs, re
from zsh_ls.model.errors import InvalidRequest, RequestRejected
from zsh_ls.model.insight import Insight
from zsh_ls.model.requests import RunRequest
from zsh_ls.model.words import Level, Origin
from zsh_ls.sidecar.config import SHELL_KINDS, Settings
from zsh_ls.system.programs import is_program
from zsh_ls.system.projects import current_folder, top_of

LARGEST_TERMINAL = 65_535
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_PASSWORD = re.compile(r"(?<=//)([^/@:]*):[^/@]*(?=@)")
_PORT = re.compile(r":\d*$")
# An encoded description, as editors put it where a host has no name.
_HEXADECIMAL = re.compile(r"[0-9a-f]{16,}", re.IGNORECASE)
# What editors show under a URI of their own, by its scheme; others have a host in theirs.
_SHOWN_BY_EDITORS: Mapping[str, str] = {
    "fugitive": "a version that git keeps",
    "git": "a version that git keeps",
    "gitlens": "a version that git keeps",
    "output": "a panel of the editor",
    "tarfile": "an archive",
    "term": "a terminal of the editor",
    "vscode-notebook-cell": "a notebook",
    "zipfile": "an archive",
}


@attrs.frozen
class Shell:
    """A shell that is there: its kind (`zsh`, `bash`, `sh` or a base name) and its executable."""

    kind: str
    path: str


@attrs.frozen
class Timeout:
    """How long a run may take, None without a limit, and insights about that limit."""

    seconds: float | None
    notices: tuple[Insight, ...] = ()


# In `awk '{ print $0 }'` it is awk's.
_QUOTED = re.compile(r"'[^']*'")
_READS_ITS_NAME = re.compile(r"\$\{?0(?!\w)")


def name_of(request: RunRequest) -> str | None:
    """What a line that reads `$0` finds there: its script; None for the shell itself."""
    if request.document is None or not _READS_ITS_NAME.search(_QUOTED.sub("", request.command)):
        return None
    parts = urlsplit(request.document.uri)
    return unquote(parts.path) if parts.scheme == "file" else None


def check(request: RunRequest) -> None:
    """Raise InvalidRequest for what no shell, folder or setting could mend; RequestRejected for RUN-20."""
    if not request.command.strip():
        raise InvalidRequest("command: expected a command, got an empty one")
    if "\0" in request.command:
        raise InvalidRequest("command: a command cannot contain a NUL character")
    if request.pty and request.interactive:
        raise InvalidRequest(
            "interactive: expected pty or interactive, not both: a terminal is interactive already"
        )
    if request.detached and request.session is not None:
        raise RequestRejected("detached: a detached run outlives its session, so it takes none")
    if not request.yield_after >= 0:
        raise InvalidRequest(
            f"yield_after: expected 0 or more seconds, got {request.yield_after:g}"
        )
    check_terminal_size(request.cols, request.rows)
    for name, value in request.env.items():
        if not name or "=" in name or "\0" in name:
            raise InvalidRequest(f"env: expected the name of a variable, got {name!r}")
        if value is not None and "\0" in value:
            raise InvalidRequest(f"env.{name}: a value cannot contain a NUL character")


def check_terminal_size(cols: int, rows: int) -> None:
    """Raise InvalidRequest for a size that no terminal can have."""
    for name, value in (("cols", cols), ("rows", rows)):
        if not 1 <= value <= LARGEST_TERMINAL:
            raise InvalidRequest(f"{name}: expected 1 to {LARGEST_TERMINAL}, got {value}")


def timeout_of(
    asked_s: float | None, origin: Origin, settings: Settings, *, detached: bool = False
) -> Timeout:
    """The limit in force (RUN-11): the request's, the person's own, else an agent's; 0 is none.

    Nobody may watch an agent's run, so that one ends at the maximum at the latest; a detached one
    has the request's limit alone, as it is (RUN-20). Raises InvalidRequest for less than 0.
    """
    if asked_s is not None and not asked_s >= 0:
        raise InvalidRequest(f"timeout: expected 0 (no limit) or more seconds, got {asked_s:g}")
    if detached:
        return Timeout(asked_s if asked_s and math.isfinite(asked_s) else None)
    limit_s = settings.timeout_s if asked_s is None else asked_s
    if limit_s is None and origin is Origin.AGENT:
        limit_s = settings.agent_timeout_s
    limit_s = limit_s or math.inf
    maximum_s = settings.agent_timeout_max_s if origin is Origin.AGENT else None
    if maximum_s is not None and limit_s > maximum_s:
        notice = f"Time limit cut to {maximum_s:g}s; a server or watcher runs with detached."
        return Timeout(maximum_s, (Insight(Level.INFO, notice),))
    return Timeout(limit_s if math.isfinite(limit_s) else None)


def check_place(document_uri: str) -> None:
    """Raise RequestRejected for a document that is no local file: only those run here (RUN-18)."""
    found = _SCHEME.match(document_uri)
    scheme = found[1].lower() if found else ""
    rest = document_uri[len(scheme) + 1 :]
    authority = re.split("[/?#]", rest[2:])[0] if rest.startswith("//") else ""
    host = unquote(_PORT.sub("", authority.rpartition("@")[2]))
    if scheme == "untitled" or (scheme == "file" and host.lower() in ("", "localhost")):
        return
    shown = _PASSWORD.sub(r"\1", document_uri.partition("?")[0])
    raise RequestRejected(f"{shown} {_place(scheme, host)}; nothing was run.")


def _place(scheme: str, host: str) -> str:
    """Where a document of such a URI lies."""
    if not scheme:
        return "is no URI of a file on this machine"
    if not host or scheme in _SHOWN_BY_EDITORS:
        place = f"in {_SHOWN_BY_EDITORS.get(scheme, f'what the editor calls `{scheme}:`')}"
        return f"lies {place}, not in a file on this machine"
    if scheme == "file":
        return f"lies on `{host}`, not on this machine"
    way, plus, name = host.partition("+")
    if not plus:
        return f"lies on `{host}` by {scheme}, not on this machine"
    if _HEXADECIMAL.fullmatch(name):
        return f"lies on `{way}` by {scheme}, not on this machine"
    return f"lies on `{name}` by {way}, not on this machine"


def folder_of(
    asked: str | None, document_uri: str | None, workspace: str | None, run_cwd: str = "document"
) -> str:
    """The folder to run in: the one asked for, the document's, the workspace's, this process's own.

    By the setting `run_cwd` the workspace's goes before the document's, or the top of the project that
    either of them lies in. Raises RequestRejected where none of them is there any more.
    """
    if asked is not None:
        folder = path_of(asked)
        if folder is None or not os.path.isabs(folder):
            raise InvalidRequest(f"cwd: expected an absolute path or a file: URI, got {asked!r}")
        if not os.path.isdir(folder):
            raise InvalidRequest(f"cwd: expected a folder that is there, got {asked!r}")
        return folder
    document = path_of(document_uri) if document_uri else None
    candidates = [os.path.dirname(document) if document else None, workspace, current_folder()]
    if run_cwd == "workspace":
        candidates.insert(0, workspace)
    found = next((folder for folder in candidates if folder and os.path.isdir(folder)), None)
    if found is None:
        raise RequestRejected(
            "The folder it would run in does not exist any more. Name one: `cwd`."
        )
    if run_cwd != "project":
        return found
    is_inside = workspace is not None and Path(found).is_relative_to(workspace)
    return top_of(found) or (workspace if workspace is not None and is_inside else found)


def shell_of(
    asked: str | None,
    named_by_document: str | None,
    preferred: str | None,
    found: Mapping[str, str],
) -> tuple[Shell, tuple[Insight, ...]]:
    """The shell to run with, and insights about the choice (RUN-13).

    `found` maps the kinds that are installed to their executables.
    """
    if asked is not None:
        return _asked_shell(asked, found), ()
    if preferred is not None and (preferred in found or os.path.isabs(preferred)):
        return _asked_shell(preferred, found), ()
    wanted = named_by_document or SHELL_KINDS[0]
    kind = kind_that_runs(wanted, found)
    return Shell(kind, found[kind]), () if kind == wanted else (stand_in_notice(wanted, kind),)


def kind_that_runs(wanted: str, found: Mapping[str, str]) -> str:
    """The kind that is wanted, else the one that stands in for it; RequestRejected without any."""
    for kind in (wanted, *SHELL_KINDS):
        if kind in found:
            return kind
    raise RequestRejected(
        "No shell was found: install zsh, bash or sh, or name one by its absolute path."
    )


def stand_in_notice(wanted: str, kind: str) -> Insight:
    """That another shell runs what was meant for one that is not installed."""
    return Insight(Level.INFO, f"{wanted} is not installed; {kind} stands in.")


def _asked_shell(asked: str, found: Mapping[str, str]) -> Shell:
    if asked in found:
        return Shell(asked, found[asked])
    if os.path.isabs(asked):
        if is_program(asked):
            return Shell(os.path.basename(asked), asked)
        raise InvalidRequest(f"shell: expected an executable file, got {asked!r}")
    if asked in SHELL_KINDS:
        raise InvalidRequest(
            f"shell: {asked} is not installed; there are: {', '.join(found) or 'none'}",
            missing_program=asked,
        )
    raise InvalidRequest(f"shell: expected zsh, bash, sh or an absolute path, got {asked!r}")


def path_of(path_or_uri: str) -> str | None:
    """The local path that a path or a `file:` URI names; None for other schemes and remote hosts."""
    if path_or_uri[:5].lower() != "file:":
        return None if "://" in path_or_uri else str(Path(path_or_uri).expanduser())
    parts = urlsplit(path_or_uri)
    return unquote(parts.path) if parts.netloc.lower() in ("", "localhost") else None

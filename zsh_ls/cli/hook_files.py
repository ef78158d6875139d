"""`zsh-ls hook install` and `uninstall`: an agent's configuration, shown before it is changed."""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import importlib
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from zsh_ls.hooks.configuration import NotUnderstood, installed, removed
from zsh_ls.hooks.events import opencode
from zsh_ls.hooks.rewriting import switches_off
from zsh_ls.hooks.rules import NotReadable
from zsh_ls.system.bounded_files import NotRead, read_bytes
from zsh_ls.system.private_folders import make_private, state_folder
from zsh_ls.system.projects import leads_out, top_of

from .agent_rules import rules_around

NOT_DONE = 1
LONGEST_BYTES = 4 << 20
LEFT_ALONE = "It was edited since it was installed, so it is left: remove it by hand."
NEXT_STEPS = {
    "codex": "Codex asks before it runs a hook it has not seen: look at it there with /hooks.",
    "claude": "Sessions that run already take it after a look at it there with /hooks.",
    "gemini": "Gemini CLI takes it with its next start.",
    "cursor": "Cursor takes it at once.",
    "opencode": "opencode takes it with its next start.",
}


PLUGINS = (opencode.plugin(rewrite=False), opencode.plugin(rewrite=True))


class NotChanged(Exception):
    """Why a file is not changed, in a sentence."""


def install(agent: str, *, project: bool, only_show: bool, rewrite: bool = False) -> int:
    """Add the hook to the agent's configuration and print the difference; gives the exit status."""
    path = file_of(agent, project=project)
    try:
        if project:
            _refuse_way_out(path)
        before = _read(path)
        if rewrite:
            _check_rules(agent)
        after = _with_hook(agent, before, rewrite=rewrite)
        if before == after:
            print(f"zsh-ls: the hook is in {path} already", file=sys.stderr)
            return 0
        _show(path, before, after)
        if not only_show:
            made, original = _missing_folders(path), before
            if (noted := _noted(path)) is not None and noted["after"] == before:
                # Another form of the hook is there: what was there before that one is brought back.
                made, original = noted["folders"], noted["before"]
            _write(path, after)
            _note(path, original, after, made)
            print(f"zsh-ls: {NEXT_STEPS[agent]}", file=sys.stderr)
    except (NotChanged, NotUnderstood, OSError) as fault:
        return _not_done(path, fault)
    return 0


def uninstall(agent: str, *, project: bool, only_show: bool) -> int:
    """Take out what `install` put in and print the difference; gives the exit status."""
    path = file_of(agent, project=project)
    try:
        if project:
            _refuse_way_out(path)
        before = _read(path)
        noted = _noted(path)
        after = before
        if before is not None:
            is_untouched = noted is not None and noted["after"] == before
            after = noted["before"] if noted and is_untouched else _without_hook(agent, before)
        if before == after:
            print(f"zsh-ls: there is no hook in {path}", file=sys.stderr)
            return 0
        _show(path, before, after)
        if not only_show:
            _write(path, after)
            _forget(path, [] if noted is None else noted["folders"])
    except (NotChanged, NotUnderstood, OSError) as fault:
        return _not_done(path, fault)
    return 0


def file_of(agent: str, *, project: bool) -> Path:
    """The file of the agent's configuration: the person's, or that of the project around this folder."""
    here = _project()
    if agent == "opencode":
        config = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
        above = here / ".opencode" if project else Path(config) / "opencode"
        return above / "plugins" / "zsh-ls.js"
    spoken = _spoken(agent)
    folder: str = spoken.FILE[0]
    name: str = spoken.FILE[1]
    if project:
        return here / folder / name
    own: str | None = os.environ.get(spoken.FOLDER_VARIABLE) if spoken.FOLDER_VARIABLE else None
    return Path(own or Path.home() / folder) / name


def _project() -> Path:
    return Path(top_of(str(Path.cwd())) or Path.cwd())


def _refuse_way_out(path: Path) -> None:
    """Raises NotChanged for a file of the project that is elsewhere: the project may be somebody else's."""
    if leads_out(str(path), str(_project())):
        raise NotChanged(f"A link leads out of the project, to {os.path.realpath(path)}.")


def _spoken(agent: str) -> Any:
    return importlib.import_module(f"zsh_ls.hooks.events.{agent}")


def _check_rules(agent: str) -> None:
    """Raise NotChanged where a rule of the agent would let everything pass that is rewritten (HOOK-2)."""
    if agent == "opencode":
        return  # it tells its rules itself, when it runs
    try:
        rule = switches_off(rules_around(agent, str(Path.cwd())))
    except NotReadable as problem:
        raise NotChanged(f"The rules of the agent are not known: {problem}") from None
    if rule is not None:
        raise NotChanged(
            f"The rule {rule.text} would speak of every command that runs through zsh-ls: remove it first."
        )


def _with_hook(agent: str, before: str | None, *, rewrite: bool) -> str:
    if agent != "opencode":
        spoken = _spoken(agent)
        hooks = {**spoken.REWRITE_HOOKS, **spoken.HOOKS} if rewrite else spoken.HOOKS
        return installed(_with_version(agent, before), hooks, f"zsh-ls hook {agent}")
    if before is not None and before not in PLUGINS:
        raise NotChanged("Another file is there, or an earlier version: remove it first.")
    return opencode.plugin(rewrite=rewrite)


def _with_version(agent: str, before: str | None) -> str | None:
    """Cursor takes no configuration without a version."""
    is_new = before is None or not before.strip()
    return '{"version": 1}\n' if agent == "cursor" and is_new else before


def _without_hook(agent: str, before: str) -> str | None:
    if agent == "opencode":
        if before not in PLUGINS:
            raise NotChanged(LEFT_ALONE)
        return None
    return removed(before, f"zsh-ls hook {agent}", {"version": 1})


def _read(path: Path) -> str | None:
    """The text of a file; None where there is none. Raises NotChanged."""
    if not path.exists():
        if path.is_symlink():
            raise NotChanged("It is a link to a file that is not there.")
        return None
    try:
        return read_bytes(path, LONGEST_BYTES).decode("utf-8")
    except (NotRead, UnicodeDecodeError) as problem:
        raise NotChanged(str(problem)) from None


def _show(path: Path, before: str | None, after: str | None) -> None:
    """Print the unified difference of a file."""
    was, is_now = ("/dev/null" if text is None else str(path) for text in (before, after))
    old, new = ((text or "").splitlines(keepends=True) for text in (before, after))
    for line in difflib.unified_diff(old, new, was, is_now):
        sys.stdout.write(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    sys.stdout.flush()


def _missing_folders(path: Path) -> list[str]:
    """The folders above a file that have to be made for it, the innermost first."""
    return [str(it) for it in path.parents if not it.exists()]


def _write(path: Path, text: str | None) -> None:
    """Replace a file as a whole, where a link leads to; None removes it."""
    real = Path(os.path.realpath(path))
    if real.exists() and not real.stat().st_mode & 0o222:
        # It could be replaced all the same; whoever made it so does not want that.
        raise NotChanged("It is read-only.")
    if text is None:
        path.unlink()
        return
    real.parent.mkdir(parents=True, exist_ok=True)
    descriptor, new = tempfile.mkstemp(dir=real.parent, prefix=f".{real.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.chmod(new, real.stat().st_mode & 0o7777 if real.exists() else 0o644)
        os.replace(new, real)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(new)
        raise


def _note_of(path: Path) -> Path:
    """Where it is noted what a file was before the hook."""
    digest = hashlib.sha256(os.path.realpath(path).encode("utf-8", "surrogateescape")).hexdigest()
    return Path(state_folder()) / "hooks" / f"{digest[:32]}.json"


def _note(path: Path, before: str | None, after: str, folders: list[str]) -> None:
    """Note what the file was, so that `uninstall` brings back every byte of it."""
    note = _note_of(path)
    try:
        make_private(note.parent.parent)
        make_private(note.parent)
        text = json.dumps({"before": before, "after": after, "folders": folders})
        with open(os.open(note, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(text)
    except OSError as fault:
        print(f"zsh-ls: what {path} was is not noted: {fault.strerror}", file=sys.stderr)


def _noted(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(read_bytes(_note_of(path), 3 * LONGEST_BYTES))
    except (NotRead, ValueError):
        return None
    return (
        found if isinstance(found, dict) and {"before", "after", "folders"} <= set(found) else None
    )


def _forget(path: Path, folders: list[str]) -> None:
    """Remove the note, and the folders that were made for the file alone."""
    with contextlib.suppress(OSError):
        _note_of(path).unlink()
    for folder in folders:
        with contextlib.suppress(OSError):
            os.rmdir(folder)


def _not_done(path: Path, fault: Exception) -> int:
    reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
    print(f"zsh-ls: {path} is not changed: {reason}", file=sys.stderr)
    return NOT_DONE

"""What happens to a call in the sandbox: the program itself, a stand-in, or a failure."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress

from zsh_ls.insights import effects
from zsh_ls.insights.effects import FileAction
from zsh_ls.lazy import attrs
from zsh_ls.shell.words.wrappers import TRANSPARENT, wrapped_at
from zsh_ls.system.programs import is_below

from .files import SandboxFiles
from .report import RehearsedKind

BASE = "/run/rehearse"
# Programs of ours in the text of a script: those that fail, and the one after its last command.
FAILS, FAILS_ONCE, ENDS = f"{BASE}/fails", f"{BASE}/fails-once", f"{BASE}/ends"
# What the shells' hooks, and the marked copies of scripts of sh, call for a program that is not there.
MISSING = f"{BASE}/missing"
SHELLS = frozenset({"bash", "zsh", "sh", "dash", "rbash"})
TEMPORARY = ("/tmp", "/var/tmp")
SETTINGS_OF_GIT = "GIT_OPTIONAL_LOCKS=0"
# What tells a shell to read our hook; no other one gets to see it.
HOOKS: dict[str, tuple[str, ...]] = {
    "bash": (f"BASH_ENV={BASE}/hooks/bash_env",),
    "rbash": (f"BASH_ENV={BASE}/hooks/bash_env",),
    "zsh": (f"ZDOTDIR={BASE}/hooks",),
}
# Their last word is a program that runs in place of others for whom they raise rights.
RAISES = frozenset({"sudo", "doas"})
# These leave their target in place of a link, or follow none.
FOLLOW_NO_LINK = frozenset({"rm", "rmdir", "unlink", "mv", "ln", "find"})
SHELL_OPTIONS_WITH_VALUE = frozenset({"-o", "+o", "-O", "+O", "--init-file", "--rcfile"})
NOT_FOUND, FAILED = 127, 1


@attrs.frozen
class Call:
    """How a stand-in was called: `words` begin with the program's name, `path` is where it was found.

    `is_captured`: a shell above reads what it prints; `is_within`: a real program started it.
    """

    number: str
    path: str
    words: tuple[str, ...]
    cwd: str
    is_captured: bool = False
    is_within: bool = False


@attrs.frozen
class Decision:
    """What the stand-in does, and what is told of it.

    It runs `program` with `head` before those of its words that come after the first `keeps`; without
    a program it ends with `exit`. `writes` are foretold.
    """

    kind: RehearsedKind
    program: str = ""
    head: tuple[str, ...] = ()
    keeps: int = 0
    exit: int | None = None
    environment: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    drains: bool = False
    is_told: bool = True
    writes: tuple[tuple[str, FileAction, int | None], ...] = ()

    def answer(self, *, tee: bool) -> str:
        """As the stand-in reads it (`inside/stand_in.py`)."""
        return "\0".join(
            (
                self.kind,
                "" if self.exit is None else str(self.exit),
                self.program,
                str(self.keeps),
                "1" if tee else "",
                "1" if self.drains else "",
                "\1".join(self.folders),
                "\1".join(self.environment),
                *self.head,
            )
        )


@attrs.frozen
class RealPrograms:
    """Where the programs behind the stand-ins lie in the sandbox.

    `folders` are those of PATH, `singles` programs elsewhere that the script names by their path,
    `binaries` those of the workspace.
    """

    folders: tuple[str, ...]
    singles: tuple[str, ...]
    binaries: tuple[str, ...] = ()

    def behind(self, path: str) -> str:
        """The program that a stand-in stands for, links followed."""
        for _ in range(40):
            folder, name = os.path.split(path)
            with suppress(OSError):
                folder = os.path.realpath(folder)
            path = os.path.join(folder, name)
            if path in self.singles:
                return f"{BASE}/one/{self.singles.index(path)}"
            if path in self.binaries:
                return f"{BASE}/binaries/{self.binaries.index(path)}"
            try:
                target = os.readlink(path)
            except OSError:
                break
            path = os.path.normpath(os.path.join(folder, target))
        folder, name = os.path.split(path)
        if folder in self.folders:
            return f"{BASE}/real/{self.folders.index(folder)}/{name}"
        return path


@attrs.frozen
class Judge:
    """Decides, for one run: which folders are private, whether stand-ins run, what fails.

    `marked` gives the copy of a script of sh in which each command says where it stands.
    """

    programs: RealPrograms
    files: SandboxFiles
    workspace: str
    real: bool
    marked: Callable[[str], str | None]
    failed: set[str] = attrs.field(factory=set)

    def decide(self, call: Call) -> Decision:
        """What happens to a call."""
        name = call.words[0]
        if call.path.startswith(f"{ENDS}/"):
            return Decision(RehearsedKind.STUB, exit=int(call.words[1]), is_told=False)
        if call.path == MISSING:
            return Decision(RehearsedKind.STUB, exit=NOT_FOUND)
        if call.path.startswith((f"{FAILS}/", f"{FAILS_ONCE}/")):
            if call.path.startswith(f"{FAILS}/") or call.path not in self.failed:
                self.failed.add(call.path)
                return Decision(RehearsedKind.FAILED, exit=FAILED, drains=True)
            found = shutil.which(name)
            if found is None:
                return Decision(RehearsedKind.STUB, exit=0)
            call = attrs.evolve(call, path=found)
        program = self.programs.behind(os.path.normpath(os.path.join(call.cwd, call.path)))
        if call.is_within:
            # What a real program starts for itself is its own business.
            return Decision(RehearsedKind.REAL, program, (name,), is_told=False)
        if name in SHELLS:
            return self._shell(call, program)
        if name in RAISES:
            return self._with_rights(call, program)
        if effects.runs_another(call.words):
            return Decision(RehearsedKind.REAL, program, (name,))
        return self._real_or_stand_in(call, program)

    def _real_or_stand_in(self, call: Call, program: str) -> Decision:
        """What happens to a program that starts no other one."""
        name = call.words[0]
        environment: tuple[str, ...] = ("REHEARSE_WITHIN=1",)
        if name == "git":
            environment += (SETTINGS_OF_GIT,)
        if self.real or effects.only_reads(call.words):
            return Decision(RehearsedKind.REAL, program, (name,), environment=environment)
        work = effects.file_work(call.words, call.cwd, self.files)
        if work is not None and all(self.is_private(it, name) for it in work.touched):
            return Decision(RehearsedKind.REAL, program, (name,), environment=environment)
        return Decision(
            RehearsedKind.STUB,
            exit=0,
            folders=effects.made_folders(call.words, call.cwd, self.files),
            drains=True,
            writes=tuple(
                (path, action, self._count(path, action))
                for path, action in effects.foretold(call.words, call.cwd, self.files)
            ),
        )

    def is_private(self, path: str, program: str = "") -> bool:
        """Whether a path leads into the copy of the workspace or a temporary folder."""
        place = self.files.place_of(path)
        if program not in FOLLOW_NO_LINK:
            place = self.files.real(path)
        return any(is_below(place, it) for it in (self.workspace, *TEMPORARY))

    def _count(self, path: str, action: FileAction) -> int | None:
        return self.files.count(path) if action is FileAction.REMOVE else None

    def _shell(self, call: Call, program: str) -> Decision:
        name, own = call.words[0], call.words[1:]
        hooks = HOOKS.get(name, ())
        at = 0
        while at < len(own) and own[at][:1] in {"-", "+"} and own[at] not in {"-", "--"}:
            option = own[at]
            if not option.startswith("--") and option[0] == "-" and "c" in option:
                return Decision(RehearsedKind.REAL, program, (name,), environment=hooks)
            if not option.startswith("--") and option[0] == "-" and "s" in option[1:]:
                return Decision(RehearsedKind.REAL, program, (name,), environment=hooks)
            at += 2 if option in SHELL_OPTIONS_WITH_VALUE else 1
        if own[at : at + 1] in (("--",), ("-",)):
            at += 1
        if at >= len(own):
            return Decision(RehearsedKind.REAL, program, (name,), environment=hooks)
        script = os.path.join(call.cwd, own[at])
        if not self.files.is_file(script):
            return Decision(RehearsedKind.REAL, program, (name,), environment=hooks)
        if not self.is_private(script):
            return Decision(RehearsedKind.STUB, exit=0, drains=True)
        environment = hooks
        options = own[:at]
        if name == "zsh" and any(it in {"-f", "--no-rcs"} for it in options):
            # Without start-up files zsh would not read the hook.
            environment += ("REHEARSE_NO_RCS=1",)
            options = tuple(it for it in options if it not in {"-f", "--no-rcs"})
        if os.path.basename(program) in {"dash", "sh"} or name == "sh":
            marked = self.marked(script)
            if marked is not None:
                head = (name, *options, "-c", f'. "{marked}"')
                return Decision(RehearsedKind.REAL, program, head, keeps=at)
        return Decision(
            RehearsedKind.REAL, program, (name, *options), keeps=at, environment=environment
        )

    def _with_rights(self, call: Call, program: str) -> Decision:
        """`sudo` and its like are stand-ins that start the stand-in of what they run."""
        at = wrapped_at(call.words, TRANSPARENT[call.words[0]])
        if at is None or at >= len(call.words):
            return Decision(RehearsedKind.STUB, exit=0, drains=True)
        found = shutil.which(call.words[at]) if "/" not in call.words[at] else call.words[at]
        if found is None:
            return Decision(RehearsedKind.STUB, exit=NOT_FOUND)
        # `sudo NAME=value command` hands the variable on.
        given = tuple(it for it in call.words[1:at] if "=" in it and not it.startswith("-"))
        return Decision(RehearsedKind.STUB, found, (call.words[at],), keeps=at, environment=given)


def private_environment(
    environment: Mapping[str, str], is_secret: Callable[[str, str], bool], marker: str
) -> dict[str, str]:
    """What the script finds in its environment: no way to the session, no secret, no loader's settings."""
    kept = {}
    for name, value in environment.items():
        if name in _DROPPED or name.startswith(_DROPPED_BEGINNINGS) or name.endswith(_DROPPED_ENDS):
            continue
        kept[name] = marker if value and is_secret(name, value) else value
    return kept


_DROPPED = frozenset(
    {
        *("DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "ICEAUTHORITY", "SESSION_MANAGER"),
        *("DOCKER_HOST", "CONTAINER_HOST", "TMUX", "STY", "PULSE_SERVER", "XDG_RUNTIME_DIR"),
        *("BASH_ENV", "ENV", "TMPDIR", "NVIM", "VIM_SERVERNAME"),
    }
)
_DROPPED_BEGINNINGS = ("DBUS_", "SSH_AGENT", "GPG_AGENT", "LD_", "ZSH_LS_", "REHEARSE_", "VSCODE_")
_DROPPED_ENDS = ("_SOCK", "_SOCKET", "_LISTEN_ADDRESS")

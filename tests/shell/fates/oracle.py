"""What becomes of a script when one of its commands fails, told by the real shells.

A script is run in copies (see `copies`), in a folder of its own, with stubs as the only programs on
PATH: once whole, and once with each command failing. A command that the whole run does not reach is
judged on the run that reaches it with the fewest failures. What the stubs logged, and how the shell
ended, gives the fate.

How both runs prove a fate stands in `zsh_ls/shell/fates/proof.py`; what stands for the commands of a script
here:

- `true`, `:` and `false` change nothing and are no commands that "run afterwards"; `echo` is one.
- Tests succeed, as everything does, except those that read a status (`[ $? -ne 0 ]`, `$rc`), which
  do what they do.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import attrs

from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.fates.copies import IN_TRAP, Copies, How, Place
from zsh_ls.shell.fates.proof import END, Course, proven

SHELLS: Mapping[Dialect, tuple[str, ...]] = {
    Dialect.ZSH: ("zsh", "-f", "-o", "nonomatch"),
    Dialect.BASH: ("bash", "--norc"),
    Dialect.SH: ("dash",),
}
# Worst first: of the fates of a function's calls the first one is told.
ORDER = ("unnoticed", "stops-silently", "unknown", "reported", "handled", "stops")
# Commands that have their stubs in every copy.
STUBBED = frozenset({How.RENAMED, How.WHOLE, How.LOGGED, How.OPENED})
STUBS = 400
# A script ends in a few hundredths of one; on a busy machine it may wait long for its turn.
SECONDS = 30
# After this many more, the script ends even where the one who waits for it is dead.
GRACE = 5
MOST_FAILURES = 4
ARGUMENTS = ("one", "two", "three")
# Prints one line and reads its input where that is a pipe, as the programs of a script do.
# `_o…` stands in a loop's condition: it succeeds every other time. `key!` fails the first time only.
STUB = """#!/bin/dash
exec 2>/dev/null
trap '' PIPE
name=${0##*/} key=${0##*/}@$_site
case $name in
  _o*)
    if [ -s "$_FATES_LOG.o$key" ]; then : >"$_FATES_LOG.o$key"; exit 1; fi
    echo 1 >"$_FATES_LOG.o$key"
    ;;
esac
case " $_FATES_FAIL " in *" $key! "*) [ -e "$_FATES_LOG.$key" ] && exit 0 ;; esac
echo "$key" >>"$_FATES_LOG"
case $name in _end | _x*) exit "$1" ;; esac
if [ -p /dev/stdin ]; then while read -r _; do :; done; fi
echo 1
case " $_FATES_FAIL " in
  *" $key "* | *" $name@* "*) : >"$_FATES_LOG.o$key"; exit 1 ;;
  *" $key! "*) : >"$_FATES_LOG.$key"; exit 1 ;;
esac
exit 0
"""


# A command: its stub, and through which calls of functions it is reached.
Key = tuple[str, str]


@attrs.frozen
class Run:
    """One run of a copy: the stubs that ran, as `name@calls`, in order; and the shell's exit."""

    log: tuple[str, ...]
    exit: int


@attrs.frozen
class Verdict:
    """The fate of one command; `right` are the fates that are right, `fate` is the first of them."""

    place: Place
    fate: str
    right: frozenset[str]
    exits: frozenset[int]


@attrs.frozen
class _Config:
    """Which arms of `case` are taken, and which function nobody calls is called at the end."""

    arms: tuple[tuple[int, int], ...] = ()
    call: str = ""


class Laboratory:
    """The stubs, and the shells to run scripts with. `laboratory()` makes one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "bin"
        self.programs.mkdir()
        stub = self.programs / END
        stub.write_text(STUB)
        stub.chmod(0o755)
        for number in range(STUBS):
            for letter in "cox":
                (self.programs / f"_{letter}{number}").symlink_to(END)
        self.ender = (*_shell(["timeout"]), "--signal=KILL")
        self.shells = {dialect: _shell(words) for dialect, words in SHELLS.items()}
        (folder / "line").write_text("1\n")

    def judge(self, text: str, dialect: Dialect) -> list[Verdict]:
        """The fate of every command of a script that the shell reaches, in the order of the text."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            return _Case(self, Path(folder), text, dialect).verdicts()


@contextmanager
def laboratory() -> Iterator[Laboratory]:
    """A laboratory in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="fates-") as folder:
        yield Laboratory(Path(folder))


def _shell(words: Sequence[str]) -> tuple[str, ...]:
    program = shutil.which(words[0])
    if program is None:
        raise FileNotFoundError(words[0])
    return (program, *words[1:])


class _Case:
    """The judging of one script."""

    def __init__(self, lab: Laboratory, folder: Path, text: str, dialect: Dialect) -> None:
        self.lab = lab
        self.folder = folder
        self.copies = Copies.of(text, dialect)
        self.shell = lab.shells[dialect] + _shebang_flags(text)
        self.places = {place.stub: place for place in self.copies.places}
        if len(self.places) >= STUBS:
            raise ValueError("too many commands")
        self.in_traps = self.copies.trap_functions()
        self.runs: dict[object, Run | None] = {}
        self.tried: set[Key] = set()
        self.found: dict[Key, tuple[Place, str, frozenset[str], int]] = {}
        programs = folder / "bin"
        programs.mkdir()
        for word in self.copies.trap_words - {END}:
            (programs / word).symlink_to(lab.programs / END)
        self.path = f"{lab.programs}:{programs}"

    def verdicts(self) -> list[Verdict]:
        """The fates, each joined over the calls of the function that the command is in."""
        for config in self.configs():
            self.explore(config)
        joined = []
        for place in self.copies.places:
            calls = [it[1:] for (stub, _), it in self.found.items() if stub == place.stub]
            if not calls:
                continue
            if place.in_trap:
                # A trap has no calls: it is judged where it is reached first.
                calls = calls[:1]
            primary = min((fate for fate, _, _ in calls), key=ORDER.index)
            right = right_of_all([allowed for _, allowed, _ in calls])
            exits = frozenset(exit_status for *_, exit_status in calls)
            joined.append(Verdict(place, primary, right, exits))
        return joined

    def configs(self) -> list[_Config]:
        """The script as it is, then with other arms taken, then with functions that nobody calls."""
        arms = {place.arms for place in self.copies.places}
        chosen = {tuple((case, arm) for case, arm in each if arm) for each in arms}
        plain = [_Config(each) for each in sorted(chosen)]
        called = [_Config(each.arms, name) for name in self.copies.uncalled() for each in plain]
        return [*plain, *called]

    def explore(self, config: _Config) -> None:
        """Judge what these runs reach that no earlier ones did."""
        waiting: list[frozenset[Key]] = [frozenset()]
        promised: set[Key] = set()
        for _ in range(MOST_FAILURES):
            following = []
            for fails in waiting:
                outcomes = list(self.judged(config, fails))
                self.tried.update(key for key, _ in outcomes)
                for key, failed in outcomes:
                    keys = {_key(line) for line in failed.log if _key(line)[0] in self.places}
                    if new := keys - self.tried - promised:
                        promised |= new
                        following.append(frozenset((*fails, key)))
            waiting = following

    def judged(self, config: _Config, fails: frozenset[Key]) -> Iterator[tuple[Key, Run]]:
        """The commands that this run reaches first: the key of each, and the run with it failing as well."""
        base = self.run(config, fails)
        if base is None:
            return
        for place in self.copies.places:
            healthy: Run | None = base
            if place.how not in STUBBED:
                healthy = self.run(config, fails, place)
            if healthy is None:
                continue
            reached = {_key(line) for line in healthy.log}
            for key in sorted(it for it in reached if it[0] == place.stub and it not in self.tried):
                failed = self.run(config, frozenset((*fails, key)), place)
                if failed is not None:
                    self.found[key] = (place, *self.fate(place, key, healthy, failed), failed.exit)
                    yield key, failed

    def run(
        self, config: _Config, fails: frozenset[Key], judged: Place | None = None
    ) -> Run | None:
        """One run; None where it did not end in time."""
        if judged is not None and judged.how in STUBBED:
            judged = None
        identity = (config, fails, judged.number if judged else None)
        if identity not in self.runs:
            special = {self.places[stub] for stub, _ in fails if stub in self.places}
            if judged is not None:
                special.add(judged)
            copy = self.copies.text_of(
                sorted(special, key=lambda it: it.number), dict(config.arms), config.call
            )
            self.runs[identity] = self.start(copy, fails)
        return self.runs[identity]

    def start(self, copy: str, fails: frozenset[Key]) -> Run | None:
        """Run a copy; whatever it started has ended when this returns."""
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            script, log = Path(folder, "script"), Path(folder, "log")
            script.write_text(copy)
            log.touch()
            failing = [
                f"{stub}@{calls}{'!' if self.places[stub].once else ''}" for stub, calls in fails
            ]
            environment = {
                **dict.fromkeys(_read_names(self.copies.text), "1"),
                "PATH": self.path,
                "HOME": folder,
                "LC_ALL": "C",
                "_site": "",
                "_FATES_LINE": str(self.lab.folder / "line"),
                "_FATES_LOG": str(log),
                "_FATES_FAIL": " ".join(sorted(failing)),
            }
            work = Path(folder, "work")
            work.mkdir()
            process = subprocess.Popen(
                [*self.lab.ender, f"{SECONDS + GRACE}", *self.shell, str(script), *ARGUMENTS],
                cwd=work,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                # Its background jobs hold the pipe, so this waits for them too.
                process.communicate(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                return None
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            return Run(tuple(log.read_text().split()), process.returncode)

    def is_trap(self, line: str) -> bool:
        """Whether a line of the log is of a command that ran in a trap."""
        stub, calls = _key(line)
        place = self.places.get(stub)
        if place is None:
            return not _is_end(line)
        in_trap = place.in_trap or place.function in self.in_traps
        if in_trap or calls.startswith(IN_TRAP):
            return True
        return bool(place.function in self.copies.trap_words and not calls)

    def fate(self, place: Place, key: Key, healthy: Run, failed: Run) -> tuple[str, frozenset[str]]:
        """The fate by what both runs logged, and all fates that are right."""
        own = "@".join(key)
        in_trap = self.is_trap(own)
        courses = []
        for run in (healthy, failed):
            log = [line for line in run.log if in_trap or not self.is_trap(line)]
            end = next((line for line in reversed(run.log) if self.is_end(line)), None)
            courses.append(Course(tuple(log), end, run.exit))
        found = proven(
            *courses,
            own,
            is_end=_is_end,
            is_external=lambda line: not self.prints(line),
        )
        return found.fate, found.right

    def is_end(self, line: str) -> bool:
        """Whether a line of the log is of the end of the text, or of an `exit` outside of traps."""
        if line.startswith("_x"):
            function = self.copies.exits[int(_key(line)[0][2:]) - 1]
            return function is not None and function not in self.in_traps
        return line.startswith(END)

    def prints(self, line: str) -> bool:
        """Whether a line of the log is of `echo` or the like."""
        place = self.places[_key(line)[0]]
        word = self.copies.text[slice(*place.name_at)]
        return word in {"echo", "print", "printf"}


def right_of_all(allowed: Sequence[frozenset[str]]) -> frozenset[str]:
    """The fates of which one may be told of all calls: the worst, where each has one of its right ones."""
    return frozenset(
        fate
        for fate in frozenset[str]().union(*allowed)
        if all(any(ORDER.index(it) >= ORDER.index(fate) for it in each) for each in allowed)
    )


def _key(line: str) -> Key:
    stub, _, calls = line.partition("@")
    return stub, calls


def _is_end(line: str) -> bool:
    """Whether a line of the log is of the end of the text or of an `exit`."""
    return line.startswith((END, "_x"))


def _shebang_flags(text: str) -> tuple[str, ...]:
    first = text.partition("\n")[0]
    if not first.startswith("#!"):
        return ()
    return tuple(word for word in first.split()[1:] if word.startswith("-") and word != "-f")


def _read_names(text: str) -> set[str]:
    """The variables that a script reads and does not assign, as far as a pattern can tell."""
    read = set(re.findall(r"\$\{?#?([A-Za-z_]\w*)", text))
    assigned = set(re.findall(r"(?<![\w$])([A-Za-z_]\w*)(?:\[[^]\n]*\])?\+?=", text))
    own = {"_site", "PATH", "HOME", "IFS", "PIPESTATUS", "pipestatus", "status", "RANDOM"}
    shells = {
        "BASH_SOURCE",
        "FUNCNAME",
        "LINENO",
        "SECONDS",
        "UID",
        "EUID",
        "PPID",
        "PWD",
        "ZSH_VERSION",
    }
    return read - assigned - own - shells

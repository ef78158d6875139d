"""The sandbox: what bubblewrap is told, what surrounds the script, and the limits it has."""

from __future__ import annotations

import os
import platform
import re
import select
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType

from zsh_ls.lazy import attrs
from zsh_ls.system import programs
from zsh_ls.system.private_folders import passing_folder, passing_places, sweep

from .decision import BASE, MISSING, TEMPORARY, RealPrograms
from .request import RehearsalRefused
from .seccomp import filter_for
from .workspace import MIB, copy

HERE = Path(__file__).parent
PREFIX = "zsh-ls-rehearsal-"
USUAL_PATH = ("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin")
# Folders of the system that a layer over them would only disturb, or that are private anyway.
NOT_LAYERED = frozenset({"/proc", "/dev", "/sys", "/run", "/tmp", "/boot", "/lost+found"})
LAYERED_SYSTEMS = frozenset(
    {
        *("ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "bcachefs", "vfat", "fuseblk"),
        *("tmpfs", "overlay", "nfs", "nfs4", "virtiofs", "9p"),
    }
)
MOST_LAYERS = 40
LARGEST_ROOT_FILE_BYTES = MIB
LONGEST_END_S = 10.0
DEVICES = ("null", "zero", "full", "random", "urandom")
MOST_PROCESSES = 256
MOST_MEMORY_BYTES = 2048 * MIB
MOST_ADDRESSES_BYTES = 8192 * MIB
MOST_FILES = 1024
PROBE_S = 20
_NAMED_PATH = re.compile(r"(?<![\w$}])(?:~|\$HOME|\$\{HOME\})?/[\w.@%+/-]+")
# The first one with --disable-userns, without which a script could make namespaces of its own.
OLDEST = (0, 8)
_REMEDY = "install bubblewrap (apt-get install bubblewrap)"
_PERMISSION = (
    "as root, allow them (sysctl kernel.unprivileged_userns_clone=1; on Ubuntu"
    " sysctl kernel.apparmor_restrict_unprivileged_userns=0; in a container its own settings)"
)


def check() -> str:
    """The path of bubblewrap, having tried it. Raises RehearsalRefused with what is missing."""
    if not sys.platform.startswith("linux"):
        raise RehearsalRefused(f"its sandbox needs Linux's namespaces, and this is {sys.platform}")
    bubblewrap = programs.find("bwrap")
    if bubblewrap is None:
        raise RehearsalRefused(f"its sandbox needs bwrap, which is not on the PATH: {_REMEDY}")
    if filter_for(platform.machine()) is None:
        raise RehearsalRefused(f"its filter of system calls does not know {platform.machine()}")
    told = _tried(bubblewrap, "--version").stdout
    version = re.search(r"(\d+)\.(\d+)", told)
    if version is None or (int(version[1]), int(version[2])) < OLDEST:
        has = version[0] if version else told.strip()[:40] or "one that does not tell its version"
        needs = ".".join(map(str, OLDEST))
        raise RehearsalRefused(
            f"its sandbox needs bubblewrap {needs} or newer, and {bubblewrap} is {has}: {_REMEDY}"
        )
    tried = _tried(
        bubblewrap, *NAMESPACES, "--ro-bind", "/", "/", "--proc", "/proc", "--", "/bin/true"
    )
    if tried.returncode:
        said = tried.stderr.strip().splitlines()[-1:] or ["it says nothing"]
        raise RehearsalRefused(
            f"bubblewrap cannot make its sandbox here, which needs user namespaces ({said[0]}):"
            f" {_PERMISSION}"
        )
    return bubblewrap


def _tried(bubblewrap: str, *words: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            [bubblewrap, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PROBE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise RehearsalRefused("bubblewrap does not come to an end here") from None
    except OSError as error:
        raise RehearsalRefused(
            f"{bubblewrap} cannot be run ({error.strerror}): {_REMEDY}"
        ) from None


NAMESPACES = (
    "--unshare-user",
    "--unshare-ipc",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-uts",
    "--unshare-cgroup-try",
    "--disable-userns",
)


class Caretaker:
    """A process that clears up where ours is killed; `close()` says that there is nothing left to do."""

    def __init__(self) -> None:
        told = {
            "begins": f"{PREFIX}{os.getpid()}-",
            "places": passing_places(),
            "groups": [root for root, _ in CGROUPS],
        }
        self._process = subprocess.Popen(
            [sys.executable, "-IS", str(HERE / "inside" / "caretaker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
        self._tell(f"{told!r}\n".encode())

    def close(self) -> None:
        """Let it go."""
        self._tell(b".")
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        self._process.wait()

    def _tell(self, text: bytes) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # somebody has ended it
            self._process.stdin.write(text)
            self._process.stdin.flush()


class StandIns:
    """A folder of links to the stand-in for each folder of programs; `close()` removes them.

    They are kept in memory, where a link costs microseconds, and serve all runs of a rehearsal.
    """

    def __init__(self, path: str) -> None:
        sweep(PREFIX, in_memory=True)
        self._folder = passing_folder(PREFIX, in_memory=True)
        given = [it for it in path.split(":") if it.startswith("/")]
        self.folders = tuple(
            dict.fromkeys(os.path.realpath(it) for it in (*given, *USUAL_PATH) if os.path.isdir(it))
        )
        try:
            for number, folder in enumerate(self.folders):
                self._fill(self.place(number), folder)
        except BaseException:
            self.close()
            raise

    def place(self, number: int) -> str:
        """Where the links for a folder are."""
        return os.path.join(self._folder, str(number))

    def __enter__(self) -> StandIns:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove them."""
        shutil.rmtree(self._folder, ignore_errors=True)

    @staticmethod
    def _fill(place: str, folder: str) -> None:
        os.mkdir(place)
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                with suppress(OSError):
                    if entry.is_dir():
                        if entry.is_symlink():
                            os.symlink(os.readlink(entry.path), f"{place}/{entry.name}")
                    elif entry.is_symlink() or os.access(entry.path, os.X_OK):
                        os.symlink(f"{BASE}/stand-in", f"{place}/{entry.name}")


@attrs.frozen
class Plan:
    """What a run is made of: the words of the shell, its folder and environment, what it may write."""

    bubblewrap: str
    workspace: Path
    cwd: str
    words: tuple[str, ...]
    environment: Mapping[str, str]
    singles: tuple[str, ...]
    most_written_bytes: int
    own_programs: tuple[str, ...] = ()
    stdin: int = subprocess.DEVNULL


class Sandbox:
    """One run's private folders and its process. A context: nothing is left behind afterwards."""

    def __init__(self, workspace: Path, stand_ins: StandIns) -> None:
        sweep(PREFIX)
        self.folder = Path(passing_folder(PREFIX))
        self.stand_ins = stand_ins
        self.workspace = workspace
        self.copy = self.folder / "workspace"
        self.log = self.folder / "log"
        self.binaries = self.folder / "binaries"
        self.marked = self.folder / "marked"
        self.root = self.folder / "root"
        self.private = {
            path: self.folder / f"private{path.replace('/', '-')}" for path in TEMPORARY
        }
        self.uppers: dict[str, Path] = {}
        self.process: subprocess.Popen[bytes] | None = None
        self.group: Cgroups | None = None
        self.programs = RealPrograms(stand_ins.folders, ())
        self.pid = 0
        # Its first process, with which all others end.
        self.init: int | None = None

    def __enter__(self) -> Sandbox:
        try:
            for place in (self.log, self.binaries, self.marked, self.root, *self.private.values()):
                place.mkdir()
            self._make_mount_points()
            binaries = copy(self.workspace, self.copy, self.binaries, f"{BASE}/stand-in")
            self.programs = attrs.evolve(self.programs, binaries=binaries)
            hooks = self.folder / "hooks"
            hooks.mkdir()
            for name in ("bash_env", ".zshenv"):
                shutil.copyfile(HERE / "hooks" / name, hooks / name)
        except BaseException:
            self.close()
            raise
        return self

    def _make_mount_points(self) -> None:
        """Make what bubblewrap would make in private folders, so that nobody takes it for the script's."""
        for place in (str(self.workspace), *self.stand_ins.folders):
            for shown, real in self.private.items():
                if programs.is_below(place, shown) and place != shown:
                    os.makedirs(real / os.path.relpath(place, shown), exist_ok=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End what runs, and remove everything."""
        self.kill()
        if self.init is not None:
            os.close(self.init)
            self.init = None
        if self.process is not None and self.process.stdout is not None:
            self.process.stdout.close()
        if self.group is not None:
            self.group.close()
        _remove(self.folder)

    def kill(self) -> None:
        """End all that runs in it, and wait until it has ended.

        Its first process is ended too: bubblewrap asks the kernel to end that one with its parent only a
        moment after it has begun.
        """
        if self.process is None:
            return
        if self.init is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.init, signal.SIGKILL)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.init is not None:
            select.select([self.init], [], [], LONGEST_END_S)
        elif not self.pid:
            self._kill_orphans()

    def start(self, plan: Plan) -> None:
        """Start the script. Raises RehearsalRefused where the sandbox cannot be made."""
        python, prefix = _python()
        stand_in = self.folder / "stand-in"
        text = (HERE / "inside" / "stand_in.py").read_text(encoding="utf-8")
        stand_in.write_text(f"#!{BASE}/python/{python} -ISE\n{text}", encoding="utf-8")
        stand_in.chmod(0o755)
        self.programs = attrs.evolve(self.programs, singles=plan.singles)
        layers = list(self._layers())
        command = [
            plan.bubblewrap,
            *NAMESPACES,
            *("--die-with-parent", "--new-session", "--cap-drop", "ALL"),
            *self._root_words(),
            "@overlays",
            *self._system_words(),
            *self._program_words(prefix, stand_in, plan.singles, plan.own_programs),
            "@stand-ins",
            *self._folder_words(),
            *("--bind", str(self.copy), str(self.workspace)),
            *("--chdir", plan.cwd),
        ]
        writable = "\1".join([str(self.workspace), *TEMPORARY, "/", *(it[0] for it in layers)])
        limits = (
            f"RLIMIT_NPROC={MOST_PROCESSES + 20},RLIMIT_FSIZE={plan.most_written_bytes},"
            f"RLIMIT_AS={MOST_ADDRESSES_BYTES},RLIMIT_CORE=0,RLIMIT_NOFILE={MOST_FILES},"
            f"RLIMIT_MEMLOCK=65536"
        )
        inner = [f"{BASE}/first-program", limits, writable, *plan.words]
        self.group = Cgroups(self.folder.name)
        filter_read, filter_write = os.pipe()
        info_read, info_write = os.pipe()
        told_read, told_write = os.pipe()
        os.write(filter_write, filter_for(platform.machine()) or b"")
        os.close(filter_write)
        told = {
            "cgroups": self.group.folders,
            "overlays": layers,
            "told": told_write,
            "parent": os.getpid(),
            "command": [
                *command,
                "--seccomp",
                str(filter_read),
                "--info-fd",
                str(info_write),
                "--",
                *inner,
            ],
        }
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-IS", str(HERE / "inside" / "launcher.py"), repr(told)],
                env=dict(plan.environment),
                stdin=plan.stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(filter_read, info_write, told_write),
                cwd="/",
                start_new_session=True,
            )
        finally:
            for descriptor in (filter_read, info_write, told_write):
                os.close(descriptor)
        with os.fdopen(told_read, "rb") as file:
            mounted = file.read().decode()
        information = self._information(info_read)
        self.uppers = {
            folder: Path(upper) for folder, _, upper, _, _ in layers if repr(folder) in mounted
        }
        found = re.search(r'"child-pid": (\d+)', information)
        if found is None:
            self.kill()
            assert self.process.stdout is not None
            said = self.process.stdout.read(4096).decode(errors="replace").strip()[-300:]
            if self.process.returncode < 0:
                said = f"signal {-self.process.returncode} ended it"
            raise RehearsalRefused(f"bubblewrap cannot make its sandbox here ({said})")
        self.pid = int(found[1])
        with suppress(OSError):  # it may have ended by now
            self.init = os.pidfd_open(self.pid)

    def _information(self, descriptor: int) -> str:
        """What bubblewrap tells of its first process, or less where it was ended before it could.

        That process has the other end of this pipe as well, and outlives a bubblewrap that is killed now.
        """
        assert self.process is not None
        data = b""
        with ExitStack() as kept:
            kept.callback(os.close, descriptor)
            ends = [descriptor]
            with suppress(OSError):  # an old kernel has none
                end = os.pidfd_open(self.process.pid)
                kept.callback(os.close, end)
                ends.append(end)
            while b"}" not in data:
                ready, _, _ = select.select(ends, [], [])
                more = os.read(descriptor, 4096) if descriptor in ready else b""
                if not more:
                    break
                data += more
        return data.decode()

    def _kill_orphans(self) -> None:
        """End the first process of a bubblewrap that was ended before it could tell which that is."""
        for name in os.listdir("/proc"):
            if not name.isdecimal():
                continue
            with suppress(OSError):
                words = Path("/proc", name, "cmdline").read_bytes().split(b"\0")
                if words[0].endswith(b"bwrap") and os.fsencode(str(self.copy)) in words:
                    os.kill(int(name), signal.SIGKILL)

    def used_bytes(self) -> int:
        """The memory of all that runs in it."""
        with suppress(OSError, ValueError):
            if self.group is not None and self.group.counts_memory:
                return self.group.memory_bytes()
        return self._resident_bytes()

    def processes(self) -> int:
        """How many processes run in it."""
        return sum(1 for _ in self._pids())

    def _pids(self) -> Iterator[int]:
        """The processes in it, by their numbers there: those of its own /proc.

        Until bubblewrap has given its first process a root folder that one has ours, with all processes
        of the machine.
        """
        with suppress(OSError):
            if os.stat(f"/proc/{self.pid}/root/proc").st_dev == os.stat("/proc").st_dev:
                return
        with suppress(OSError), os.scandir(f"/proc/{self.pid}/root/proc") as entries:
            for entry in entries:
                if entry.name.isdecimal():
                    yield int(entry.name)

    def _resident_bytes(self) -> int:
        """The memory of its processes, by its own /proc."""
        total = 0
        for pid in self._pids():
            with suppress(OSError, ValueError, IndexError):
                place = f"/proc/{self.pid}/root/proc/{pid}/statm"
                with open(place, encoding="ascii") as file:
                    total += int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        return total

    def _layers(self) -> Iterator[tuple[str, str, str, str, str]]:
        """Each folder outside that gets a layer, what lies below it, where writes land, work, mount.

        Below those of programs lie their stand-ins; one that the person cannot write stays as it is.
        """
        folders = [
            f"/{entry.name}"
            for entry in os.scandir("/")
            if entry.is_dir(follow_symlinks=False) and f"/{entry.name}" not in NOT_LAYERED
        ]
        for place, system in _mounts():
            below = any(programs.is_below(place, it) and place != it for it in folders)
            if (
                below
                and system in LAYERED_SYSTEMS
                and not programs.is_below(str(self.folder), place)
            ):
                folders.append(place)
        lowers = [(folder, folder) for folder in sorted(set(folders), key=len)[:MOST_LAYERS]]
        lowers += [
            (folder, self.stand_ins.place(number))
            for number, folder in enumerate(self.stand_ins.folders)
            if os.access(folder, os.W_OK)
        ]
        for number, (folder, lower) in enumerate(lowers):
            names = [self.folder / f"{kind}{number}" for kind in ("upper", "work", "layer")]
            for name in names:
                name.mkdir()
            with suppress(OSError):
                os.chmod(names[0], stat.S_IMODE(os.stat(folder).st_mode) | stat.S_IRWXU)
            upper, work, layer = map(str, names)
            yield folder, lower, upper, work, layer

    def _root_words(self) -> Iterator[str]:
        """The root folder is one of our own, with what is in the real one."""
        yield from ("--bind", str(self.root), "/")
        for entry in os.scandir("/"):
            path = f"/{entry.name}"
            if entry.is_symlink():
                os.symlink(os.readlink(path), self.root / entry.name)
            elif entry.is_file():
                # Not bound: a script may write it, and a program's mount would be told as a write.
                with suppress(OSError):
                    if entry.stat().st_size <= LARGEST_ROOT_FILE_BYTES:
                        shutil.copy(path, self.root / entry.name)
            elif entry.is_dir():
                (self.root / entry.name).mkdir()
                if path not in {"/proc", "/dev", "/run", "/tmp"}:
                    yield from ("--ro-bind", path, path)

    def _system_words(self) -> Iterator[str]:
        small = ("--size", str(64 * MIB), "--tmpfs")
        for path, private in self.private.items():
            if not os.path.islink(path) and os.path.isdir(path):
                private.chmod(0o1777)
                yield from ("--bind", str(private), path)
        yield from (*small, "/run", *small, "/dev")
        for name in DEVICES:
            yield from ("--dev-bind", f"/dev/{name}", f"/dev/{name}")
        yield from ("--symlink", "/proc/self/fd", "/dev/fd")
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            yield from ("--symlink", f"/proc/self/fd/{number}", f"/dev/{name}")
        yield from (*small, "/dev/shm", "--proc", "/proc", "--remount-ro", "/proc")

    def _program_words(
        self, prefix: str, stand_in: Path, singles: Sequence[str], own_programs: Sequence[str]
    ) -> Iterator[str]:
        yield from ("--dir", BASE, "--ro-bind", prefix, f"{BASE}/python")
        for number, folder in enumerate(self.stand_ins.folders):
            yield from ("--ro-bind", folder, f"{BASE}/real/{number}")
            yield from ("--ro-bind", self.stand_ins.place(number), folder)
        for number, path in enumerate(singles):
            yield from ("--ro-bind", path, f"{BASE}/one/{number}", "--ro-bind", str(stand_in), path)
        yield from ("--ro-bind", str(stand_in), f"{BASE}/stand-in")
        for name in ("first-program", os.path.basename(MISSING)):
            yield from ("--symlink", "stand-in", f"{BASE}/{name}")
        for path in own_programs:
            yield from ("--symlink", f"{BASE}/stand-in", path)

    def _folder_words(self) -> Iterator[str]:
        for name in ("binaries", "marked", "hooks"):
            yield from ("--ro-bind", str(self.folder / name), f"{BASE}/{name}")
        yield from ("--bind", str(self.log), f"{BASE}/log")


CGROUPS: tuple[tuple[str, Mapping[str, int]], ...] = (
    ("/sys/fs/cgroup/pids", {"pids.max": MOST_PROCESSES + 20}),
    ("/sys/fs/cgroup/memory", {"memory.limit_in_bytes": MOST_MEMORY_BYTES + 64 * MIB}),
    (
        "/sys/fs/cgroup",
        {"pids.max": MOST_PROCESSES + 20, "memory.max": MOST_MEMORY_BYTES + 64 * MIB},
    ),
)


class Cgroups:
    """Control groups for the processes and the memory of a run, where this user may make them."""

    def __init__(self, name: str) -> None:
        self.folders: list[str] = []
        self._memory = ""
        self._events = ""
        self.counts_memory = False
        for root, settings in CGROUPS:
            if not os.access(f"{root}/cgroup.procs", os.W_OK):
                continue
            folder = f"{root}/{name}"
            try:
                os.mkdir(folder)
                self.folders.append(folder)
                for file, value in settings.items():
                    Path(folder, file).write_text(str(value), encoding="ascii")
            except OSError:
                with suppress(OSError):
                    os.rmdir(folder)
                if folder in self.folders:
                    self.folders.remove(folder)
                continue
            for file in ("memory.usage_in_bytes", "memory.current"):
                if os.path.exists(f"{folder}/{file}"):
                    self._memory, self.counts_memory = f"{folder}/{file}", True
            for file in ("memory.oom_control", "memory.events"):
                if os.path.exists(f"{folder}/{file}"):
                    self._events = f"{folder}/{file}"

    def memory_bytes(self) -> int:
        """What is in use."""
        return int(Path(self._memory).read_text(encoding="ascii"))

    def has_killed(self) -> bool:
        """Whether the kernel ended a process for want of memory."""
        with suppress(OSError, StopIteration):
            lines = Path(self._events).read_text(encoding="ascii").splitlines()
            return next(int(it.split()[1]) for it in lines if it.startswith("oom_kill ")) > 0
        return False

    def close(self) -> None:
        """Remove them, as soon as their processes have ended."""
        for folder in self.folders:
            for _ in range(200):
                try:
                    os.rmdir(folder)
                    break
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.01)


def programs_named_in(text: str, workspace: Path, folders: Sequence[str]) -> tuple[str, ...]:
    """Programs outside PATH and workspace that a script names by their whole path."""
    found: dict[str, None] = {}
    for written in _NAMED_PATH.findall(text):
        path = re.sub(r"^(?:~|\$HOME|\$\{HOME\})", os.path.expanduser("~"), written)
        try:
            real = os.path.realpath(path)
        except OSError:  # as that of another's process
            continue
        hidden = programs.is_below(real, str(workspace)) or os.path.dirname(real) in folders
        private = any(programs.is_below(real, it) for it in (*TEMPORARY, "/run", "/dev", "/proc"))
        if not hidden and not private and os.path.isfile(real) and os.access(real, os.X_OK):
            found[real] = None
    return tuple(found)


def _python() -> tuple[str, str]:
    """The interpreter of the stand-ins, below its prefix: a whole Python that needs no other folder."""
    base = getattr(sys, "_base_executable", "") or sys.executable
    program, prefix = os.path.realpath(base), os.path.realpath(sys.base_prefix)
    if programs.is_below(program, prefix):
        return os.path.relpath(program, prefix), prefix
    return os.path.basename(program), os.path.dirname(program)


def _mounts() -> Iterator[tuple[str, str]]:
    """The places where file systems are mounted, and their types."""
    with (
        suppress(OSError),
        open("/proc/self/mountinfo", encoding="utf-8", errors="replace") as file,
    ):
        for line in file:
            before, _, after = line.partition(" - ")
            place = before.split()[4]
            yield re.sub(r"\\(\d{3})", lambda it: chr(int(it[1], 8)), place), after.split()[0]


def _remove(folder: Path) -> None:
    """Remove a tree, whatever modes a script has set in it."""

    def unlocked(remove: object, path: str, error: object) -> None:
        with suppress(OSError):
            os.chmod(os.path.dirname(path), 0o700)
            os.chmod(path, 0o700)
        with suppress(OSError):
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path, ignore_errors=True)
            else:
                os.unlink(path)

    shutil.rmtree(folder, onerror=unlocked)
    if folder.exists():
        shutil.rmtree(folder, ignore_errors=True)

"""What surrounds an attempt: files, sockets and processes that stay as they are, and what was touched."""

from __future__ import annotations

import ctypes
import os
import selectors
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from zsh_ls.rehearsal.notices import Notices

SECRET = "hunter2-" + "f00dfeed"
TMP_SECRET = "kept in tmp"
KEPT = "kept\n"
# One that root has put beside the worlds of an ordinary user is taken from there.
SETUID = "setuid-id"
SLEEPER = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
# System calls by their numbers on x86-64; on another machine these two are not looked at.
KEYCTL_SEARCH, USER_KEYRING = 10, -4


class World:
    """One attempt's surroundings. `touched` says what was reached; `world()` makes and removes one."""

    def __init__(self, folder: Path) -> None:
        self.mark = f"zls{uuid.uuid4().hex[:12]}"
        self.outside = folder / "outside"
        self.workspace = folder / "workspace"
        self.tools = folder / "tools"
        for each in (self.outside, self.workspace, self.tools):
            each.mkdir()
        self.victim = self.outside / "victim"
        self.victim.write_text(KEPT)
        self.victim.chmod(0o644)
        os.utime(self.victim, (1_700_000_000, 1_700_000_000))
        (self.workspace / ".git").mkdir()
        (self.workspace / "plain").write_text("plain\n")
        os.link(self.victim, self.workspace / "hard-link")
        (self.workspace / "way-out").symlink_to(self.outside)
        shutil.copy2(shutil.which("cp") or "", self.tools / "cp")
        (self.tools / "python").symlink_to(os.path.realpath(sys.executable))
        if (folder.parent / SETUID).exists():
            (self.tools / SETUID).symlink_to(folder.parent / SETUID)
        else:
            shutil.copy2(shutil.which("id") or "", self.tools / SETUID)
            (self.tools / SETUID).chmod(0o4755)
        self.stray = Path("/tmp", f"{self.mark}-secret")
        self.stray.write_text(TMP_SECRET)
        self.shared = Path("/dev/shm", self.mark)
        self.shared.write_text(KEPT)
        self.listeners = self.listen()
        for name in ("fifo", "taken"):
            os.mkfifo(self.outside / name)
        self.fifo = os.open(self.outside / "fifo", os.O_RDWR | os.O_NONBLOCK)
        self.taken = os.open(self.outside / "taken", os.O_RDWR | os.O_NONBLOCK)
        os.write(self.taken, b"meant for another")
        self.inherited = os.open(self.victim, os.O_WRONLY | os.O_APPEND)
        libc = ctypes.CDLL(None)
        libc.shmat.restype = ctypes.c_void_p
        self.memory_id = libc.shmget(0, 4096, 0o1600)
        self.memory = libc.shmat(self.memory_id, None, 0)
        self.process = subprocess.Popen(
            [sys.executable, "-c", SLEEPER, self.mark],
            env={**os.environ, "DEPLOY_TOKEN": SECRET},
            stdin=subprocess.DEVNULL,
        )

    def listen(self) -> Mapping[str, socket.socket]:
        """The sockets that an attempt may speak to."""
        made = {
            "socket": socket.socket(socket.AF_UNIX),
            "datagrams": socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM),
            "abstract": socket.socket(socket.AF_UNIX),
            "tcp": socket.socket(socket.AF_INET),
            "udp": socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        }
        made["socket"].bind(str(self.outside / "socket"))
        made["datagrams"].bind(str(self.outside / "datagrams"))
        made["abstract"].bind(f"\0{self.mark}")
        for name in ("tcp", "udp"):
            made[name].bind(("127.0.0.1", 0))
        for name in ("socket", "abstract", "tcp"):
            made[name].listen()
        for each in made.values():
            each.setblocking(False)
        return made

    @property
    def environment(self) -> Mapping[str, str]:
        """What the attempts' scripts read."""
        return {
            **os.environ,
            "PYTHONPATH": str(Path(__file__).parent.parent.parent),
            "VICTIM": str(self.victim),
            "TOOLS": str(self.tools),
            "PY": str(self.tools / "python"),
            "SOCKET": str(self.outside / "socket"),
            "SSH_AUTH_SOCK": str(self.outside / "socket"),
            "DATAGRAMS": str(self.outside / "datagrams"),
            "ABSTRACT": self.mark,
            "PORT": str(self.listeners["tcp"].getsockname()[1]),
            "UDP": str(self.listeners["udp"].getsockname()[1]),
            "FIFO": str(self.outside / "fifo"),
            "TAKEN": str(self.outside / "taken"),
            "SHM": str(self.memory_id),
            "SHARED": self.mark,
            "PID": str(self.process.pid),
            "MARK": self.mark,
            "LEFT": self.mark,
            "DEPLOY_TOKEN": SECRET,
        }

    def run(self, words: Sequence[str], timeout_s: float = 60) -> str:
        """Run a program in the workspace, with a descriptor of ours left open; gives all it printed."""
        os.set_inheritable(self.inherited, True)
        done = subprocess.run(
            words,
            cwd=self.workspace,
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=timeout_s,
            pass_fds=(self.inherited,),
            check=False,
        )
        return done.stdout

    def touched(self, output: str) -> set[str]:
        """What was reached, by the names that attempts use."""
        found = set(self.said(output))
        try:
            status = self.victim.stat()
            if self.victim.read_text() != KEPT:
                found.add("file")
            if stat.S_IMODE(status.st_mode) != 0o644:
                found.add("mode")
            if status.st_mtime < 1_600_000_000:
                found.add("date")
        except FileNotFoundError:
            found.add("file")
        found |= self.heard()
        if self.shared.read_text() != KEPT:
            found.add("posix-memory")
        if ctypes.string_at(self.memory, 3) == b"got":
            found.add("memory")
        if self.process.poll() is not None:
            found.add("process")
        elif os.getpriority(os.PRIO_PROCESS, self.process.pid) > os.getpriority(os.PRIO_PROCESS, 0):
            found.add("priority")
        if self.left():
            found.add("left")
        libc = ctypes.CDLL(None)
        if libc.syscall(250, KEYCTL_SEARCH, USER_KEYRING, b"user", self.mark.encode(), 0) >= 0:
            found.add("key")
        if Path("/proc/sys/kernel/domainname").read_text().strip() == self.mark:
            found.add("sysctl")
        return found

    def said(self, output: str) -> Iterator[str]:
        """What the script's own output gives away."""
        signs = {
            "secret": SECRET,
            "tmp-secret": TMP_SECRET,
            "vsock": "vsock open",
            "ring": "ring open",
            "device": "device open",
        }
        yield from (name for name, sign in signs.items() if sign in output)
        if os.getuid() and output.split() == ["0"]:
            yield "setuid"

    def heard(self) -> set[str]:
        """Which sockets and FIFOs were spoken to."""
        found = set()
        with selectors.DefaultSelector() as waiting:
            for name, each in self.listeners.items():
                waiting.register(each, selectors.EVENT_READ, name)
            waiting.register(self.fifo, selectors.EVENT_READ, "fifo")
            for key, _ in waiting.select(0):
                inside = key.data in {"datagrams", "abstract"}
                found.add("socket" if inside else key.data)
        with selectors.DefaultSelector() as waiting:
            waiting.register(self.taken, selectors.EVENT_READ)
            if not waiting.select(0):
                found.add("fifo-taken")
        return found

    @contextmanager
    def happenings(self) -> Iterator[selectors.BaseSelector]:
        """What can be waited for; the data of an entry, if any, is called to look at it."""
        notices = Notices()
        notices.watch_tree(str(self.outside), str(self.outside))
        notices.watch_tree(str(self.shared.parent), str(self.shared.parent))
        end = os.pidfd_open(self.process.pid)
        with selectors.DefaultSelector() as waiting:
            waiting.register(notices.descriptor, selectors.EVENT_READ, notices.read)
            for each in (*self.listeners.values(), self.fifo, end):
                waiting.register(each, selectors.EVENT_READ)
            try:
                yield waiting
            finally:
                os.close(end)
                notices.close()

    def left(self) -> list[int]:
        """Processes with this world's mark, but for its own."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdecimal() or int(entry.name) == self.process.pid:
                continue
            with suppress(OSError):
                if self.mark.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
        return found

    def close(self) -> None:
        """Undo it, what an attempt left behind included."""
        self.process.kill()
        self.process.wait()
        for pid in self.left():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for each in self.listeners.values():
            each.close()
        for descriptor in (self.fifo, self.taken, self.inherited):
            os.close(descriptor)
        libc = ctypes.CDLL(None)
        libc.shmctl(self.memory_id, 0, None)
        self.stray.unlink()
        self.shared.unlink()
        if Path("/proc/sys/kernel/domainname").read_text().strip() == self.mark:
            Path("/proc/sys/kernel/domainname").write_text("(none)\n")


@contextmanager
def world(parent: Path) -> Iterator[World]:
    """A world below a folder that is neither in /tmp nor in /run, which a rehearsal hides anyway."""
    folder = Path(tempfile.mkdtemp(prefix="world-", dir=parent))
    made = World(folder)
    try:
        yield made
    finally:
        made.close()
        shutil.rmtree(folder, ignore_errors=True)


def settled(made: World, output: str, wanted: str, patience_s: float = 5) -> set[str]:
    """What was reached, waiting a little for what an attempt started and did not wait for.

    It looks again when something happens to the world's files, sockets, FIFOs or process.
    """
    end = time.monotonic() + patience_s
    with made.happenings() as happenings:
        while wanted not in (found := made.touched(output)):
            left_s = end - time.monotonic()
            if left_s <= 0 or not happenings.get_map():
                break
            for key, _ in happenings.select(left_s):
                if key.data is None:
                    happenings.unregister(key.fileobj)
                else:
                    key.data()
    return found

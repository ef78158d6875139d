"""Rehearses a script: prepares the sandbox, follows the run, and gives what it would do."""

from __future__ import annotations

import os
import re
import selectors
import shutil
import stat
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from zsh_ls.lazy import attrs
from zsh_ls.model.syntax import Dialect
from zsh_ls.shell.fates.proof import END
from zsh_ls.shell.redaction.names import names_a_secret
from zsh_ls.shell.redaction.redact import MARKER, mask_output, redact
from zsh_ls.shell.syntax.dialect import SHELLS as DIALECTS
from zsh_ls.shell.syntax.dialect import dialect_of, interpreter_of
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.system import programs
from zsh_ls.system.bounded_files import SCRIPT_BYTES, NotRead, read_bytes, refuse_programs

from .answers import Answers
from .beginnings import Beginnings, redirected
from .decision import BASE, ENDS, HOOKS, MISSING, TEMPORARY, Call, Judge, private_environment
from .dependence import asking_lines, with_dependences
from .files import SandboxFiles
from .marking import LONGEST_NAME, marked, name_of
from .notices import Happening, Notices
from .recording import Place, Recording, told_lines
from .report import (
    Rehearsal,
    RehearsalLimit,
    RehearsalStop,
    RehearsedKind,
)
from .request import NotRehearsed, RehearsalRequest
from .run import Failure, Run, Script
from .sandbox import (
    MOST_MEMORY_BYTES,
    MOST_PROCESSES,
    Caretaker,
    Plan,
    Sandbox,
    StandIns,
    check,
    programs_named_in,
)
from .workspace import MIB, check_size, workspace_of

PARSED_DIALECTS = frozenset({"zsh", "bash", "sh", "dash"})
MOST_OUTPUT_BYTES = 16 * MIB
KEPT_OUTPUT_BYTES = 16384
LOOK_EVERY_S = 0.05
SPARE_DISK_BYTES = 256 * MIB
MOST_MESSAGE_BYTES = 4 * MIB
MOST_CALLS = 20_000
LARGEST_COMPARED_BYTES = MIB
_MARK = re.compile(r"m(\d+)@([^@]*)@(.*)", re.DOTALL)
_OWN_PROGRAM = re.compile(rf"{BASE}/(?:fails|fails-once|ends)/[\w.+\[-]+")
# In front of what dash says of a command it does not find: the copy that it reads.
_OWN_COPY = re.compile(rf"{BASE}/marked/\d+: ")
_AT = re.compile(r"(\d+)@([^@]*)@(.*)", re.DOTALL)


class Cancelled(Exception):
    """Somebody no longer wants it."""


def rehearse(
    request: RehearsalRequest,
    *,
    cancelled: threading.Event | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Rehearsal:
    """What the script would do.

    Raises RehearsalRefused where there is no sandbox or the workspace is too large, NotRehearsed for
    what is no script that can be read, Cancelled soon after `cancelled` was set.
    """
    script = read_script(request)
    bubblewrap = check()
    cwd = Path(os.path.realpath(request.cwd))
    workspace = workspace_of(script.path, cwd)
    check_size(workspace, request.max_copy_mb)
    caretaker = Caretaker()
    answers = None if request.stdin is None else Answers(request.stdin)
    try:
        with StandIns(request.environment.get("PATH", os.defpath)) as stand_ins:
            runner = _Runner(
                request,
                script,
                bubblewrap,
                workspace,
                cwd,
                stand_ins,
                cancelled or threading.Event(),
                answers,
            )
            if request.fail is None and not request.each:
                progress("whole run")
                whole = runner.run()
                found = Rehearsal(
                    whole.lines,
                    whole.exit,
                    whole.stopped,
                    output=whole.output,
                    relying=whole.relying,
                )
            else:
                from .proving import prove  # noqa: PLC0415  only those who let something fail need the analysis

                found = prove(request, script, runner.run, progress)
        if answers is not None:
            return found
        asking = asking_lines(parse(script.text, script.dialect))
        reached = (it.line for it in found.lines if it.file is None)
        return attrs.evolve(found, asked=tuple(it for it in reached if it in asking))
    finally:
        if answers is not None:
            answers.close()
        caretaker.close()


def read_script(request: RehearsalRequest) -> Script:
    """The script. Raises NotRehearsed where it cannot be read or is for something else."""
    path = Path(os.path.realpath(request.script))
    text = request.text
    if text is None:
        try:
            data = read_bytes(path, SCRIPT_BYTES)
            refuse_programs(path, data)
        except NotRead as problem:
            raise NotRehearsed(str(problem)) from None
        text = data.decode("utf-8", "surrogateescape")
    interpreter = interpreter_of(text)
    if interpreter is not None and interpreter.name not in DIALECTS:
        raise NotRehearsed(
            f"{request.script}: written for {interpreter.name}, not for zsh, bash or sh"
        )
    dialect = dialect_of(text, name=str(path))
    if interpreter is None and not path.suffix and dialect is Dialect.ZSH and request.text is None:
        # Without an interpreter line a shell runs it by sh, as execvp(3) does.
        dialect = Dialect.SH
    shell = (
        interpreter.name if interpreter and interpreter.name in PARSED_DIALECTS else dialect.value
    )
    options = tuple(interpreter.options) if interpreter else ()
    return Script(path, text, dialect, shell, options)


@attrs.define
class _Runner:
    """What all runs of one rehearsal share."""

    request: RehearsalRequest
    script: Script
    bubblewrap: str
    workspace: Path
    cwd: Path
    stand_ins: StandIns
    cancelled: threading.Event
    answers: Answers | None

    def run(self, failure: Failure | None = None) -> Run:
        """Run the script once, from the start, in a fresh copy."""
        with Sandbox(self.workspace, self.stand_ins) as sandbox:
            return _Following(self, sandbox, failure).run()


class _Following:
    """One run as it is followed: marks, calls and changes come in one queue."""

    def __init__(self, runner: _Runner, sandbox: Sandbox, failure: Failure | None) -> None:
        self.runner = runner
        self.request, self.script = runner.request, runner.script
        self.sandbox = sandbox
        self.failure = failure
        script_text = failure.text if failure else self.script.text
        self.notices = Notices()
        self.recording = Recording(
            self.was_there,
            self.count_before,
            redirected=redirected(script_text, self.script.dialect),
        )
        self.output = bytearray()
        self.printed_bytes = 0
        self.calls = 0
        self.free_bytes = shutil.disk_usage(sandbox.folder).free
        self.stopped: RehearsalLimit | None = None
        self.file_names: dict[str, str | None] = {}
        self.beginnings: dict[str | None, Beginnings] = {}
        self.seen_folders = [str(self.script.path.parent), str(runner.workspace)]
        self.log_folder = os.open(sandbox.log, os.O_RDONLY | os.O_DIRECTORY)
        self.judge: Judge | None = None
        self.marked_scripts: dict[str, str] = {}

    def run(self) -> Run:
        try:
            self.start()
            self.follow()
        finally:
            self.sandbox_ended()
            os.close(self.log_folder)
            self.notices.close()
        process = self.sandbox.process
        status = None if process is None or self.stopped else process.returncode
        if status is not None and status < 0:
            status = 128 - status
        mask = self.mask
        told = told_lines(self.recording, mask, self.appended)
        script = parse(self.script.text, self.script.dialect)
        lines, relying = with_dependences(
            told, script, captured=self.captured, mask=mask, made=self.recording.made
        )
        stopped = None
        if self.stopped is not None:
            stopped = RehearsalStop(self.stopped, self.last_line())
        output = mask_output(_OWN_COPY.sub("", self.output.decode("utf-8", "replace")))
        return Run(self.recording, tuple(lines), status, stopped, output, relying)

    def last_line(self) -> int:
        """The line of the script itself that was reached last."""
        own = (it.place.line for it in reversed(self.recording.steps) if it.place.file is None)
        return next((it for it in own if it), 1)

    def mask(self, text: str) -> str:
        """Without secrets."""
        return redact(mask_output(text))

    def start(self) -> None:
        """Put the script into its place and start it."""
        runner, script, sandbox = self.runner, self.script, self.sandbox
        here = sandbox.copy / script.path.relative_to(runner.workspace)
        text = self.failure.text if self.failure else script.text
        if self.request.text is not None or text is not script.text:
            with suppress(FileNotFoundError):
                here.unlink()
            here.write_bytes(text.encode("utf-8", "surrogateescape"))
            here.chmod(0o755)
        self.notices.watch_log(str(sandbox.log))
        self.notices.watch_tree(str(sandbox.copy), str(runner.workspace))
        for shown, real in sandbox.private.items():
            self.notices.watch_tree(str(real), shown)
        environment = self.environment()
        words, environment = self.shell_words(text, environment)
        cwd = runner.cwd
        inside = programs.is_below(str(cwd), str(runner.workspace))
        hidden = any(
            programs.is_below(str(cwd), it) for it in (*TEMPORARY, "/run", "/dev", "/proc")
        )
        place = str(cwd) if inside or not hidden else str(runner.workspace)
        stdin = subprocess.DEVNULL if runner.answers is None else runner.answers.pipe()
        try:
            sandbox.start(self.plan(text, place, words, environment, stdin))
        finally:
            if stdin != subprocess.DEVNULL:
                os.close(stdin)
        self.notices.watch_tree(str(sandbox.root), "")
        for folder, upper in sandbox.uppers.items():
            self.notices.watch_tree(str(upper), folder.rstrip("/"))
        copied = {str(runner.workspace): str(sandbox.copy)}
        copied |= {shown: str(real) for shown, real in sandbox.private.items()}
        self.judge = Judge(
            sandbox.programs,
            SandboxFiles(f"/proc/{sandbox.pid}/root", copied),
            str(runner.workspace),
            self.request.real,
            self.marked,
        )

    def plan(
        self,
        text: str,
        folder: str,
        words: tuple[str, ...],
        environment: Mapping[str, str],
        stdin: int,
    ) -> Plan:
        """What this run of a text is made of."""
        runner = self.runner
        return Plan(
            runner.bubblewrap,
            runner.workspace,
            folder,
            words,
            environment,
            programs_named_in(text, runner.workspace, runner.stand_ins.folders),
            self.request.max_copy_mb * MIB,
            tuple(sorted(set(_OWN_PROGRAM.findall(text)))),
            stdin,
        )

    def environment(self) -> dict[str, str]:
        """The environment without secrets, with the hooks."""
        kept = private_environment(
            self.request.environment,
            lambda name, value: names_a_secret(name) or redact(value) != value,
            MARKER,
        )
        for name, _, value in (it.partition("=") for it in HOOKS.get(self.script.shell, ())):
            if self.request.environment.get(name):
                kept[f"REHEARSE_{name}"] = self.request.environment[name]
            kept[name] = value
        return kept

    def shell_words(
        self, text: str, environment: dict[str, str]
    ) -> tuple[tuple[str, ...], dict[str, str]]:
        """The shell with its options and the script, as the first program starts it."""
        script, name = self.script, self.script.shell
        found = shutil.which(name, path=self.request.environment.get("PATH"))
        if found is None:
            raise NotRehearsed(f"{name} is not there, for which {self.request.script} is written")
        program = self.sandbox.programs.behind(found)
        options = script.options
        path = str(script.path)
        if name == "zsh" and any("f" in it[1:] for it in options if not it.startswith("--")):
            environment["REHEARSE_NO_RCS"] = "1"
            options = tuple(it.replace("f", "") for it in options)
            options = tuple(it for it in options if it not in {"-", "+"})
        if name in {"sh", "dash"}:
            copy = self.put_marked(path, text)
            words = (name, *options, "-c", f'. "{copy}"', path, *self.request.arguments)
        else:
            words = (name, *options, path, *self.request.arguments)
        return (program, *words), environment

    def marked(self, path: str) -> str | None:
        """A copy of another script of sh that says where its commands stand."""
        assert self.judge is not None
        data = self.judge.files.read(path, SCRIPT_BYTES)
        if data is None:
            return None
        return self.put_marked(self.judge.files.real(path), data.decode("utf-8", "surrogateescape"))

    def put_marked(self, path: str, text: str) -> str:
        if path not in self.marked_scripts or path != str(self.script.path):
            number = len(self.marked_scripts)
            copy = marked(text, path, self.is_there)
            (self.sandbox.marked / str(number)).write_bytes(copy.encode("utf-8", "surrogateescape"))
            self.marked_scripts[path] = f"{BASE}/marked/{number}"
        return self.marked_scripts[path]

    def is_there(self, program: str) -> bool:
        """Whether a program is in a folder of the PATH."""
        path = self.request.environment.get("PATH", os.defpath)
        return shutil.which(program, path=path) is not None

    def follow(self) -> None:
        """Read what happens until the script has ended or a limit is reached."""
        process = self.sandbox.process
        assert process is not None
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        started = looked_at = time.monotonic()
        with selectors.DefaultSelector() as waiting, _end_of(process.pid) as end:
            waiting.register(self.notices.descriptor, selectors.EVENT_READ, self.take)
            waiting.register(process.stdout, selectors.EVENT_READ, self.read)
            if end is not None:
                waiting.register(end, selectors.EVENT_READ)
            while process.poll() is None:
                for key, _ in waiting.select(LOOK_EVERY_S):
                    if key.data is not None and not key.data():
                        waiting.unregister(key.fileobj)
                if self.runner.cancelled.is_set():
                    raise Cancelled
                now = time.monotonic()
                if now - started > self.request.timeout_s:
                    self.stopped = RehearsalLimit.TIME
                elif now - looked_at >= LOOK_EVERY_S:
                    looked_at = now
                    self.stopped = self.limit_reached()
                if self.stopped is not None:
                    self.sandbox.kill()
        self.read()
        self.take()
        group = self.sandbox.group
        if self.stopped is None and group is not None and group.has_killed():
            self.stopped = RehearsalLimit.MEMORY

    def limit_reached(self) -> RehearsalLimit | None:
        """The limit that it has come to, but that of time."""
        if self.printed_bytes > MOST_OUTPUT_BYTES:
            return RehearsalLimit.OUTPUT
        if self.calls > MOST_CALLS or self.sandbox.processes() > MOST_PROCESSES:
            return RehearsalLimit.PROCESSES
        if self.sandbox.used_bytes() > MOST_MEMORY_BYTES:
            return RehearsalLimit.MEMORY
        # What others write at the same time counts as well; so this is a multiple.
        written_bytes = self.free_bytes - shutil.disk_usage(self.sandbox.folder).free
        allowed_bytes = 2 * self.request.max_copy_mb * MIB + SPARE_DISK_BYTES
        return RehearsalLimit.OUTPUT if written_bytes > allowed_bytes else None

    def sandbox_ended(self) -> None:
        """Make sure that nothing of it runs."""
        self.sandbox.kill()

    def read(self) -> bool:
        """What the script printed; False at its end."""
        process = self.sandbox.process
        assert process is not None
        assert process.stdout is not None
        while True:
            try:
                data = os.read(process.stdout.fileno(), 65536)
            except BlockingIOError:
                return True
            if not data:
                return False
            self.printed_bytes += len(data)
            self.output += data
            if len(self.output) > 2 * KEPT_OUTPUT_BYTES:
                del self.output[:-KEPT_OUTPUT_BYTES]
            if self.printed_bytes > MOST_OUTPUT_BYTES:
                return True

    def take(self) -> bool:
        """What has happened."""
        for notice in self.notices.read():
            if notice.what is Happening.OPENED:
                self.marked_at(os.path.basename(notice.path))
            elif notice.what is Happening.LOGGED:
                self.told(notice.path)
            else:
                self.recording.noticed(notice)
        return True

    def marked_at(self, name: str) -> None:
        found = _MARK.fullmatch(name)
        if found is not None:
            place = self.place(*found.groups())
            # In a trap for the end bash says of each command the one before the trap.
            in_trap = place.line > int(found[1][:9])
            said = f"{found[2]}{len(self.recording.steps)}" if in_trap else found[2]
            self.recording.reached(place, said)

    def place(self, line: str, said: str, file: str) -> Place:
        """The line on which the command begins that a mark names."""
        if file not in self.file_names:
            self.file_names[file] = self.file_of(file)
        path, number = self.file_names[file], int(line[:9])
        if path not in self.beginnings:
            self.beginnings[path] = self.beginnings_of(path)
        return Place(path, self.beginnings[path].line(number, said))

    def beginnings_of(self, path: str | None) -> Beginnings:
        """Where the commands of a script begin; None is the one that is rehearsed."""
        text = self.failure.text if self.failure else self.script.text
        if path is None:
            return Beginnings.of(text, self.script.dialect)
        data = self.judge.files.read(path, SCRIPT_BYTES) if self.judge is not None else None
        text = (data or b"").decode("utf-8", "surrogateescape")
        return Beginnings.of(text, dialect_of(text, name=path))

    def file_of(self, name: str) -> str | None:
        """The script whose path is written so; None for the one that is rehearsed."""
        own = str(self.script.path)
        if name in {name_of(own), name_of(os.path.basename(own)), ""}:
            return None
        if any(name == name_of(it) for it in self.marked_scripts):
            return next(it for it in self.marked_scripts if name == name_of(it))
        path = name.replace("%", "/")
        if len(name) >= LONGEST_NAME:
            path = path[path.find("/") :]
        if not path.startswith("/"):
            folders = self.seen_folders
            near = (os.path.normpath(os.path.join(it, path)) for it in reversed(folders))
            there = (it for it in near if self.judge is not None and self.judge.files.is_file(it))
            path = next(there, os.path.normpath(os.path.join(folders[0], path)))
        return None if path == own else path

    def message(self, name: str) -> list[str] | None:
        """What a stand-in says; it may be anything, as a script may pretend to be one."""
        try:
            descriptor = os.open(
                name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=self.log_folder
            )
        except OSError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            data = file.read(MOST_MESSAGE_BYTES)
        with suppress(OSError):
            os.unlink(name, dir_fd=self.log_folder)
        return data.decode("utf-8", "surrogateescape").split("\0")

    def told(self, name: str) -> None:
        """A stand-in asks what to do, or says how it ended."""
        if name[:1] not in {"q", "e"}:
            return
        fields = self.message(name)
        if fields is None:
            return
        if name[0] == "e":
            if len(fields) == 3 and fields[1].isdecimal():
                self.recording.ended(fields[0], int(fields[1][:4]), fields[2])
            return
        if len(fields) < 8 or not re.fullmatch(r"[\w.]{1,60}", fields[0]):
            return
        number, cwd, _, mark, stdout, captured, within, path, *words = fields
        self.calls += 1
        found = _AT.fullmatch(mark)
        place = self.place(*found.groups()) if found else self.recording.at
        if cwd not in self.seen_folders:
            self.seen_folders.append(cwd)
        own = tuple(words) if path == MISSING and words else (os.path.basename(path), *words)
        call = Call(number, path, own, cwd, bool(captured) and bool(stdout), bool(within))
        assert self.judge is not None
        decision = self.judge.decide(call)
        if path == f"{ENDS}/{END}":
            self.recording.came_to_the_end()
        elif decision.is_told:
            self.recording.called(place, call, decision)
        tee = call.is_captured and decision.kind is RehearsedKind.REAL
        self.answer(number, decision.answer(tee=tee))

    def answer(self, number: str, text: str) -> None:
        """Answer a stand-in, which waits at a FIFO of its own."""
        try:
            descriptor = os.open(
                f".a{number}", os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=self.log_folder
            )
        except OSError:
            return
        try:
            if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
                with suppress(OSError):
                    os.write(descriptor, text.encode("utf-8", "surrogateescape")[:60_000])
        finally:
            os.close(descriptor)

    def was_there(self, path: str) -> bool:
        """Whether a path was there before the rehearsal."""
        if programs.is_below(path, str(self.runner.workspace)):
            return os.path.lexists(path)
        if any(programs.is_below(path, it) for it in (*TEMPORARY, "/run")):
            return False
        return os.path.lexists(path)

    def count_before(self, path: str) -> int | None:
        """How many files were in a folder before."""
        if not self.was_there(path):
            return None
        return sum(len(files) for _, _, files in os.walk(path))

    def appended(self, path: str) -> bool:
        """Whether a file of the workspace only has something more at its end now."""
        workspace = self.runner.workspace
        if programs.is_below(path, str(workspace)):
            now = self.sandbox.copy / os.path.relpath(path, workspace)
        else:
            layer = max(
                (it for it in self.sandbox.uppers if programs.is_below(path, it)),
                key=len,
                default=None,
            )
            if layer is None:
                return False
            now = self.sandbox.uppers[layer] / os.path.relpath(path, layer)
        try:
            if os.path.getsize(path) > LARGEST_COMPARED_BYTES or now.is_symlink():
                return False
            before = read_bytes(path, LARGEST_COMPARED_BYTES)
            with open(now, "rb") as file:
                return file.read(len(before)) == before
        except OSError:
            return False

    def captured(self, first: int, last: int) -> str | None:
        """The first stand-in between two lines, in which a `$(…)` is."""
        for line in range(first, min(last, first + 500) + 1):
            record = self.recording.lines.get(Place(None, line))
            for command in record.commands if record else ():
                if command.kind is not RehearsedKind.REAL:
                    return self.mask(" ".join(command.words))
        return None


@contextmanager
def _end_of(pid: int) -> Iterator[int | None]:
    """A descriptor that is readable once a process has ended; None where the kernel has none."""
    try:
        descriptor = os.pidfd_open(pid)
    except OSError:
        yield None
        return
    try:
        yield descriptor
    finally:
        os.close(descriptor)

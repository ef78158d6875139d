"""What is kept of runs beside memory: outputs, what they say, the files of projects (ANS-7)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from zsh_ls.answers.evidence import Changed
from zsh_ls.answers.why import NOT_FOUND, SIGPIPE_EXIT, Failure
from zsh_ls.lazy import attrs, re
from zsh_ls.model.completed_run import CompletedRun, CompletedSegment, outcome_of
from zsh_ls.model.places import Place
from zsh_ls.model.recall import RunEntry
from zsh_ls.model.results import OutputPage
from zsh_ls.model.words import Outcome, Status
from zsh_ls.shell.template.identity import NOT_KEPT, shown_command
from zsh_ls.system import programs
from zsh_ls.system.projects import scope_of
from zsh_ls.tasks.output.stored_output import StoredOutput, StoredTask, open_stored, past_tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.places import PlaceScanner


# The kept output's end and the row's may differ by what recording took.
SAME_END_S = 2.0
READ_BYTES = 4 << 20
GIT_TIMEOUT_S = 3.0
MOST_TOLD = 8
_QUOTED_FILE = re.compile(
    r"No such file or directory: ['\"]([^'\"]+)['\"]"
    r"|cannot (?:open|access|stat) ['\"]?([^'\": ]+)['\"]?: No such file"
    r"|(?:^|: )([^:\s]+): No such file or directory"
    r"|no such file or directory: ([^\s'\"]+)$"
)
# What env, a shell and a script's first line say of a program that is not there.
_NO_PROGRAM = re.compile(
    r"\benv: [‘'\"]?([\w.+-]+)[’'\"]?: No such file or directory"
    r"|: (?:line )?\d+: ([\w.+-]+): (?:command )?not found"
    r"|: ([\w.+-]+): command not found"
    r"|command not found: ([\w.+-]+)"
)
_NO_TARGET = re.compile(r"No rule to make target [`'‘\"]([^'’\"]+)['’\"](?!, needed)")
# What is said of a cause long before make says that a step failed.
MOST_CAUSES = 2
_DENIED = re.compile(
    r"[Pp]ermission denied: ['\"]([^'\"]+)['\"]|(?:^|: )([^:\s]+): [Pp]ermission denied"
)


class KeptEvidence:
    """`answers.evidence.Evidence` on the folder of kept outputs; read when asked, off the loop.

    Git reads a repository's configuration, so `asks_git` is for trusted workspaces alone.
    """

    def __init__(self, outputs: Path, *, asks_git: bool) -> None:
        self._outputs = outputs
        self._asks_git = asks_git

    @cached_property
    def _tasks(self) -> Sequence[StoredTask]:
        return past_tasks(self._outputs)

    def output(self, run: RunEntry) -> OutputPage | None:
        """The kept output of a run, found by its text and its end."""
        kept = self._kept(run)
        if kept is None:
            return None
        try:
            page = kept.output.lines(None, None, READ_BYTES)
            return OutputPage(
                task_id=kept.task.task_id,
                command=run.command,
                output=page.text,
                from_line=page.from_line,
                to_line=page.to_line,
                total_lines=page.total_lines,
                total_bytes=kept.output.size_bytes,
                more=True if page.more else None,
            )
        finally:
            kept.close()

    def run_of(self, task_id: str) -> RunEntry | None:
        """The run of a task whose output is kept; None where none is."""
        task = next((it for it in self._tasks if it.task_id == task_id), None)
        if task is None:
            return None
        text = shown_command(task.label)
        timed_out, killed = task.status is Status.TIMEOUT, task.status is Status.KILLED
        return RunEntry(
            command=text,
            template="",
            outcome=outcome_of(task.exit, timed_out=timed_out, killed=killed),
            exit=None if timed_out or killed else task.exit,
            duration_s=task.ended_at - task.started_at,
            at=task.ended_at,
            origin=task.origin,
            pipestatus=task.pipestatus,
            is_kept=text != NOT_KEPT,
            project=scope_of(task.cwd, task.workspace or None),
            cwd=task.cwd,
        )

    def _task_of(self, run: RunEntry) -> StoredTask | None:
        """The task of that text that ended nearest: the same line may run many times in a second."""
        near = [it for it in self._tasks if abs(it.ended_at - run.at) <= SAME_END_S]
        same = [it for it in near if shown_command(it.label).startswith(run.command)]
        return min(same, key=lambda it: abs(it.ended_at - run.at), default=None)

    def _kept(self, run: RunEntry) -> StoredOutput | None:
        task = self._task_of(run)
        return None if task is None else open_stored(self._outputs / task.task_id)

    def _cwd(self, run: RunEntry) -> str:
        task = self._task_of(run)
        return (run.cwd or run.project) if task is None else task.cwd

    def failed_tests(self, run: RunEntry) -> Sequence[str]:
        """By the scanner of places, which knows how test runners name them, or as the resolver reads them."""
        page = self.output(run)
        return () if page is None else _failed_tests(self._scanned(run, page), page)

    def _scanned(self, run: RunEntry, page: OutputPage) -> PlaceScanner:
        from zsh_ls.places import PlaceScanner, Surroundings  # noqa: PLC0415

        cwd = self._cwd(run)
        around = Surroundings.of(run.command, cwd, (run.project or cwd,))
        scanner = PlaceScanner(around, os.path.isfile, lambda _: [])
        scanner.feed(page.output.encode())
        scanner.end()
        return scanner

    def failure(self, run: RunEntry, before: Sequence[RunEntry]) -> Failure:
        """Its segments, the lines of its output that say why, a near name, a file that is not there."""
        from zsh_ls.verbosity.telling import telling_lines  # noqa: PLC0415

        segments = segments_of(run)
        page = self.output(run)
        told: Sequence[str] = ()
        tests: Sequence[str] = ()
        if page is not None:
            scanner = self._scanned(run, page)
            tests = _failed_tests(scanner, page)
            # The last lines of a pipeline that hid a failure are another program's.
            is_hidden = run.outcome is Outcome.SUCCESS and page.total_lines >= MOST_TOLD
            told = telling_lines(page.output, MOST_TOLD, only_marked=is_hidden)
            # A runner's own list of what failed.
            told = [line for line in told if not any(_names(line, name) for name in tests)]
            causes = [it for it in page.output.splitlines() if _NO_PROGRAM.search(it)]
            told = _with_places(told, scanner.places, self._cwd(run))
            told = tuple(dict.fromkeys([*map(_line_of, causes[:MOST_CAUSES]), *told]))
        return Failure(
            run,
            segments,
            before,
            near_program(run, segments),
            told=told,
            tests=tests,
            machine=tuple(
                self._machine_says(run, told) or said_of_run(run, segments, self._cwd(run))
            ),
            task_id=None if page is None else page.task_id,
            is_silent=page is not None and not page.output.strip(),
        )

    def _machine_says(self, run: RunEntry, told: Sequence[str]) -> list[str]:
        """What is so of the files that the output names: not there, a name that is near, not readable."""
        from zsh_ls.machine.named_files import near_file  # noqa: PLC0415

        folder = self._cwd(run)
        said = [*_programs_not_there(told), *_targets_not_there(told, folder)]
        for pattern, is_there in ((_QUOTED_FILE, False), (_DENIED, True)):
            names = (
                next(filter(None, found.groups()))
                for line in told
                if not _NO_PROGRAM.search(line)
                for found in pattern.finditer(line)
            )
            for name in dict.fromkeys(names):
                path = Path(folder, name)
                if is_there and path.exists() and not os.access(path, os.R_OK):
                    said.append(f"`{name}` may not be read by this user.")
                elif not is_there and folder and not path.exists():
                    near = near_file(path)
                    also = f" `{near}` is near." if near else ""
                    said.append(f"`{name}` is not in `{path.parent}` now either.{also}")
        return said[:3]

    def changed(self, project: str, since: float) -> Changed:
        """The commits that git tells, and the files by their times."""
        from zsh_ls.machine.changes import changed_files  # noqa: PLC0415

        commits = commits_since(project, since) if self._asks_git else ()
        return Changed(commits, changed_files(project, since))


def commits_since(project: str, since: float) -> tuple[str, ...]:
    """The titles of the commits since then, the newest first; none where git does not tell."""
    from zsh_ls.system.bounded_probe import printed_by  # noqa: PLC0415

    git = programs.find("git")
    if git is None or not os.path.isdir(os.path.join(project, ".git")):
        return ()
    # Of its configuration nothing may start a program: the folder may be a stranger's.
    safe = ("-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "-C", project)
    command = (
        git,
        *safe,
        "--no-pager",
        "log",
        f"--since=@{int(since) + 1}",
        "--format=%h %s",
        "-n",
        "20",
    )
    printed = printed_by(command, timeout_s=GIT_TIMEOUT_S)
    return tuple(printed.decode("utf-8", "replace").splitlines())


def _failed_tests(scanner: PlaceScanner, page: OutputPage) -> Sequence[str]:
    from zsh_ls.verbosity.results import names_of_failed_tests  # noqa: PLC0415

    failed = [it.name for it in scanner.results if not it.passed]
    # Of some runners it knows where a test failed, and not how each of them went.
    failed = failed or [it.test for it in scanner.places if it.test and it.severity == "error"]
    return tuple(dict.fromkeys(failed or names_of_failed_tests(page.output)))


def _names(line: str, test: str) -> bool:
    """Whether a line has the test's name, not a file or another test whose name begins with it."""
    return re.search(rf"(?<![\w./-]){re.escape(test)}(?![\w./-])", line) is not None


def _with_places(told: Sequence[str], places: Sequence[Place], folder: str) -> list[str]:
    """Each line with the place of its error where it says none: rustc, node and pytest print that apart."""
    lines = []
    for line in told:
        place = next((it for it in places if it.message and it.message in line), None)
        # Another error may have the same words.
        if place is None or place.severity != "error" or _PLACE.search(line):
            lines.append(line)
        else:
            file = place.file.removeprefix(f"{folder}/")
            lines.append(f"{line} ({file}:{place.line})")
    return [it for it in lines if not _is_said_by_another(it, lines)]


def _is_said_by_another(line: str, lines: Sequence[str]) -> bool:
    bare = _PLACE_ALONE.fullmatch(line)
    return bare is not None and any(it.endswith(f"({bare[1]})") for it in lines)


def _line_of(text: str) -> str:
    from zsh_ls.verbosity.telling import LONGEST_CHARS  # noqa: PLC0415

    return " ".join(text.split())[:LONGEST_CHARS]


def _programs_not_there(told: Sequence[str]) -> list[str]:
    """Programs that the output says are not there, and that indeed are not."""
    names = (
        next(filter(None, found.groups())) for line in told for found in _NO_PROGRAM.finditer(line)
    )
    return [
        f"`{name}` is not installed, or not on PATH."
        for name in dict.fromkeys(names)
        if programs.find(name) is None
    ]


def _targets_not_there(told: Sequence[str], folder: str) -> list[str]:
    """Targets that make does not know, with the one of the folder's Makefile that is near."""
    from zsh_ls.machine.argument_names import make_targets  # noqa: PLC0415
    from zsh_ls.shell.words.near_names import near_command  # noqa: PLC0415

    said = []
    for name in dict.fromkeys(it[1] for line in told for it in _NO_TARGET.finditer(line)):
        near = near_command(name, make_targets(folder)) if folder else ""
        if near:
            said.append(f"The Makefile has no target `{name}`; `{near}` is near.")
    return said


_PLACE = re.compile(r"\w[:(]\d+\b")
_PLACE_ALONE = re.compile(r"(\S+:\d+): \w*")
_BEHIND_CD = re.compile(r"\s*cd\s[^;&|()]+&&\s*")


def said_of_run(run: RunEntry, segments: Sequence[CompletedSegment], folder: str) -> list[str]:
    """What is so of the names in the words of a run's segments that failed; of what is no failure nothing.

    `folder` is where the run began.
    """
    from zsh_ls.machine.named_files import said_of_names  # noqa: PLC0415
    from zsh_ls.shell.words.folders import folder_at  # noqa: PLC0415

    failed = (it for it in segments if it.exit not in (0, SIGPIPE_EXIT) and not it.normal_meaning)
    if run.outcome is Outcome.KILLED:
        return []
    behind = _BEHIND_CD.match(run.command)
    if behind is not None and not any(it.words for it in segments):
        # Where the folder is there, it is what follows that failed.
        there = folder_at(run.command, behind.end(), folder, home=os.path.expanduser("~"))
        if not os.path.isdir(there):
            return said_of_names(behind[0].rstrip("& ").split(), folder) if there else []
        rest = attrs.evolve(run, command=run.command[behind.end() :])
        return said_of_run(rest, segments_of(rest), there)
    said: list[str] = []
    for it in failed:
        if it.span is not None:
            # The words of a subshell are those of its last command.
            is_subshell = run.command.startswith("(", it.span.start)
            at = it.span.end - 1 if is_subshell else it.span.start
            there = folder_at(run.command, at, folder, home=os.path.expanduser("~"))
            said += said_of_names(it.words, there) if os.path.isdir(there) else ()
    return said


def near_program(failed: RunEntry, segments: Sequence[CompletedSegment]) -> str:
    """A program on PATH whose name is near to one that was not found; `""` where none is."""
    from zsh_ls.machine.commands_on_path import CommandsOnPath  # noqa: PLC0415
    from zsh_ls.shell.words.near_names import near_command  # noqa: PLC0415

    if failed.exit != NOT_FOUND:
        return ""
    missing = next((it.command for it in segments if it.exit == NOT_FOUND and it.command), "")
    return near_command(missing, CommandsOnPath().programs(os.environ.get("PATH")).names)


def segments_of(run: RunEntry) -> Sequence[CompletedSegment]:
    """The run's segments with their commands, where its text is kept."""
    from zsh_ls.insights.segments import with_pipeline  # noqa: PLC0415

    completed = CompletedRun(
        command=run.command if run.is_kept else "",
        shell="",
        exit=run.exit,
        pipestatus=run.pipestatus,
        outcome=run.outcome or Outcome.FAILURE,
        duration_s=run.duration_s,
        started_at=run.at,
        session="",
    )
    return with_pipeline(completed).segments

"""How a shell reports its exit apart from its output (RUN-2, 3, 4).

The text of the command is never changed. zsh reads our `rc/.zshenv` first, bash our
`rc/bash_env`; both restore the user's own and install a reporter. Which one depends
on what the text may do with traps: nearly all commands get the plain one, which no
listing of traps or functions shows. The report is the *name* of an empty file in a
private folder of this process, on a memory file system if there is one: it needs no
output, descriptor or builtin.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping, MutableMapping

from zsh_ls.lazy import attrs, re
from zsh_ls.system.private_folders import passing_folder, sweep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .session_files import Dumps, Restore


RC_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rc")

_TRAPS = re.compile(r"\btrap\b|TRAP[A-Z]")
_TRAP_FUNCTION = re.compile(r"TRAP[A-Z]")
_CLEARED_TRAP = re.compile(r"""\btrap\s+(?:--\s+)?(?:-|''|"")(?:\s+\w+)+""")
_TRAP_OR_PARENTHESIS = re.compile(r"\btrap\b|[()]")
_EXIT_TRAP = re.compile(r"EXIT|\b0\b")
_ERROR_TRAP = re.compile(r"ERR")
_DEBUG_TRAP = re.compile(r"DEBUG")
# In bash these traps would also run for the commands of our wrapper of `trap`.
_TRAP_OF_EVERY_COMMAND = re.compile(r"DEBUG|RETURN")
# A restricted shell cannot create files, and would print an error.
_RESTRICTED = re.compile(r"\brestricted\b|\bset\s+-\w*r")
_EXIT_HOOK = re.compile(r"zshexit")
_LISTS_FUNCTIONS = re.compile(
    r"\bfunctions\b|(?:typeset|declare|autoload|whence|which|type)\s+[-+]\w*[fFm]"
)
_ENDS = r"""\s*(?:$|[|;&>)}\n'"])"""
_LISTS_VARIABLES = re.compile(
    rf"\bparameters\b|(?<![\w-])set(?:\s+[-+])?{_ENDS}"
    r"|(?<![\w-])(?:typeset|declare|local|integer|float|export|readonly)"
    rf"(?:\s+[-+]\w*)*(?:\s+['\"]?\*['\"]?)?{_ENDS}"
)
_LISTS_TRAPS = re.compile(r"""\btrap(?:['"]|\s*(?:$|[|;&>)}\n]))""")
# What opens and closes a part of a text that may run more than once, or in another shell.
_ENCLOSING = re.compile(r"\btrap\b|[({]|\bdo\b|[)}]|\bdone\b|`")
_ERRRETURN = re.compile(r"err_?return", re.IGNORECASE)
_MAY_SET_ERREXIT = re.compile(
    rf"err_?exit|\bset\b(?!{_ENDS}|\s+[-+][xuvf]*{_ENDS})|\b(?:setopt|emulate|source|eval)\b"
    r"|(?:^|[\s;&|({])\.\s",
    re.IGNORECASE,
)
# All that the patterns look for in a text of zsh has one of these in it, in small letters. Most texts have
# none, and to compile the patterns takes as long as to load a fifth of what `zsh-ls run` loads of its own.
_SIGNS_OF_MORE = (
    *("|", ".", "trap", "zshexit", "restricted", "set", "functions", "type", "declare", "autoload"),
    *("whence", "which", "parameters", "local", "integer", "float", "export", "readonly", "err"),
    *("emulate", "source", "eval"),
)
REPORTING = ("zsh", "bash")
_PLAIN_WAYS = ("exit-hook", "exit-hook by-trap")
# zsh becomes the last command of an always block, and so ends with its exit; a shell that stays ends with
# that of the list before.
_ALWAYS_AT_END = re.compile(r"\}\s*always\s*\{.*\}[\s;]*\Z", re.DOTALL)
_QUOTED = re.compile(r"'[^']*'")
_PIPE = re.compile(r"(?<!\|)\|(?!\|)")
_SOURCES = re.compile(r"(?:^|[;&|({\n]|\b(?:then|do|else|!))\s*(?:\.|source)\s+\S")
_RUNS_OTHER_TEXT = re.compile(r"\b(?:source|eval|emulate)\b|(?:^|[\s;&|({])\.\s")
# bash's names of functions in the environment.
_EXPORTED_FUNCTION = b"BASH_FUNC_"
_LETTERS = re.compile(r"-[a-zA-Z]+\Z")
_WITHOUT_SHOWING = str.maketrans("", "", "xv")
# Each line that bash reads is shown then, the text of a trap too.
_MAY_SHOW_LINES = re.compile(r"\bverbose\b|(?:\bset\b|^#!)[^\n;&|]*\s-[a-zA-Z]*v", re.MULTILINE)
_NUMBERS = re.compile(r"(?:--?\d+){2,}")
_NUMBER = re.compile(r"(?<=-)-?\d+")
_PREFIX = "zsh-ls-reports-"


@attrs.frozen
class Report:
    """The report of a shell at its end: `$?` and the statuses of its last pipeline."""

    exit: int
    pipestatus: tuple[int, ...]


def ask_for_report(
    kind: str,
    text: str,
    prefix: str,
    env: MutableMapping[bytes, bytes],
    *,
    is_script: bool = False,
    after_startup: bytes = b"",
    session: Restore | None = None,
) -> None:
    """Prepare `env` so that a shell of `kind` running `text` reports into files named `prefix...`.

    The shell evaluates `after_startup` once it has read the user's own startup file.

    A script may be traced, or run without startup files. A `session`'s state is given to the shell, which
    writes its own at its end; raises OSError where that state cannot be written.
    """
    if kind not in REPORTING:
        return
    if kind == "zsh" and session is None and is_plain(text):
        ways: Iterator[str] = iter(("exit-hook",))
    elif session is None and _RESTRICTED.search(text):
        return
    elif is_script or session is not None or _may_have_pipeline(text, env):
        ways = _ways_of_zsh(text, session) if kind == "zsh" else _ways_of_bash(text, session)
    elif kind == "zsh":
        # What its startup files define may have a pipeline too; but no trap of the text meets ours.
        ways = _ways_of_zsh(text) if not _minds_our_hook(text) else iter(())
    elif b"BASH_ENV" in env:
        ways = iter(())
    else:
        return
    hooks = " ".join(ways)
    theirs, ours = _startup_file(kind, hooks, is_script=is_script or session is not None)
    if session is not None:
        from . import session_files  # noqa: PLC0415  few runs have a session

        session_files.give(session, kind, prefix, env)
    env[b"ZSH_LS_REPORT"] = os.fsencode(prefix)
    env[b"ZSH_LS_HOOKS"] = hooks.encode()
    env[b"ZSH_LS_THEN"] = after_startup
    if theirs in env:
        env[b"ZSH_LS_" + theirs] = env[theirs]
    env[theirs] = os.fsencode(ours)


def is_plain(text: str) -> bool:
    """Whether a text has nothing in it that matters to how a shell of zsh reports its end."""
    small = text.lower()
    return not any(sign in small for sign in _SIGNS_OF_MORE)


def _may_have_pipeline(text: str, env: Mapping[bytes, bytes]) -> bool:
    """Whether a text, or what it calls, may have one; else its exit is all that there is to report."""
    if _PIPE.search(text) or _RUNS_OTHER_TEXT.search(text):
        return True
    return any(name.startswith(_EXPORTED_FUNCTION) for name in env)


def _minds_our_hook(text: str) -> bool:
    """Whether a text of zsh does something by which our hook at its end could be noticed."""
    return bool(
        _TRAPS.search(text)
        or _EXIT_HOOK.search(text)
        or _LISTS_FUNCTIONS.search(text)
        or _LISTS_VARIABLES.search(text)
    )


def without_showing(options: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """The options of a script's first line without those by which the shell shows what it reads or runs.

    Also their letters: our startup file, which would be shown as well, sets them at its end.
    """
    shown = "".join(
        it for option in options if _LETTERS.match(option) for it in option if it in "xv"
    )
    kept = (it.translate(_WITHOUT_SHOWING) if _LETTERS.match(it) else it for it in options)
    return tuple(it for it in kept if it != "-"), shown


def _startup_file(kind: str, ways: str, *, is_script: bool) -> tuple[bytes, str]:
    """The variable that names a shell's first startup file, and its value that leads to ours."""
    if kind != "zsh":
        return b"BASH_ENV", f"{RC_FOLDER}/bash_env"
    is_plain = ways in _PLAIN_WAYS and not is_script
    return b"ZDOTDIR", f"{RC_FOLDER}/plain" if is_plain else RC_FOLDER


def _ways_of_zsh(text: str, session: Restore | None = None) -> Iterator[str]:
    """The ways of `rc/.zshenv` to report for `text`, by what it may do; a false alarm costs little.

    zsh execs its last command unless a trap or a lock keeps it. One that stays and waits gets
    Ctrl-C, too, and ends with 130 where the command handles it and ends with an exit of its own.
    So it is kept only where the text has a pipeline: without one, the exit of what it became is
    all there is to report. The trap on errors keeps it as well. That of a session is kept always, and
    where its shell may end at an error, its state is written there.
    """
    has_pipe = bool(_PIPE.search(text))
    traps = bool(_TRAPS.search(text))
    remaining = _CLEARED_TRAP.sub("", text) if traps else ""
    own_exit, own_error, own_debug = (
        bool(traps and trap.search(remaining)) for trap in (_EXIT_TRAP, _ERROR_TRAP, _DEBUG_TRAP)
    )
    errreturn = _ERRRETURN.search(text)
    evades_hook = (
        own_debug
        or own_error
        or errreturn
        or _EXIT_HOOK.search(text)
        or _LISTS_FUNCTIONS.search(text)
    )
    may_end_early = bool(_MAY_SET_ERREXIT.search(text))
    errexit = may_end_early or (session is not None and session.errexit)
    if (own_exit or evades_hook) and not (own_debug or errexit):
        calls = _calls_of_trap(text)
        listings = (_LISTS_TRAPS, _LISTS_FUNCTIONS, _LISTS_VARIABLES)[: 3 if own_exit else 1]
        if calls and any(it.search(text) for it in listings):
            yield f"own-traps={calls}"
            if has_pipe or session is not None:
                yield "by-lock"
            return
    yield "exit-trap" if evades_hook and not own_exit else "exit-hook"
    if (has_pipe and not (_ALWAYS_AT_END.search(text) and not traps)) or session is not None:
        yield "by-lock" if traps or (evades_hook and not own_exit) else "by-trap"
    if (own_exit or own_error) and not own_debug and not _sets_trap_in_subshell(text):
        yield "note"
    may_hide_pipe = has_pipe or _RUNS_OTHER_TEXT.search(text)
    if session is not None and not _LISTS_FUNCTIONS.search(text):
        may_hide_pipe, may_end_early = True, errexit
    if may_hide_pipe and may_end_early and not (own_error or errreturn):
        yield "errexit" if session is None else "errexit keep"


def _calls_of_trap(text: str) -> int:
    """How often `text` calls `trap`, where each call is made once at most; 0 where that is not known."""
    calls = depth = 0
    if _TRAP_FUNCTION.search(text) or _RUNS_OTHER_TEXT.search(_QUOTED.sub("", text)):
        return 0
    for found in _ENCLOSING.finditer(text):
        if found[0] == "trap":
            calls += 1
            if depth:
                return 0
        elif found[0] == "`":
            return 0
        else:
            depth += 1 if found[0] in "({do" else -1
    return calls if depth == 0 else 0


def _sets_trap_in_subshell(text: str) -> bool:
    """Whether `trap` follows an opening parenthesis that is not closed (that of `f() {` is)."""
    is_open = False
    for found in _TRAP_OR_PARENTHESIS.finditer(text):
        if found[0] == "trap" and is_open:
            return True
        is_open = found[0] == "("
    return False


def _ways_of_bash(text: str, session: Restore | None = None) -> Iterator[str]:
    """The ways of `rc/bash_env` to report for `text`; a function of its session may set traps too.

    So may a file that it sources, whose EXIT trap would take the state of the session with it.
    """
    calls = _calls_of_trap(text)
    if session is not None and b"trap" in session.functions:
        text, calls = f"{text}\n{session.functions.decode(errors='replace')}", 0
    sources = session is not None and _SOURCES.search(text)
    if sources:
        calls = 0
    has_traps = bool(sources or _TRAPS.search(text))
    needs_wrapper = has_traps and not _TRAP_OF_EVERY_COMMAND.search(text)
    yield f"own-traps={calls}" if needs_wrapper else "plain"
    if _MAY_SHOW_LINES.search(text):
        yield "by-name"


def find_report(names: Iterable[str], exit_status: int | None) -> Report | None:
    """The report among the file names that a shell left; `exit_status` is None after a crash at its end.

    That of the exit hook (`e`) counts, else that of the error hook (`z`). The latter
    is also written before an exit that does not happen, so it must match `exit_status`.
    """
    reports = [
        (name[0], report)
        for name in names
        if name.startswith(("e", "z")) and (report := _parse(name[1:]))
    ]
    for kind, report in sorted(reports, key=lambda pair: pair[0]):
        if kind == "e" or report.exit % 256 == exit_status:
            return report
    return None


def _parse(numbers: str) -> Report | None:
    if not _NUMBERS.fullmatch(numbers):
        return None
    status, *pipestatus = map(int, _NUMBER.findall(numbers))
    return Report(status, tuple(pipestatus))


class Reports:
    """The reports of this process's tasks; folders of processes that crashed are removed."""

    def __init__(self) -> None:
        with contextlib.suppress(OSError):
            sweep(_PREFIX, in_memory=True)
        self.folder = _new_folder()

    def prefix(self, task_id: str) -> str:
        """The path prefix of a task's files, in a new folder if the old one has been removed."""
        if not os.path.isdir(self.folder):
            self.folder = _new_folder()
        return f"{self.folder}/{task_id}."

    def dumps(self, task_id: str) -> Dumps:
        """What a task's shell wrote of its session's state; to be asked before `take` removes it."""
        from . import session_files  # noqa: PLC0415

        return session_files.taken(f"{self.folder}/{task_id}.")

    def take(self, task_id: str, exit_status: int | None) -> Report | None:
        """The report of a task's shell; its files are removed. See `find_report`.

        Raises OSError if there is none and none could be written: the folder is gone, or full.
        """
        prefix = f"{task_id}."
        names = [name for name in os.listdir(self.folder) if name.startswith(prefix)]
        for name in names:
            os.unlink(f"{self.folder}/{name}")
        report = find_report((name.removeprefix(prefix) for name in names), exit_status)
        if report is None:  # the shell does not tell why it wrote none, so write a file ourselves
            path = f"{self.folder}/{prefix}tried"
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            os.unlink(path)
        return report

    def remove(self) -> None:
        """Remove the folder, after the last task."""
        try:
            os.rmdir(self.folder)
        except FileNotFoundError:
            pass
        except OSError:
            import shutil  # noqa: PLC0415  a report has come after its task's end

            shutil.rmtree(self.folder, ignore_errors=True)


def _new_folder() -> str:
    """A private folder in the first location where one can be created, else a path that does not exist.

    With the latter shells report nothing, without an error, and the task gives the problem.
    """
    try:
        return passing_folder(_PREFIX, in_memory=True)
    except OSError:
        return f"/nonexistent/{_PREFIX}{os.getpid()}"

"""Known causes of a slow start, said only where a trace shows them (START-3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.startup import StartupCause

from .plugins import plugin_of
from .profile import Place, Profile, Row
from .programs import programs_of

CODES = {
    "compinit-twice": "compinit runs more than once in one start.",
    "compinit-without-dump": "compinit writes its dump again in each start.",
    "eval-init": "A program is started to print code that hardly ever changes.",
    "version-manager": "A version manager is set up in each start.",
    "version-manager-shim": "A program is a version manager's shim, which looks for the version each time.",
    "brew-prefix": "Homebrew is started to say where it is.",
    "plugin-starts-programs": "A plugin starts programs while it is loaded.",
    "plugin-twice": "The same file of a plugin is loaded more than once.",
    "rc-not-compiled": "A large file is parsed anew in each start.",
}
"""Each cause's code, and what it is in one sentence."""

# Less is not worth a word.
LEAST_MS = 2.0
LEAST_SHARE = 0.01
# A trace has the text of a whole list, `autoload -Uz compinit && compinit`; what stands within a compound
# command is traced by itself.
_IN_A_LIST = r"(?:^|&&|\|\|)\s*\\?(?:builtin |command )?"
_COMPINIT = re.compile(rf"{_IN_A_LIST}compinit(?=[\s;)}}&|]|$)(?!\s*\(\))")
_COMPOUND = re.compile(
    r"\s*(?:(?:if|for|foreach|while|until|case|select|repeat|function)\b|\((?!\()|\{)"
)
_COMPDUMP = "compdump"
_INIT = re.compile(
    rf"{_IN_A_LIST}(?:eval|source|\.)(?=\s).*(?:\$\(|`|<\().*"
    r"\b(?:init|hook|activate|env|shellenv|completions?|setup|zsh|bash)\b",
    re.DOTALL,
)
# What prints such code, where it is kept in a variable first, and as bash tells it: before the eval itself.
_PRINTS = re.compile(
    r"""^(?:\w+=['"]?(?:\$\(|`))?\s*\S+\s.*\b(?:init|hook|activate|env|shellenv|completions?|setup)\b""",
    re.DOTALL,
)
# As bash tells what evaluates them: `source <(…)` by the file that stands for the pipe.
_EVAL = re.compile(rf"{_IN_A_LIST}(?:eval(?=\s)|(?:source|\.)\s+/dev/fd/)")
_BREW = re.compile(r"\bbrew\b['\"]?\s+(?:--(?:prefix|cellar|repository)|shellenv)\b")
_MANAGERS = (
    r"nvm|pyenv|rbenv|nodenv|goenv|jenv|plenv|phpenv|tfenv|asdf|rvm|sdkman|fnm|mise|rtx|conda|"
    r"mamba|volta|chruby|nodebrew|n|virtualenvwrapper"
)
_MANAGER = re.compile(rf"(?:^|[\s/(`\"'.])(?:{_MANAGERS})(?:-init|\.sh|_lazy\.sh)?(?=[\s\"')/]|$)")
# What `<(…)` names is no file.
_NO_FILES = ("/dev/fd/", "/proc/", "/tmp/zsh")
_READS = re.compile(rf"{_IN_A_LIST}(?:source|\.)\s")


class _Shown(NamedTuple):
    code: str
    place: Place
    seconds: float
    commands: int
    of_file: str | None = None


def causes_of(
    profile: Profile, is_compiled: Callable[[str], bool], less_ms: float = 0.0
) -> tuple[StartupCause, ...]:
    """What the trace shows, the dearest first, one cause a line and code.

    `is_compiled` tells of a file whether zsh finds it compiled. A command takes `less_ms` less than traced.
    """
    least_ms = max(LEAST_MS, profile.total_s * 1000 * LEAST_SHARE)
    found: dict[tuple[str, Place], StartupCause] = {}
    for code, place, seconds, commands, of_file in _all(profile, is_compiled):
        ms = round(seconds * 1000 - less_ms * commands, 3)
        if ms >= least_ms and place.line:
            cause = StartupCause(code, place.file, place.line, ms, of_file=of_file)
            found.setdefault((code, place), cause)
    for code, place in [*found]:
        # What a version manager prints is evaluated, too.
        if code == "version-manager":
            found.pop(("eval-init", place), None)
    return tuple(sorted(found.values(), key=lambda it: -it.ms))


def _all(profile: Profile, is_compiled: Callable[[str], bool]) -> Iterator[_Shown]:
    yield from _completion(profile)
    for row in profile.rows:
        yield from _of_command(row, profile)
    yield from _shims(profile)
    yield from _of_plugins(profile)
    for file in profile.files:
        if file.kind == "zsh" and not (is_compiled(file.file) or file.file.startswith(_NO_FILES)):
            for place, seconds in file.read_by.items():
                yield _Shown("rc-not-compiled", place, seconds, 0, file.file)


def _completion(profile: Profile) -> Iterator[_Shown]:
    calls = [row for row in profile.rows if any(map(_calls_compinit, row.texts))]
    calls.sort(key=lambda it: it.order)
    if not calls:
        return
    for number, row in enumerate(calls):
        again = row.count if number else row.count - 1
        if again:
            share = again / row.count
            commands = round(row.all_commands * share)
            yield _Shown("compinit-twice", row.place, row.total_s * share, commands)
    if _COMPDUMP in profile.functions:
        dearest = max(calls, key=lambda it: it.total_s)
        yield _all_of("compinit-without-dump", dearest)


def _calls_compinit(text: str) -> bool:
    return _is_a_list(text) and _COMPINIT.search(text) is not None


def _is_a_list(text: str) -> bool:
    """Whether it is no definition and no compound command, whose own commands are told by themselves."""
    return not (text.endswith("}") and "() {" in text) and _COMPOUND.match(text) is None


def _of_command(row: Row, profile: Profile) -> Iterator[_Shown]:
    evaluates = row.kind == "bash" and any(map(_EVAL.match, row.texts))
    for text in row.texts:
        if not _is_a_list(text):
            continue
        if _BREW.search(text):
            yield _all_of("brew-prefix", row)
        elif _INIT.search(text):
            manager = _MANAGER.search(text)
            yield _all_of("version-manager" if manager else "eval-init", row)
        elif _PRINTS.match(text) and not _EVAL.match(text):
            if _MANAGER.search(text):
                yield _all_of("version-manager", row)
            elif evaluates:
                yield _all_of("eval-init", row)
        elif _READS.search(text) and _MANAGER.search(text):
            # A loop of a framework reads other files on the same line.
            files = [it for it in profile.files if row.place in it.read_by]
            own = [it for it in files if _MANAGER.search(it.file)]
            if len(files) > 1:
                seconds, commands = (
                    sum(it.total_s for it in own),
                    sum(it.all_commands for it in own),
                )
                yield _Shown("version-manager", row.place, seconds, commands)
            else:
                yield _all_of("version-manager", row)


def _shims(profile: Profile) -> Iterator[_Shown]:
    for row in profile.rows:
        if row.place in profile.shims:
            yield _all_of("version-manager-shim", row)


def _all_of(code: str, row: Row) -> _Shown:
    return _Shown(code, row.place, row.total_s, row.all_commands)


def _of_plugins(profile: Profile) -> Iterator[_Shown]:
    starting: dict[str, list[Row]] = defaultdict(list)
    for row in profile.rows:
        plugin = plugin_of(row.place.file) if row.place.line and row.own_s > 0.0005 else None
        if plugin and programs_of(row.may_start, row.kind, profile.functions):
            starting[plugin.folder].append(row)
    for rows in starting.values():
        seconds, commands = sum(it.own_s for it in rows), sum(it.commands for it in rows)
        yield _Shown("plugin-starts-programs", rows[0].place, seconds, commands)
    for file in profile.files:
        # A framework's loader may be read for each plugin, or with arguments; a plugin's entry is not.
        again = file.count - file.count_with_arguments - 1
        if again > 0 and file.read_by and plugin_of(file.file):
            share = again / file.count
            place, commands = list(file.read_by)[-1], round(file.all_commands * share)
            yield _Shown("plugin-twice", place, file.total_s * share, commands, file.file)


def page(code: str) -> str:
    """What a cause is, how a trace shows it, and what helps."""
    from .pages import PAGES  # noqa: PLC0415  long texts, for those who ask

    return PAGES[code]

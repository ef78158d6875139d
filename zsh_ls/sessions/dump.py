"""Reads what a shell wrote of itself: its variables, functions, aliases, options, folders and mask.

Its parts are what `set +o`, `typeset -p`, `typeset -f` and `alias` of zsh and bash print; the shells
write each variable and each alias on one line, so that nothing here has to understand a value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from zsh_ls.lazy import attrs, re

_ZSH_VARIABLE = re.compile(
    r"(?:typeset|export)(?P<flags>(?: -[A-Za-z]+\d*(?: \d+)?)*) (?:--? )?"
    r"(?P<name>[^\W\d]\w*)(?: (?P<array>[^\W\d]\w*))?(?:=|$)"
)
_BASH_VARIABLE = re.compile(r"declare (?P<flags>-\S+) (?P<name>[A-Za-z_]\w*)(?:=|$)")
_DECLARATION = re.compile(r"\b(?:local|typeset|declare|integer|float|readonly|private)\b([^;\n]*)")
_NAME = re.compile(r"[^\W\d]\w*")
_ALIAS = re.compile(r"alias (?:-\w )?(?:-- )?[^=]+=")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OURS = re.compile(r"_zl[st]_|ZSH_LS_")
# What the shell itself counts or owns, and what differs between a shell's start and its end by itself.
NOT_CARRIED: Mapping[str, frozenset[str]] = {
    "zsh": _words(
        """_ 0 argv status pipestatus COLUMNS LINES EGID EUID GID UID USERNAME ERRNO HISTCMD LINENO
        PPID PWD RANDOM SECONDS SHLVL TTY TTYIDLE EPOCHSECONDS EPOCHREALTIME epochtime signals
        ZSH_ARGZERO ZSH_EXECUTION_STRING ZSH_SUBSHELL ZSH_EVAL_CONTEXT ZSH_SCRIPT zsh_eval_context
        TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT TERMINFO funcstack funcfiletrace funcsourcetrace
        functrace dirstack functions dis_functions aliases dis_aliases galiases dis_galiases
        saliases dis_saliases options parameters commands builtins dis_builtins modules history
        historywords jobdirs jobtexts jobstates nameddirs userdirs usergroups patchars
        dis_patchars reswords dis_reswords functions_source dis_functions_source sysparams errnos
        zshexit_functions mapfile termcap terminfo PROMPT PROMPT2 PROMPT3 PROMPT4 prompt"""
    ),
    "bash": _words(
        """_ BASH BASHOPTS BASHPID BASH_ALIASES BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_CMDS BASH_COMMAND
        BASH_ENV BASH_EXECUTION_STRING BASH_LINENO BASH_REMATCH BASH_SOURCE BASH_SUBSHELL
        BASH_VERSINFO BASH_VERSION COLUMNS LINES COMP_WORDBREAKS DIRSTACK EPOCHREALTIME
        EPOCHSECONDS EUID FUNCNAME GROUPS HISTCMD LINENO PIPESTATUS PPID PWD RANDOM SECONDS
        SHELLOPTS SHLVL SRANDOM UID"""
    ),
}
_NO_FUNCTIONS = frozenset({"TRAPEXIT", "TRAPZERR", "TRAPERR", "TRAPDEBUG", "zshexit"})
# Of the shell's way of being run, and options that nothing may set once it runs.
_NO_OPTIONS = _words(
    """interactive login shinstdin singlecommand restricted privileged monitor zle exec rcs
        globalrcs login_shell restricted_shell history histexpand emacs vi onecmd debugbeforecmd"""
)


@attrs.frozen
class Dump:
    """What a shell was: code that makes each thing anew, by its name.

    `folders` is the one it was in and the stack below it. `local` are names whose variable may be that of a
    function in which the shell ended: what the shell had under them is not known.
    """

    variables: Mapping[str, str]
    functions: Mapping[str, str]
    aliases: Mapping[str, str]
    options: Mapping[str, str]
    folders: tuple[str, ...]
    umask: str
    local: frozenset[str] = frozenset()


def read_dump(written: bytes, shell: str) -> Dump | None:
    """The dump that a shell wrote; None for something else."""
    parts = written.decode("utf-8", "surrogateescape").split("\0")
    if len(parts) != 9:
        return None
    options, variables, names, functions, aliases, folders, umask, within, _ = parts
    pattern = _ZSH_VARIABLE if shell == "zsh" else _BASH_VARIABLE
    names_of_functions = [line for line in names.splitlines() if line]
    if shell != "zsh":
        names_of_functions = [line.rpartition(" ")[2] for line in names_of_functions]
        exported = {line.rpartition(" ")[2] for line in names.splitlines() if "x " in line[:14]}
    else:
        exported = set()
    code = dict(_functions(functions, names_of_functions, exported))
    return Dump(
        variables=dict(_variables(variables, pattern, shell)),
        functions=code,
        aliases={line[: line.find("=")]: line for line in _lines(aliases, _ALIAS)},
        options=dict(_options(options)),
        folders=tuple(line for line in folders.split("\n") if line),
        umask=umask.strip(),
        local=frozenset(
            name for function in within.split() for name in _declared(code.get(function, ""))
        ),
    )


def _lines(text: str, begins: re.Pattern[str]) -> Iterator[str]:
    """The entries of a listing: an older shell may write a value with its line breaks."""
    entry = ""
    for line in text.split("\n"):
        if begins.match(line):
            if entry:
                yield entry
            entry = line
        elif entry and line:
            entry = f"{entry}\n{line}"
    if entry:
        yield entry


def _variables(text: str, pattern: re.Pattern[str], shell: str) -> Iterator[tuple[str, str]]:
    """The code of each variable, by its name."""
    left_out = NOT_CARRIED[shell]
    for line in _lines(text, pattern):
        found = pattern.match(line)
        if found is None:
            continue
        flags, name = found["flags"], found["name"]
        if shell == "zsh" and (array := found["array"]) and "a" in flags:
            name = array  # `typeset -aT PATH path=(…)` is of `path`
        if name in left_out or _OURS.match(name):
            continue
        yield name, line


def _declared(function: str) -> Iterator[str]:
    """The names that a function may have made its own; the shells do not tell whose a variable is."""
    for declaration in _DECLARATION.finditer(function):
        yield from _NAME.findall(declaration[1])


def _functions(text: str, names: Iterable[str], exported: set[str]) -> Iterator[tuple[str, str]]:
    """Each function by its name, in the order of the listing."""
    starts: list[tuple[str, int]] = []
    at = 0
    text = f"\n{text}"
    for name in names:
        # zsh lists `my name` as it has to be written.
        written = "'" + name.replace("'", "'\\''") + "'"
        places = (text.find(f"\n{it} () ", at) for it in (name, written))
        found = next((place for place in places if place >= 0), -1)
        if found >= 0:
            starts.append((name, found + 1))
            at = found + 1
    ends = [*(start for _, start in starts[1:]), len(text)][: len(starts)]
    for (name, start), end in zip(starts, ends, strict=True):
        is_ours = _OURS.match(name) or (name == "trap" and "_zls_" in text[start:end])
        if name in _NO_FUNCTIONS or is_ours:
            continue
        suffix = f"\n\\builtin export -f {name}" if name in exported else ""
        yield name, text[start:end].rstrip("\n") + suffix


def _options(text: str) -> Iterator[tuple[str, str]]:
    for line in text.split("\n"):
        name = line.rpartition(" ")[2]
        if name and plain_name(name) not in _NO_OPTIONS:
            yield name, line


def plain_name(option: str) -> str:
    """The name of an option without `no`, which zsh writes before those that are on by default."""
    return option.removeprefix("no") if option != "notify" else option

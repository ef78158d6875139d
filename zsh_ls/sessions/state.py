"""The state of a session: what its shell had at the end of a run that it did not have when it started."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal

from zsh_ls.lazy import attrs, re
from zsh_ls.lazy.typing import NamedTuple

from .dump import Dump, plain_name

# Set last of all: with these the code that reads the state would end, be printed, or be read otherwise.
_LAST_OPTIONS = frozenset(
    [
        "errexit",
        "errreturn",
        "unset",
        "xtrace",
        "verbose",
        "aliases",
        "expand_aliases",
        "errtrace",
        "functrace",
        "exec",
        "nounset",
    ]
)
_LAST_VARIABLES = frozenset({"IFS"})
_LAST_FOLDER = "OLDPWD"
_NAMEREF = re.compile(r"declare -\w*n\w* ")
_TIED_ARRAY = re.compile(r"(?:typeset|export)(?: -\S+)* -\w*aU?T ")
_HIDDEN = re.compile(r"(?:typeset|export) -H ")
_SOURCE = re.compile(r"[^=]*?=(.*)", re.DOTALL)
_ANSI = re.compile(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)
_ESCAPES = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "e": "\x1b",
    "E": "\x1b",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
}


class Held(NamedTuple):
    """One thing that a session has: `value` as the shell would be told it."""

    name: str
    kind: Literal["variable", "function", "alias", "option", "directory"]
    value: str


@attrs.frozen
class State:
    """What the next shell is to become; code by name, as in `Dump`, and names that it is to lose.

    `id` is drawn when the session begins, `serial` counts its states; `path` is the shell's program.
    `folder` is None while no run has changed it. `changes` are the arguments of `cd` and `pushd` that
    runs were asked for, as written, latest last.
    """

    session: str
    shell: str
    path: str
    id: str
    serial: int = 0
    runs: int = 0
    restored_ms: float | None = None
    variables: Mapping[str, str] = attrs.field(factory=dict)
    functions: Mapping[str, str] = attrs.field(factory=dict)
    aliases: Mapping[str, str] = attrs.field(factory=dict)
    options: Mapping[str, str] = attrs.field(factory=dict)
    lost_variables: tuple[str, ...] = ()
    lost_functions: tuple[str, ...] = ()
    lost_aliases: tuple[str, ...] = ()
    folder: str | None = None
    stack: tuple[str, ...] = ()
    umask: str | None = None
    changes: tuple[str, ...] = ()

    @property
    def has_errexit(self) -> bool:
        """Whether its shell ends at a command that fails."""
        return "-o" in self.options.get("errexit", "")

    def after(
        self,
        before: Dump,
        after: Dump,
        *,
        own_names: Collection[str] = (),
        own_folder: str | None = None,
    ) -> State:
        """The state after a run, by what its shell was before it read this state and at its end.

        `own_names` are variables and `own_folder` the folder that were of that run alone: where it
        left them as they were, the session keeps what it had.
        """
        variables = _differing(before.variables, after.variables)
        if _LAST_FOLDER in after.variables:
            # A shell begins with one of its own, which may happen to be the same.
            variables[_LAST_FOLDER] = after.variables[_LAST_FOLDER]
        lost = [name for name in before.variables if name not in after.variables]
        for name in {*own_names, *after.local}:
            if name in after.local or before.variables.get(name) == after.variables.get(name):
                variables.pop(name, None)
                lost = [it for it in lost if it != name]
                if name in self.variables:
                    variables[name] = self.variables[name]
                elif name in self.lost_variables:
                    lost.append(name)
        folder: str | None = after.folders[0] if after.folders else None
        if folder is not None and self.folder is not None and folder == own_folder:
            folder = self.folder
        return attrs.evolve(
            self,
            serial=self.serial + 1,
            runs=self.runs + 1,
            variables=variables,
            functions=_differing(before.functions, after.functions),
            aliases=_differing(before.aliases, after.aliases),
            options=_differing(before.options, after.options),
            lost_variables=tuple(lost),
            lost_functions=tuple(it for it in before.functions if it not in after.functions),
            lost_aliases=tuple(it for it in before.aliases if it not in after.aliases),
            folder=folder,
            stack=after.folders[1:],
            umask=after.umask if after.umask != before.umask else None,
        )

    def code(self, without: Collection[str] = ()) -> tuple[str, str, str]:
        """Code that makes a shell what it was, but for the variables `without`: first, functions, last."""
        return (
            "\n".join(self._first(without)),
            "\n".join(self.functions.values()),
            "\n".join(self._last(without)),
        )

    def _first(self, without: Collection[str]) -> Iterator[str]:
        yield from (f"builtin unset {name}" for name in self.lost_variables if name not in without)
        yield from (f"builtin unset -f {shlex.quote(name)}" for name in self.lost_functions)
        for key in self.lost_aliases:
            yield f"un{key}".replace("unalias -g ", "unalias ")
        left_out = {*without, *_LAST_VARIABLES}
        lines = [line for name, line in self.variables.items() if name not in left_out]
        # A reference names a variable that has to be there.
        yield from sorted(lines, key=lambda line: _NAMEREF.match(line) is not None)
        if self.shell == "zsh" and _LAST_FOLDER in self.variables:
            # `cd -` of zsh minds no variable, only where it has been.
            yield '_zls_at=$PWD; builtin cd -q -- "$OLDPWD" && builtin cd -q -- "$_zls_at"'
            yield "unset _zls_at"
        yield from self.aliases.values()
        if self.umask is not None:
            yield f"umask {self.umask}"
        if self.stack:
            folders = [shlex.quote(it) for it in self.stack]
            if self.shell == "zsh":
                yield f"dirstack=( {' '.join(folders)} )"
            else:
                yield from (f"pushd -n {it} >/dev/null" for it in reversed(folders))
        for name, line in self.options.items():
            if plain_name(name) not in _LAST_OPTIONS:
                yield line

    def _last(self, without: Collection[str]) -> Iterator[str]:
        lines = [
            self.variables[it] for it in _LAST_VARIABLES - set(without) if it in self.variables
        ]
        lines += [
            line
            for name, line in self.options.items()
            if plain_name(name) in _LAST_OPTIONS and not _is_loud(name)
        ]
        lines += [line for name, line in self.options.items() if _is_loud(name)]
        # The session's functions and aliases are there, and may have these names.
        yield from (f"\\builtin {line}" for line in lines)

    def has(self, name: str, kind: str) -> bool:
        """Whether the session gives that variable, function or alias."""
        if kind == "variable":
            return name in self.variables
        if kind == "function":
            return name in self.functions
        return any(key.rpartition(" ")[2] == name for key in self.aliases)

    def held(self) -> Iterator[Held]:
        """All that it has, by kind and name."""
        if self.folder is not None:
            yield Held("directory", "directory", self.folder)
        for place in self.stack:
            yield Held("stack", "directory", place)
        for name in sorted(self.variables.keys() - {_LAST_FOLDER}):
            if _TIED_ARRAY.match(self.variables[name]):
                continue  # told with the scalar that it is tied to
            code = self.variables[name]
            yield Held(name, "variable", "(hidden)" if _HIDDEN.match(code) else _value(code))
        for name in sorted(self.lost_variables):
            yield Held(name, "variable", "(unset)")
        for name in sorted(self.functions):
            yield Held(name, "function", self.functions[name])
        for key in sorted(self.aliases):
            yield Held(key.removeprefix("alias "), "alias", _value(self.aliases[key]))
        for name in sorted(self.options):
            is_on = " -o " in self.options[name] or " -s " in self.options[name]
            yield Held(name, "option", "on" if is_on else "off")
        if self.umask is not None:
            yield Held("umask", "option", self.umask)

    def to_json(self) -> dict[str, Any]:
        """As JSON has it."""
        return attrs.asdict(self)

    @classmethod
    def of_json(cls, given: dict[str, Any]) -> State:
        """What `to_json` gave; raises TypeError for something else."""
        tuples = ("lost_variables", "lost_functions", "lost_aliases", "stack", "changes")
        values: dict[str, Any] = {
            name: tuple(it) if name in tuples else it for name, it in given.items()
        }
        return cls(**values)


def _differing(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    return {name: code for name, code in after.items() if before.get(name) != code}


def _is_loud(option: str) -> bool:
    return plain_name(option) in ("xtrace", "verbose")


def _value(code: str) -> str:
    """The value that a line of code gives: the text of a scalar, the code of anything else."""
    found = _SOURCE.match(code)
    if found is None:
        return ""
    source = found[1]
    if source.startswith("("):
        return source.strip()
    if (ansi := _ANSI.fullmatch(source)) is not None:
        return re.sub(r"\\(.)", lambda it: _ESCAPES.get(it[1], it[1]), ansi[1])
    try:
        words = shlex.split(source)
    except ValueError:
        return source
    return words[0] if len(words) == 1 else "" if not words else source

"""The template of one simple command; template.py joins those of a text, and says what a template is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .reading import Word
from .template_tables import (
    INTERPRETERS,
    KNOWN_PROGRAMS,
    RUN_NEXT,
    RUN_PAIRS,
    SHELLS,
    TARGETS,
    USUAL_SUB_COMMANDS,
    VALUED_OF_TARGETS,
)
from .template_words import (
    TARGET,
    VALUE,
    head_of,
    merged,
    shown_argument,
    shown_option,
    sub_commands,
)
from .wrappers import ASSIGNMENT, RUNNERS, base_name, look_through, past_options

MAX_DEPTH = 3  # of `sh -c`, `ssh`, `eval` within one another

_PROGRAM = re.compile(r"[A-Za-z0-9_.+:@%,\[\]-]{1,64}")
_VERSIONED = re.compile(r"(python|pip|ruby|node|gcc|g\+\+|clang|php|lua|perl)-?\d[\d.]*")
_SCRIPT = re.compile(r"[\w.+-]{1,64}\.(?:py|js|mjs|ts|tsx|rb|pl|sh|zsh|bash|php|lua|R|jl)")
_MODULE = re.compile(r"[A-Za-z_][\w.]{0,40}")
_AT_VERSION = re.compile(r"@[\w.^~-]{1,20}$")


class Ssh(NamedTuple):
    """Where an ssh command goes, and the template of what it runs there, if anything."""

    host: str
    remote_template: str | None


class Template(NamedTuple):
    """A simple command's template, its base (the program and what it does), and its ssh side."""

    text: str
    base: str
    ssh: Ssh | None = None


class CommandPlace(NamedTuple):
    """Where a command stands: how deep in code within code, and whether on another machine.

    `of_text` gives the template of code within a word, at another place.
    """

    of_text: Callable[[str, CommandPlace], Template]
    depth: int = 0
    remote: bool = False

    def deeper(self, *, remote: bool = False) -> CommandPlace:
        """The place of code within a word here."""
        return CommandPlace(self.of_text, self.depth + 1, self.remote or remote)


def template_of_words(words: Sequence[Word], place: CommandPlace) -> Template:
    """The template of one simple command; assignments alone keep their names."""
    own = list(words[look_through([word.text for word in words]) :])
    if not own:
        return _of_assignments(words)
    program = program_name(own[0])
    if place.remote and not _is_program(program, own[0]):
        program = VALUE
    return _Simple(program, own[1:], place).template()


def _of_assignments(words: Sequence[Word]) -> Template:
    names = [word.text.partition("=")[0] for word in words if ASSIGNMENT.match(word.text)]
    shown = " ".join(f"{name}={VALUE}" for name in names)
    return Template(shown, shown)


def _is_program(name: str, word: Word) -> bool:
    """Whether a word is a program on another machine for sure: unknown ones may be a password."""
    known = name in KNOWN_PROGRAMS or name in USUAL_SUB_COMMANDS
    return known or "/" in word.text or bool(_SCRIPT.fullmatch(name))


def program_name(word: Word) -> str:
    """The program a first word calls, without path and version; VALUE where only the shell knows it."""
    name = base_name(word.text)
    if not _PROGRAM.fullmatch(name):
        return VALUE
    versioned = _VERSIONED.fullmatch(name)
    return versioned[1] if versioned else name


class _Simple:
    """One simple command: its program's name and the words behind it."""

    def __init__(self, program: str, rest: Sequence[Word], place: CommandPlace) -> None:
        self.program = program
        self.rest = rest
        self.place = place

    def template(self) -> Template:
        special = self.by_kind() if self.place.depth < MAX_DEPTH else None
        return special if special is not None else self.plain()

    def by_kind(self) -> Template | None:
        """Commands that name another command; None for all others."""
        code = self.code() if self.program in SHELLS or self.program == "eval" else None
        if code is not None:
            return self.place.of_text(code, self.place.deeper())
        if self.program == "ssh":
            return self.ssh()
        if self.program in INTERPRETERS:
            return self.interpreter()
        if self.program in RUN_NEXT:
            return self.runner([], 0)
        if self.rest and (self.program, self.rest[0].text) in RUN_PAIRS:
            return self.runner([self.rest[0].text], 1)
        return None

    def plain(self) -> Template:
        if self.program in TARGETS:
            return self.targets()
        head = head_of(self.program, self.rest)
        base = " ".join([self.program, *sub_commands(self.program, self.rest)])
        behind = self.arguments(self.rest[head.end :])
        return Template(" ".join(merged([self.program, *head.names, *head.options, *behind])), base)

    def arguments(self, words: Iterable[Word]) -> list[str]:
        """Option names and VALUEs; what repeats is said once."""
        return list(merged(shown_argument(self.program, word.text) for word in words))

    def code(self) -> str | None:
        """The code `sh -c` or `eval` runs."""
        if self.program == "eval":
            return " ".join(word.text for word in self.rest)
        for index, word in enumerate(self.rest[:-1]):
            if not word.text.startswith(("-", "+")):
                return None
            if word.text.endswith("c") and not word.text.startswith("--"):
                return self.rest[index + 1].text
        return None

    def ssh(self) -> Template:
        texts = [word.text for word in self.rest]
        at = past_options(texts, 0, RUNNERS["ssh"].valued)
        if at >= len(self.rest):
            return self.plain()
        target = self.rest[at]
        code = " ".join(texts[past_options(texts, at + 1, RUNNERS["ssh"].valued) :])
        there = self.place.of_text(code, self.place.deeper(remote=True)).text or None
        host = target.text.removeprefix("ssh://").rpartition("@")[2]
        shown = f"ssh {VALUE} {there}" if there else f"ssh {VALUE}"
        return Template(shown, "ssh", Ssh(host, there) if target.literal and host else None)

    def interpreter(self) -> Template:
        """`python script.py …`, `python -m module …`, `node -e …`."""
        kept: list[str] = [self.program]
        for index, word in enumerate(self.rest):
            if word.text == "-m" and self.program == "python" and index + 1 < len(self.rest):
                return self.module(self.rest[index + 1 :])
            if word.text.startswith("-") and len(word.text) > 1:
                kept.append(shown_option(self.program, word.text))
                continue
            name = base_name(word.text)
            script = name if word.literal and _SCRIPT.fullmatch(name) else VALUE
            base = f"{self.program} {script}" if script != VALUE else self.program
            head = head_of(script, self.rest[index + 1 :])
            behind = self.arguments(self.rest[index + 1 + head.end :])
            shown = merged([*kept, script, *head.names, *behind])
            return Template(" ".join(shown), " ".join([base, *head.names]))
        return Template(" ".join(merged(kept)), self.program)

    def module(self, rest: Sequence[Word]) -> Template:
        if not _MODULE.fullmatch(rest[0].text):
            return Template(f"{self.program} -m {VALUE}", self.program)
        run = _Simple(rest[0].text, rest[1:], self.place).plain()
        return Template(f"{self.program} -m {run.text}", f"{self.program} -m {run.base}")

    def runner(self, names: list[str], at: int) -> Template:
        """`npx jest …`, `uv run pytest …`: the template of what is run, behind the runner."""
        texts = [word.text for word in self.rest]
        wrapper = RUNNERS.get(self.program)
        start = past_options(texts, at, wrapper.valued if wrapper else frozenset())
        options = [text for text in self.arguments(self.rest[at:start]) if text != VALUE]
        head = [self.program, *names]
        if start >= len(self.rest):
            return Template(" ".join([*head, *options]), " ".join(head))
        program = _AT_VERSION.sub("", program_name(self.rest[start])) or VALUE
        run = _Simple(program, self.rest[start + 1 :], self.place.deeper()).template()
        return Template(" ".join([*head, *options, run.text]), " ".join([*head, run.base]))

    def targets(self) -> Template:
        kept, names = [self.program], [self.program]
        before = ""
        for word in self.rest:
            is_value, before = before in VALUED_OF_TARGETS, word.text
            if word.text.startswith("-"):
                kept.append(shown_option(self.program, word.text))
            elif ASSIGNMENT.match(word.text):
                kept.append(word.text.partition("=")[0] + "=" + VALUE)
            elif word.literal and not is_value and TARGET.fullmatch(word.text):
                kept.append(word.text)
                names.append(word.text)
            else:
                kept.append(VALUE)
        return Template(" ".join(merged(kept)), " ".join(names))

"""Templates: commands whose values are replaced by `*` (`pip install requests` → `pip install *`).

A template keeps the program, its sub-commands (`tables`), the names of options, and
the targets of build tools. Everything else is a value and becomes `*`, also in
unknown programs.
Wrappers (sudo, env, timeout …), assignments, redirections, heredocs and
preparations (`cd x &&`) are left out. Callers pass redacted text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Pipeline, Segment, SegmentKind
from zsh_ls.shell.words.words import ParsedWords, Word, read
from zsh_ls.shell.words.wrappers import ASSIGNMENT, RUNNERS, base_name, look_through, past_options

from .slots import TARGET, VALUE, head_of, merged, shown_argument, shown_option, sub_commands
from .tables import (
    INTERPRETERS,
    KNOWN_PROGRAMS,
    PREPARATIONS,
    RUN_NEXT,
    RUN_PAIRS,
    SHELLS,
    TARGETS,
    USUAL_SUB_COMMANDS,
    VALUED_OF_TARGETS,
)

# Of nested `sh -c`, `ssh`, `eval`: each level parses the text within once more.
MAX_DEPTH = 3

_PROGRAM = re.compile(r"[A-Za-z0-9_.+:@%,\[\]-]{1,64}")
_VERSIONED = re.compile(r"(python|pip|ruby|node|gcc|g\+\+|clang|php|lua|perl)-?\d[\d.]*")
_SCRIPT = re.compile(r"[\w.+-]{1,64}\.(?:py|js|mjs|ts|tsx|rb|pl|sh|zsh|bash|php|lua|R|jl)")
_MODULE = re.compile(r"[A-Za-z_][\w.]{0,40}")
_AT_VERSION = re.compile(r"@[\w.^~-]{1,20}$")
MAX_COMMANDS = 6
MAX_LENGTH = 200
# Compound commands that are shown with their own words; of the others only the bodies are.
_HEADED = frozenset(
    {SegmentKind.FOR, SegmentKind.SELECT, SegmentKind.CASE, SegmentKind.REPEAT}
    | {SegmentKind.ARITHMETIC, SegmentKind.CONDITION, SegmentKind.FUNCTION}
)


class Ssh(NamedTuple):
    """The host of an ssh command, and the template of the command that it runs there, if any."""

    host: str
    remote_template: str | None


class Template(NamedTuple):
    """A command's template, its base (program and sub-commands), and its ssh host and command."""

    text: str
    base: str
    ssh: Ssh | None = None


class CommandPlace(NamedTuple):
    """The context of a command: how deep it is nested in code, and whether another machine runs it.

    `of_text` computes the template of code within a word, for another context.
    """

    of_text: Callable[[str, CommandPlace], Template]
    depth: int = 0
    remote: bool = False

    def deeper(self, *, remote: bool = False) -> CommandPlace:
        """The context of code within a word of this command."""
        return CommandPlace(self.of_text, self.depth + 1, self.remote or remote)


def template_of_words(words: Sequence[Word], place: CommandPlace) -> Template:
    """The template of one simple command; of assignments alone, their names."""
    own = list(words[look_through([word.text for word in words]) :])
    if not own:
        names = [word.text.partition("=")[0] for word in words if ASSIGNMENT.match(word.text)]
        shown = " ".join(f"{name}={VALUE}" for name in names)
        return Template(shown, shown)
    program = program_name(own[0])
    if place.remote:
        # What runs there is code within a word, and its first word may be a password.
        known = program in KNOWN_PROGRAMS or program in USUAL_SUB_COMMANDS
        if not known and "/" not in own[0].text and not _SCRIPT.fullmatch(program):
            program = VALUE
    return _Simple(program, own[1:], place).template()


def program_name(word: Word) -> str:
    """The program that a command's first word names, without path and version; VALUE if it expands."""
    name = base_name(word.text)
    if not _PROGRAM.fullmatch(name):
        return VALUE
    versioned = _VERSIONED.fullmatch(name) if any(map(str.isdigit, name)) else None
    return versioned[1] if versioned else name


class _Simple:
    """One simple command: its program's name and the words after it."""

    def __init__(self, program: str, rest: Sequence[Word], place: CommandPlace) -> None:
        self.program = program
        self.rest = rest
        self.place = place

    def template(self) -> Template:
        special = self.by_kind() if self.place.depth < MAX_DEPTH else None
        return special if special is not None else self.plain()

    def by_kind(self) -> Template | None:
        """The template of a command that runs another command, None for all others."""
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
        """Option names and VALUEs, without repetitions."""
        return list(merged(shown_argument(self.program, word.text) for word in words))

    def code(self) -> str | None:
        """The code that `sh -c` or `eval` runs, None if there is none."""
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
        """`npx jest …`, `uv run pytest …`: the runner, and the template of the command it runs."""
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


class Templates:
    """The templates of one text; that of each simple command is computed once.

    An identity asks for the template of the whole, of each segment of its last pipeline
    and of the command that gives the exit, which share their simple commands.
    """

    def __init__(self, reading: ParsedWords, place: CommandPlace | None = None) -> None:
        self.reading = reading
        self.place = place or _TOP
        self._simple: dict[Span, Template] = {}

    def of_all(self) -> Template:
        """The template of the whole text, without preparations if there is anything else."""
        walker = _Walker(self)
        walker.walk(self.reading.script.pipelines)
        return walker.joined()

    def of(self, segment: Segment) -> Template:
        """The template of one segment of a pipeline."""
        walker = _Walker(self)
        walker.segment(segment, ";")
        return walker.joined()

    def of_simple(self, segment: Segment) -> Template:
        """The template of a segment's own words, without its bodies."""
        known = self._simple.get(segment.span)
        if known is None:
            word = segment.command_word or segment.kind.value
            known = Template(f"{word} {VALUE}", word)
            if segment.kind is SegmentKind.SIMPLE:
                words = self.reading.commands[segment.span].words
                known = template_of_words(words, self.place)
            self._simple[segment.span] = known
        return known


def _of_text(text: str, place: CommandPlace) -> Template:
    return Templates(read(text), place).of_all()


_TOP = CommandPlace(_of_text)


class _Walker:
    """Collects the templates of simple commands, each with the operator after it."""

    def __init__(self, templates: Templates) -> None:
        self.templates = templates
        self.parts: list[tuple[Template, str]] = []

    def walk(self, pipelines: Sequence[Pipeline], behind: str = ";") -> None:
        """Collect the pipelines of one list; `behind` is the operator after the list."""
        for number, pipeline in enumerate(pipelines, 1):
            last = behind if number == len(pipelines) else pipeline.connector.value or ";"
            for place, segment in enumerate(pipeline.segments, 1):
                self.segment(segment, last if place == len(pipeline.segments) else "|")

    def segment(self, segment: Segment, behind: str) -> None:
        """Collect one segment; `behind` is the operator after it."""
        if segment.kind in _HEADED or not segment.bodies:
            inside = ";" if segment.bodies else behind
            self.parts.append((self.templates.of_simple(segment), inside))
        if segment.kind is SegmentKind.FUNCTION:
            return
        for number, body in enumerate(segment.bodies, 1):
            self.walk(body.pipelines, behind if number == len(segment.bodies) else ";")

    def joined(self) -> Template:
        """The collected templates as one."""
        return _joined([part for part in self.parts if part[0].text])


def _joined(parts: Sequence[tuple[Template, str]]) -> Template:
    if len(parts) == 1:
        only = parts[0][0]
        return Template(_cut(only.text), _cut(only.base), only.ssh)
    # Without preparations such as `cd x &&`; segments of a pipeline all stay.
    doing, before = [], ";"
    for template, behind in parts:
        in_a_pipeline = "|" in (before, behind)
        if in_a_pipeline or template.text.partition(" ")[0] not in PREPARATIONS:
            doing.append((template, behind))
        before = behind
    doing = doing or list(parts[-1:])
    shown = doing[:MAX_COMMANDS]
    # The operator after the last one would promise more.
    between = [*(f" {behind} " for _, behind in shown[:-1]), ""]
    texts = [part.text + sign for (part, _), sign in zip(shown, between, strict=False)]
    bases = [part.base + sign for (part, _), sign in zip(shown, between, strict=False)]
    ending = " ; …" if len(doing) > MAX_COMMANDS else ""
    ssh = shown[-1][0].ssh if shown else None
    return Template(_cut("".join(texts) + ending), _cut("".join(bases)), ssh)


def _cut(text: str) -> str:
    return text if len(text) <= MAX_LENGTH else text[: MAX_LENGTH - 1] + "…"

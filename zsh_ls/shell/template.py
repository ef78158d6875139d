"""Templates: a command with its changing parts replaced by `*` (`pip install requests` → `pip install *`).

Kept are the program, the words that name what it does (template_tables), the
names of options, and the targets of build tools. Everything else is a value and
becomes `*`: no template holds an argument's value, also of programs nobody
knows. Wrappers (sudo, env, timeout …), assignments, redirections, heredocs and
preparations (`cd x &&`) are left out. The text given is already redacted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from string import ascii_letters
from typing import NamedTuple

from zsh_ls.model.syntax import Pipeline, Segment, SegmentKind
from zsh_ls.shell.reading import Reading, Word, read
from zsh_ls.shell.template_tables import (
    ANY,
    FLAG_LETTERS,
    INTERPRETERS,
    KNOWN_PROGRAMS,
    PREPARATIONS,
    RUN_NEXT,
    RUN_PAIRS,
    SHELLS,
    SINGLE_DASH_WORDS,
    SUB_COMMANDS,
    TARGETS,
    SubCommands,
)
from zsh_ls.shell.wrappers import ASSIGNMENT, RUNNERS, base_name, look_through, past_options

VALUE = "*"
MAX_COMMANDS = 6
MAX_LENGTH = 200
MAX_DEPTH = 3  # of `sh -c`, `ssh`, `eval` within one another

_PLAIN = re.compile(r"[a-z][a-z0-9]{0,2}[a-z-]{0,18}")
_TARGET = re.compile(r"[a-z][a-z0-9_-]{0,30}(?::[a-z][a-z0-9:_-]{0,30})?")
_PROGRAM = re.compile(r"[A-Za-z0-9_.+:@%,\[\]-]{1,64}")
_VERSIONED = re.compile(r"(python|pip|ruby|node|gcc|g\+\+|clang|php|lua|perl)-?\d[\d.]*")
_SCRIPT = re.compile(r"[\w.+-]{1,64}\.(?:py|js|mjs|ts|tsx|rb|pl|sh|zsh|bash|php|lua|R|jl)")
_MODULE = re.compile(r"[A-Za-z_][\w.]{0,40}")
_LONG = re.compile(r"--[A-Za-z][A-Za-z0-9-]{0,40}")
_SINGLE_DASH_WORD = re.compile(r"-[A-Za-z][A-Za-z0-9-]{0,30}")
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


# Kept in templates because everyone has them, though they name no action.
_NO_SUB_COMMANDS = frozenset({("git", "origin"), ("git", "upstream")})

# Compound commands whose own words say what they do; the others are only what is in them.
_HEADED = frozenset(
    {SegmentKind.FOR, SegmentKind.SELECT, SegmentKind.CASE, SegmentKind.REPEAT}
    | {SegmentKind.ARITHMETIC, SegmentKind.CONDITION, SegmentKind.FUNCTION}
)

NOTHING = Template("", "")


def template_of_text(text: str, *, depth: int = 0, remote: bool = False) -> Template:
    """The template of code; on another machine (`remote`) unknown programs are taken for values."""
    reading = read(text)
    return template_of_pipelines(reading, reading.script.pipelines, depth=depth, remote=remote)


def template_of_pipelines(
    reading: Reading, pipelines: Sequence[Pipeline], *, depth: int = 0, remote: bool = False
) -> Template:
    """The template of some pipelines of a text, preparations left out where something else is done."""
    walker = _Walker(reading, depth, remote)
    walker.walk(pipelines)
    return _joined([part for part in walker.parts if part[0].text])


def template_of_segment(reading: Reading, segment: Segment) -> Template:
    """The template of one segment of a pipeline."""
    walker = _Walker(reading, depth=0, remote=False)
    walker.segment(segment, ";")
    return _joined([part for part in walker.parts if part[0].text])


class _Walker:
    """Collects the templates of simple commands, each with the operator behind it."""

    def __init__(self, reading: Reading, depth: int, remote: bool) -> None:
        self.reading = reading
        self.depth = depth
        self.remote = remote
        self.parts: list[tuple[Template, str]] = []

    def walk(self, pipelines: Sequence[Pipeline], behind: str = ";") -> None:
        """The pipelines of one list; `behind` is the operator behind the list."""
        for number, pipeline in enumerate(pipelines, 1):
            last = behind if number == len(pipelines) else pipeline.connector.value or ";"
            for place, segment in enumerate(pipeline.segments, 1):
                self.segment(segment, last if place == len(pipeline.segments) else "|")

    def segment(self, segment: Segment, behind: str) -> None:
        """One segment, with the operator behind it."""
        if segment.kind in _HEADED or not segment.bodies:
            inside = ";" if segment.bodies else behind
            self.parts.append((self.simple(segment), inside))
        if segment.kind is SegmentKind.FUNCTION:
            return
        for number, body in enumerate(segment.bodies, 1):
            self.walk(body.pipelines, behind if number == len(segment.bodies) else ";")

    def simple(self, segment: Segment) -> Template:
        if segment.kind is not SegmentKind.SIMPLE:
            word = segment.command_word or segment.kind.value
            return Template(f"{word} {VALUE}", word)
        command = self.reading.commands[segment.span]
        return template_of_words(command.words, depth=self.depth, remote=self.remote)


def _joined(parts: Sequence[tuple[Template, str]]) -> Template:
    doing = [part for part in parts if not _prepares(part[0])] or list(parts[-1:])
    shown = doing[:MAX_COMMANDS]
    texts = [part.text + _glue(behind, more) for part, behind, more in _with_more(shown)]
    bases = [part.base + _glue(behind, more) for part, behind, more in _with_more(shown)]
    ending = " ; …" if len(doing) > MAX_COMMANDS else ""
    ssh = shown[-1][0].ssh if shown else None
    return Template(_cut("".join(texts) + ending), _cut("".join(bases)), ssh)


def _with_more(parts: Sequence[tuple[Template, str]]) -> Iterator[tuple[Template, str, bool]]:
    for number, (template, behind) in enumerate(parts, 1):
        yield template, behind, number < len(parts)


def _glue(behind: str, more: bool) -> str:
    return f" {behind} " if more else ""


def _prepares(template: Template) -> bool:
    return template.text.partition(" ")[0] in PREPARATIONS


def _cut(text: str) -> str:
    return text if len(text) <= MAX_LENGTH else text[: MAX_LENGTH - 1] + "…"


def template_of_words(words: Sequence[Word], *, depth: int = 0, remote: bool = False) -> Template:
    """The template of one simple command; NOTHING where only assignments are left."""
    own = list(words[look_through([word.text for word in words]) :])
    if not own:
        return NOTHING
    program = program_name(own[0])
    if remote and program not in KNOWN_PROGRAMS and "/" not in own[0].text:
        program = VALUE
    return _Simple(program, own[1:], depth, remote).template()


def program_name(word: Word) -> str:
    """The program a first word calls, without path and version; VALUE where only the shell knows."""
    name = base_name(word.text)
    if not word.literal or not _PROGRAM.fullmatch(name):
        return VALUE
    versioned = _VERSIONED.fullmatch(name)
    return versioned[1] if versioned else name


def identity_words(program: str, rest: Sequence[Word]) -> list[str]:
    """The sub-commands of `program` that `rest` begins with: `push` for `git push …`."""
    names = _Simple(program, rest, 0, False).identity()[0]
    return [name for name in names if (program, name) not in _NO_SUB_COMMANDS]


class _Simple:
    """One simple command: its program's name and the words behind it."""

    def __init__(self, program: str, rest: Sequence[Word], depth: int, remote: bool) -> None:
        self.program = program
        self.rest = rest
        self.depth = depth
        self.remote = remote

    def template(self) -> Template:
        special = self.by_kind() if self.depth < MAX_DEPTH else None
        return special if special is not None else self.plain()

    def by_kind(self) -> Template | None:
        """Commands that name another command; None for all others."""
        code = self.code() if self.program in SHELLS or self.program == "eval" else None
        if code is not None:
            return template_of_text(code, depth=self.depth + 1, remote=self.remote)
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
        names, options, at = self.identity()
        base = " ".join([self.program, *identity_words(self.program, self.rest)])
        words = [self.program, *names, *options, *self.arguments(self.rest[at:])]
        return Template(" ".join(_merged(words)), base)

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
        there = template_of_text(code, depth=self.depth + 1, remote=True).text or None
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
                kept.append(self.option(word))
                continue
            name = base_name(word.text)
            script = name if word.literal and _SCRIPT.fullmatch(name) else VALUE
            base = f"{self.program} {script}" if script != VALUE else self.program
            behind = self.arguments(self.rest[index + 1 :])
            return Template(" ".join(_merged([*kept, script, *behind])), base)
        return Template(" ".join(_merged(kept)), self.program)

    def module(self, rest: Sequence[Word]) -> Template:
        if not _MODULE.fullmatch(rest[0].text):
            return Template(f"{self.program} -m {VALUE}", self.program)
        run = _Simple(rest[0].text, rest[1:], MAX_DEPTH, self.remote).plain()
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
        run = _Simple(program, self.rest[start + 1 :], self.depth + 1, self.remote).template()
        return Template(" ".join([*head, *options, run.text]), " ".join([*head, run.base]))

    def targets(self) -> Template:
        kept, names = [self.program], [self.program]
        for word in self.rest:
            if word.text.startswith("-"):
                kept.append(self.option(word))
            elif ASSIGNMENT.match(word.text):
                kept.append(word.text.partition("=")[0] + "=" + VALUE)
            elif word.literal and _TARGET.fullmatch(word.text):
                kept.append(word.text)
                names.append(word.text)
            else:
                kept.append(VALUE)
        return Template(" ".join(_merged(kept)), " ".join(names))

    def identity(self) -> tuple[list[str], list[str], int]:
        """The sub-commands, the options met before them, and where the rest begins."""
        table = SUB_COMMANDS.get(self.program)
        names: list[str] = []
        options: list[str] = []
        at = 0
        while table is not None and at < len(self.rest) and len(names) < table.depth:
            word = self.rest[at]
            if word.text.startswith("-") and len(word.text) > 1:
                options.append(self.option(word))
                at += 2 if word.text in table.valued else 1
            elif self.is_name(word, names, table):
                names.append(word.text)
                at += 1
            else:
                break
        return names, list(dict.fromkeys(options)), min(at, len(self.rest))

    @staticmethod
    def is_name(word: Word, names: list[str], table: SubCommands) -> bool:
        """Whether a word names what is done, behind the sub-commands `names`."""
        if not word.literal:
            return False
        if not names:
            return bool(_PLAIN.fullmatch(word.text)) and (
                not table.first or word.text in table.first
            )
        allowed = table.then.get(names[-1]) or table.then.get("*", frozenset())
        if allowed == ANY:
            return bool(_TARGET.fullmatch(word.text))
        return word.text in allowed

    def arguments(self, words: Iterable[Word]) -> list[str]:
        """Option names and VALUEs; what repeats is said once."""
        shown = [self.option(word) if _is_option(word) else VALUE for word in words]
        return list(_merged(shown))

    def option(self, word: Word) -> str:
        """An option without its value: `--name=*`, `-j*`, `-la` where the letters are known flags."""
        text = word.text
        name, equals, _ = text.partition("=")
        if text.startswith("--"):
            known = name if text == "--" or _LONG.fullmatch(name) else f"--{VALUE}"
            return f"{known}={VALUE}" if equals and known == name else known
        if self.program in SINGLE_DASH_WORDS and _SINGLE_DASH_WORD.fullmatch(name):
            return f"{name}={VALUE}" if equals else name
        flags = FLAG_LETTERS.get(self.program, "")
        if len(text) == 2 and text[1] in ascii_letters:
            return text
        if text[1:].isalpha() and len(text) <= 7 and all(letter in flags for letter in text[1:-1]):
            return text
        return text[:2] + VALUE if text[1] in ascii_letters else f"-{VALUE}"


def _is_option(word: Word) -> bool:
    return word.text.startswith("-") and len(word.text) > 1


def _merged(shown: Iterable[str]) -> Iterator[str]:
    """Runs of VALUE as one, an option that comes again left out."""
    seen: set[str] = set()
    last = ""
    for text in shown:
        if text == VALUE:
            if last != VALUE:
                yield text
        elif text.startswith("-") and text in seen:
            continue
        else:
            seen.add(text)
            yield text
        last = text

"""The resolver's rules, read once from `rules.json` (its schema: `verbosity-rules.schema.json`)."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from zsh_ls.lazy import attrs, re


def _words(values: Iterable[str]) -> frozenset[str]:
    return frozenset(values)


def _paths(values: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(value.split()) for value in values)


def _any_of(alternatives: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.MULTILINE)


def _line_pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.MULTILINE)


def _line_patterns(texts: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    return tuple(map(_line_pattern, texts))


@attrs.frozen
class WrapperRule:
    """A command that runs another one, and how to find that one in its words.

    `verbs` are the sub-commands that must come first, `operands` how many words
    of its own follow, `code` the options whose value is shell text (`code_only`: it
    runs nothing without; `joined`: the rest of the words is), `starts` and `ends` the words around the inner
    command, `queries` options and `own` sub-commands with which it runs nothing.
    With `targets` the inner word may name a target, with `script` a script file.
    """

    names: frozenset[str] = attrs.field(converter=_words)
    verbs: tuple[tuple[str, ...], ...] = attrs.field(default=(), converter=_paths)
    valued: frozenset[str] = attrs.field(default=(), converter=_words)
    queries: frozenset[str] = attrs.field(default=(), converter=_words)
    operands: int = 0
    code: frozenset[str] = attrs.field(default=(), converter=_words)
    code_prefix: str = ""
    code_only: bool = False
    shell: bool = False
    joined: bool = False
    each: bool = False
    starts: frozenset[str] = attrs.field(default=(), converter=_words)
    ends: frozenset[str] = attrs.field(default=(), converter=_words)
    drop: tuple[str, ...] = attrs.field(default=(), converter=tuple)
    own: frozenset[str] = attrs.field(default=(), converter=_words)
    module: str = ""
    script: bool = False
    targets: bool = False


@attrs.frozen
class ProgramRule:
    """Which command lines of `programs` are an operation.

    The first operands must be one of `verbs` (and none of `except_verbs`), some
    operand match `any`, one of `flags` be there and none of `unless`. With
    `targets` the operands, with `target_options` the values of these options,
    are names that may say otherwise; `quiet` ones are commands.
    """

    operation: str
    programs: tuple[str, ...] = attrs.field(converter=tuple)
    verbs: tuple[tuple[str, ...], ...] = attrs.field(default=(), converter=_paths)
    except_verbs: frozenset[str] = attrs.field(default=(), converter=_words)
    any: tuple[str, ...] = attrs.field(default=(), converter=tuple)
    flags: frozenset[str] = attrs.field(default=(), converter=_words)
    unless: frozenset[str] = attrs.field(default=(), converter=_words)
    valued: frozenset[str] = attrs.field(default=(), converter=_words)
    targets: bool = False
    target_options: frozenset[str] = attrs.field(default=(), converter=_words)
    through: frozenset[str] = attrs.field(default=(), converter=_words)
    quiet: tuple[str, ...] = attrs.field(default=(), converter=tuple)
    bare: str = ""


@attrs.frozen
class Runner:
    """How to recognize a test runner in its output.

    A line with one of `hints` that matches `found` shows the runner; one that
    matches `failed` shows that it failed; lines that match `summary` are what a
    passing run has to say. A pattern is made when it is first asked for: of all runners an
    output has the hints of two or three.
    """

    name: str
    hints: tuple[str, ...] = attrs.field(converter=tuple)
    _found: str = attrs.field(alias="found")
    _failed: str = attrs.field(default="", alias="failed")
    _summary: str = attrs.field(default="", alias="summary")

    @cached_property
    def found(self) -> re.Pattern[str]:
        """The sign of the runner."""
        return re.compile(self._found)

    @cached_property
    def failed(self) -> re.Pattern[str] | None:
        """The sign that it failed; None where its own sign says nothing of that."""
        return re.compile(self._failed) if self._failed else None

    @cached_property
    def summary(self) -> re.Pattern[str] | None:
        """The lines that sum up a run."""
        return re.compile(self._summary) if self._summary else None


@attrs.frozen
class ResultRule:
    """How a runner names the tests that passed and those that failed.

    It counts where one of `runners` (names of `Runner`) is found. Of the patterns `failed`
    the first that fits anywhere names all failures. Lines that match `passed` report one passed
    test, those that match `about` one test that may have passed, and those that match
    `above` are of the report right below them; after a report of a passed one a `block` of details
    may follow. Those that match `groups` may be headings of what is indented below them. With
    `parents`, a failed group is told from the failed tests in it by its `indent`, or by the `slash`
    in their names.
    """

    name: str
    runners: frozenset[str] = attrs.field(converter=_words)
    _failed: Sequence[str] = attrs.field(alias="failed")
    _passed: Sequence[str] = attrs.field(default=(), alias="passed")
    _about: Sequence[str] = attrs.field(default=(), alias="about")
    _above: Sequence[str] = attrs.field(default=(), alias="above")
    _groups: Sequence[str] = attrs.field(default=(), alias="groups")
    parents: str = ""
    block: Mapping[str, str] | None = None

    @cached_property
    def failed(self) -> tuple[re.Pattern[str], ...]:
        """The ways in which it names failures."""
        return _line_patterns(self._failed)

    @cached_property
    def passed(self) -> tuple[re.Pattern[str], ...]:
        """The lines by which it reports one passed test."""
        return _line_patterns(self._passed)

    @cached_property
    def about(self) -> tuple[re.Pattern[str], ...]:
        """The lines that say more of a test that may have passed."""
        return _line_patterns(self._about)

    @cached_property
    def above(self) -> tuple[re.Pattern[str], ...]:
        """The lines that belong to the report right below them."""
        return _line_patterns(self._above)

    @cached_property
    def groups(self) -> tuple[re.Pattern[str], ...]:
        """The lines that may be headings of groups of tests."""
        return _line_patterns(self._groups)


@attrs.frozen
class AskingRule:
    """Options by which `programs` are asked to print more.

    With one of `flags` that is all there is; the values of `names` are patterns of tests, whose
    lines are asked for.
    """

    programs: tuple[str, ...] = attrs.field(converter=tuple)
    flags: tuple[str, ...] = attrs.field(converter=tuple)
    names: frozenset[str] = attrs.field(default=(), converter=_words)


@attrs.frozen
class Outline:
    """The lines by which a reader finds the way in files whose names end with one of `files`.

    With `first_level` only those that are indented least.
    """

    files: tuple[str, ...] = attrs.field(converter=tuple)
    pattern: re.Pattern[str] = attrs.field(converter=_line_pattern)
    first_level: bool = False


@attrs.frozen
class Marker:
    """A pattern for lines, such as error messages.

    Every line that matches `pattern` contains one of `hints` in any case (they are lower
    case), which are searched first for speed.
    """

    hints: tuple[str, ...] = attrs.field(converter=tuple)
    pattern: re.Pattern[str] = attrs.field(converter=_any_of)


class Rules:
    """Everything in the rules file; each part is made when it is first asked for."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data = data
        self.limits: Mapping[str, int] = data["limits"]

    @cached_property
    def wrappers(self) -> Mapping[str, Sequence[WrapperRule]]:
        """Commands that run another one, by name."""
        return _MadeWhenAsked(WrapperRule, self._data["wrappers"], "names")

    @cached_property
    def programs(self) -> Mapping[str, Sequence[ProgramRule]]:
        """Which command lines are which operation, by program; some names are patterns."""
        return _MadeWhenAsked(ProgramRule, self._data["programs"], "programs")

    @cached_property
    def patterned_programs(self) -> Sequence[str]:
        """The names of programs that are patterns."""
        return [name for name in self.programs if "*" in name]

    @cached_property
    def valued_options(self) -> Mapping[str, frozenset[str]]:
        """Options whose value is the next word, by program."""
        return _word_sets(self._data["valued_options"])

    @cached_property
    def name_words(self) -> Mapping[str, frozenset[str]]:
        """Words in the names of programs that say what they do."""
        return _word_sets(self._data["name_words"])

    @cached_property
    def script_words(self) -> Mapping[str, frozenset[str]]:
        """Words in the names of scripts."""
        return _word_sets(self._data["script_words"])

    @cached_property
    def target_words(self) -> Mapping[str, frozenset[str]]:
        """Words in the names of targets."""
        return _word_sets(self._data["target_words"])

    @cached_property
    def neutral(self) -> frozenset[str]:
        """Commands that say nothing of what a line is for."""
        return frozenset(self._data["neutral"])

    @cached_property
    def pass_through(self) -> frozenset[str]:
        """Commands that show what another one printed."""
        return frozenset(self._data["pass_through"])

    @cached_property
    def plain(self) -> frozenset[str]:
        """Commands that are no other operation, whatever they print."""
        return frozenset(self._data["plain"])

    @cached_property
    def runners(self) -> Sequence[Runner]:
        """Signs of test runners."""
        return [Runner(**entry) for entry in self._data["runners"]]

    @cached_property
    def totals(self) -> re.Pattern[str]:
        """Lines with the totals of coverage and benchmarks."""
        return _any_of(self._data["totals"])

    @cached_property
    def verdicts(self) -> Mapping[str, frozenset[str]]:
        """Words by which a runner nobody has heard of says how a test went."""
        return _word_sets(self._data["verdicts"])

    @cached_property
    def results(self) -> Sequence[ResultRule]:
        """How runners name tests."""
        return [ResultRule(**entry) for entry in self._data["results"]]

    @cached_property
    def asking(self) -> Mapping[str, Sequence[AskingRule]]:
        """Options that ask for more output, by program; some names are patterns."""
        return _MadeWhenAsked(AskingRule, self._data["asking"], "programs")

    @cached_property
    def sections(self) -> re.Pattern[str]:
        """Lines that begin a section."""
        return _any_of(self._data["sections"])

    @cached_property
    def outlines(self) -> Sequence[Outline]:
        """The lines that outline a file, by its kind."""
        return [Outline(**entry) for entry in self._data["outlines"]]

    @cached_property
    def places(self) -> Sequence[re.Pattern[str]]:
        """Lines that name a place."""
        return _line_patterns(self._data["places"])

    @cached_property
    def finding(self) -> Marker:
        """Lines by which a tool reports a finding."""
        return Marker(**self._data["finding"])

    @cached_property
    def severities(self) -> re.Pattern[str]:
        """Words for how bad a finding is."""
        return re.compile(rf"(?i:\b(?:{'|'.join(self._data['severities'])})\b)")

    @cached_property
    def strong_error(self) -> Marker:
        """Lines that are errors for certain."""
        return Marker(**self._data["strong_error"])

    @cached_property
    def warning(self) -> Marker:
        """Lines that warn."""
        return Marker(**self._data["warning"])

    @cached_property
    def clean_phrases(self) -> re.Pattern[str]:
        """A whole line by which a tool says that all is well, in any case, after any punctuation."""
        phrases = "|".join(self._data["clean_phrases"])
        return re.compile(rf"^\W*(?:{phrases})$", re.IGNORECASE)

    @cached_property
    def hidden_failure(self) -> Marker:
        """Lines by which a failure shows that an exit hides."""
        return Marker(**self._data["hidden_failure"])


def fits(name: str, pattern: str) -> bool:
    """Whether a name is the one of a rule, which may have one `*`; `fnmatch` compiles each of them."""
    start, star, end = pattern.partition("*")
    if not star:
        return name == pattern
    return name.startswith(start) and name.endswith(end) and len(name) >= len(pattern) - 1


class _MadeWhenAsked(Mapping[str, Sequence[Any]]):
    """Rules by the names in their entries; of hundreds a command line asks for a few."""

    def __init__(
        self, kind: type[Any], entries: Iterable[Mapping[str, Any]], names_of: str
    ) -> None:
        self._kind = kind
        self._entries: dict[str, list[Mapping[str, Any]]] = {}
        self._made: dict[str, Sequence[Any]] = {}
        for entry in entries:
            for name in entry[names_of]:
                self._entries.setdefault(name, []).append(entry)

    def __getitem__(self, name: str) -> Sequence[Any]:
        if name not in self._made:
            self._made[name] = [self._kind(**entry) for entry in self._entries[name]]
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def _word_sets(entry: Mapping[str, list[str]]) -> dict[str, frozenset[str]]:
    return {kind: frozenset(words) for kind, words in entry.items()}


@cache
def rules() -> Rules:
    """The rules of the package."""
    # Not `importlib.resources`: a hook would load `tempfile` and archives with it.
    return Rules(json.loads(pkgutil.get_data(__name__, "rules.json") or b""))

"""The resolver's rules, read once from `rules.json` (its schema: `verbosity-rules.schema.json`)."""

from __future__ import annotations

import json
import pkgutil
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import attrs


def _words(values: Iterable[str]) -> frozenset[str]:
    return frozenset(values)


def _paths(values: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(value.split()) for value in values)


def _any_of(alternatives: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.MULTILINE)


def _pattern(text: str | None) -> re.Pattern[str] | None:
    return re.compile(text) if text else None


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
    passing run has to say.
    """

    name: str
    hints: tuple[str, ...] = attrs.field(converter=tuple)
    found: re.Pattern[str] = attrs.field(converter=re.compile)
    failed: re.Pattern[str] | None = attrs.field(default=None, converter=_pattern)
    summary: re.Pattern[str] | None = attrs.field(default=None, converter=_pattern)


@attrs.frozen
class ResultRule:
    """How a runner names the tests that passed and those that failed.

    It counts where one of `runners` (names of `Runner`) is found. Of the patterns `failed`
    the first that fits anywhere names all failures. Lines that match `passed` report one passed
    test, those that match `about` one test that may have passed; after a report of a passed
    one a `block` of details may follow. With `parents`, a failed group is told
    from the failed tests in it by its `indent`, or by the `slash` in their names.
    """

    name: str
    runners: frozenset[str] = attrs.field(converter=_words)
    failed: tuple[re.Pattern[str], ...] = attrs.field(converter=_line_patterns)
    passed: tuple[re.Pattern[str], ...] = attrs.field(default=(), converter=_line_patterns)
    about: tuple[re.Pattern[str], ...] = attrs.field(default=(), converter=_line_patterns)
    parents: str = ""
    block: Mapping[str, str] | None = None


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


@attrs.frozen
class Rules:
    """Everything in the rules file."""

    wrappers: Mapping[str, Sequence[WrapperRule]]
    programs: Mapping[str, Sequence[ProgramRule]]
    valued_options: Mapping[str, frozenset[str]]
    patterned_programs: Sequence[tuple[str, ProgramRule]]
    name_words: Mapping[str, frozenset[str]]
    script_words: Mapping[str, frozenset[str]]
    target_words: Mapping[str, frozenset[str]]
    neutral: frozenset[str]
    pass_through: frozenset[str]
    plain: frozenset[str]
    runners: Sequence[Runner]
    totals: re.Pattern[str]
    verdicts: Mapping[str, frozenset[str]]
    results: Sequence[ResultRule]
    asking: Sequence[AskingRule]
    sections: re.Pattern[str]
    outlines: Sequence[Outline]
    places: Sequence[re.Pattern[str]]
    finding: Marker
    severities: re.Pattern[str]
    strong_error: Marker
    warning: Marker
    clean_phrases: re.Pattern[str]
    hidden_failure: Marker
    limits: Mapping[str, int]


def _by_name(entries: Iterable[Any], names_of: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for entry in entries:
        for name in getattr(entry, names_of):
            found.setdefault(name, []).append(entry)
    return found


def _word_sets(entry: Mapping[str, list[str]]) -> dict[str, frozenset[str]]:
    return {kind: frozenset(words) for kind, words in entry.items()}


@cache
def rules() -> Rules:
    """The rules of the package."""
    # Not `importlib.resources`: a hook would load `tempfile` and archives with it.
    text = pkgutil.get_data(__name__, "rules.json") or b""
    data = json.loads(text)
    programs = [ProgramRule(**entry) for entry in data["programs"]]
    phrases = "|".join(data["clean_phrases"])
    return Rules(
        wrappers=_by_name([WrapperRule(**entry) for entry in data["wrappers"]], "names"),
        programs=_by_name(programs, "programs"),
        valued_options=_word_sets(data["valued_options"]),
        patterned_programs=[(n, p) for p in programs for n in p.programs if "*" in n],
        name_words=_word_sets(data["name_words"]),
        script_words=_word_sets(data["script_words"]),
        target_words=_word_sets(data["target_words"]),
        neutral=frozenset(data["neutral"]),
        pass_through=frozenset(data["pass_through"]),
        plain=frozenset(data["plain"]),
        runners=[Runner(**entry) for entry in data["runners"]],
        totals=_any_of(data["totals"]),
        verdicts=_word_sets(data["verdicts"]),
        results=[ResultRule(**entry) for entry in data["results"]],
        asking=[AskingRule(**entry) for entry in data["asking"]],
        sections=_any_of(data["sections"]),
        outlines=[Outline(**entry) for entry in data["outlines"]],
        places=_line_patterns(data["places"]),
        finding=Marker(**data["finding"]),
        severities=re.compile(rf"(?i:\b(?:{'|'.join(data['severities'])})\b)"),
        strong_error=Marker(**data["strong_error"]),
        warning=Marker(**data["warning"]),
        # A whole line that is one of them, in any case, after any punctuation.
        clean_phrases=re.compile(rf"^\W*(?:{phrases})$", re.IGNORECASE),
        hidden_failure=Marker(**data["hidden_failure"]),
        limits=data["limits"],
    )

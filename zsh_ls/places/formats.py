"""The formats of `formats.json`, read once, and compiled so that any line is read in linear time.

Every pattern is RE2's: one set of all of them says in one pass which fit a line. A format's `hint` finds the
lines of a large text that are worth that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from zsh_ls.lazy import attrs
from zsh_ls.model.places import Severity

from .patterns import PatternSet, compiled, compiled_for_bytes

Gives = Literal[
    "place",
    "frame",
    "block",
    "message",
    "flush",
    "end",
    "skip",
    "test",
    "more",
    "no-test",
    "suite",
    "result",
    "package",
    "unwrap",
    "enter",
    "leave",
    "tool",
]


def _names(written: Iterable[str]) -> frozenset[str]:
    return frozenset(written)


@attrs.frozen(eq=False)
class Rule:
    """What a line that fits `pattern` gives, and when.

    The fields are described in `formats.schema.json`.
    """

    gives: Gives
    pattern: str
    severity: Severity | None = None
    source: str | None = None
    message: Literal["next", "previous"] | None = None
    within: bool = False
    without: bool = False
    after_frames: bool = False
    opens: bool = False
    starts: bool = False
    anew: bool = False
    opens_block: str | None = None
    opens_test: bool = False
    whole_name: bool = False
    failed: bool = False
    held: bool = False
    needs_test: bool = False
    needs_tool: bool = False
    file_from_previous: str | None = None
    format: str = ""
    compiled: Any = None


@attrs.frozen(eq=False)
class Format:
    """How a tool, or several, name places; see `formats.schema.json`."""

    name: str
    tools: frozenset[str] = attrs.field(converter=_names)
    hint: str
    rules: tuple[Rule, ...]
    source: str | None = None
    severity: Severity = "error"
    severities: Mapping[str, Severity] = attrs.field(factory=dict)
    results: Mapping[str, str] = attrs.field(factory=dict)
    lasts: int = 0
    innermost: Literal["first", "last"] = "first"
    contiguous: bool = False
    block_is_place: bool = False
    needs_tool: bool = False
    test_name: str | None = None
    joins: str = ""


@attrs.frozen(eq=False)
class Tools:
    """What is known of tools by their names."""

    severity: Mapping[str, Severity]
    zero_based_columns: frozenset[str]
    columns: Mapping[str, str]
    drivers: frozenset[str]
    launchers: frozenset[str]
    foreign_folders: frozenset[str]
    folder_options: Mapping[str, tuple[str, ...]]
    of_extension: Mapping[str, str]
    known: frozenset[str]


@attrs.frozen(eq=False)
class Formats:
    """All formats: `rules` in their order, and the set that says which of them fit a line."""

    formats: Mapping[str, Format]
    rules: tuple[Rule, ...]
    tools: Tools
    _set: PatternSet

    def fitting(self, line: str) -> list[Rule]:
        """The rules whose pattern fits `line`, in their order."""
        return [self.rules[at] for at in self._set.found_in(line)]

    @cache  # noqa: B019  there is one value of this class
    def hints(self, tools: frozenset[str]) -> Any:
        """A pattern for bytes: where a line may be worth reading in the output of `tools`."""
        hints = [it.hint for it in self.formats.values() if not it.needs_tool or it.tools & tools]
        return compiled_for_bytes("(?m)" + "|".join(f"(?:{hint})" for hint in hints))


@cache
def formats() -> Formats:
    """The formats of `formats.json`."""
    written = json.loads(Path(__file__).with_name("formats.json").read_text("utf-8"))
    read: dict[str, Format] = {}
    every_rule: list[Rule] = []
    for entry in written["formats"]:
        rules = tuple(
            Rule(**rule, format=entry["name"], compiled=compiled(rule["pattern"]))
            for rule in entry["rules"]
        )
        every_rule += rules
        read[entry["name"]] = Format(**{**entry, "rules": rules})
    together = PatternSet([rule.pattern for rule in every_rule])
    known = frozenset(name for it in read.values() for name in it.tools)
    return Formats(read, tuple(every_rule), _tools(written["tools"], known), together)


def _tools(written: Mapping[str, Any], known: frozenset[str]) -> Tools:
    severity = {name: level for level, names in written["severity"].items() for name in names}
    extensions = {
        ending: tool for tool, endings in written["of_extension"].items() for ending in endings
    }
    return Tools(
        severity=severity,
        zero_based_columns=frozenset(written["zero_based_columns"]),
        columns={tool: unit for unit, tools in written["columns"].items() for tool in tools},
        drivers=frozenset(written["drivers"]),
        launchers=frozenset(written["launchers"]),
        foreign_folders=frozenset(written["foreign_folders"]),
        folder_options={name: tuple(them) for name, them in written["folder_options"].items()},
        of_extension=extensions,
        known=known | severity.keys() | extensions.keys(),
    )

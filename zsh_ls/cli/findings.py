"""Findings of `zsh-ls check` as text, JSON, SARIF 2.1.0 and GitHub's workflow commands.

Lines and columns count from 1, columns in characters (code points); ends are exclusive.
"""

from __future__ import annotations

import json
import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence

from zsh_ls import __version__
from zsh_ls.lazy import attrs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from zsh_ls.model.insight import Insight

SYNTAX_ERROR = "syntax-error"
SARIF_LEVEL = {"error": "error", "warning": "warning", "info": "note"}
GITHUB_LEVEL = {"error": "error", "warning": "warning", "info": "notice"}
SARIF_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


@attrs.frozen
class Finding:
    """One insight at one location of a file; `level` is `error`, `warning` or `info`.

    `because` and `then_line` are those of the insight (FATE-10).
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    level: str
    rule: str
    message: str
    because: str = ""
    then_line: int | None = None


class LineStarts:
    """Converts offsets of a text into lines and columns."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1


def findings_of(file: str, text: str, insights: Iterable[Insight]) -> list[Finding]:
    """The findings of a file, in the order of its text."""
    lines = LineStarts(text)
    found = []
    for insight in insights:
        start, end = insight.span or (0, 0)
        place = (*lines.place(start), *lines.place(end))
        said = (insight.level.value, insight.rule, insight.message)
        found.append(Finding(file, *place, *said, insight.because, insight.then_line))
    return sorted(found, key=lambda each: (each.line, each.column))


def error_on_line(file: str, text: str, line: int, message: str) -> Finding:
    """An error of the shell on a line (from 0), without the white space around the line."""
    lines = text.split("\n")
    at = min(line, len(lines) - 1)
    content = lines[at]
    column = len(content) - len(content.lstrip()) + 1
    end = len(content.rstrip()) + 1
    return Finding(file, at + 1, column, at + 1, max(column, end), "error", SYNTAX_ERROR, message)


def as_text(findings: Sequence[Finding]) -> str:
    """One line per finding: `file:line:col: level[rule] message`."""
    return "".join(
        f"{_shown(each.file)}:{each.line}:{each.column}: {each.level}[{each.rule}] "
        f"{_shown(each.message)}\n"
        for each in findings
    )


def as_json(findings: Sequence[Finding]) -> str:
    """A JSON list of objects, without what is not known of a finding."""
    entries = [
        {name: value for name, value in attrs.asdict(each).items() if value not in {"", None}}
        for each in findings
    ]
    return json.dumps(entries, indent=2) + "\n"


def as_github(findings: Sequence[Finding]) -> str:
    """Annotations of a GitHub workflow run."""
    return "".join(
        f"::{GITHUB_LEVEL[each.level]} file={_property(each.file)},line={each.line},"
        f"col={each.column},endLine={each.end_line},endColumn={each.end_column},"
        f"title={_property(each.rule)}::{_data(each.message)}\n"
        for each in findings
    )


def as_sarif(findings: Sequence[Finding]) -> str:
    """A SARIF log of one run, with the rules of the findings."""
    # The rules are large, and this format alone names them all.
    from zsh_ls.insights.registry import RuleKind, rules_of
    from zsh_ls.model.addresses import SITE, page_of_rule

    rules: list[dict[str, Any]] = [
        {
            "id": rule.name,
            "shortDescription": {"text": rule.title},
            "helpUri": page_of_rule(rule.name),
            "help": {"text": rule.page, "markdown": rule.page},
        }
        for rule in rules_of(RuleKind.STATIC)
    ]
    what_it_is = {"text": "What the shell itself cannot read."}
    rules.append({"id": SYNTAX_ERROR, "shortDescription": what_it_is})
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    driver = {
        "name": "zsh-ls",
        "version": __version__,
        "informationUri": SITE,
        "rules": rules,
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_sarif_result(each, index[each.rule]) for each in findings],
    }
    log = {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def _sarif_result(finding: Finding, rule_index: int) -> dict[str, Any]:
    from urllib.parse import quote

    uri = quote(os.fsencode(finding.file), safe="/")
    if finding.file.startswith("/"):
        uri = f"file://{uri}"
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
    }
    place = {"artifactLocation": {"uri": uri}, "region": region}
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule_index,
        "level": SARIF_LEVEL[finding.level],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
    }


PICTURES = {code: 0x2400 + code for code in range(32)} | {127: 0x2421}
FORMATS: Mapping[str, Callable[[Sequence[Finding]], str]] = {
    "text": as_text,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
}


def _shown(text: str) -> str:
    """`text` on one line, with visible control characters, so that the terminal does not obey them."""
    return text.translate(PICTURES)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

"""What agents are given of a long output: of passed tests their count, of a file how to read on (VERB-9)."""

from __future__ import annotations

from zsh_ls.lazy import attrs, re
from zsh_ls.model.results import TaskResult

# Fewer blanks at a line's end may be the text's own.
PADDING = " " * 40
FAILED = frozenset({"failed", "timed out"})
_GAP = re.compile(r"\.\.\. \d+ lines omitted")
_READ_ON = re.compile(
    r"\d+ lines(?:, \d+ bytes)?; (?:query it with jq or yq, or )?use offset to read more"
)


def folded_result(result: TaskResult) -> TaskResult:
    """`result` with what its runner says of passed tests folded, in `output` and in `formatted`.

    The same where it is no failed test, is short, or has no lines that are known to report passed tests;
    but for blanks that pad lines to a width, which nobody sees (45 kB of 50 in one report of types).
    """
    if PADDING in result.output:
        shown_text = _without_padding(result.formatted)
        result = attrs.evolve(result, output=_without_padding(result.output), formatted=shown_text)
    shown = result.verbosity
    if shown is None or shown.operation != "test" or shown.state not in FAILED:
        return result
    from zsh_ls.verbosity.fold import folded  # noqa: PLC0415  few runs are failed tests

    rows = result.output.removesuffix("\n").split("\n")
    first, last = result.from_line or 1, result.to_line or len(rows)
    # Lines of ours before the first one have no number: what it counts from is that much earlier.
    first -= max(0, len(rows) - (last - first + 1))
    text = folded(result.output, first)
    if text is None:
        return result
    said = result.formatted.split("\n")
    is_numbered = said[0] == f"{first}: {rows[0]}"
    worded = [
        f"{number}: {row}" if is_numbered and number is not None else row
        for number, row in text.rows
    ]
    end = "\n" if result.output.endswith("\n") else ""
    return attrs.evolve(
        result,
        output="\n".join(row for _, row in text.rows) + end,
        formatted="\n".join([*worded, *said[len(rows) :]]),
        verbosity=attrs.evolve(
            shown, level="balanced", omitted_lines=shown.omitted_lines + text.hidden
        ),
    )


def _without_padding(text: str) -> str:
    """The text without the blanks at the ends of lines, where there are many."""
    rows = text.split("\n")
    return "\n".join(row.rstrip(" ") if row.endswith(PADDING) else row for row in rows)


def with_call_to_read_on(result: TaskResult, call: str) -> TaskResult:
    """`result`, whose "use offset to read more" names the call that does: `call` with a number for `{}`."""
    if result.verbosity is None or not result.verbosity.omitted_lines:
        return result
    rows, said = result.output.split("\n"), result.formatted.split("\n")
    for at in range(2, len(rows)):
        if _READ_ON.fullmatch(rows[at]) and _GAP.fullmatch(rows[at - 1]):
            # Before it stand a line that says what is hidden, the lines from the first one on, and the gap.
            pointer = ": " + call.format((result.from_line or 1) + at - 2)
            if said[at] == rows[at]:
                said[at] += pointer
            rows[at] += pointer
            return attrs.evolve(result, output="\n".join(rows), formatted="\n".join(said))
    return result

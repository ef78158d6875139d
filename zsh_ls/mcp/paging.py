"""Answers in pages: none is longer than clients hand on, and each names the call for the next (VERB-9)."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import attrs

from zsh_ls.model.answer import Answer
from zsh_ls.model.errors import InvalidRequest
from zsh_ls.model.reports import Circuit, DetachedTask, HotPattern, RecentRun
from zsh_ls.model.results import NOT_ASKED, TaskResult
from zsh_ls.sidecar.to_json import to_json

# Clients cut answers themselves: some beyond 50,000 characters, Codex beyond 48,000 bytes (10,000 tokens of
# its models). A mask may be longer than the secret it hides.
MOST_BYTES = 46_000
# Of a command or description: it is its reader's own, and runs are told apart by much less.
MOST_OF_A_NAME = 2_000
MOST_REST = 20_000
# Of the places that an output names: beside the output, which has all of them.
MOST_PLACES_CHARS = 12_000
MOST_WAITING_TASKS = 32
Entry = TypeVar("Entry", RecentRun, HotPattern, Circuit, DetachedTask)
_KEPT_OUTPUT = re.compile(r"\bzsh-ls output\b(?: ([0-9a-f]{8})\b)?")
LEFT_OUT_OF_ANSWERS = frozenset({"formatted", "formatted_insight", "markdown", "text"})


class Waiting:
    """What pages of tasks had no room for, until the next poll asks for it; the oldest go first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, TaskResult] = OrderedDict()

    def take(self, task_id: str) -> TaskResult | None:
        """What is left of a task's last answer; None where nothing is."""
        return self._kept.pop(task_id, None)

    def page(self, result: TaskResult) -> TaskResult:
        """As much of an answer as there is room for; the rest is kept for the next poll."""
        self.take(result.task_id)
        page, rest = split(result)
        if rest is not None:
            self._kept[result.task_id] = rest
            if len(self._kept) > MOST_WAITING_TASKS:
                self._kept.popitem(last=False)
        return page


def split(result: TaskResult) -> tuple[TaskResult, TaskResult | None]:
    """The answer's first page, and the rest as an answer of its own; None where all of it fits."""
    rows = result.output.removesuffix("\n").split("\n")
    said = result.formatted.split("\n")
    shown, tail = said[: len(rows)], "\n".join(said[len(rows) :])
    bare = attrs.evolve(result, output="", formatted="", places=None)
    room = MOST_BYTES - max(min(_bytes(tail), MOST_REST), min(_size(bare), MOST_REST))
    if result.places:
        beside = min(_size(result.places), MOST_PLACES_CHARS) + min(_size(bare), MOST_REST)
        room = min(room, MOST_BYTES - beside)
    pairs = zip(rows, shown, strict=False)
    escaped = ((json.dumps(row, ensure_ascii=False), text) for row, text in pairs)
    # Two quotes of a row stand for the line end between it and the next, escaped.
    sizes = (max(_bytes(row), _bytes(text) + 1) for row, text in escaped)
    count = _fitting(sizes)(room)
    if count >= len(rows):
        if _bytes(tail) > MOST_REST:
            shorter = [*shown, clipped(tail, MOST_REST)]
            result = attrs.evolve(result, formatted="\n".join(shorter))
        return result, None
    head, rest_head = rows[:count], rows[count:]
    said_head, said_rest = shown[:count], shown[count:]
    if not head:
        # One line longer than a page is parted, and the next page goes on within it.
        at = _longest(rows[0], room)
        number = said[0].removesuffix(rows[0]) if said[0].endswith(rows[0]) else ""
        head, rest_head = [rows[0][:at]], [rows[0][at:], *rows[1:]]
        said_head, said_rest = [number + rows[0][:at]], [number + rows[0][at:], *shown[1:]]
    follows = _what_follows(result, len(rest_head))
    going_on = f"{follows}\nmore: zsh_poll task_id={result.task_id}"
    told = clipped(tail, MOST_REST)
    output = "\n".join(head)
    lines = result.from_line is not None and result.to_line is not None
    whole = lines and (result.to_line or 0) - (result.from_line or 0) + 1 == len(rows)
    last = (result.from_line or 1) + max(count, 1) - 1
    page = attrs.evolve(
        result,
        output=output + ("\n" if count else ""),
        formatted="\n".join([*said_head, *([told] if told else []), going_on]),
        to_line=last if whole else result.to_line,
        more=True,
        message=result.message or follows,
    )
    rest = attrs.evolve(
        result,
        output="\n".join(rest_head) + ("\n" if result.output.endswith("\n") else ""),
        formatted="\n".join([*said_rest, *([tail] if tail else [])]),
        from_line=(last + 1 if count else last) if whole else result.from_line,
        matched=NOT_ASKED,
        places=None,
    )
    return page, rest


def _what_follows(result: TaskResult, lines: int) -> str:
    """How much the next pages have, and where less says the same."""
    shown = result.verbosity
    is_failed_test = shown is not None and shown.operation == "test" and shown.state == "failed"
    shorter = "; zsh_why names the failed tests" if is_failed_test else ""
    return f"{lines} line{'' if lines == 1 else 's'} follow{'s' if lines == 1 else ''}{shorter}"


def _fitting(sizes: Any) -> Callable[[int], int]:
    def count(room: int) -> int:
        number = 0
        for size in sizes:
            room -= size
            if room < 0:
                break
            number += 1
        return number

    return count


def fitting_count(entries: Sequence[object], rows: Sequence[str], room: int) -> int:
    """How many entries an answer has room for, as JSON and as rows of text; one at least."""
    sizes = (max(_size(entry), _bytes(row) + 1) for entry, row in zip(entries, rows, strict=True))
    return max(1, _fitting(sizes)(room)) if entries else 0


def page_of_text(text: str, skip: int, room: int = MOST_BYTES) -> tuple[str, int | None]:
    """The text from its character `skip` on, as far as there is room, and where the next page begins."""
    rest = text[skip:]
    at = _longest(rest, room)
    if at >= len(rest):
        return rest, None
    # Between lines, where one ends in the second half of the page.
    newline = rest.rfind("\n", at // 2, at)
    if newline > 0:
        at = newline + 1
    return rest[:at], skip + at


def _longest(text: str, room: int) -> int:
    """How many characters of `text` fit, escaped as JSON too."""
    at = min(len(text), room)
    while at > 1 and _size(text[:at]) > room:
        at -= max(1, min(at // 2, _size(text[:at]) - room) // 2)
    return at


def page_of_answer(
    tool: str, given: Mapping[str, object], answer: Answer, skip: int
) -> tuple[str, dict[str, Any]]:
    """The text and the fields of a page of an answer to a question, which names this reader's tools."""
    answer = _in_words_of_tools(answer)
    # The output that was asked for is part of the text: many clients show nothing else.
    whole = answer.text if answer.output is None else f"{answer.text}\n\n{answer.output}"
    text, following = page_of_text(whole, skip, MOST_BYTES - 3_000)
    fields: dict[str, Any] = to_json(answer)
    if skip == 0 and following is None and _size(fields) <= MOST_BYTES * 3:
        kept = {name: it for name, it in fields.items() if name not in LEFT_OUT_OF_ANSWERS}
        if _size(kept) <= MOST_BYTES:
            return text, kept
    kept = {"kind": answer.kind, "summary": clipped(answer.summary, 1_000), "output": text}
    if following is None:
        return text, kept
    kept["more"] = True
    return text.rstrip("\n") + "\n" + next_call(tool, given, following), kept


def _in_words_of_tools(answer: Answer) -> Answer:
    """An answer whose pointers to a kept output are calls: who speaks MCP may have no command line."""

    def worded(text: str) -> str:
        return _KEPT_OUTPUT.sub(
            lambda it: f"zsh_output task_id={it[1]}" if it[1] else "zsh_output", text
        )

    return attrs.evolve(
        answer,
        summary=worded(answer.summary),
        details=answer.details and worded(answer.details),
        text=worded(answer.text),
        markdown=worded(answer.markdown),
    )


def checked_skip(skip: int) -> int:
    """`skip`. Raises InvalidRequest below 0."""
    if skip < 0:
        raise InvalidRequest(f"skip: expected a number from 0, got {skip}")
    return skip


def next_call(tool: str, given: Mapping[str, object], skip: int) -> str:
    """The last line of a page: the call that brings what comes next."""
    words = [
        f"{name}={json.dumps(value, ensure_ascii=False)}"
        for name, value in given.items()
        if value is not None and value is not False
    ]
    said = " ".join(words)
    # Who asked with a text longer than this has it.
    if len(said) > MOST_OF_A_NAME:
        said = "with the same arguments and"
    return f"more: {tool} {said} skip={skip}".replace("  ", " ")


def clipped(text: str, most: int = MOST_OF_A_NAME) -> str:
    """`text`, with its end left out where it is longer than `most` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def with_short_names(
    entries: Sequence[Entry], field: str = "command", most: int = MOST_OF_A_NAME
) -> tuple[Entry, ...]:
    """`entries`, each with the text of `field` clipped to `most` characters."""

    def short(entry: Entry) -> Entry:
        changed: dict[str, Any] = {field: clipped(getattr(entry, field), most)}
        return attrs.evolve(entry, **changed)

    return tuple(map(short, entries))


def _size(value: object) -> int:
    return _bytes(json.dumps(to_json(value), ensure_ascii=False)) + 2


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))

"""Builds answers, errors and fallbacks with their text and Markdown from sections.

All answers are built here, so that `text` and `markdown` have the same words.
Frontends add an `error_answer` to an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zsh_ls.model.answer import Answer, Kind, ProposedCommand

from .form import TO_COLLECT, Sections, format_text
from .markup import as_text, list_item
from .render import to_markdown


def build(kind: Kind, sections: Sections, *, output: str | None = None) -> Answer:
    """An answer with its text and Markdown."""
    text = format_text(sections)
    return Answer(
        kind=kind,
        summary=sections.summary,
        details=sections.details,
        commands=sections.commands,
        text=text,
        markdown=to_markdown(text),
        output=output,
    )


def error_answer(
    message: str,
    reason: str | None = None,
    may_do: Sequence[str] = (),
    commands: Iterable[ProposedCommand] = (),
    *,
    missing: str = "",
) -> Answer:
    """An error as an answer: `Failed to execute: {message}`, the reason, and possible actions.

    Without a reason of its own the message is the reason: a fault's message
    says what is wrong and what was expected. `missing` is what was not there.
    """
    summary = f"Failed to execute: {as_text(message)}"
    return _error(summary, reason or message, may_do, commands, missing)


def telemetry_unavailable(
    reason: str,
    may_do: Sequence[str] = (),
    commands: Iterable[ProposedCommand] = (),
    *,
    missing: str,
) -> Answer:
    """The answer if facts of the machine could not be read; `missing` is what would give them."""
    return _error("System telemetry unavailable.", reason, may_do, commands, missing)


def plan_failed(reason: str, may_do: Sequence[str] = ()) -> Answer:
    """The answer if a language model was asked for a plan and gave none in the form."""
    missing = "a reply in the form of an answer"
    return _error("Action plan generation failed.", reason, may_do, (), missing)


def _error(
    summary: str,
    reason: str,
    may_do: Sequence[str],
    commands: Iterable[ProposedCommand],
    missing: str,
) -> Answer:
    steps = may_do or ("Correct what the reason names, then ask again.",)
    details = "\n".join(
        [
            f"Reason: {as_text(reason)}",
            *([f"Missing: {as_text(missing)}"] if missing else []),
            "What may be done:",
            *map(list_item, steps),
        ]
    )
    return build("error", Sections(summary, details, tuple(commands) or None))


def fallback(
    what: str,
    *,
    reason: str,
    missing: str,
    collect: Iterable[ProposedCommand],
    more: str | None = None,
) -> Answer:
    """`Unable to determine {what}`: why, what is missing, and commands that would show it."""
    lines = [f"Reason: {as_text(reason)}", f"Missing: {as_text(missing)}"]
    if more:
        lines += ["", more]
    details = "\n".join([*lines, "", TO_COLLECT])
    summary = f"Unable to determine {as_text(what).rstrip('.')}."
    return build("fallback", Sections(summary, details, tuple(collect)))

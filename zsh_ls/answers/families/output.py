"""The whole output of the last task that ended (VERB-5)."""

from __future__ import annotations

from zsh_ls.answers.family import Draft, Facts, Family, NotKnown, Reply
from zsh_ls.answers.formatting import count
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.pattern import QueryMatch, pattern
from zsh_ls.model.answer import ProposedCommand
from zsh_ls.model.recall import RunQuery


def answer(match: QueryMatch, facts: Facts) -> Reply:
    """The kept output; where none is kept, the command to run again, if the person chooses it."""
    page = facts.last_output
    if page is None:
        runs = facts.recall.runs(RunQuery(), limit=1)
        again = [
            run.command.strip()
            for run in runs
            if "\n" not in run.command and run.command.strip() and run.is_kept
        ]
        return NotKnown(
            "the full output of the last command",
            reason="no output of an ended task is kept",
            missing="the saved output",
            collect=(ProposedCommand(again[0] if again else "zsh-ls tasks"),),
        )
    lines = count(page.total_lines, "line")
    summary = f"The full output of {code_span(page.command)}: {lines}."
    details = (
        ["- It is longer than one message: `zsh-ls output` gives all of it."] if page.more else []
    )
    if page.gap:
        lost = page.gap.to_byte - page.gap.from_byte
        details.append(
            f"- Bytes over the cap were not kept: {lost:,} from {page.gap.from_byte:,} on."
        )
    return Draft("deterministic", summary, tuple(details), output=page.output)


FAMILY = Family(
    name="output",
    source="the saved output of the last task that ended",
    examples=("show more", "show full output", "debug this", "what was the full output"),
    patterns=(
        pattern("show-me more", "output it-said"),
        pattern("more output", "show it-said"),
        pattern("show more it-said", "output"),
        pattern("show rest output|it-said", "output it-said"),
        pattern("output definite|it-said|show", "show it-said definite"),
        pattern("what|rest it-printed", "show output"),
        pattern("debug-this", ""),
    ),
    answer=answer,
    needs_output=True,
)

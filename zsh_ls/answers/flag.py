"""Answers what a flag does, from its entry in a manual page (MAN-4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zsh_ls.model.answer import Answer
from zsh_ls.shell.manpages.option_table import find_options
from zsh_ls.shell.manpages.options import OptionEntry
from zsh_ls.shell.manpages.page import ManualPage

from .build import build
from .form import Sections
from .markup import as_text, code_span
from .say import count


def explain_flag(word: str, page: ManualPage) -> Answer | None:
    """The answer about the options that a word of a command means; None if the page has none."""
    found = find_options(page.options, word)
    if not found:
        return None
    return build("deterministic", Sections("\n".join(_summary(word, found, page)), _details(found)))


def _summary(word: str, found: Sequence[OptionEntry], page: ManualPage) -> Iterator[str]:
    """The option and its program; for a cluster such as `-la`, the number of options."""
    if len(found) == 1:
        yield f"{code_span(found[0].heading)}: {told(found[0])}."
    else:
        yield f"{code_span(word)} stands for {count(len(found), 'option')}."
    purpose = f", {as_text(page.purpose)}" if page.purpose else ""
    yield (
        f"An option of {code_span(page.name)}{purpose}."
        if len(found) == 1
        else (f"Options of {code_span(page.name)}{purpose}.")
    )


def _details(found: Sequence[OptionEntry]) -> str | None:
    if len(found) == 1:
        return None
    return "\n".join(f"- {code_span(entry.heading)}: {told(entry)}" for entry in found)


def told(entry: OptionEntry) -> str:
    """The page's description of an option, without the final stop."""
    return as_text(entry.description) if entry.description else "not described"

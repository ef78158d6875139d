"""An answer to a question, in the three sections of ANS-1."""

from __future__ import annotations

from typing import Literal

from zsh_ls.lazy import attrs

Kind = Literal["deterministic", "template", "recipe", "llm", "fallback", "error"]


@attrs.frozen
class ProposedCommand:
    """A command an answer proposes; it runs only when the person chooses it."""

    command: str
    privilege: Literal["user", "root"] = "user"


@attrs.frozen
class Answer:
    """A summary of at most two lines, perhaps details, perhaps commands.

    `text` is the canonical three-section form, `markdown` the same words for
    hovers; `output` is there where the question was for output.
    """

    kind: Kind
    summary: str
    details: str | None = None
    commands: tuple[ProposedCommand, ...] | None = None
    text: str = ""
    markdown: str = ""
    output: str | None = None

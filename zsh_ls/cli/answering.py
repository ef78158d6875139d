"""Printing answers of `ask` and `explain`: coloured on a terminal, plain text elsewhere, or JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable

from zsh_ls.answers.render import to_ansi
from zsh_ls.model.answer import Answer

from .screen import wants_colour


async def print_answer(asked: Awaitable[Answer], *, as_json: bool) -> int:
    """Print an answer, followed by the output if the question was for output."""
    answer = await asked
    if as_json:
        from zsh_ls.sidecar.to_json import to_json

        print(json.dumps(to_json(answer), ensure_ascii=False))
        return 0
    print(to_ansi(answer) if wants_colour(sys.stdout) else answer.text)
    if answer.output is not None:
        print(f"\n{answer.output}", end="" if answer.output.endswith("\n") else "\n")
    return 0


def print_known_questions(*, as_json: bool) -> int:
    """Print all families of questions with examples."""
    from zsh_ls.answers.ask import known_questions

    known = known_questions()
    if as_json:
        families = [{"family": name, "questions": list(examples)} for name, examples in known]
        print(json.dumps(families))
        return 0
    print("Questions that are known, as people put them (others in like words are too):")
    for name, examples in known:
        print(f"  {name + ':':26} {'; '.join(examples)}")
    return 0

"""Colours in the texts of results, for a client that declared it can show them (ALAN-12)."""

from __future__ import annotations

from typing import Any

import attrs

from zsh_ls.insights.display import formatted
from zsh_ls.insights.kills import formatted_insight
from zsh_ls.model.results import KillResult, TaskResult


def coloured(result: Any) -> Any:
    """`result` with its `formatted` texts in colour; `output` never is."""
    match result:
        case TaskResult():
            numbered = result.formatted == formatted(result, colour=False, numbered=True)
            return attrs.evolve(result, formatted=formatted(result, colour=True, numbered=numbered))
        case KillResult(insight=judged) if judged is not None:
            return attrs.evolve(result, formatted_insight=formatted_insight(judged, colour=True))
    return result

"""What an estimate rests on, in words (ALAN-14)."""

from __future__ import annotations

from zsh_ls.model.estimate import Estimate
from zsh_ls.model.words import Basis, Scope

from .formatting import count
from .markup import code_span


def basis_of(estimate: Estimate) -> str:
    """Of how many runs of what, and whose."""
    of_what = {
        Basis.EXACT: "exactly this",
        Basis.COMMAND: "this with any numbers",
        Basis.TEMPLATE: code_span(estimate.command_template),
        Basis.BASE: code_span(estimate.command_template),
    }[estimate.basis]
    where = {
        Scope.PROJECT: "",
        Scope.EVERYWHERE: ", in all projects",
        Scope.TEAM: f", by {count(estimate.agents or 0, 'agent')} of the team",
    }[estimate.scope]
    return f"{count(estimate.sample_size, 'run')} of {of_what}{where}"

"""`run:` of GitHub Actions: workflows and composite actions (Forgejo and Gitea read the same)."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from zsh_ls.lazy import re

from .block import Block, BlockBuilder
from .shells import HostShell, shell_of_words
from .yaml_scalars import elements, get, is_mapping, is_text, items, root_of, scalar, take

if TYPE_CHECKING:
    from .yaml_scalars import Node

EXPRESSION = re.compile(r"\$\{\{.*?\}\}", re.DOTALL)
# What GitHub starts for a step that names no shell, and for one that names it by its bare name.
UNNAMED = HostShell("bash", errexit=True)
NAMED = {
    "bash": HostShell("bash", errexit=True, pipefail=True),
    "sh": HostShell("sh", errexit=True),
}


def blocks_of(text: str) -> Iterator[Block]:
    """The steps that run a shell, in their order. Raises NoYaml."""
    root = root_of(text)
    default = _default(root)
    for _, job in items(get(root, "jobs")):
        of_job = _default(job) or default
        if not of_job and scalar(get(job, "runs-on")).lower().startswith("windows"):
            of_job = "pwsh"
        yield from _steps(text, elements(get(job, "steps")), of_job)
    yield from _steps(text, elements(get(root, "runs", "steps")), "")


def _default(node: Node | None) -> str:
    return scalar(get(node, "defaults", "run", "shell"))


def _steps(text: str, steps: list[Node], default: str) -> Iterator[Block]:
    for step in steps:
        code = get(step, "run") if is_mapping(step) else None
        shell = _shell(scalar(get(step, "shell")) or default)
        if code is None or shell is None or not is_text(code):
            continue
        builder = BlockBuilder(text, shell.prefix)
        indent = take(builder, text, code, EXPRESSION)
        block = builder.block(shell.language, is_verbatim=indent is not None, indent=indent or "")
        if block is not None:
            yield block


def _shell(named: str) -> HostShell | None:
    """The shell that GitHub starts; None for one that is none of ours, or chosen at run time."""
    if not named:
        return UNNAMED
    if named in NAMED:
        return NAMED[named]
    try:
        return shell_of_words([word for word in shlex.split(named) if word != "{0}"])
    except ValueError:
        return None

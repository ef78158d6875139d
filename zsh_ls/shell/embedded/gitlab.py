"""`script:`, `before_script:` and `after_script:` of GitLab CI."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from zsh_ls.lazy import re

from .block import Block, BlockBuilder
from .shells import HostShell
from .yaml_scalars import elements, is_mapping, is_text, items, root_of, take

if TYPE_CHECKING:
    from .yaml_scalars import Node

INPUT = re.compile(r"\$\[\[.*?\]\]", re.DOTALL)
SCRIPTS = ("before_script", "script", "after_script")
# The runner's own words before each script, in bash where the image has one.
SHELL = HostShell("bash", errexit=True, pipefail=True)


def blocks_of(text: str) -> Iterator[Block]:
    """The scripts of jobs and of the file itself, in their order. Raises NoYaml."""
    root = root_of(text)
    jobs = [root, *(job for _, job in items(root))]
    found = [
        node
        for job in jobs
        if is_mapping(job)
        for name, node in items(job)
        if name in SCRIPTS and not is_mapping(node)
    ]
    # An anchor's script is that of all who name it: it is looked at once.
    for node in {id(it): it for it in found}.values():
        builder = BlockBuilder(text, SHELL.prefix)
        indents = [take(builder, text, line, INPUT) for line in _lines(node)]
        is_verbatim = len(indents) == 1 and indents[0] is not None
        block = builder.block(
            SHELL.language, is_verbatim=is_verbatim, indent=(indents[0] or "") if indents else ""
        )
        if block is not None:
            yield block


def _lines(node: Node) -> Iterator[Node]:
    """The commands of a script, those of lists within it too; a reference is none."""
    if is_text(node):
        yield node
    for element in elements(node):
        if not str(element.tag).startswith("!"):
            yield from _lines(element)

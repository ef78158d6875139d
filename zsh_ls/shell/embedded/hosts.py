"""Of what kind a file with shell inside is, and the blocks in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from itertools import islice
from pathlib import PurePosixPath

from . import dockerfile, gitlab, justfile, makefile, markdown, workflow
from .block import Block
from .yaml_scalars import NoYaml

# A longer file was not written by hand; a reader of YAML takes seconds for a megabyte.
LONGEST = 500_000
LONGEST_YAML = 100_000
MOST_BLOCKS = 500


class HostKind(StrEnum):
    """The formats that are read. Of OTHER, a format with no shell inside that we know of, nothing is."""

    MARKDOWN = "Markdown"
    WORKFLOW = "GitHub Actions"
    GITLAB = "GitLab CI"
    DOCKERFILE = "Dockerfile"
    MAKEFILE = "Makefile"
    JUSTFILE = "justfile"
    OTHER = "other"


READERS: Mapping[HostKind, Callable[[str], Iterator[Block]]] = {
    HostKind.MARKDOWN: markdown.blocks_of,
    HostKind.WORKFLOW: workflow.blocks_of,
    HostKind.GITLAB: gitlab.blocks_of,
    HostKind.DOCKERFILE: dockerfile.blocks_of,
    HostKind.MAKEFILE: makefile.blocks_of,
    HostKind.JUSTFILE: justfile.blocks_of,
}
_YAML = {HostKind.WORKFLOW, HostKind.GITLAB}
LANGUAGE_IDS = {
    "markdown": HostKind.MARKDOWN,
    "dockerfile": HostKind.DOCKERFILE,
    "makefile": HostKind.MAKEFILE,
    "make": HostKind.MAKEFILE,
    "just": HostKind.JUSTFILE,
    "justfile": HostKind.JUSTFILE,
    "github-actions-workflow": HostKind.WORKFLOW,
    "yaml.github": HostKind.WORKFLOW,
    "yaml.ghaction": HostKind.WORKFLOW,
    "yaml.gitlab": HostKind.GITLAB,
    "yaml": HostKind.OTHER,
}
_SUFFIXES = {
    ".md": HostKind.MARKDOWN,
    ".markdown": HostKind.MARKDOWN,
    ".mk": HostKind.MAKEFILE,
    ".just": HostKind.JUSTFILE,
    ".dockerfile": HostKind.DOCKERFILE,
    ".containerfile": HostKind.DOCKERFILE,
}
_NAMES = {
    **dict.fromkeys(["makefile", "gnumakefile"], HostKind.MAKEFILE),
    **dict.fromkeys(["justfile", ".justfile"], HostKind.JUSTFILE),
    **dict.fromkeys(["dockerfile", "containerfile"], HostKind.DOCKERFILE),
}
_WORKFLOW = re.compile(
    r"(?:^|/)\.(?:github|forgejo|gitea)/workflows/[^/]+\.ya?ml$|(?:^|/)action\.ya?ml$"
)
_GITLAB = re.compile(r"(?:^|/)[^/]*\.gitlab-ci\.ya?ml$|(?:^|/)\.gitlab/.*\.ya?ml$")


def kind_of(path: str, language_id: str = "") -> HostKind | None:
    """The kind of a file by its path and, in an editor, its language id; None where it is no host.

    A language id that is no host's, such as a shell's, rules out what the name says.
    """
    by_name = _kind_by_name(path)
    if not language_id or language_id == "plaintext":
        return by_name
    by_id = LANGUAGE_IDS.get(language_id)
    if by_id is HostKind.OTHER and by_name in _YAML:
        return by_name
    return by_id


def _kind_by_name(path: str) -> HostKind | None:
    name = PurePosixPath(path).name.lower()
    if _WORKFLOW.search(path):
        return HostKind.WORKFLOW
    if _GITLAB.search(path):
        return HostKind.GITLAB
    known = _NAMES.get(name) or _NAMES.get(name.partition(".")[0])
    if name.startswith(("dockerfile.", "containerfile.")) or name in _NAMES:
        return known
    return _SUFFIXES.get(PurePosixPath(name).suffix)


def blocks_of(text: str, kind: HostKind) -> list[Block]:
    """The shell inside a text, in its order. Raises NoYaml for YAML that cannot be read."""
    longest = LONGEST_YAML if kind in _YAML else LONGEST
    if kind not in READERS or len(text) > longest:
        return []
    return list(islice(READERS[kind](text), MOST_BLOCKS))


__all__ = ["HostKind", "NoYaml", "blocks_of", "kind_of"]

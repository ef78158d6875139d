"""Of what kind a file with shell inside is, and the blocks in it."""

from __future__ import annotations

import importlib
from enum import StrEnum
from itertools import islice

from zsh_ls.lazy import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .block import Block

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


# The module of each that is read, loaded with the first file of its kind: most files are of none.
READERS = {
    HostKind.MARKDOWN: "markdown",
    HostKind.WORKFLOW: "workflow",
    HostKind.GITLAB: "gitlab",
    HostKind.DOCKERFILE: "dockerfile",
    HostKind.MAKEFILE: "makefile",
    HostKind.JUSTFILE: "justfile",
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
    name = path.rpartition("/")[2].lower()
    if name.endswith((".yml", ".yaml")):
        if _WORKFLOW.search(path):
            return HostKind.WORKFLOW
        if _GITLAB.search(path):
            return HostKind.GITLAB
    known = _NAMES.get(name) or _NAMES.get(name.partition(".")[0])
    if name.startswith(("dockerfile.", "containerfile.")) or name in _NAMES:
        return known
    stem, dot, suffix = name.rpartition(".")
    return _SUFFIXES.get(dot + suffix) if stem else None


def blocks_of(text: str, kind: HostKind) -> list[Block]:
    """The shell inside a text, in its order. Raises NoYaml for YAML that cannot be read."""
    longest = LONGEST_YAML if kind in _YAML else LONGEST
    if kind not in READERS or len(text) > longest:
        return []
    reader = importlib.import_module(f"{__package__}.{READERS[kind]}")
    return list(islice(reader.blocks_of(text), MOST_BLOCKS))

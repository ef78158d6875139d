"""Rule `sigpipe-under-pipefail`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from zsh_ls.insights.facts import Trait, has_trait
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import PipelinePlace, ScriptModel
from zsh_ls.insights.script_words import has_flag, operands
from zsh_ls.lazy import re
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Connector, Segment, SegmentKind
from zsh_ls.model.words import Level
from zsh_ls.shell.words.vocabulary import word_set

ENDLESS = re.compile(r"/dev/(?:u?random|zero)\b")
SED_QUITS = re.compile(r"['\"]?\d*q['\"]?")
# With these find gives few names, as a rule.
FEW = word_set("-maxdepth -name -iname -path -ipath -regex -wholename -newer -user -perm -size")
# They leave little of whatever comes in.
CUTS = frozenset({"head", "tail", "wc", "md5sum", "sha1sum", "sha256sum"})
BOUNDED = re.compile(
    r"-\d+|-n\d*|--max-count.*|--(?:grep|author|since|after|until|before)(?:=.*)?|-[SG].*"
)
# Program → how many operands it may have and still list everything.
LISTS_ALL = {"dpkg": 0, "rpm": 0, "apt": 1, "apt-cache": 1, "yum": 1, "dnf": 1}
# The options with which `git ls-files` tells of a few files, as those with conflicts (git-ls-files(1)).
FEW_FILES = re.compile(r"-[umdok]+|--(?:unmerged|modified|deleted|others|killed)")
# Sub-command → how many operands it may have, itself among them, and still list everything.
LONG_GIT = {"log": 2, "rev-list": 2, "ls-files": 1, "ls-tree": 2, "reflog": 2}


@rule(RuleKind.STATIC, Level.WARNING)
def sigpipe_under_pipefail(model: ScriptModel) -> Iterator[Insight]:
    """Under `pipefail`, a reader that has enough makes the whole pipeline fail.

    `head`, `grep -q` and their like close the pipe early; a writer that has
    more to say dies of SIGPIPE, and with `pipefail` its 141 is the exit.

        #!/bin/bash
        set -eo pipefail
        password=$(tr -dc a-z < /dev/urandom | head -c 32)
        #          ^^^^^^^^^^^^^^^^^^^^^^^^^ warning: tr dies of SIGPIPE (141) when head has enough
        echo "$password"

    A writer whose few words fit into the pipe is gone before it closes:

        #!/bin/bash
        set -eo pipefail
        echo "$version" | head -n 1
    """
    # What a test suite makes for itself is small.
    for place in () if model.is_test_suite else model.piped:
        segments = place.pipeline.segments
        if place.context.pipefail is not Setting.ON or not place.is_looked_at:
            continue
        # It knows of the 141.
        if place.next is None and place.after and model.mentions(r"\b141\b", *place.after[0].span):
            continue
        if _is_only_shown_at_the_end(model, place):
            continue
        for writer, reader in pairwise(segments):
            through = segments[: segments.index(reader)]
            if not _ends_early(model, reader) or not _is_much(model, through):
                continue
            if model.is_noticed(writer):
                yield model.warning(
                    f"{model.command(writer)} dies of SIGPIPE (141) when "
                    f"{model.command(reader)} has enough, and pipefail makes that the exit",
                    writer.span,
                    writer,
                )
                break


def _is_only_shown_at_the_end(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether a look at something, instead of a better one (`tree || find | head`), is all that is left."""
    instead = bool(place.before) and place.before[-1].connector is Connector.OR
    return instead and model.is_the_end(place)


def _is_much(model: ScriptModel, through: Sequence[Segment]) -> bool:
    """Whether more comes out of these segments than a pipe holds."""
    much = False
    for segment in through:
        command = model.command(segment)
        if command in CUTS or (
            command == "grep" and has_flag(model.words(segment), "c", "--count")
        ):
            much = False
        # Of all processes few have a name.
        elif command == "grep" and model.command(through[0]) == "ps":
            much = much and has_flag(model.words(segment), "v", "--invert-match")
        elif command == "sort":
            # What is sorted is much where it is a file's, or was much before.
            much = much or (segment is through[0] and bool(operands(model.words(segment))))
        else:
            much = _is_long(model, segment) or (much and segment is not through[0])
    return much


def _ends_early(model: ScriptModel, segment: Segment) -> bool:
    command, words = model.command(segment), model.words(segment)
    if command in {"grep", "egrep", "fgrep", "zgrep"}:
        return has_flag(words, "q", "--quiet", "--silent") or has_flag(words, "m")
    if command == "sed":
        return any(SED_QUITS.fullmatch(word) for word in words[1:])
    return command == "head" and not any(word.startswith(("-n-", "--lines=-")) for word in words)


def _is_long(model: ScriptModel, segment: Segment) -> bool:
    command, words = model.command(segment), model.words(segment)
    if command == "git":
        # All there is, where no count is given, and no path.
        wanted = operands(words)
        if not wanted or wanted[0] not in LONG_GIT or any(map(BOUNDED.fullmatch, words)):
            return False
        # The history of a file, told by its name, is short as a rule.
        if "--" in words[1:-1]:
            return False
        if wanted[0] == "ls-files" and any(map(FEW_FILES.fullmatch, words)):
            return False
        return len(wanted) <= LONG_GIT[wanted[0]]
    # Links, sockets and devices are few, too.
    if (
        FEW.intersection(words)
        or re.search(r" -type [lpsbc]\b", " ".join(words))
        or any(map(BOUNDED.fullmatch, words))
    ):
        return False
    if segment.kind is not SegmentKind.SIMPLE:
        return False
    if command in LISTS_ALL and len(operands(words)) > LISTS_ALL[command]:
        return False
    endless = ENDLESS.search(model.source(segment.span)) is not None
    return endless or has_trait(Trait.LONG, command, words)

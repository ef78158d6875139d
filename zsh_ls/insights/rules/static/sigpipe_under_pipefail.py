"""Rule `sigpipe-under-pipefail`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import ScriptModel
from zsh_ls.insights.script_words import has_flag, operands
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Segment
from zsh_ls.model.words import Level
from zsh_ls.shell.words.vocabulary import word_set

ENDLESS = re.compile(r"/dev/(?:u?random|zero)\b")
LONG = word_set("yes find journalctl dmesg zcat bzcat xzcat strings locate apt-cache")
# Short in what else they do, long where they list.
LISTS = {
    "dpkg": re.compile(r"-[lLS]|--list|--listfiles|--get-selections"),
    "rpm": re.compile(r"-q?a|-ql|-qa|--all"),
    "tar": re.compile(r"-?[a-z]*t[a-z]*|--list"),
    "unzip": re.compile(r"-[lvZ]"),
    "ps": re.compile(r"-?a?u?x|-?aux\w*|-e\w*|-A\w*"),
    "seq": re.compile(r"\d{5,}"),
    "apt": re.compile(r"list|search"),
    "yum": re.compile(r"list|search"),
    "dnf": re.compile(r"list|search"),
}
SED_QUITS = re.compile(r"['\"]?\d*q['\"]?")
# With these find gives few names, as a rule.
FEW = word_set("-maxdepth -name -iname -path -ipath -regex -wholename -newer -user -perm -size")
BOUNDED = re.compile(r"-\d+|-n\d*|--max-count.*")
# Sub-command → how many operands it may have, itself among them, and still list everything.
LONG_GIT = {"log": 2, "rev-list": 2, "ls-files": 1, "ls-tree": 2, "reflog": 2}


@rule(RuleKind.STATIC, Level.WARNING, unproven=True)
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
    for place in model.piped:
        segments = place.pipeline.segments
        if place.context.pipefail is not Setting.ON or not place.is_looked_at:
            continue
        for writer, reader in pairwise(segments):
            through = segments[: segments.index(reader)]
            if _ends_early(model, reader) and any(_is_long(model, one) for one in through):
                yield Insight(
                    Level.WARNING,
                    f"{model.command(writer)} dies of SIGPIPE (141) when "
                    f"{model.command(reader)} has enough, and pipefail makes that the exit",
                    span=writer.span,
                )
                break


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
        return len(wanted) <= LONG_GIT[wanted[0]]
    if command in LISTS:
        return any(LISTS[command].fullmatch(word) for word in words[1:2])
    if FEW.intersection(words):
        return False
    return command in LONG or ENDLESS.search(model.source(segment.span)) is not None

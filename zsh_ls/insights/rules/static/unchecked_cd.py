"""Rule `unchecked-cd`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import PipelinePlace, ScriptModel
from zsh_ls.insights.script_words import has_flag, is_relative, operands, unquoted
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Segment, SegmentKind
from zsh_ls.model.words import Level
from zsh_ls.shell.words.vocabulary import word_set

# Folders that are there, or whose absence would have shown before.
SURE = re.compile(
    r"""(?: / | ~ | - | \.{1,2}(?:/\.\.)*/?
    | \$\{?(?:HOME|OLDPWD|PWD|ZDOTDIR)\}?
    | /(?:bin|boot|dev|etc|home|lib|lib64|media|mnt|opt|proc|root|run|sbin|srv|sys|tmp|usr|var)/?
    | .*(?:dirname|BASH_SOURCE|\$0|\$\{0|%/\*|:h\b).*  # the script's own folder
    )""",
    re.DOTALL | re.VERBOSE,
)
# A variable in an escaped text, with or without braces.
BRACED = re.compile(r"\\\$(?:\\\{)?(\w+)(?:\\\})?")
CHANGES = word_set("rm mv cp ln chmod chown chgrp patch unzip rmdir truncate shred")
IN_FOLDER = word_set("make gmake ninja cmake npm yarn pnpm cargo go mvn gradle bundle composer")
GIT_CHANGES = word_set(
    "add am apply checkout clean commit fetch merge pull push rebase reset rm stash submodule "
    "switch tag"
)
STOPS = word_set("cd pushd popd exit return exec")


@rule(RuleKind.STATIC, Level.WARNING)
def unchecked_cd(model: ScriptModel) -> Iterator[Insight]:
    """When `cd` fails, what follows runs in the folder that was left.

        #!/bin/bash
        cd "$build_folder"
        #^^^^^^^^^^^^^^^^^ warning: if this cd fails, 'rm -rf *' runs in the wrong folder
        rm -rf *

    The fix gives up instead. Under `errexit`, and where the folder was looked
    for, there is no such danger:

        #!/bin/bash
        if [ -d "$build_folder" ]; then
          cd "$build_folder"
          rm -rf *
        fi
        cd /
        rm -rf ./tmp
    """
    for place in model.places:
        only = place.only
        if only is None or only.command_word not in {"cd", "pushd"} or not place.is_unchecked:
            continue
        if place.context.errexit is not Setting.OFF or place.substitution is not None:
            continue
        if model.mentions(r"(?i)\berr_?return"):
            continue
        if model.controls_own_options and not _is_sure(model, place, only):
            harmed = _harmed(model, place)
            if harmed is not None:
                yield Insight(
                    Level.WARNING,
                    f"if this {model.words(only)[0]} fails, "
                    f"'{model.first_line(harmed.span)}' runs in the wrong folder",
                    span=place.span,
                    fix=model.appended(
                        place,
                        " || return" if place.function is not None else " || exit",
                        "Give up if it fails",
                    ),
                )


def _is_sure(model: ScriptModel, place: PipelinePlace, segment: Segment) -> bool:
    targets = operands(model.words(segment))
    if len(targets) != 1 or any(SURE.fullmatch(unquoted(target)) for target in targets):
        return True
    target = unquoted(targets[0])
    named = [model.source(one.span) for one in place.before] + _conditions(model, place)
    if any(target in text for text in named):
        return True
    folder = BRACED.sub(r"\\$\\{?\1\\}?", re.escape(target.rstrip("/")))
    made = rf"\bmkdir\b[^\n;]*{folder}(?![\w/.-])|\bclone\b[^\n;]*{folder}\"?[ \t]*\|\|"
    if model.mentions(made, end=place.span.start):
        return True
    name = re.fullmatch(r"\$\{?(\w+)\}?", target)
    return name is not None and model.mentions(
        rf"\b{name[1]}=[\"']?(?:\$\(|`)\s*(?:mktemp|pwd|cd|dirname)\b"
    )


def _conditions(model: ScriptModel, place: PipelinePlace) -> list[str]:
    """The text of everything around it up to the place: a test or a mkdir there names the folder."""
    return [
        model.text[one.span.start : place.span.start]
        for one in place.around
        if one.kind is not SegmentKind.FUNCTION
    ]


def _harmed(model: ScriptModel, place: PipelinePlace) -> Segment | None:
    """The first command behind that changes files by relative names."""
    for pipeline in place.after:
        for segment in pipeline.segments:
            if segment.kind is not SegmentKind.SIMPLE:
                return None
            words = model.words(segment)
            # The script asks where it is, or how the cd went.
            asks = model.mentions(r"\$\?|\$\{?PWD|\bpwd\b", *pipeline.span)
            if asks or (words[:1] and words[0] in STOPS):
                return None
            if _changes_here(model, segment, words):
                return segment
    return None


def _changes_here(model: ScriptModel, segment: Segment, words: Sequence[str]) -> bool:
    command = model.command(segment)
    if command == "git":
        return bool(words[1:]) and words[1] in GIT_CHANGES
    if command == "tar":
        extracts = has_flag(words, "x", "--extract") or (
            words[1:] and re.match(r"[a-z]*x", words[1])
        )
        return bool(extracts) and not has_flag(words, "C", "--directory")
    if command in CHANGES:
        return any(is_relative(word) for word in operands(words))
    if command in IN_FOLDER:
        return not any(word.startswith(("-C", "-f", "--prefix")) for word in words)
    return False

"""Rule `masked-segment`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import islice

from zsh_ls.insights.facts import (
    SHELLS,
    Trait,
    has_trait,
    is_silent,
    packs,
    refuses_a_wrong_address,
    takes_nothing,
    unpacks,
)
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import PipelinePlace, ScriptModel, tests_variable, variable
from zsh_ls.insights.script_words import has_flag, operands
from zsh_ls.lazy import re
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Dialect, Pipeline, Role, Segment, SegmentKind
from zsh_ls.model.words import Level
from zsh_ls.shell.fates import FateKind

from .masked_build_failure import is_masked, reads_pipestatus

CHECKSUM = r"\b(?:sha\d+|md5)sum\b[^\n|]*\s(?:-\w*c\w*|--check)\b|\bshasum\b[^\n|]*\s-\w*c"
# They ask a program that was installed what it is.
ASKS_VERSION = frozenset({"version", "--version", "-V"})
# Names of an address that are those of no program; how many commands behind it are looked at.
NAME = re.compile(r"[A-Za-z][\w-]+")
INSTALLERS = frozenset(
    {"install", "sh", "bash", "get", "https", "http", "curl", "wget", "sudo", "git"}
)
SOON = 8
LOOKS_FOR = re.compile(r"(?:if\s+)?(?:!\s*)?(?:command\s+-v|which|type|hash)\s+([\w.-]+)")
# What apt reads of its sources and their keys.
APT_FILE = re.compile(r"/etc/apt/|/usr/share/keyrings/")
SERVICES = frozenset({"systemctl", "service"})
PACKAGES = frozenset({"apt", "apt-get", "yum", "dnf", "zypper", "apk", "pacman", "brew"})
READS_ARCHIVE = re.compile(r"tar\s+-?\w*t|tar\s+--list|(?:gzip|bzip2|xz|zstd)\s+-\w*t")
FILTERS = frozenset({"sed", "awk", "gawk", "tr", "cut", "sort", "uniq"})
# What a pipeline of these shows on a terminal is for a reader, who sees that there is nothing.
SHOWS = frozenset({"jq", "column", "fmt", "wc"})
MAY_BE_SHOWN = frozenset({"kubectl", "oc", "docker", "gh", "aws", "gcloud", "az", "psql", "mysql"})

REMOVES = frozenset({"rm", "mv", "rmdir", "shred", "truncate"})


@rule(RuleKind.STATIC, Level.WARNING)
def masked_segment(model: ScriptModel) -> Iterator[Insight]:
    """A download or a dump fails inside a pipeline whose exit is looked at, and nothing shows it.

    Only the last command's exit counts, and that one is content with an empty
    input: the check, or `errexit`, sees a success.

        #!/bin/bash
        if pg_dump shop | gzip > shop.sql.gz; then
        #  ^^^^^^^^^^^^ warning: a failure of pg_dump is not seen here: the exit is that of gzip
          rm shop.sql.gz.old
        fi

    `set -o pipefail` makes the failure count. What `tail` or `cat` shows has the
    errors in it, and a fetched installer is tried by `tool version` behind it. A
    reader that fails without input tells of it itself (of `tar c | tar x` none is
    without, as the archive holds what was found):

        #!/bin/bash
        if curl -fsS https://example.org/x.tar | tar x; then
          echo installed
        fi
    """
    for place in model.piped:
        first, *others = place.pipeline.segments
        producer, words = model.command(first), model.words(first)
        # A dead link anywhere is a failure of the spider, and none of what it found.
        # A download into a file hands on what it says of itself, and no part of the file.
        if "--spider" in words or not others or _saves(producer, words):
            continue
        packed = packs(producer, words)
        fails = producer == "false"
        if not packed and not fails and not has_trait(Trait.FETCHES, producer, words):
            continue
        names = [model.command(one) for one in others]
        if not all(
            takes_nothing(name, model.words(one))
            # tar makes a whole archive of what it found, and fails for what it did not.
            or (producer == "tar" and unpacks(name, model.words(one)))
            for name, one in zip(names, others, strict=True)
        ):
            continue
        is_kept = _is_kept(model, place) and not _is_only_shown(model, place)
        is_shown = producer in MAY_BE_SHOWN or _is_for_a_reader(model, others[-1])
        is_shown = is_shown or _is_the_last_word(model, others[-1])
        if (is_shown and not is_kept and not fails) or _is_looked_at_later(model, place):
            continue
        copies = unpacks(names[-1], model.words(others[-1]))
        if (copies and _is_at_a_prompt(model, place)) or _seen_later(model, place):
            continue
        if names[-1] in SHELLS and _is_tried_next(model, place):
            continue
        if names[-1] in SHELLS and _is_all_there_is(model, place, words):
            continue
        # A dump that goes into a file counts as looked at: half of one looks like a whole one.
        # At the end of a script that looks at no failure it is for the person who started it.
        keeps = packed and is_kept
        ends = keeps and place.is_last_of_script and place.context.errexit is Setting.OFF
        if (is_masked(model, place, first) and not ends) or (keeps and _is_lost(model, place)):
            message = f"a failure of {producer} is not seen here: the exit is that of {names[-1]}"
            if names[-1] in SHELLS:
                message += ", which runs what came, and exits 0 if that is nothing"
            elif is_kept:
                message += ", and what is kept may be half"
            else:
                message += model.goes_on(first)
            yield model.warning(message, first.span, first)


def _seen_later(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether what is made shows that it is not what it should be, where it is used or offered."""
    return _is_used_later(model, place) or _completes(model, place)


def _is_used_later(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether a command behind reads what was written, and shows that it is not what it should be."""
    if _is_read_next(model, place) or _is_used_by_apt(model, place):
        return True
    # Whoever reads the file that errexit alone would have missed finds it empty, and says so.
    first, last = place.pipeline.segments[0], place.pipeline.segments[-1]
    downloads = has_trait(Trait.DOWNLOADS, model.command(first), model.words(first))
    return (
        downloads
        and model.command(last) == "tee"
        and place.is_unchecked
        and model.status_read(place.next) is None
    )


def _is_used_by_apt(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether it writes a key or a list of apt's, which looks at them later and stops the script."""
    last = place.pipeline.segments[-1]
    targets = [model.source(it.target) for it in last.redirections if ">" in it.operator]
    # `dd of=FILE` writes as `tee FILE` does.
    written = [*(it.removeprefix("of=") for it in operands(model.words(last))), *targets]
    if not any(APT_FILE.match(it) for it in written):
        return False
    behind = (one.pipeline.segments[0] for one in model.places if one.span.start > place.span.end)
    return any(
        model.command(one) in {"apt", "apt-get"}
        and not {"update", "install"}.isdisjoint(model.words(one))
        and model.stops(one)
        for one in behind
    )


def _is_all_there_is(model: ScriptModel, place: PipelinePlace, words: Sequence[str]) -> bool:
    """Whether nothing relies on an installer at the end, and its download tells that it failed.

    A script that is nothing else, or has no `#!`, is for others to run or read, who go by its exit.
    """
    if is_silent(words):
        return False
    # A script that is nothing else is for others to run, who go by its exit.
    is_more = bool(model.shebang) and len(model.script.pipelines) > 1
    return (is_more and model.is_the_end(place)) or (
        place.function is not None and _is_at_a_prompt(model, place)
    )


def _is_at_a_prompt(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether it is the last of what a person calls in a shell of theirs, which shows that it failed."""
    if model.dialect is not Dialect.ZSH or place.after:
        return False
    function = place.function
    if function is None:
        return not model.shebang and model.is_the_end(place)
    return model.called.isdisjoint(map(model.source, function.words))


def _is_for_a_reader(model: ScriptModel, last: Segment) -> bool:
    """Whether the last command shows its input, with the errors that are in it, and writes no file."""
    command, words = model.command(last), model.words(last)
    if command in SHOWS:
        return True
    files = [it for it in operands(words) if not it.startswith(">(") and it != "/dev/null"]
    return has_trait(Trait.ONLOOKER, command, words) and not (command == "tee" and files)


def _is_the_last_word(model: ScriptModel, last: Segment) -> bool:
    """Whether a filter's text is the script's answer: a status line that is empty says enough."""
    fate = model.fate(last) if model.command(last) in FILTERS else None
    return fate is not None and fate.fate is FateKind.REPORTED


def _is_tried_next(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether what a fetched script installs is run or looked for soon behind, which shows a failure."""
    address = " ".join(model.words(place.pipeline.segments[0])[1:])
    installed = {*NAME.findall(address)} - INSTALLERS
    if place.is_asked_last:
        return False
    behind = (
        one
        for one in model.places
        if one.span.start > place.span.end
        and one.around == place.around[: len(one.around)]
        and one.substitution is None
    )
    for one in islice(behind, SOON):
        first = one.pipeline.segments[0]
        # What an installer makes is read at once: `. "$HOME/.cargo/env"`.
        if one.pipeline is place.next and model.command(first) in {".", "source"}:
            return one.ends_the_script
        if _runs_in_each_branch(model, first, installed):
            return True
        asks_version = first.words[1:2] and model.source(first.words[1]) in ASKS_VERSION
        looked_for = LOOKS_FOR.match(model.source(one.span))
        tried = {model.command(first)} if looked_for is None else {looked_for[1]}
        if model.command(first) in SERVICES or (
            not PACKAGES.isdisjoint(model.words(first))
            and model.stops(first)
            and not is_silent(model.words(place.pipeline.segments[0]))
        ):
            tried |= {*model.words(first)[1:]}
        if (asks_version and model.stops(first)) or any(
            word == name
            or (len(word) > 3 and name.startswith(word))
            or (len(word) > 4 and word in name)
            for word in tried
            for name in installed
        ):
            return True
    return False


def _runs_in_each_branch(model: ScriptModel, choice: Segment, installed: Set[str]) -> bool:
    """Whether each branch of an `if` with an `else` runs one of the programs, or ends the script."""
    branches = [one for one in choice.bodies if one.role is Role.BODY]
    return (
        choice.kind is SegmentKind.IF
        and len(branches) > len(choice.bodies) - len(branches)
        and all(
            any(
                model.command(segment) in installed and model.stops(segment)
                for pipeline in branch.pipelines
                for segment in pipeline.segments
            )
            for branch in branches
        )
    )


def _is_read_next(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether the next command reads the archive that was written, and fails for a broken one."""
    targets = [
        model.source(one.target)
        for one in place.pipeline.segments[-1].redirections
        if ">" in one.operator
    ]
    only = None if place.next is None else place.next.segments[0]
    if only is None or not targets:
        return False
    reads = READS_ARCHIVE.match(model.source(only.span))
    return reads is not None and targets[-1] in model.words(only)


def _completes(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether a function of zsh's completion asks for the words that it offers."""
    function = place.function
    return (
        model.dialect is Dialect.ZSH
        and function is not None
        and model.mentions(r"\b(?:_describe|_values|_arguments|compadd)\b", *function.span)
    )


def _is_kept(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether the output goes into a variable or a file, not to a reader."""
    targets = [
        model.source(one.target)
        for one in place.pipeline.segments[-1].redirections
        if ">" in one.operator
    ]
    in_file = any(target not in {"/dev/null", "/dev/stderr", "&2"} for target in targets)
    return in_file or (place.owner is not None and place.owner.only is not None)


def _saves(producer: str, words: Sequence[str]) -> bool:
    """Whether curl writes what it gets into a file."""
    return producer == "curl" and has_flag(words, "o", "-O", "--output", "--remote-name")


def _is_only_shown(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether the variable that keeps the output is a message's next: a reader sees that there is nothing."""
    filled = None if place.owner is None else place.owner.only
    if place.owner is None or filled is None or not filled.assignments or not place.owner.after:
        return False
    shown = place.owner.after[0].segments[0]
    name = filled.assignments[-1].name
    return has_trait(Trait.SAYS, model.command(shown), model.words(shown)) and model.mentions(
        variable(name), *shown.span
    )


def _is_lost(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether the first command's failure is lost in a pipeline that nothing looks at either.

    A script that looks at no failure at all is for a person who reads what it says, unless it goes on
    to remove something or to give something away, as what it has made is there to replace it.
    """
    first = place.pipeline.segments[0]
    return (
        place.context.pipefail is Setting.OFF
        and model.controls_options_at(place)
        and not reads_pipestatus(model, place)
        and (place.context.errexit is not Setting.OFF or _goes_on_to_harm(model, place))
        and model.is_unnoticed(first)
    )


def _goes_on_to_harm(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether something behind removes files or data, moves them, or publishes."""
    return any(
        command in REMOVES
        or has_trait(Trait.PUBLISHES, command, model.words(segment))
        or has_trait(Trait.DESTROYS, command, model.words(segment))
        or "-delete" in model.words(segment)
        for one in model.places
        if one.span.start >= place.span.end
        for segment in one.pipeline.segments
        for command in (model.command(segment),)
    )


def _is_looked_at_later(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether the script looks at what came: compares a checksum, or asks whether there is anything."""
    behind = place if place.owner is None else place.owner
    following = behind.after[:3]
    if following and model.mentions(CHECKSUM, following[0].span.start, following[-1].span.end):
        return True
    filled = None if place.owner is None else place.owner.only
    names = [] if filled is None else [one.name for one in filled.assignments]
    return any(
        tests_variable(model, following, name) or is_in_an_address(model, following, name)
        for name in names
    )


def is_in_an_address(model: ScriptModel, following: Sequence[Pipeline], name: str) -> bool:
    """Whether a download soon behind asks for a page that is none without the value, and ends the script."""
    first = (one.segments[0] for one in following if len(one.segments) == 1)
    return any(
        refuses_a_wrong_address(model.command(one), model.words(one))
        and model.mentions(variable(name), *one.span)
        and model.stops(one)
        for one in first
    )

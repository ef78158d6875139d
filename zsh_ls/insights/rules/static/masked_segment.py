"""Rule `masked-segment`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import PipelinePlace, ScriptModel, tests_variable
from zsh_ls.insights.script_words import has_flag
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level
from zsh_ls.shell.words.vocabulary import word_set

from .masked_build_failure import reads_pipestatus

# They fail for reasons outside the script: a network, a disk, a server.
PRODUCERS = word_set("curl wget mysqldump pg_dump pg_dumpall mongodump ssh aws gsutil")
DUMPS = word_set("mysqldump pg_dump pg_dumpall mongodump")
CHECKSUM = r"\b(?:sha\d+|md5)sum\b[^\n|]*\s(?:-\w*c\w*|--check)\b|\bshasum\b[^\n|]*\s-\w*c"
# They are content with nothing at all, or with half of it.
CONTENT = word_set(
    "gzip bzip2 xz zstd pigz cat tee sh bash zsh dash sed awk sort tr cut base64 wc tail "
    "md5sum sha1sum sha256sum sha512sum uniq"
)


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

    `set -o pipefail` makes the failure count. A reader that fails without
    input tells of it itself:

        #!/bin/bash
        if curl -fsS https://example.org/x.tar | tar x; then
          echo installed
        fi
    """
    for place in model.piped:
        first, *others = place.pipeline.segments
        producer = model.command(first)
        # A dead link anywhere is a failure of the spider, and none of what it found.
        if producer not in PRODUCERS or "--spider" in model.words(first):
            continue
        # A dump that goes into a file counts as looked at: half of one looks like a whole one.
        targets = [
            model.source(one.target) for one in others[-1].redirections if ">" in one.operator
        ]
        is_kept = producer in DUMPS and any(target != "/dev/null" for target in targets)
        if not place.is_looked_at and not is_kept:
            continue
        if _is_noticed(model, place):
            continue
        names = [model.command(one) for one in others]
        unpacks = any(has_flag(model.words(one), "d", "--decompress") for one in others)
        if place.context.pipefail is not Setting.OFF or not model.controls_own_options:
            continue
        if CONTENT.issuperset(names) and not unpacks and not reads_pipestatus(model, place):
            yield Insight(
                Level.WARNING,
                f"a failure of {producer} is not seen here: the exit is that of {names[-1]}",
                span=first.span,
            )


def _is_noticed(model: ScriptModel, place: PipelinePlace) -> bool:
    """Whether the script looks at what came: compares a checksum, or asks whether there is anything."""
    behind = place if place.owner is None else place.owner
    following = behind.after[:3]
    if following and model.mentions(CHECKSUM, following[0].span.start, following[-1].span.end):
        return True
    filled = None if place.owner is None else place.owner.only
    names = [] if filled is None else [one.name for one in filled.assignments]
    return any(tests_variable(model, following, name) for name in names)

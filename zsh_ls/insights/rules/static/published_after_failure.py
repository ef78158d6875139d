"""Rule `published-after-failure`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.facts import Trait, has_trait
from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import STATUS, PipelinePlace, ScriptModel
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.syntax import Connector, Segment, SegmentKind
from zsh_ls.model.words import Level

from .masked_build_failure import reads_pipestatus

STOPS = frozenset({"exit", "return", "exec"})
ASKS = frozenset({"--version", "version", "--help", "help"})
# They take a file, and fail themselves where a build that began with `clean` left none.
TAKES_FILES = frozenset({"scp", "sftp", "rsync", "gsutil"})


@rule(RuleKind.STATIC, Level.WARNING, unproven=True, judged="5 of 7")
def published_after_failure(model: ScriptModel) -> Iterator[Insight]:
    """A build or a test fails, nothing looks at it, and what follows publishes the old or half result.

        #!/bin/bash
        npm run build
        #^^^^^^^^^^^^ warning: if 'npm run build' fails, 'npm publish' runs all the same
        npm publish

    The fix gives up instead. Under `errexit` and after `&&` nothing is
    published:

        #!/bin/bash
        npm run build && npm publish
        npm test || exit 1
        git push
    """
    for place in model.places:
        first = place.pipeline.segments[0]
        if place.pipeline.connector is not Connector.NONE or not place.is_unchecked:
            continue
        if not has_trait(Trait.BUILDS, model.command(first), model.words(first)):
            continue
        if not model.controls_options_at(place) or not model.stands_alone or place.is_after_and_or:
            continue
        published = _published(model, place)
        cleaned = "clean" in model.words(first)
        if published is None or (cleaned and model.command(published) in TAKES_FILES):
            continue
        if reads_pipestatus(model, place) or not model.is_unnoticed(first):
            continue
        one = len(place.pipeline.segments) == 1
        fix = (
            model.appended(
                place,
                " || return" if place.function is not None else " || exit",
                "Give up if it fails",
            )
            if one and place.context.errexit is Setting.OFF
            else None
        )
        text, next_text = model.first_line(first.span), model.first_line(published.span)
        message = f"if '{text}' fails, '{next_text}' runs all the same"
        yield model.warning(message, first.span, first, fix)


def _published(model: ScriptModel, place: PipelinePlace) -> Segment | None:
    """The first command behind that publishes, where nothing in between looks or leaves."""
    for pipeline in place.after:
        segment = pipeline.segments[-1]
        if segment.kind is not SegmentKind.SIMPLE or segment.command_word in STOPS:
            return None
        if STATUS.search(model.text, *pipeline.span):
            return None
        words = model.words(segment)
        publishes = has_trait(Trait.PUBLISHES, model.command(segment), words)
        if publishes and ASKS.isdisjoint(words[1:]):
            return segment
        if pipeline.connector is not Connector.NONE:
            return None
    return None

"""Rule `background-exit-lost`."""

from __future__ import annotations

from collections.abc import Iterator

from zsh_ls.insights.registry import RuleKind, rule
from zsh_ls.insights.script_model import ScriptModel
from zsh_ls.insights.script_words import builds_or_tests
from zsh_ls.model.context import Setting
from zsh_ls.model.insight import Insight
from zsh_ls.model.words import Level
from zsh_ls.shell.words.vocabulary import word_set

COPIES = word_set("cp mv rsync scp tar dd unzip curl wget apt-get apt dnf yum pip pip3")


@rule(RuleKind.STATIC, Level.WARNING, unproven=True)
def background_exit_lost(model: ScriptModel) -> Iterator[Insight]:
    """Work in the background fails without anyone knowing where nothing waits for it.

    Not even `errexit` sees it.

        #!/bin/bash
        set -e
        make docs &
        #^^^^^^^^ warning: nothing waits for 'make docs': its failure is never seen
        make all

    `wait` with the job's id has its exit:

        #!/bin/bash
        set -e
        make docs & docs=$!
        make all
        wait $docs
    """
    behind = [place for place in model.places if place.pipeline.background == "&"]
    if not behind or model.mentions(r"\bwait\b|\$!|\$\{!\}|\bdisown\b"):
        return
    for place in behind:
        last = place.pipeline.segments[-1]
        command, words = model.command(last), model.words(last)
        works = command in COPIES or builds_or_tests(command, words)
        if works and place.context.errexit is Setting.ON:
            text = model.first_line(place.span)
            yield Insight(
                Level.WARNING,
                f"nothing waits for '{text}': its failure is never seen",
                span=place.span,
            )

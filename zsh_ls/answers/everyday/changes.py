"""What changed since something last worked, or in a time (ANS-7)."""

from __future__ import annotations

from zsh_ls.answers.changes import changed_sentence, last_pass
from zsh_ls.answers.family import Draft, Facts, Reply
from zsh_ls.answers.formatting import moment
from zsh_ls.answers.loose import LooseMatch, intent
from zsh_ls.answers.markup import code_span
from zsh_ls.answers.subjects import remembered
from zsh_ls.answers.window import Window
from zsh_ls.lazy import re

from .meant import COMMON, Everyday, has_failed, in_project, is_test, meant_by

# What was edited before it broke is what changed since it last passed.
_BEFORE_IT_BROKE = re.compile(
    r"\bbefore (?:[\w./-]+ ){1,4}(?:broke|break|fail|failed|failing|went|turned|stopped|crashed)\b",
    re.IGNORECASE,
)


def _changed_in(window: Window, facts: Facts) -> Reply:
    """What changed here in a time that lasts until now; of one that is over the files say nothing."""
    since, until = window.bounds(facts.now)
    if since is None or until is not None or not facts.here:
        return None
    changed = facts.evidence.changed(facts.here, since)
    sentence = changed_sentence(changed, window.label)
    if not sentence and changed.files is None:
        return None
    return Draft("deterministic", sentence or f"No commit and no file changed {window.label}.")


def what_changed(match: LooseMatch, facts: Facts) -> Reply:
    """What changed since the last run that passed: commits, files, then the commands in between."""
    if "before" in match.cues and not _BEFORE_IT_BROKE.search(match.text):
        return None
    if match.window is not None and not match.left and not match.cues & {"pass", "test", "fail"}:
        return _changed_in(match.window, facts)
    return _changed_since_it_passed(match, facts)


def _changed_since_it_passed(match: LooseMatch, facts: Facts) -> Reply:
    meant = meant_by(match, facts)
    if meant is None:
        return None
    runs = meant.runs
    if meant.command is None:
        # It, that: the last run here that failed, and then of the same text the last that passed.
        failed = next(filter(has_failed, [run for run in runs if is_test(run)]), None) or next(
            filter(has_failed, runs), None
        )
        if failed is None:
            return None
        runs = [run for run in runs if run.command == failed.command]
    elif any(run.project != facts.here for run in runs[:1]) and not runs:
        return None
    passed = last_pass(runs)
    if passed is None:
        if not runs:
            return None
        return Draft(
            "deterministic", f"{code_span(runs[0].command)} never passed, as far as memory goes."
        )
    changed = facts.evidence.changed(passed.project, passed.at)
    between = [
        run for run in remembered(facts) if run.project == passed.project and run.at > passed.at
    ]
    commands = list(dict.fromkeys(run.command for run in reversed(between)))
    lines = []
    if not changed.commits:
        lines.append("- No commit since then.")
    if commands:
        shown = ", ".join(map(code_span, commands[:6]))
        lines.append(f"- Commands since then: {shown}")
    when = (
        f"{code_span(passed.command)}{in_project(passed, facts)} last passed"
        f" {moment(passed.at, facts.now)}"
    )
    sentence = changed_sentence(changed)
    if not sentence:
        if changed.files is None:
            return None
        return Draft(
            "deterministic",
            f"No commit and no file of the project changed since {when}.",
            tuple(lines),
        )
    return Draft("deterministic", sentence.replace("it last passed", when), tuple(lines))


QUESTIONS: tuple[Everyday, ...] = (
    Everyday(
        "what-changed",
        "ALAN, git and the times of files",
        ("what changed since it last worked",),
        (
            intent(
                "changed",
                f"since before last pass when which status test fail ran commit file now-not take {COMMON}",
                subject="maybe",
            ),
            intent(
                "changed",
                f"since last pass when which status fail ran commit {COMMON}",
                subject="needed",
            ),
            intent(
                "commit since",
                f"last pass when test which status ran running {COMMON}",
                subject="maybe",
            ),
        ),
        what_changed,
    ),
)

"""What changed since a run last passed: commits, files, then the commands in between (ANS-7)."""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.lazy import attrs
from zsh_ls.model.recall import RunEntry
from zsh_ls.model.words import Outcome

from .evidence import Changed, Evidence
from .formatting import count
from .markup import as_text, code_span
from .why import Failure

MOST_NAMED = 3


def last_pass(before: Sequence[RunEntry]) -> RunEntry | None:
    """The newest of `before` that passed."""
    return next((run for run in before if run.outcome is Outcome.SUCCESS), None)


def changed_sentence(changed: Changed, when: str = "since it last passed") -> str:
    """`Changed since …: 2 commits (…), src/tax.js`; empty where nothing changed or it is not known."""
    parts = []
    if changed.commits:
        shown = "; ".join(as_text(title) for title in changed.commits[:MOST_NAMED])
        parts.append(f"{count(len(changed.commits), 'commit')} ({shown})")
    if changed.files:
        shown = ", ".join(map(code_span, changed.files[:MOST_NAMED]))
        more = len(changed.files) - MOST_NAMED
        parts.append(shown + (f" and {count(more, 'other file')}" if more > 0 else ""))
    return f"Changed {when}: {', then '.join(parts)}." if parts else ""


def with_changes(failure: Failure, evidence: Evidence) -> Failure:
    """The failure with what changed since its text last passed, where it did."""
    passed = last_pass(failure.before)
    if passed is None or not failure.run.project:
        return failure
    changed = evidence.changed(failure.run.project, passed.at)
    sentence = changed_sentence(changed)
    if not sentence and changed.files is not None:
        sentence = "Nothing of the project has changed since it last passed."
    return attrs.evolve(failure, changed=sentence)

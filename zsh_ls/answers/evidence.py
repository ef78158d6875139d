"""What answers may ask of runs beside memory: outputs that are kept, files of projects (ANS-7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from zsh_ls.lazy import attrs
from zsh_ls.model.recall import RunEntry
from zsh_ls.model.results import OutputPage

from .formatting import ended
from .why import SIGPIPE_EXIT, Failure, hidden_segments


@attrs.frozen
class Changed:
    """What changed since a moment: titles of commits, files by path; None where it is not known."""

    commits: tuple[str, ...] = ()
    files: tuple[str, ...] | None = ()


class Evidence(Protocol):
    """What is kept of runs beside memory: outputs, and the files of projects."""

    def output(self, run: RunEntry) -> OutputPage | None:
        """The kept output of a run."""
        ...

    def failed_tests(self, run: RunEntry) -> Sequence[str]:
        """The tests that failed in a run, by the names that its output gives them."""
        ...

    def failure(self, run: RunEntry, before: Sequence[RunEntry]) -> Failure:
        """A failed run with what is known of it; `before` are the earlier ones of its text."""
        ...

    def changed(self, project: str, since: float) -> Changed:
        """What changed in the folder of a project since a moment (Unix time)."""
        ...


class NoEvidence:
    """`Evidence` of nothing."""

    def output(self, run: RunEntry) -> OutputPage | None:
        """None."""
        return None

    def failed_tests(self, run: RunEntry) -> Sequence[str]:
        """None."""
        return ()

    def failure(self, run: RunEntry, before: Sequence[RunEntry]) -> Failure:
        """The run alone."""
        return Failure(run, before=before)

    def changed(self, project: str, since: float) -> Changed:
        """Nothing is known."""
        return Changed(files=None)


def hid(run: RunEntry, evidence: Evidence) -> str:
    """A sentence of the segments whose failure a run that exited 0 hid; `""` where it hid none."""
    names = _hidden(run, evidence)
    return f" Its exit hid that {names} failed." if names else ""


def how_ended(run: RunEntry, evidence: Evidence) -> str:
    """How a run ended, in words that follow its command; of one that hid a failure not that it succeeded."""
    names = _hidden(run, evidence)
    return f"exited 0, and hid that {names} failed," if names else ended(run.outcome, run.exit)


def _hidden(run: RunEntry, evidence: Evidence) -> str:
    if run.exit != 0 or all(it in (0, SIGPIPE_EXIT) for it in run.pipestatus[:-1]):
        return ""
    return hidden_segments(evidence.failure(run, ()))

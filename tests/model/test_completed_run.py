"""The exits of a completed run's segments, and the parts of it that are dropped while it is queued."""

from __future__ import annotations

import attrs

from zsh_ls.insights.segments import with_pipeline
from zsh_ls.model.completed_run import CompletedRun, CompletedSegment, outcome_of

RUN = CompletedRun("grep x f | cat", "zsh", 0, (1, 0), outcome_of(0), 0.1, 0.0, "s", output="no\n")


def test_without_its_pipeline_a_run_has_the_exits_of_its_segments() -> None:
    assert RUN.segments == (CompletedSegment(1), CompletedSegment(0))
    assert RUN.last == CompletedSegment(0)


def test_what_waits_to_be_written_has_neither_output_nor_words() -> None:
    read = attrs.evolve(with_pipeline(RUN), output_end="no\n")
    assert read.pipeline is not None
    assert [segment.words for segment in read.segments] == [("grep", "x", "f"), ("cat",)]
    assert read.segments[0].normal_meaning == "no match"
    assert read.without_texts() == attrs.evolve(RUN, output=None)

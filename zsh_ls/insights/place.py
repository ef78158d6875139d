"""The place of a pipeline in a script: its neighbours, its enclosing commands, and its context."""

from __future__ import annotations

from typing import NamedTuple

from zsh_ls.model.context import Context, Setting, StatusCheck
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Connector, Pipeline, Role, Segment, SegmentKind, Substitution

NEIGHBOURS = 20


class PipelinePlace(NamedTuple):
    """A pipeline's place: `siblings[position]` of a list inside the segments `around`, outermost first.

    `owner` is the place of the pipeline whose words contain the innermost `substitution`.
    """

    pipeline: Pipeline
    siblings: tuple[Pipeline, ...]
    position: int
    around: tuple[Segment, ...]
    substitution: Substitution | None
    owner: PipelinePlace | None
    context: Context

    @property
    def span(self) -> Span:
        """The range of the pipeline."""
        return self.pipeline.span

    @property
    def before(self) -> tuple[Pipeline, ...]:
        """Up to NEIGHBOURS pipelines before it in its list, the nearest last."""
        return self.siblings[max(0, self.position - NEIGHBOURS) : self.position]

    @property
    def after(self) -> tuple[Pipeline, ...]:
        """Up to NEIGHBOURS pipelines after it in its list."""
        return self.siblings[self.position + 1 : self.position + 1 + NEIGHBOURS]

    @property
    def next(self) -> Pipeline | None:
        """The next pipeline in its list if that runs whatever this one's status is, else None."""
        if self.pipeline.connector is not Connector.NONE or not self.after:
            return None
        return self.after[0]

    @property
    def only(self) -> Segment | None:
        """Its segment if it has a single one, else None."""
        return self.pipeline.segments[0] if len(self.pipeline.segments) == 1 else None

    @property
    def is_last_of_script(self) -> bool:
        """Whether its status is the script's."""
        return not self.around and not self.after and self.substitution is None

    @property
    def is_asked_last(self) -> bool:
        """Whether it is last in the condition of the `if`, `while` or `until` around it."""
        conditions = self.around[-1].bodies if self.around else ()
        return not self.after and any(
            body.role is Role.CONDITION and body.pipelines and body.pipelines[-1] is self.pipeline
            for body in conditions
        )

    @property
    def is_unchecked(self) -> bool:
        """Whether nothing but maybe `errexit` checks its status."""
        return self.context.checked is StatusCheck.NONE and not self.context.background

    @property
    def ends_the_script(self) -> bool:
        """Whether its failure certainly ends the script: errexit is on and nothing checks the status."""
        unguarded = self.is_unchecked and self.context.errexit is Setting.ON
        return unguarded and self.substitution is None

    @property
    def is_forgiven(self) -> bool:
        """Whether its failure is ignored explicitly: `|| true`, `|| :`."""
        if self.pipeline.connector is not Connector.OR or not self.after:
            return False
        return self.after[0].segments[0].command_word in {"true", ":"}

    @property
    def is_looked_at(self) -> bool:
        """Whether its status is checked, by errexit or the script, maybe through an assignment."""
        if self.substitution is None:
            checked = self.context.checked not in {StatusCheck.NONE, StatusCheck.MASKED}
            return (checked and not self.is_forgiven) or self.ends_the_script
        return self._fills_assignment and self.owner is not None and self.owner.is_looked_at

    @property
    def _fills_assignment(self) -> bool:
        only = None if self.owner is None else self.owner.only
        if only is None or only.words or not only.assignments or self.after:
            return False
        return only.substitutions[-1] is self.substitution

    @property
    def function(self) -> Segment | None:
        """The innermost function around it, None outside functions."""
        functions = [one for one in self.around if one.kind is SegmentKind.FUNCTION]
        return functions[-1] if functions else None

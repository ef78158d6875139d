"""The context of every pipeline: where its status is checked, what it runs in, which options are set.

One walk in the order of the text. Options flow from command to command; into
subshells they are copied, and what a function, a branch or a loop changes is
MAYBE afterwards. Which segments run in subshells is each shell's own rule: zsh
runs the last one of a pipeline in the current shell, bash and sh none.

Not considered are options set by sourced files that are not known, by `eval`, by functions
of other files, and by the caller's `set` when a function is called from more
than one place with different options (MAYBE covers the last within one file).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from zsh_ls.model.context import Context, PlacedPipeline, Setting, StatusCheck
from zsh_ls.model.syntax import (
    Body,
    Connector,
    Dialect,
    Heredoc,
    Pipeline,
    Role,
    Script,
    Segment,
    SegmentKind,
    Substitution,
    SubstitutionKind,
)
from zsh_ls.system.sorting import sorted_in_turns

from .call_graph import Calls, calls_of, clears_errexit
from .shell_options import CHANGE_OPTIONS, Options, makes_options_local, shebang_options

ANONYMOUS = "()"
BRANCHES = frozenset(
    {
        SegmentKind.IF,
        SegmentKind.CASE,
        SegmentKind.WHILE,
        SegmentKind.UNTIL,
        SegmentKind.FOR,
        SegmentKind.SELECT,
        SegmentKind.REPEAT,
    }
)
BY_CONNECTOR = {Connector.AND: StatusCheck.AND, Connector.OR: StatusCheck.OR}


# Sourced files that source others are followed so deep.
DEEPEST_SOURCE = 8
SOURCE = frozenset({"source", "."})


def contexts(
    script: Script,
    *,
    sourced: bool = False,
    sources: Callable[[str], Script | None] | None = None,
) -> list[PlacedPipeline]:
    """Every pipeline of `script` with its context, in the order of the text.

    `sourced` says that other code may have set options, as for a file without an
    interpreter line; `sources` gives the script that a word behind `source` names, if that is known.
    """
    first_line = script.text.partition("\n")[0]
    options = Options(Setting.MAYBE, Setting.MAYBE) if sourced else shebang_options(first_line)
    walk = _ContextWalk(script, sources)
    walk.pipelines(script.pipelines, Context(), options)
    return sorted_in_turns(walk.found, _in_order)


def _in_order(placed: PlacedPipeline) -> tuple[int, int]:
    start, end = placed[0][0]
    return start, -end


class _ContextWalk:
    """One walk over a script. Every step takes and returns options as values."""

    def __init__(
        self,
        script: Script,
        sources: Callable[[str], Script | None] | None = None,
        depth: int = DEEPEST_SOURCE,
    ) -> None:
        self.script = script
        self.sources = sources
        self.depth = depth
        self.found: list[PlacedPipeline] = []
        self.heredocs = {heredoc.redirection: heredoc for heredoc in script.heredocs}
        self.option_changes: dict[str, Options] = {}

    def pipelines(
        self, siblings: tuple[Pipeline, ...], context: Context, options: Options
    ) -> Options:
        """Walk one list; returns the options after it."""
        joined_by = Connector.NONE
        plain = _with_options(context, options)
        for position, pipeline in enumerate(siblings):
            here = plain if _is_plain(pipeline) else _in_context(plain, pipeline)
            self.found.append(PlacedPipeline(pipeline, here, siblings, position))
            after = self.segments(pipeline, here, options)
            # A pipeline after && or || may not have run.
            if joined_by is not Connector.NONE:
                after = options.joined(after)
            if after is not options:
                options, plain = after, _with_options(context, after)
            joined_by = pipeline.connector
        return options

    def segments(self, pipeline: Pipeline, context: Context, options: Options) -> Options:
        """Walk the segments of a pipeline; returns the options of the shell that ran it."""
        count = len(pipeline.segments)
        if count == 1 and not context.background:
            return self.segment(pipeline.segments[0], context, options)
        current = options
        for position, segment in enumerate(pipeline.segments):
            last = position == count - 1
            here = context if last else _masked(context)
            if context.background or (count > 1 and not (last and self.in_zsh)):
                self.segment(segment, here._replace(subshell=True), options)
            else:
                current = self.segment(segment, here, options)
        return options if pipeline.background or pipeline.coproc else current

    @cached_property
    def calls(self) -> Calls:
        """The calls in the script, needed only if errexit is on at a function's definition."""
        return calls_of(self.script)

    @property
    def in_zsh(self) -> bool:
        """Whether the script is zsh's."""
        return self.script.dialect is Dialect.ZSH

    def segment(self, segment: Segment, context: Context, options: Options) -> Options:
        """Walk what is nested in a segment; returns the options after it."""
        if segment.substitutions or segment.redirections:
            for substitution in self.substitutions(segment):
                self.substitution(substitution, context, options)
        if segment.kind is SegmentKind.SIMPLE:
            return self.simple(segment, options)
        if segment.kind is SegmentKind.FUNCTION:
            return self.function(segment, context, options)
        if segment.kind is SegmentKind.SUBSHELL:
            self.bodies(segment, context._replace(subshell=True), options)
            return options
        return self.bodies(segment, context, options)

    def substitutions(self, segment: Segment) -> Iterator[Substitution]:
        """The substitutions in a segment's words and in its here-documents."""
        yield from segment.substitutions
        for redirection in segment.redirections:
            heredoc: Heredoc | None = self.heredocs.get(redirection.span)
            if heredoc:
                yield from heredoc.substitutions

    def substitution(self, substitution: Substitution, context: Context, options: Options) -> None:
        """Walk nested code. It runs in a subshell, except `${ …; }`; bash clears errexit there."""
        kind = substitution.kind
        if clears_errexit(self.script, kind):
            options = options._replace(errexit=Setting.OFF)
        here = context._replace(
            substitution=kind,
            subshell=context.subshell or kind is not SubstitutionKind.FUNCTION,
            checked=StatusCheck.NONE if context.checked is StatusCheck.MASKED else context.checked,
        )
        self.pipelines(substitution.pipelines, here, options)

    def simple(self, segment: Segment, options: Options) -> Options:
        """The options after a simple command."""
        command = segment.command_word
        if segment.words and command in self.option_changes:
            return options.joined(self.option_changes[command])
        if self.sources is not None and command in SOURCE and len(segment.words) > 1:
            known = self.sources(self.script.source(segment.words[1])) if self.depth else None
            if known is None:
                return options
            inner = _ContextWalk(known, self.sources, self.depth - 1)
            options = inner.pipelines(known.pipelines, Context(), options)
            self.option_changes |= inner.option_changes
            return options
        if command not in CHANGE_OPTIONS:
            return options
        return options.after([self.script.source(word) for word in segment.words])

    def bodies(self, segment: Segment, context: Context, options: Options) -> Options:
        """Walk the bodies of a compound command, in order; a branch may not have been taken."""
        for body in segment.bodies:
            after = self.pipelines(body.pipelines, _within_body(context, body), options)
            branch = segment.kind in BRANCHES and body.role is not Role.CONDITION
            options = options.joined(after) if branch else after
        return options

    def function(self, segment: Segment, context: Context, options: Options) -> Options:
        """Walk a function's body. An anonymous function runs at once, others when they are called."""
        if segment.command_word == ANONYMOUS:
            return self.bodies(segment, context._replace(function=ANONYMOUS), options)
        names = [self.script.source(word) for word in segment.words] or [""]
        inside = self.at_entry(names, options)
        after = self.bodies(segment, Context(function=names[0]), inside)
        if after != inside and not self.keeps_options(segment):
            self.option_changes |= dict.fromkeys(names, after)
        return options

    def at_entry(self, names: list[str], options: Options) -> Options:
        """The options when a function is called: those at its definition, unless callers may differ.

        For a function that the text does not call, errexit is MAYBE.
        """
        if options.errexit is not Setting.ON:
            return options
        checked, reached = self.calls
        surely = reached.intersection(names) and not checked.intersection(names)
        return options if surely else options._replace(errexit=Setting.MAYBE)

    def keeps_options(self, segment: Segment) -> bool:
        """Whether a function restores options when it returns: `emulate -L`, `setopt localoptions`."""
        commands = (
            each.segments[0] for body in segment.bodies for each in body.pipelines if each.segments
        )
        return any(
            makes_options_local([self.script.source(word) for word in command.words])
            for command in commands
            if command.kind is SegmentKind.SIMPLE and command.words
        )


def _with_options(context: Context, options: Options) -> Context:
    if context.errexit is options.errexit and context.pipefail is options.pipefail:
        return context
    return context._replace(errexit=options.errexit, pipefail=options.pipefail)


def _is_plain(pipeline: Pipeline) -> bool:
    """Whether a pipeline has the same context as its list."""
    return (
        pipeline.connector is Connector.NONE
        and not pipeline.negated
        and not pipeline.background
        and not pipeline.coproc
    )


def _in_context(context: Context, pipeline: Pipeline) -> Context:
    """The context of a pipeline in a list; a check of the whole list takes precedence."""
    checked = context.checked
    if checked is StatusCheck.NONE and pipeline.negated:
        checked = StatusCheck.NEGATED
    elif checked is StatusCheck.NONE:
        checked = BY_CONNECTOR.get(pipeline.connector, StatusCheck.NONE)
    background = context.background or bool(pipeline.background) or pipeline.coproc
    return context._replace(
        checked=checked, background=background, subshell=context.subshell or background
    )


def _masked(context: Context) -> Context:
    """The context of a segment that is not the last, whose status is lost without pipefail."""
    unseen = context.checked is StatusCheck.NONE and context.pipefail is not Setting.ON
    return context._replace(checked=StatusCheck.MASKED) if unseen else context


def _within_body(context: Context, body: Body) -> Context:
    """The context within a body; the status of a condition's list is checked."""
    return (
        context._replace(checked=StatusCheck.CONDITION) if body.role is Role.CONDITION else context
    )


def innermost_at(
    placed: Iterable[PlacedPipeline], offsets: Iterable[int]
) -> dict[int, PlacedPipeline]:
    """For each offset the innermost pipeline enclosing it, as `context_of`, in a single pass."""
    remaining = sorted_in_turns(placed, _in_order)
    enclosing: list[PlacedPipeline] = []
    found: dict[int, PlacedPipeline] = {}
    at = 0
    for offset in sorted(set(offsets)):
        while at < len(remaining) and remaining[at].pipeline.span.start <= offset:
            while enclosing and enclosing[-1].pipeline.span.end < remaining[at].pipeline.span.start:
                enclosing.pop()
            enclosing.append(remaining[at])
            at += 1
        while enclosing and enclosing[-1].pipeline.span.end < offset:
            enclosing.pop()
        holding = [it for it in enclosing if it.pipeline.span.end >= offset]
        if holding:
            found[offset] = min(
                holding, key=lambda it: it.pipeline.span.end - it.pipeline.span.start
            )
    return found


def context_of(placed: list[PlacedPipeline], offset: int) -> PlacedPipeline | None:
    """The innermost pipeline enclosing `offset`, None if there is none."""
    enclosing = [
        each for each in placed if each.pipeline.span.start <= offset <= each.pipeline.span.end
    ]
    return min(
        enclosing, key=lambda each: each.pipeline.span.end - each.pipeline.span.start, default=None
    )

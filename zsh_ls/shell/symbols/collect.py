"""Collects every name that a script defines or mentions, in one walk over the syntax tree.

Not found are names that are made at run time (`eval "x_$i=1"`,
`${(P)name}`), and code in strings but for that of `eval` and `trap`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from zsh_ls.lazy import re
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Assignment, Pipeline, Script, Segment, SegmentKind
from zsh_ls.shell.syntax.parser import parse
from zsh_ls.shell.syntax.parser.lexer import UNCLOSED
from zsh_ls.shell.words.expansions import Mention, Mode, Use, mentions
from zsh_ls.shell.words.words import Word, read_word

from .binding_commands import DECLARING, Named, NameKind, function_word, letters_of, names_in, reads
from .own_folder import path_of_word
from .symbols import FILE, Definition, NameCollector, Names, Occurrence, Scope, Sourced, joined

MAX_DEPTH = 3
MODIFIERS = frozenset({"noglob", "nocorrect", "builtin", "-", "command", "eval", "exec"})
_TESTED = re.compile(
    r"(?<=\s)([^\W\d]\w*)(?=\s+-(?:eq|ne|lt|le|gt|ge)\s)"
    r"|(?<=\s-eq\s|\s-ne\s|\s-lt\s|\s-le\s|\s-gt\s|\s-ge\s)\s*([^\W\d]\w*)(?=\s)"
    r"|(?<=\s-v\s)([^\W\d]\w*)"
)


def names_of(script: Script, earlier: Names | None = None) -> Names:
    """All names of `script`; commands that an `earlier` version has too are not walked again."""
    known = earlier.pieces if earlier and earlier.script.dialect is script.dialect else {}
    walk = _NameWalk(script, NameCollector())
    commands: list[tuple[NameCollector, int]] = []
    pieces: dict[str, NameCollector] = {}
    for pipeline in script.pipelines:
        key = script.source(pipeline.span) if walk.is_closed(pipeline) else ""
        piece = pieces.get(key) or known.get(key) or walk.piece(pipeline)
        if key:
            pieces[key] = piece
        commands.append((piece, pipeline.span.start))
    return joined(script, commands, pieces)


class _NameWalk:
    """Walks a script, or code within a word of one, which begins at offset `base` of the whole text."""

    def __init__(self, script: Script, found: NameCollector, base: int = 0, depth: int = 0) -> None:
        self.script = script
        self.text = script.text
        self.found = found
        self.base = base
        self.depth = depth
        self.comments = sorted(script.comments)
        self.heredocs = sorted(script.heredocs, key=lambda it: it.redirection)
        self.begin_heredocs = [it.redirection.start for it in self.heredocs]
        self.bodies = sorted(heredoc.span for heredoc in script.heredocs)
        # An unclosed quote changes the meaning of all text after it.
        self.has_unclosed_quote = any(it.message.startswith(UNCLOSED) for it in script.problems)

    def is_closed(self, pipeline: Pipeline) -> bool:
        """Whether a command can be understood from its own text: no heredoc of it is outside."""
        at = bisect_left(self.begin_heredocs, pipeline.span.start)
        while at < len(self.heredocs) and self.heredocs[at].redirection.start < pipeline.span.end:
            if self.heredocs[at].span.end > pipeline.span.end:
                return False
            at += 1
        return not self.has_unclosed_quote

    def piece(self, pipeline: Pipeline) -> NameCollector:
        """The names in one top-level command, with spans relative to its start."""
        self.found, self.base = NameCollector(), -pipeline.span.start
        self.pipelines([pipeline], FILE)
        self.found.put_in_order()
        return self.found

    def pipelines(self, pipelines: Iterable[Pipeline], scope: int) -> None:
        for pipeline in pipelines:
            for segment in pipeline.segments:
                self.segment(segment, scope)

    def segment(self, segment: Segment, scope: int) -> None:
        """Collect a command's own words, then the code within it."""
        inner = scope
        if segment.kind is SegmentKind.FUNCTION:
            inner = self.function(segment, scope)
        elif segment.words or segment.assignments:
            self.own_names(segment, scope)
        self.own_text(segment, scope)
        for redirection in segment.redirections:
            if redirection.operator in {"<<", "<<-"}:
                self.heredoc(redirection.span, scope)
        for substitution in segment.substitutions:
            self.pipelines(substitution.pipelines, scope)
        for body in segment.bodies:
            self.pipelines(body.pipelines, inner)

    # Names by what a command does with its words

    def function(self, segment: Segment, scope: int) -> int:
        """Add a function's definitions and scope; returns the scope's index."""
        spans = () if segment.command_word else segment.words
        words = [self.word(span, segment) for span in spans]
        named = [(name, word.span) for word in words if (name := function_word(word, self.text))]
        for name, span in named:
            self.define(Definition(NameKind.FUNCTION, name, span, segment.span, scope))
        names = tuple(name for name, _ in named)
        self.found.scopes.append(Scope(scope, segment.span.shifted(self.base), names))
        self.found.owned.append(set())
        return len(self.found.scopes) - 1

    def own_names(self, segment: Segment, scope: int) -> None:
        for assignment in segment.assignments:
            self.assignment(assignment, scope)
            if segment.words:
                self.found.given.append((assignment.name, segment.command_word))
        if segment.kind is SegmentKind.SIMPLE:
            self.command(segment, scope)
        elif segment.kind in {SegmentKind.FOR, SegmentKind.SELECT}:
            for span in segment.words:
                self.define(
                    Definition(NameKind.VARIABLE, self.text[slice(*span)], span, span, scope)
                )

    def assignment(self, assignment: Assignment, scope: int) -> None:
        """`name=value`, or `name[…]=value`, whose subscript may be arithmetic."""
        start = assignment.span.start
        span = Span(start, start + len(assignment.name))
        if self.text.startswith("[", span.end):
            head = Span(start, assignment.value.start)
            self.add_mentions(head, (), scope, Mode.ARITHMETIC)
        else:
            made = Definition(NameKind.VARIABLE, assignment.name, span, assignment.span, scope)
            self.define(made)

    def command(self, segment: Segment, scope: int) -> None:
        """Collect what a simple command calls, and the names among its words."""
        at = 0
        while at < len(segment.words) and self.text[slice(*segment.words[at])] in MODIFIERS:
            self.call(segment.words[at], segment, scope)
            at += 1
        first = self.text[slice(*segment.words[at])] if at < len(segment.words) else ""
        modifiers = {self.text[slice(*span)] for span in segment.words[:at]}
        if not modifiers & {"command", "builtin", "exec"} and first:
            self.call(segment.words[at], segment, scope)
        if reads(first) or modifiers & {"command", "eval"}:
            begin = at - 1 if "command" in modifiers and not reads(first) else at
            words = [self.word(span, segment) for span in segment.words]
            self.reading_command(words[begin:], scope, is_eval="eval" in modifiers)

    def call(self, span: Span, segment: Segment, scope: int) -> None:
        word = self.word(span, segment)
        if name := function_word(word, self.text):
            self.add(NameKind.FUNCTION, name, span, Use.READ, scope)
            self.found.calls.append(span.shifted(self.base))
        elif not word.literal:
            self.found.calls_unknown = True

    def reading_command(self, words: Sequence[Word], scope: int, *, is_eval: bool) -> None:
        """Collect from a command whose words are names, files or code."""
        if not words:
            return
        command = words[0].text
        if is_eval or command == "trap":
            self.code(words if is_eval else words[1:2], scope, is_eval=is_eval)
        if command in {"source", "."}:
            self.source(words[1:])
        if command in DECLARING:
            self.declared(words)
        if command == "let":
            self.arithmetic(words[1:], scope)
        for named in names_in(words, self.text, self.script.dialect):
            self.named(named, words, scope)

    def named(self, named: Named, words: Sequence[Word], scope: int) -> None:
        if named.is_local and scope != FILE:
            self.found.owned[scope].add(named.name)
        if named.kind is NameKind.FUNCTION:
            self.add(named.kind, named.name, named.span, named.use, scope)
            return
        extent = next((it.span for it in words if it.span.start == named.span.start), named.span)
        made = Definition(named.kind, named.name, named.span, extent, scope)
        self.define(made, named.use)

    def declared(self, words: Sequence[Word]) -> None:
        """Note which names are associative arrays, and which are exported."""
        letters = letters_of(words)
        found = [it.name for it in names_in(words, self.text, self.script.dialect)]
        if "A" in letters:
            self.found.associative.update(found)
        if words[0].text == "export" or "x" in letters:
            self.found.exported.update(found)

    def source(self, words: Sequence[Word]) -> None:
        if words and words[0].literal and words[0].text:
            self.found.sourced.append(Sourced(words[0].span.shifted(self.base), words[0].text))
            return
        # A path by the folder of the script itself is as constant as one that is written out.
        written = self.text[slice(*words[0].span)] if words else ""
        path = path_of_word(written) if "$" in written else None
        if path is None or not ({".", "/"} & set(path)):
            self.found.sources_unknown = True
        else:
            self.found.sourced.append(Sourced(words[0].span.shifted(self.base), path))

    def arithmetic(self, words: Sequence[Word], scope: int) -> None:
        """Collect the bare names in `let 'x = y + 1'`; what is expanded in it is found as in any command."""
        for word in words:
            quoted = word.quoted[0] if word.quoted else None
            is_whole = quoted and word.span == Span(quoted.start - 1, quoted.end + 1)
            span = Span(quoted.start, quoted.end) if quoted and is_whole else word.span
            expanded = {
                it.span for it in mentions(self.text, word.span, self.script.dialect, Mode.WORDS)
            }
            for it in mentions(self.text, span, self.script.dialect, Mode.ARITHMETIC):
                if it.span not in expanded:
                    self.mention(it, scope)

    def code(self, words: Sequence[Word], scope: int, *, is_eval: bool) -> None:
        """Collect the names in words that are code."""
        for word in words:
            if not word.literal or len(words) > 1:
                self.found.evaluates = True
            elif word.quoted and word.span == Span(
                word.quoted[0].start - 1, word.quoted[0].end + 1
            ):
                self.code_at(word.quoted[0], scope)
            elif is_eval and word.text == self.text[slice(*word.span)]:
                self.code_at(word.span, scope)

    def code_at(self, span: Span, scope: int) -> None:
        code = self.text[slice(*span)]
        if self.depth < MAX_DEPTH and "\\" not in code:
            script = parse(code, self.script.dialect)
            inner = _NameWalk(script, self.found, self.base + span.start, self.depth + 1)
            inner.pipelines(script.pipelines, scope)

    # Parameters in the text of words

    def own_text(self, segment: Segment, scope: int) -> None:
        """Collect the parameters in a segment's text, without the parts that are other commands."""
        start, end = segment.span
        if segment.kind is SegmentKind.ARITHMETIC:
            self.add_mentions(Span(start + 2, end), self.holes(segment), scope, Mode.ARITHMETIC)
            return
        if segment.kind is SegmentKind.CONDITION:
            self.condition(segment, scope)
        elif segment.kind is SegmentKind.FOR and not segment.words:
            start = self.loop_head(segment, scope)
        if self.text.find("$", start, end) >= 0:
            self.add_mentions(Span(start, end), self.holes(segment), scope, Mode.WORDS)

    def loop_head(self, segment: Segment, scope: int) -> int:
        """Collect from `for (( i = 0; i < n; i++ ))`; returns the offset after it."""
        start, end = segment.span
        opening = self.text.find("((", start, end)
        limit = min(
            (body.pipelines[0].span.start for body in segment.bodies if body.pipelines), default=end
        )
        if not start <= opening < limit:
            return start
        self.add_mentions(Span(opening + 2, limit), self.holes(segment), scope, Mode.ARITHMETIC)
        return limit

    def condition(self, segment: Segment, scope: int) -> None:
        """Collect the bare names in `[[ n -gt 1 && -v x ]]`."""
        for found in _TESTED.finditer(self.text, *segment.span):
            group = found.lastindex or 0
            self.add(NameKind.VARIABLE, found[group], Span(*found.span(group)), Use.READ, scope)

    def heredoc(self, redirection: Span, scope: int) -> None:
        at = bisect_left(self.heredocs, redirection, key=lambda it: it.redirection)
        if at >= len(self.heredocs) or self.heredocs[at].redirection != redirection:
            return
        heredoc = self.heredocs[at]
        if not heredoc.quoted:
            holes = [it.span for it in heredoc.substitutions]
            self.add_mentions(heredoc.body, holes, scope, Mode.HEREDOC)
            for substitution in heredoc.substitutions:
                self.pipelines(substitution.pipelines, scope)

    def holes(self, segment: Segment) -> list[Span]:
        """The parts of the segment's text that belong to other commands or are comments, sorted."""
        found = [it.span for body in segment.bodies for it in body.pipelines]
        found += [it.span for it in segment.substitutions]
        found += _inside(self.comments, segment.span)
        found += _inside(self.bodies, segment.span)
        return sorted(found)

    def add_mentions(self, span: Span, holes: Sequence[Span], scope: int, mode: Mode) -> None:
        for it in mentions(self.text, span, self.script.dialect, mode, holes):
            self.mention(it, scope)

    def mention(self, mention: Mention, scope: int) -> None:
        if mention.subject:
            self.found.subjects[mention.span.shifted(self.base)] = mention.subject
        if mention.use is Use.WRITTEN:
            self.define(
                Definition(NameKind.VARIABLE, mention.name, mention.span, mention.span, scope)
            )
        else:
            self.add(NameKind.VARIABLE, mention.name, mention.span, mention.use, scope)

    def define(self, made: Definition, use: Use = Use.WRITTEN) -> None:
        """Add a definition, whose spans are in this walk's text."""
        if made.kind is not NameKind.VARIABLE:
            use = Use.DECLARED
        self.add(made.kind, made.name, made.span, use, made.scope)
        span, extent = made.span.shifted(self.base), made.extent.shifted(self.base)
        self.found.definitions.append(made._replace(span=span, extent=extent))

    def add(self, kind: NameKind, name: str, span: Span, use: Use, scope: int) -> None:
        self.found.add(Occurrence(kind, name, span.shifted(self.base), use, scope))

    def word(self, span: Span, segment: Segment) -> Word:
        return read_word(
            self.text, span, {it.span.start: it.span.end for it in segment.substitutions}
        )


def _inside(spans: list[Span], around: Span) -> Iterator[Span]:
    at = bisect_left(spans, (around.start, 0))
    while at < len(spans) and spans[at].start < around.end:
        yield spans[at]
        at += 1

"""A script as static rules see it: each pipeline with its neighbours, what is around it, and its context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple
from zsh_ls.model.context import Context, Setting, StatusCheck
from zsh_ls.model.insight import Fix, Insight, Replacement
from zsh_ls.model.span import Span
from zsh_ls.model.syntax import (
    Connector,
    Dialect,
    Pipeline,
    Role,
    Script,
    Segment,
    SegmentKind,
    Substitution,
    SubstitutionKind,
)
from zsh_ls.model.words import Level
from zsh_ls.shell.fates import FateKind, Rule
from zsh_ls.shell.status.context import contexts
from zsh_ls.shell.syntax.lines import LONGEST_LINE, pieces
from zsh_ls.shell.words.vocabulary import word_set
from zsh_ls.shell.words.wrappers import command_word
from zsh_ls.system.sorting import sorted_in_turns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from zsh_ls.shell.fates import Fate, Sources, StatusRead


SIMPLE = {SegmentKind.SIMPLE, SegmentKind.CONDITION, SegmentKind.ARITHMETIC}
ERROR_TRAP = r"\btrap\b[^\n]*\bZ?ERR\b|\bTRAPZ?ERR\b"
ERROR_TRAP_SET = re.compile(ERROR_TRAP)
# Sourced files that only set variables.
SETTINGS = re.compile(
    r"/etc/(?:os-release|lsb-release|default/|sysconfig/|environment)|\.env\b|/activate\b"
)
# Commands that a file of functions may have at its top level; `""` is an assignment.
DEFINES = word_set(
    "set shopt export readonly declare typeset local source . unset return [ [[ test"
) | {""}
# `declare -f f` and `export -f f` hand a function over.
HANDS_OVER = frozenset({"declare", "typeset", "export"})
# A ruler between parts of a file: `-----OLD`.
NO_COMMAND = re.compile(r"[-=]{3}")
COMMAND_SUBSTITUTIONS = {SubstitutionKind.COMMAND, SubstitutionKind.BACKQUOTE}
NEIGHBOURS = 20
# Characters, of some 10,000 lines. The analysis of so many takes up to 2 s on a busy machine.
LOOPS = frozenset({SegmentKind.FOR, SegmentKind.WHILE, SegmentKind.UNTIL, SegmentKind.REPEAT})
MAY_RUN_AGAIN = LOOPS | {SegmentKind.FUNCTION}
# What functions of a test suite are called, and what one says in the end.
TEST_FUNCTION = re.compile(
    r"_?(?:test|assert|expect)_\w+|_t\d+_\w+|(?:print_)?(?:pass|not_ok)|run_tests?|(?:it|describe|assert)"
)
TESTS_PASSED = re.compile(r"(?i)\btests? passed\b")
TEST_SUM = re.compile(
    r"(?i)\b(?:tests?|checks) (?:passed|failed)\b|\b(?:passed|failed)\b[^\n]{0,20}\btests?\b|\bFAIL:"
)
# So many blocks and calls around a command are followed to the end of the script.
DEEPEST = 8
LONGEST_ANALYSED = 200_000
LONGEST_SHOWN = 40
RUNS = re.compile(
    r"(?!(?:fi|done|esac|else|then|do|elif|case|if|while|until|for|function)\b)[\w./$\"]"
)
STATUS = re.compile(r"\$\?(?!\w)|\$\{\?\}")
# What decides a fate where the status is gone at the command's own place.
LOST = frozenset({Rule.OWN_EXIT, Rule.LAST_SEGMENT, Rule.BACKGROUND, Rule.WORDS})
# What decides one where ERR_RETURN is set.
RETURNS = frozenset({Rule.ERR_RETURN, Rule.RETURN_IGNORED})
# Fates of a failure that the script does not learn of, and of one that it does.
UNNOTICED = frozenset({FateKind.UNNOTICED, FateKind.STOPS_SILENTLY})
NOTICED = frozenset({FateKind.STOPS, FateKind.HANDLED, FateKind.REPORTED})


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
    def list_start(self) -> int:
        """The offset where the list begins that `&&` and `||` make of it and others."""
        at = self.position
        while at and self.siblings[at - 1].connector is not Connector.NONE:
            at -= 1
        return self.siblings[at].span.start

    @property
    def is_after_and_or(self) -> bool:
        """Whether it runs or not by the status of the pipeline before it."""
        return (
            self.position > 0 and self.siblings[self.position - 1].connector is not Connector.NONE
        )

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


class ScriptModel:
    """A parsed script and the places of all its pipelines, in the order of the text.

    A script without an interpreter line, or with functions only, may be sourced by
    another script that has set options (`stands_alone` is False); one for zsh is assumed
    to be sourced by an interactive shell instead. `sources` knows the files that it sources itself.
    """

    def __init__(self, script: Script, sources: Sources | None = None) -> None:
        self.script = script
        self.sources = sources
        alone = script.text.startswith("#!") and not _only_defines(script)
        sourced = script.dialect is not Dialect.ZSH and not alone
        self.stands_alone = not sourced
        placed = contexts(script, sourced=sourced, sources=sources)
        self._words: dict[int, tuple[str, ...]] = {}
        self._commands: dict[int, str] = {}
        self._first_at: dict[str, int] = {}
        self._lines_with: dict[str, tuple[tuple[int, str], ...]] = {}
        self._contexts = {id(one.pipeline): one.context for one in placed}

    @property
    def text(self) -> str:
        """The script's text."""
        return self.script.text

    @property
    def dialect(self) -> Dialect:
        """The script's language."""
        return self.script.dialect

    def errexit_at(self, pipeline: Pipeline) -> Setting:
        """Whether errexit is set where a pipeline runs."""
        return self._contexts[id(pipeline)].errexit

    @cached_property
    def shebang(self) -> str:
        """The interpreter line, `""` without one."""
        first = self.text.partition("\n")[0]
        return first if first.startswith("#!") else ""

    @cached_property
    def end(self) -> int:
        """The offset behind which nothing runs: an `exit` or an `exec` of a program ends the script.

        So does a line of dashes under errexit, which is no command.
        """
        for at, pipeline in enumerate(self.script.pipelines):
            alone = at == 0 or self.script.pipelines[at - 1].connector is Connector.NONE
            single = len(pipeline.segments) == 1 and not pipeline.background
            if not alone or not single or pipeline.connector is not Connector.NONE:
                continue
            words = self.words(pipeline.segments[0])
            no_command = bool(words) and NO_COMMAND.match(words[0]) is not None
            if no_command and self.errexit_at(pipeline) is Setting.ON:
                return pipeline.span.start
            if words[:1] == ("exit",) or (words[:1] == ("exec",) and len(words) > 1):
                return pipeline.span.end
        return len(self.text)

    def controls_options_at(self, place: PipelinePlace) -> bool:
        """Whether only texts that are known decide what a failure does at a place.

        Not where a library may have been read before, nor with an ERR trap.
        """
        if self.has_an_error_trap:
            return False
        # A function or a loop may run again behind what stands below it.
        again = any(one.kind in MAY_RUN_AGAIN for one in place.around)
        return not any(
            again or one.function is not None or one.span.start < place.span.start
            for one in self._libraries
        )

    @cached_property
    def has_an_error_trap(self) -> bool:
        """Whether a trap is set somewhere that runs at errors."""
        return self.mentions(ERROR_TRAP)

    @cached_property
    def is_test_suite(self) -> bool:
        """Whether the script tests something: it is meant to stop where what it expects is not so."""
        named = any(TEST_FUNCTION.fullmatch(name) for name in (*self.functions, *self.called))
        fails = "fail" in self.functions or "print_fail" in self.called
        says = any(map(TEST_SUM.search, pieces(self.text, LONGEST_LINE)))
        ends = self.script.pipelines[-1:]
        ends_so = any(TESTS_PASSED.search(self.source(one.span)) for one in ends)
        return (named and (fails or says)) or (fails and says) or ends_so

    @property
    def reads_a_library(self) -> bool:
        """Whether it sources a file that may define functions and set options, and is not known."""
        return bool(self._libraries)

    @cached_property
    def _libraries(self) -> tuple[PipelinePlace, ...]:
        return tuple(
            place
            for place in self.places
            for segment in place.pipeline.segments
            if segment.command_word in {".", "source"}
            and any(self._is_library(self.source(word)) for word in segment.words[1:2])
        )

    def _is_library(self, written: str) -> bool:
        """Whether `source` reads a file that is not known, or that reads one itself."""
        from zsh_ls.shell.fates import sourced_files  # noqa: PLC0415

        if SETTINGS.search(written):
            return False
        known = None if self.sources is None else self.sources(written)
        if known is None or self.sources is None:
            return True
        return ERROR_TRAP_SET.search(known.text) is not None or any(
            file is None and not SETTINGS.search(word)
            for word, file in sourced_files(known, self.sources)
        )

    @cached_property
    def functions_of_files(self) -> frozenset[str]:
        """The functions of the files that it sources and that are known."""
        from zsh_ls.shell.fates import sourced_files  # noqa: PLC0415

        if self.sources is None:
            return frozenset()
        return frozenset(
            file.source(word)
            for _, file in sourced_files(self.script, self.sources)
            if file is not None
            for function in file.functions
            for word in function.words
        )

    @cached_property
    def places(self) -> tuple[PipelinePlace, ...]:
        """Every pipeline's place."""
        found = list(self._walk(self.script.pipelines, (), None, None))
        for heredoc in self.script.heredocs:
            for substitution in heredoc.substitutions:
                found += self._walk(substitution.pipelines, (), substitution, None)
        return tuple(sorted_in_turns(found, lambda place: (place.span.start, -place.span.end)))

    @cached_property
    def _fates(self) -> dict[int, Fate]:
        """The fates by the offset where their commands begin; none of a very long script."""
        from zsh_ls.shell.fates import fates  # noqa: PLC0415

        if len(self.text) > LONGEST_ANALYSED:
            return {}
        return {each.span.start: each for each in fates(self.script, sources=self.sources)}

    def fate(self, segment: Segment) -> Fate | None:
        """What becomes of the script when a command fails; None where that is not known.

        The first call works out the fates of all commands, which costs more than all else that
        rules do: rules ask it last.
        """
        start = segment.words[0].start if segment.words else segment.span.start
        return None if segment.kind not in SIMPLE else self._fates.get(start)

    def is_unnoticed(self, segment: Segment) -> bool:
        """Whether the script goes on, or ends, as if the command had not failed."""
        fate = self.fate(segment)
        if fate is None:
            return False
        # A script that ends with 1 in any case reports every failure, also one that was lost.
        is_lost = fate.fate is FateKind.REPORTED and fate.rule in LOST
        return fate.fate in UNNOTICED or is_lost

    def asks_to_stop(self, place: PipelinePlace, segment: Segment) -> bool:
        """Whether errexit or ERR_RETURN acts on the status of this segment, and nothing else does."""
        if place.ends_the_script:
            return True
        if not self._knows_err_return or not place.is_unchecked or place.substitution is not None:
            return False
        fate = self.fate(segment)
        return fate is not None and fate.rule in RETURNS

    @cached_property
    def _knows_err_return(self) -> bool:
        return self.dialect is Dialect.ZSH and self.mentions(r"(?i)\berr_?return\b")

    @cached_property
    def _ends_badly(self) -> bool:
        """Whether the script's exit is not 0 in any case, so that it reports failures that were lost."""
        return any(
            each.fate is FateKind.REPORTED and each.rule in LOST for each in self._fates.values()
        )

    def is_noticed(self, segment: Segment) -> bool:
        """Whether the command's failure stops the script, is handled, or is its exit, on each way."""
        fate = self.fate(segment)
        if fate is None or (fate.fate is FateKind.REPORTED and self._ends_badly):
            return False
        return fate.fate in NOTICED

    def stops(self, segment: Segment) -> bool:
        """Whether the script stops wherever the command fails."""
        fate = self.fate(segment)
        return fate is not None and fate.fate is FateKind.STOPS

    @cached_property
    def _status_reads(self) -> dict[int, StatusRead]:
        """What reads a status, by its offset; nothing of a very long script."""
        from zsh_ls.shell.fates import status_reads  # noqa: PLC0415

        if len(self.text) > LONGEST_ANALYSED:
            return {}
        return {each.span.start: each for each in status_reads(self.script)}

    def read_at(self, span: Span) -> StatusRead | None:
        """Whose status is read at a place; None where nothing is, or it is not known."""
        return self._status_reads.get(span.start)

    def reads_only(self, span: Span, within: Span) -> bool:
        """Whether the status read at `span` is that of a command in the range `within`, and of no other."""
        read = self._status_reads.get(span.start)
        if read is None or read.unknown or not read.sources:
            return False
        return all(within.start <= one.span.start < within.end for one in read.sources)

    def goes_on(self, segment: Segment) -> str:
        """For the end of a message: which command runs though this one failed, `""` if none is known."""
        fate = self.fate(segment)
        if fate is None or fate.then_line is None:
            return ""
        lines = self.text.split("\n", fate.then_line)
        text = lines[fate.then_line - 1].strip()
        # A keyword or a brace alone says nothing of what is done.
        if not RUNS.match(text) or len(text.split()[0]) > LONGEST_SHOWN:
            return ""
        shown = text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"
        return f", and '{shown}' on line {fate.then_line} runs all the same"

    def warning(
        self, message: str, span: Span, witness: Segment | None = None, fix: Fix | None = None
    ) -> Insight:
        """A warning about `span`; the fate of `witness` says why, and what runs next."""
        fate = None if witness is None else self.fate(witness)
        if fate is None:
            return Insight(Level.WARNING, message, span=span, fix=fix)
        return Insight(
            Level.WARNING,
            message,
            span=span,
            fix=fix,
            because=fate.because,
            then_line=fate.then_line,
        )

    @cached_property
    def called(self) -> frozenset[str]:
        """The words that commands begin with."""
        return frozenset(
            segment.command_word
            for place in self.places
            for segment in place.pipeline.segments
            if segment.kind is SegmentKind.SIMPLE
        )

    @cached_property
    def run_elsewhere(self) -> frozenset[str]:
        """The functions that only another shell runs: handed over as text or exported, called nowhere."""
        handed: set[str] = set()
        for place in self.places:
            for segment in place.pipeline.segments:
                if segment.kind is not SegmentKind.SIMPLE:
                    continue
                words = self.words(segment)
                if words[:1] == ("functions",) or (
                    words[:1] and words[0] in HANDS_OVER and words[1:2] and "f" in words[1]
                ):
                    handed.update(words[1:])
        return frozenset(handed - self.called)

    def is_run_elsewhere(self, place: PipelinePlace) -> bool:
        """Whether a place is in a function that only another shell runs, with options of its own."""
        function = place.function
        return function is not None and any(
            self.source(word) in self.run_elsewhere for word in function.words
        )

    @cached_property
    def _handed_over(self) -> frozenset[str]:
        """The functions called nowhere whose names are given to other functions: `run_test security`."""
        own = self.functions.keys()
        given = {
            word
            for place in self.places
            for segment in place.pipeline.segments
            if segment.kind is SegmentKind.SIMPLE and segment.command_word in own
            for word in self.words(segment)[1:]
        }
        return frozenset((own & given) - self.called)

    def _is_run_by_name(self, place: PipelinePlace) -> bool:
        """Whether another function runs the one around it, maybe in a condition, where errexit is off."""
        function = place.function
        return function is not None and any(
            self.source(word) in self._handed_over for word in function.words
        )

    def is_the_end(self, place: PipelinePlace, depth: int = DEEPEST) -> bool:
        """Whether nothing runs behind it but a bare `exit`, wherever its function is called."""
        following = place.next
        if following is not None:
            return self.source(following.span).strip() == "exit"
        if place.substitution is not None or place.after or depth == 0:
            return False
        if not place.around:
            return True
        inside = place.around[-1]
        if inside.kind in LOOPS:
            return False
        if inside.kind is SegmentKind.FUNCTION:
            name = next((name for name, one in self.functions.items() if one is inside), None)
            where = [
                each
                for each in self.places
                if any(one.command_word == name for one in each.pipeline.segments)
            ]
        else:
            where = [each for each in self.places if inside in each.pipeline.segments]
        return bool(where) and all(self.is_the_end(each, depth - 1) for each in where)

    def status_read(self, pipeline: Pipeline | None) -> Span | None:
        """Where the first command of a pipeline reads `$?`, outside substitutions and single quotes."""
        first = None if pipeline is None else self.first_simple(pipeline)
        return None if first is None else self.read_in_words(first, STATUS)

    def read_in_words(self, segment: Segment, pattern: re.Pattern[str]) -> Span | None:
        """The first match of a pattern that the command's own words expand."""
        # A test and an arithmetic command have no words of their own.
        words = (*segment.words, *(one.value for one in segment.assignments)) or (segment.span,)
        for word in words:
            if self.source(word).startswith("'"):
                continue
            for found in pattern.finditer(self.text, word.start, word.end):
                inside = segment.substitutions
                if not any(one.span.start <= found.start() < one.span.end for one in inside):
                    return Span(*found.span())
        return None

    @cached_property
    def piped(self) -> tuple[PipelinePlace, ...]:
        """The places of pipelines of several segments."""
        return tuple(place for place in self.places if len(place.pipeline.segments) > 1)

    @cached_property
    def fatal(self) -> tuple[PipelinePlace, ...]:
        """The places where a failure certainly ends the script."""
        return tuple(
            place
            for place in self.places
            if place.ends_the_script
            and not self.is_run_elsewhere(place)
            and not self._is_run_by_name(place)
        )

    @cached_property
    def functions(self) -> dict[str, Segment]:
        """The functions the script defines, by name."""
        return {
            self.source(word): function
            for function in self.script.functions
            for word in function.words
        }

    def source(self, span: Span) -> str:
        """The text of a range."""
        return self.script.source(span)

    def words(self, segment: Segment) -> tuple[str, ...]:
        """The words of a segment as written."""
        known = self._words.get(id(segment))
        if known is None:
            known = self._words[id(segment)] = tuple(map(self.source, segment.words))
        return known

    def command(self, segment: Segment) -> str:
        """The base name of the program that a simple segment runs, after wrappers, else `""`."""
        if segment.kind is not SegmentKind.SIMPLE:
            return ""
        known = self._commands.get(id(segment))
        if known is None:
            known = self._commands[id(segment)] = command_word(self.words(segment))
        return known

    @cached_property
    def _code(self) -> str:
        """The text with blanks for comments, in which words are not the script's doing."""
        parts, end = [], 0
        for comment in self.script.comments:
            parts += [self.text[end : comment.start], " " * (comment.end - comment.start)]
            end = comment.end
        return "".join([*parts, self.text[end:]])

    def mentions(self, pattern: str, start: int = 0, end: int | None = None) -> bool:
        """Whether a regular expression matches from `start` to `end`; comments are blank."""
        where = re.compile(pattern)
        return where.search(self._code, start, len(self.text) if end is None else end) is not None

    def lines_with(self, pattern: str) -> tuple[tuple[int, str], ...]:
        """The offsets and texts of the lines in which a regular expression is found; comments are blank."""
        known = self._lines_with.get(pattern)
        if known is None:
            where, found, start = re.compile(pattern), [], 0
            for line in self._code.split("\n"):
                if where.search(line):
                    found.append((start, line))
                start += len(line) + 1
            known = self._lines_with[pattern] = tuple(found)
        return known

    def first_at(self, pattern: str) -> int:
        """The offset of a regular expression's first match outside comments, else the text's length."""
        known = self._first_at.get(pattern)
        if known is None:
            found = re.search(pattern, self._code)
            known = self._first_at[pattern] = found.start() if found else len(self.text)
        return known

    def line_at(self, offset: int) -> str:
        """The line of the text that an offset is in."""
        end = self.text.find("\n", offset)
        return self.text[self.text.rfind("\n", 0, offset) + 1 : None if end < 0 else end]

    def first_line(self, span: Span, limit: int = 60) -> str:
        """The first line of a range, shortened to `limit` characters, for messages."""
        line = self.source(span).partition("\n")[0].strip()
        return line if len(line) <= limit else line[: limit - 1] + "…"

    def first_simple(self, pipeline: Pipeline) -> Segment | None:
        """The command that runs first in a pipeline, maybe in a condition; None if that is unknown."""
        segment = pipeline.segments[0]
        while segment.kind not in SIMPLE:
            inner = segment.bodies[0].pipelines if segment.bodies else ()
            if (
                segment.kind not in {SegmentKind.IF, SegmentKind.GROUP, SegmentKind.SUBSHELL}
                or not inner
            ):
                return segment if segment.kind is SegmentKind.CASE else None
            segment = inner[0].segments[0]
        return segment

    def found_in_code(self, pattern: re.Pattern[str]) -> Iterator[Span]:
        """The matches of a pattern outside comments, quoted heredocs and single quotes."""
        dead = [*self.script.comments, *(one.body for one in self.script.heredocs if one.quoted)]
        for found in pattern.finditer(self.text):
            at = found.start()
            line = self.text[self.text.rfind("\n", 0, at) + 1 : at]
            if not any(span.start <= at < span.end for span in dead) and line.count("'") % 2 == 0:
                yield Span(*found.span())

    def appended(self, place: PipelinePlace, text: str, title: str) -> Fix | None:
        """A fix that inserts `text` after a pipeline; None if a heredoc or a list follows it."""
        end = place.span.end
        rest = self.text[end : self.text.find("\n", end) if "\n" in self.text[end:] else None]
        if "<<" in self.source(place.span) or not re.fullmatch(r"\s*(?:;.*|#.*|\}.*|)", rest):
            return None
        return Fix(title, (Replacement(Span(end, end), text),))

    def _walk(
        self,
        pipelines: tuple[Pipeline, ...],
        around: tuple[Segment, ...],
        substitution: Substitution | None,
        owner: PipelinePlace | None,
    ) -> Iterator[PipelinePlace]:
        for position, pipeline in enumerate(pipelines):
            context = self._contexts[id(pipeline)]
            place = PipelinePlace(
                pipeline, pipelines, position, around, substitution, owner, context
            )
            yield place
            for segment in pipeline.segments:
                if not (segment.bodies or segment.substitutions):
                    continue
                inside = (*around, segment)
                for body in segment.bodies:
                    yield from self._walk(body.pipelines, inside, substitution, owner)
                for inner in segment.substitutions:
                    yield from self._walk(inner.pipelines, inside, inner, place)


def _only_defines(script: Script) -> bool:
    """Whether a script has functions and runs nothing else."""
    return bool(script.functions) and all(
        segment.kind is SegmentKind.FUNCTION or segment.command_word in DEFINES
        for pipeline in script.pipelines
        for segment in pipeline.segments
    )


def variable(name: str) -> str:
    """A regular expression for a read of the variable `name`: `$name`, `${name…}`, `${#name}`."""
    return rf"\$(?:{name}\b|\{{[#!(]?(?:\([^)]*\))?{name}\b)"


def checks_if_empty(model: ScriptModel, following: Sequence[Pipeline], name: str) -> bool:
    """Whether `following` tests `$name` for being empty, or replaces an empty value."""
    test = (
        # `sed -n "$x"` is no test.
        rf"(?:\[|\btest\b|&&|\|\||!)\s+(?:!\s+)?-[nz]\s+\"?{variable(name)}"
        rf"|\$\{{{name}:?[-+=?]|X\$\{{?{name}\b"
        rf"|{variable(name)}\}}?\"?\s*(?:!=|==?)\s*(?:\"\"|'')"
    )
    return _is_found(model, following, test)


def tests_variable(model: ScriptModel, following: Sequence[Pipeline], name: str) -> bool:
    """Whether `following` tests `$name`, for being empty or against another value."""
    read = rf"\"?{variable(name)}\}}?\"?"
    test = (
        rf"\[\[?\s+!?\s*(?:-[nz]\s+)?{read}\s*(?:\]|[!=]|\|\||&&|-[ao]\b)"
        rf"|\btest\s+!?\s*(?:-[nz]\s+)?{read}\s*(?:[!=;|&\n]|$)"
    )
    return _is_found(model, following, test) or checks_if_empty(model, following, name)


def made_of(model: ScriptModel, following: Sequence[Pipeline], name: str) -> Iterator[str]:
    """The variable `name`, and those that `following` sets to a text with its value in it."""
    yield name
    for pipeline in following:
        for segment in pipeline.segments:
            for one in segment.assignments:
                if one.name != name and model.mentions(variable(name), *one.value):
                    yield one.name


def _is_found(model: ScriptModel, following: Sequence[Pipeline], pattern: str) -> bool:
    if not following:
        return False
    return model.mentions(pattern, following[0].span.start, following[-1].span.end)

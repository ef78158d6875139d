"""Pipelines and lists, the top of the grammar (zshmisc(1), SIMPLE COMMANDS & PIPELINES).

Here is also what a parse begins and ends with: room on Python's stack for scripts
that nest deeply, and a second reading where a quote was likely left open.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import (
    Connector,
    Dialect,
    Pipeline,
    Redirection,
    Script,
    Segment,
    SegmentKind,
)
from zsh_ls.shell.syntax._regex import compiled

from .arguments import read_redirections
from .commands import CLOSING, NOT_PLAIN, RESERVED, Compound, function, simple
from .fast_path import lone, plain_command, plain_lines, segment_of
from .lexer import MAX_DEPTH, UNCLOSED, Lexer

PIPELINE_PREFIX = compiled(r"(!|time|coproc)(?=[ \t\n;|&()<>]|\\\n|\Z)")
TIME_OPTION = compiled(r"-p(?=[ \t\n;|&)]|\Z)")
COPROC_NAME = compiled(
    r"[^\W\d]\w*+(?=[ \t]++(?:[{(]|(?:if|while|until|for|case|select|\[\[)(?=[ \t\n])))"
)
RESERVED_WORD = compiled(r"[a-z]++|\[\[")
CLOSING_TOKEN = compiled(r";;&|;[;&|]|&&|\|\||[|&]&?|[a-z]++|[\s\S]")

NO_SEPARATOR = "no separator before this command"
MAY_BEGIN_PREFIX = frozenset("!tc")
NO_PREFIXES: frozenset[str] = frozenset()
BEGIN_NOTHING = frozenset({"", ";", ")"})
BEGIN_NOTHING_PLAIN = frozenset("(){}<>&|;`")
ENDS_OF_PIPELINE = frozenset({"", "\n", ";", ")"})

# Replaces a quote that is to be ignored: one character without a meaning to the shells.
NO_QUOTE = "\x01"


def parse(text: str, dialect: Dialect = Dialect.ZSH) -> Script:
    """The structure of `text`, always; what is wrong with it is in `problems`."""
    with deep_stack():
        script = Parser(text, dialect).script()
        opening = None
        if any(problem.message in {UNCLOSED + '"', UNCLOSED + "'"} for problem in script.problems):
            opening = open_quote(text, script.pipelines)
        if opening is None:
            return script
        # A wrong guess is no loss: the second reading counts only where it finds no more to complain about.
        mended = Parser(text, dialect, ignored_quote=opening).script()
        return mended if len(mended.problems) <= len(script.problems) else script


class Parser:
    """Parses lists, pipelines and commands, reading the text with its `lexer`.

    Each kind of command is parsed by a function of the module `commands`, which
    takes the parser (see `Grammar` there).
    """

    def __init__(self, text: str, dialect: Dialect, *, ignored_quote: int | None = None) -> None:
        self.lexer = lexer = Lexer(text, dialect, self.command_list)
        self.reserved = RESERVED[dialect]
        self.closing_words = CLOSING[dialect]
        # Whether another command may follow the list that ended last.
        self.is_separated = True
        if ignored_quote is not None:
            lexer.text = f"{lexer.text[:ignored_quote]}{NO_QUOTE}{lexer.text[ignored_quote + 1 :]}"
            lexer.note(ignored_quote, lexer.line_end(ignored_quote), UNCLOSED + text[ignored_quote])

    def stretch(self, start: int, end: int) -> Script | None:
        """Parse `text[start:end]`; None where its tree depends on the text behind `end`.

        It does where a guess looked that far, where a here-document goes on behind it, and
        where the last command is not separated from what comes next.
        """
        lexer = self.lexer
        lexer.end = end
        script = self.script(start)
        looked_on = any(guess.end >= end for guess in script.guesses)
        goes_on = any(heredoc.span.end >= end for heredoc in script.heredocs)
        return None if looked_on or goes_on or not self.is_separated else script

    def script(self, start: int = 0) -> Script:
        """Parse the text from `start` on."""
        lexer = self.lexer
        lexer.pos = start
        pipelines = self.command_list()
        # The lexer calls back into the parser, which owns it. Without this both would stay in memory,
        # with the whole text, until a garbage collection finds the circle.
        del lexer.parse_code
        return Script(
            lexer.source,
            lexer.dialect,
            pipelines,
            tuple(lexer.heredocs),
            tuple(lexer.comments),
            tuple(lexer.functions),
            tuple(lexer.problems),
            tuple(lexer.guesses),
        )

    def command_list(self, *closers: str, condition: bool = False) -> tuple[Pipeline, ...]:
        """`{ sublist ( ; | & | newline ) }` up to a closing word that something awaits.

        A `condition` also ends where a command follows without a separator:
        `if [[ … ]] { … }`.
        """
        lexer = self.lexer
        lexer.awaited.append(closers)
        pipelines: list[Pipeline] = []
        lexer.separators()
        separated = True
        while lexer.pos < lexer.end:
            if (
                separated
                and lexer.text[lexer.pos] not in BEGIN_NOTHING_PLAIN
                and plain_lines(lexer, pipelines, NOT_PLAIN, closers)
            ):
                break
            first, start = len(pipelines), lexer.pos
            # No command is sought where none can begin, which is at the end of most lists.
            if lexer.char() not in BEGIN_NOTHING and self.sublist(pipelines):
                if not separated:
                    lexer.note(start, pipelines[first].span.end, NO_SEPARATOR)
                if lexer.char() == "&":
                    sign = "&" + lexer.char(1) if lexer.zsh and lexer.char(1) in {"|", "!"} else "&"
                    lexer.pos += len(sign)
                    # It holds for all that `&&` and `||` join.
                    pipelines[first:] = [it._replace(background=sign) for it in pipelines[first:]]
                separated = bool(pipelines[-1].background) or lexer.char() in {"\n", ";"}
                if condition and not separated:
                    break
            elif self.is_awaited():
                break
            else:
                self.skip_stray()
            lexer.separators()
        lexer.awaited.pop()
        self.is_separated = separated
        return tuple(pipelines)

    def is_awaited(self) -> bool:
        """Whether some construct around waits for the token here, or the text ends."""
        lexer = self.lexer
        token = CLOSING_TOKEN.match(lexer.text, lexer.pos, lexer.end)
        if token is None:
            return True
        sign = token.group()
        return any(sign in words for words in reversed(lexer.awaited))

    def skip_stray(self) -> None:
        """Record and pass a token that begins nothing and closes nothing, and closing words after it.

        All at once: a search for a command would read to the end of the line for each of them,
        and 10,000 `else` on one line took a minute.
        """
        lexer = self.lexer
        while True:
            token = CLOSING_TOKEN.match(lexer.text, lexer.pos, lexer.end)
            assert token is not None
            lexer.note(lexer.pos, token.end(), f"unexpected `{token.group()}`")
            lexer.pos = token.end()
            lexer.blanks()
            word = RESERVED_WORD.match(lexer.text, lexer.pos, lexer.end)
            if word is None or word.group() not in self.closing_words:
                return
            if not lexer.at_word(word.group()) or self.is_awaited():
                return

    def sublist(self, pipelines: list[Pipeline]) -> bool:
        """`pipeline { ( && | || ) pipeline }`."""
        first = len(pipelines)
        while pipeline := self.pipeline():
            pipelines.append(pipeline)
            if pipeline.connector is Connector.NONE:
                break
        else:
            if len(pipelines) > first:
                # No command follows the last `&&` or `||`, which zsh does not mind.
                last, lexer = pipelines[-1], self.lexer
                message = f"no command after `{last.connector.value}`"
                lexer.note(last.span.end, lexer.pos, message, fatal=not lexer.zsh)
                pipelines[-1] = last._replace(connector=Connector.NONE)
        return len(pipelines) > first

    def pipeline(self) -> Pipeline | None:
        """`{ ! | time | coproc } command { ( | or |& ) command }`, and the connector after it."""
        lexer = self.lexer
        start = lexer.pos
        prefixes = self.prefixes() if lexer.char() in MAY_BEGIN_PREFIX else NO_PREFIXES
        command = self.command()
        if command is None and prefixes:
            command = Segment(SegmentKind.SIMPLE, Span(lexer.token_end, lexer.token_end))
        if command is None:
            return None
        if not prefixes and lexer.char() in ENDS_OF_PIPELINE:
            return lone(command)
        segments, operators = [command], []
        while lexer.char_after_blanks() == "|" and lexer.char(1) != "|":
            operator = "|&" if lexer.char(1) == "&" else "|"
            lexer.pos += len(operator)
            lexer.separators()
            command = self.command()
            if command is None:
                lexer.note(segments[-1].span.end, lexer.pos, f"no command after `{operator}`")
                break
            segments.append(command)
            operators.append(operator)
        connector, sign = Connector.NONE, lexer.char()
        if sign in {"&", "|"} and lexer.char(1) == sign:
            connector = Connector(sign * 2)
            lexer.pos += 2
            lexer.separators()
        return Pipeline(
            span_of((start, segments[-1].span.end)),
            tuple(segments),
            tuple(operators),
            "!" in prefixes,
            "coproc" in prefixes,
            "time" in prefixes,
            connector,
        )

    def prefixes(self) -> frozenset[str]:
        """Pass `!`, `time [-p]` and `coproc [NAME]` before a pipeline."""
        lexer = self.lexer
        found = set()
        while prefix := PIPELINE_PREFIX.match(lexer.text, lexer.pos, lexer.end):
            word = prefix.group()
            if lexer.dialect is Dialect.SH and word != "!":
                break
            if word == "!" and word in found and lexer.dialect is not Dialect.BASH:
                lexer.note(lexer.pos, prefix.end(), "`!` after `!`")
            found.add(word)
            lexer.pos = lexer.token_end = prefix.end()
            lexer.blanks()
            option = TIME_OPTION if word == "time" else COPROC_NAME if word == "coproc" else None
            if (
                option
                and not lexer.zsh
                and (extra := option.match(lexer.text, lexer.pos, lexer.end))
            ):
                lexer.pos = extra.end()
                lexer.blanks()
        return frozenset(found)

    def command(self) -> Segment | None:
        """`{ redirection } ( compound | function | simple ) { redirection }`."""
        lexer = self.lexer
        # From the cheapest to the most general: all words plain, a plain first word, anything.
        if lexer.char() in BEGIN_NOTHING_PLAIN:
            return self.awkward_command()
        if plain := plain_command(lexer, NOT_PLAIN):
            return plain
        easy = lexer.plain.first.match(lexer.text, lexer.pos, lexer.end)
        if easy is None:
            return self.awkward_command()
        start, word = lexer.pos, easy.group()
        if word in self.reserved:
            return self.compound(start, word, [])
        if "=" in word or "[" in word:
            return simple(self, start, len(lexer.substitutions), [], [])
        lexer.pos = lexer.token_end = easy.end()
        return simple(self, start, len(lexer.substitutions), [Span(start, lexer.pos)], [])

    def awkward_command(self) -> Segment | None:
        """A command whose first word is no plain one."""
        lexer = self.lexer
        start, mark = lexer.pos, len(lexer.substitutions)
        redirections = read_redirections(lexer)
        word = self.opening_token()
        if word == "()":
            # zsh's anonymous function.
            lexer.pos += 2
            return function(self, start, mark, [])
        # After a redirection a closing word closes nothing: bash runs `done` in `>f done`, zsh rejects it.
        if word in self.reserved and not (redirections and self.reserved[word] is None):
            return self.compound(start, word, redirections)
        return simple(self, start, mark, [], redirections)

    def opening_token(self) -> str:
        """The token here that may open or close a compound command, `""` where it is another."""
        lexer = self.lexer
        char = lexer.char()
        if char == "(":
            pair = char + lexer.char(1)
            return pair if pair in self.reserved or (pair == "()" and lexer.zsh) else "("
        if char == "{":
            return "{" if lexer.zsh or lexer.at_word("{") else ""
        if char == "}":
            closes = lexer.at_group_end() or (not lexer.zsh and lexer.at_word("}"))
            return "}" if lexer.any_brace_ends or closes else ""
        word = RESERVED_WORD.match(lexer.text, lexer.pos, lexer.end)
        if word is None or (lexer.zsh and lexer.text.startswith("(", word.end(), lexer.end)):
            return ""
        return word.group() if lexer.boundary.match(lexer.text, word.end(), lexer.end) else ""

    def compound(self, start: int, opener: str, redirections: list[Redirection]) -> Segment | None:
        """The compound command that `opener` begins; None where it is a closing word."""
        lexer = self.lexer
        production = self.reserved[opener]
        if production is None:
            return None
        mark, opening = len(lexer.substitutions), lexer.pos
        lexer.pos = lexer.token_end = opening + len(opener)
        found: Compound | Segment = (SegmentKind.SIMPLE, (), ())
        if lexer.depth >= MAX_DEPTH:
            lexer.too_deep()
        else:
            lexer.depth += 1
            found = production(self, opening)
            lexer.depth -= 1
        if isinstance(found, Segment):
            return found
        kind, words, bodies = found
        end = lexer.token_end
        redirections += read_redirections(lexer)
        span = span_of((start, max(end, lexer.token_end)))
        word = "(" if kind is SegmentKind.SUBSHELL else opener
        inside = (tuple(redirections), tuple(bodies), lexer.substitutions_since(mark))
        return segment_of((kind, span, word, tuple(words), (), *inside))


# What may stand before an opening quote on its line: closed quotes, escapes, all else.
_BEFORE_QUOTE = compiled(r"""(?:[^'"\\\n]++|\\.|'[^'\n]*+'|"(?:[^"\\\n]++|\\.)*+")*+""")
_CLOSED_WITHIN_A_WORD = compiled(
    r"""(['"])(?:(?!\1)[^\\]|\\.)*+\1(?=[^\s;|&()<>{}'"`])""", re.DOTALL
)


def open_quote(text: str, pipelines: Iterable[Pipeline]) -> int | None:
    """The offset of the quote that was likely left open; None without a sign of one.

    With a quote left open the text after it is read inside out: a later line's opening
    quote ends the string. So it is likely in the first string over several lines that
    ends in the middle of a word.
    """
    for word in _long_words(text, pipelines):
        before = _BEFORE_QUOTE.match(text, word.start, word.end)
        if before and _CLOSED_WITHIN_A_WORD.match(text, before.end(), word.end):
            return before.end()
    return None


def _long_words(text: str, pipelines: Iterable[Pipeline]) -> Iterator[Span]:
    """The words and values that span lines, in the order of the text."""
    for pipeline in pipelines:
        for segment in pipeline.segments:
            values = [assignment.value for assignment in segment.assignments]
            for word in sorted((*segment.words, *values)):
                if text.find("\n", *word) >= 0:
                    yield word
            for body in segment.bodies:
                yield from _long_words(text, body.pipelines)


# The most Python frames that one level takes; callers may have used up the default limit.
FRAMES_PER_LEVEL = 16
_FRAMES_NEEDED = MAX_DEPTH * FRAMES_PER_LEVEL + 1000

# The limits found by the parses now running; the first is the one to restore.
_found: list[int] = []


@contextmanager
def deep_stack() -> Iterator[None]:
    """Raise Python's recursion limit to the frames that MAX_DEPTH levels of nesting take.

    It holds for the whole interpreter, so of several threads that parse at once
    the last one to finish restores the limit that the first one found.
    """
    _found.append(sys.getrecursionlimit())
    sys.setrecursionlimit(max(_found[0], _FRAMES_NEEDED))
    try:
        yield
    finally:
        limit = _found[0]
        _found.pop()
        if not _found:
            # Python refuses where this thread was deeper itself while another one parsed.
            with suppress(RecursionError):
                sys.setrecursionlimit(limit)

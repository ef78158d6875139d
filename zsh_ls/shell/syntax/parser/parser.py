"""Pipelines and lists, the top of the grammar (zshmisc(1), SIMPLE COMMANDS & PIPELINES)."""

from __future__ import annotations

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

from .compound import CLOSING, NOT_PLAIN, RESERVED, Compound, Production
from .functions import function
from .lexer import MAX_DEPTH, UNCLOSED, Lexer
from .open_quotes import open_quote
from .plain_commands import lone, plain_command, plain_lines, segment_of
from .recursion import deep_stack
from .redirections import read_redirections
from .simple import simple

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
ENDS_OF_PIPELINE = frozenset({"", "\n", ";", ")"})

# Replaces a quote that is to be ignored: one character without a meaning to the shells.
NO_QUOTE = "\x01"


def parse(text: str, dialect: Dialect = Dialect.ZSH) -> Script:
    """The structure of `text`, always; what is wrong with it is in `problems`."""
    with deep_stack():
        script = Parser(text, dialect).script()
        opening = open_quote(text, script.pipelines) if _has_open_quote(script) else None
        if opening is None:
            return script
        mended = Parser(text, dialect, ignored_quote=opening).script()
        return mended if len(mended.problems) <= len(script.problems) else script


def _has_open_quote(script: Script) -> bool:
    return any(problem.message in {UNCLOSED + '"', UNCLOSED + "'"} for problem in script.problems)


class Parser:
    """Parses lists, pipelines and commands, reading the text with its `lexer`.

    The parts of each kind of command are parsed by functions in the modules
    `simple`, `compound` and `functions`, which take the parser (see `Grammar`).
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
        """Parse `text[start:end]`; None where its tree depends on the text behind `end`."""
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
        # Each refers to the other: without this they stay in memory until a garbage collection.
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
            if separated and plain_lines(lexer, pipelines, NOT_PLAIN, closers):
                break
            first, start = len(pipelines), lexer.pos
            if lexer.char() not in BEGIN_NOTHING and self.sublist(pipelines):
                if not separated:
                    lexer.note(start, pipelines[first].span.end, NO_SEPARATOR)
                self.background(pipelines, first)
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
        return token is None or any(token.group() in words for words in lexer.awaited)

    def skip_stray(self) -> None:
        """Record and pass a token that begins nothing and closes nothing, and closing words after it.

        All at once: a search for a command would read to the end of the line for each of them.
        """
        lexer = self.lexer
        while True:
            token = CLOSING_TOKEN.match(lexer.text, lexer.pos, lexer.end)
            assert token is not None
            lexer.note(lexer.pos, token.end(), f"unexpected `{token.group()}`")
            lexer.pos = token.end()
            lexer.blanks()
            if not self.at_closing_word() or self.is_awaited():
                return

    def sublist(self, pipelines: list[Pipeline]) -> bool:
        """`pipeline { ( && | || ) pipeline }`."""
        first = len(pipelines)
        while pipeline := self.pipeline():
            pipelines.append(pipeline)
            if pipeline.connector is Connector.NONE:
                break
        else:
            self.end_early(pipelines, first)
        return len(pipelines) > first

    def end_early(self, pipelines: list[Pipeline], first: int) -> None:
        """Record that no command follows the last `&&` or `||`, which zsh does not mind."""
        lexer = self.lexer
        if len(pipelines) > first:
            last = pipelines[-1]
            message = f"no command after `{last.connector.value}`"
            lexer.note(last.span.end, lexer.pos, message, fatal=not lexer.zsh)
            pipelines[-1] = last._replace(connector=Connector.NONE)

    def background(self, pipelines: list[Pipeline], first: int) -> None:
        """Pass `&`, or zsh's `&|` and `&!`, after the sublist that began as the `first` pipeline."""
        lexer = self.lexer
        if lexer.char() != "&":
            return
        sign = "&" + lexer.char(1) if lexer.zsh and lexer.char(1) in {"|", "!"} else "&"
        lexer.pos += len(sign)
        pipelines[first:] = [each._replace(background=sign) for each in pipelines[first:]]

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
        segments = [command]
        operators = self.piped(segments)
        return Pipeline(
            span_of((start, segments[-1].span.end)),
            tuple(segments),
            tuple(operators),
            "!" in prefixes,
            "coproc" in prefixes,
            "time" in prefixes,
            self.connector(),
        )

    def piped(self, segments: list[Segment]) -> list[str]:
        """Add the commands after `|` and `|&` to `segments`; returns these operators."""
        lexer = self.lexer
        operators = []
        while operator := self.bar():
            lexer.separators()
            command = self.command()
            if command is None:
                lexer.note(segments[-1].span.end, lexer.pos, f"no command after `{operator}`")
                break
            segments.append(command)
            operators.append(operator)
        return operators

    def prefixes(self) -> frozenset[str]:
        """Pass `!`, `time [-p]` and `coproc [NAME]` before a pipeline."""
        lexer = self.lexer
        found = set()
        while prefix := PIPELINE_PREFIX.match(lexer.text, lexer.pos, lexer.end):
            word = prefix.group()
            if lexer.dialect is Dialect.SH and word != "!":
                break
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

    def bar(self) -> str:
        """Pass `|` or `|&`; `""` where none is."""
        lexer = self.lexer
        if lexer.char_after_blanks() != "|" or lexer.char(1) == "|":
            return ""
        operator = "|&" if lexer.char(1) == "&" else "|"
        lexer.pos += len(operator)
        return operator

    def connector(self) -> Connector:
        """Pass `&&` or `||` and the line ends after it."""
        lexer = self.lexer
        sign = lexer.char()
        if sign not in {"&", "|"} or lexer.char(1) != sign:
            return Connector.NONE
        sign, lexer.pos = sign * 2, lexer.pos + 2
        lexer.separators()
        return Connector(sign)

    def command(self) -> Segment | None:
        """`{ redirection } ( compound | function | simple ) { redirection }`."""
        lexer = self.lexer
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
            lexer.pos += 2
            return function(self, start, mark, [])
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

    def at_closing_word(self) -> bool:
        """Whether a word is here that begins no command, only closes one."""
        lexer = self.lexer
        word = RESERVED_WORD.match(lexer.text, lexer.pos, lexer.end)
        if word is None or word.group() not in self.closing_words:
            return False
        return lexer.at_word(word.group())

    def compound(self, start: int, opener: str, redirections: list[Redirection]) -> Segment | None:
        """The compound command that `opener` begins; None where it is a closing word."""
        lexer = self.lexer
        production = self.reserved[opener]
        if production is None:
            return None
        mark, opening = len(lexer.substitutions), lexer.pos
        lexer.pos = lexer.token_end = opening + len(opener)
        found = self.within_depth(production, opening)
        if isinstance(found, Segment):
            return found
        kind, words, bodies = found
        end = lexer.token_end
        redirections += read_redirections(lexer)
        span = span_of((start, max(end, lexer.token_end)))
        word = "(" if kind is SegmentKind.SUBSHELL else opener
        inside = (tuple(redirections), tuple(bodies), lexer.substitutions_since(mark))
        return segment_of((kind, span, word, tuple(words), (), *inside))

    def within_depth(self, production: Production, opening: int) -> Compound | Segment:
        """Run a production one level deeper; beyond MAX_DEPTH the rest of the line is skipped."""
        lexer = self.lexer
        if lexer.depth >= MAX_DEPTH:
            lexer.too_deep()
            return SegmentKind.SIMPLE, (), ()
        lexer.depth += 1
        found = production(self, opening)
        lexer.depth -= 1
        return found

"""Commands, pipelines and lists: the top of the parser (zshmisc(1), SIMPLE COMMANDS & PIPELINES)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import (
    Connector,
    Dialect,
    Pipeline,
    Redirection,
    Script,
    Segment,
    SegmentKind,
)

from .compound import Compound
from .loops import Loops
from .mending import open_quote
from .patterns import (
    CLOSING_TOKEN,
    CLOSING_WORDS,
    COPROC_NAME,
    EASY_WORD,
    PIPELINE_PREFIX,
    RESERVED_WORD,
    TIME_OPTION,
)
from .quoting import UNCLOSED
from .scanner import MAX_DEPTH

# One level of nesting takes at most so many Python frames; callers may have used up the default.
FRAMES_PER_LEVEL = 16
_FRAMES_NEEDED = MAX_DEPTH * FRAMES_PER_LEVEL + 1000

# Stands in the place of a quote that is taken for none: a character without meaning, as long.
NO_QUOTE = "\x01"

Production = Callable[["Parser", int], Compound | Segment]


def parse(text: str, dialect: Dialect = Dialect.ZSH) -> Script:
    """The structure of `text`, always; what is wrong with it is in `problems`."""
    if sys.getrecursionlimit() < _FRAMES_NEEDED:
        sys.setrecursionlimit(_FRAMES_NEEDED)
    script = Parser(text, dialect).script()
    opening = open_quote(text, script.pipelines) if _has_open_quote(script) else None
    if opening is None:
        return script
    mended = Parser(text, dialect, open_quote=opening).script()
    return mended if len(mended.problems) <= len(script.problems) else script


def _has_open_quote(script: Script) -> bool:
    return any(problem.message in {UNCLOSED + '"', UNCLOSED + "'"} for problem in script.problems)


class Parser(Loops):
    """Lists of pipelines of commands."""

    def __init__(self, text: str, dialect: Dialect, *, open_quote: int | None = None) -> None:
        super().__init__(text, dialect)
        self.reserved = RESERVED[dialect]
        if open_quote is not None:
            self.text = f"{self.text[:open_quote]}{NO_QUOTE}{self.text[open_quote + 1 :]}"
            self.note(open_quote, self.line_end(open_quote), UNCLOSED + text[open_quote])

    def script(self) -> Script:
        """Parse all of the text."""
        pipelines = self.command_list()
        return Script(
            self.source,
            self.dialect,
            pipelines,
            tuple(self.heredocs),
            tuple(self.comments),
            tuple(self.functions),
            tuple(self.problems),
        )

    def command_list(self, *closers: str, condition: bool = False) -> tuple[Pipeline, ...]:
        """`{ sublist ( ; | & | newline ) }` up to a closing word that something awaits.

        A `condition` also ends where a command follows without a separator:
        `if [[ … ]] { … }`.
        """
        self.awaited.append(closers)
        pipelines: list[Pipeline] = []
        self.separators()
        while self.pos < self.end:
            first = len(pipelines)
            if self.sublist(pipelines):
                self.background(pipelines, first)
                if condition and not self.separated(pipelines[-1]):
                    break
            elif self.is_awaited():
                break
            else:
                self.skip_stray()
            self.separators()
        self.awaited.pop()
        return tuple(pipelines)

    def separated(self, pipeline: Pipeline) -> bool:
        """Whether another command of the list may follow `pipeline`."""
        return bool(pipeline.background) or self.char() in {"\n", ";"}

    def is_awaited(self) -> bool:
        """Whether some construct around waits for the token here, or the text ends."""
        token = CLOSING_TOKEN.match(self.text, self.pos, self.end)
        return token is None or any(token.group() in words for words in self.awaited)

    def skip_stray(self) -> None:
        """Note and pass a token that begins nothing and closes nothing."""
        token = CLOSING_TOKEN.match(self.text, self.pos, self.end)
        assert token is not None
        self.note(self.pos, token.end(), f"unexpected `{token.group()}`")
        self.pos = token.end()

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
        """Note that no command follows the last `&&` or `||`, which zsh does not mind."""
        if len(pipelines) > first:
            last = pipelines[-1]
            message = f"no command after `{last.connector.value}`"
            self.note(last.span.end, self.pos, message, fatal=not self.zsh)
            pipelines[-1] = last._replace(connector=Connector.NONE)

    def background(self, pipelines: list[Pipeline], first: int) -> None:
        """Pass `&`, or zsh's `&|` and `&!`, after the sublist that began as the `first` pipeline."""
        if self.char() != "&":
            return
        sign = "&" + self.char(1) if self.zsh and self.char(1) in {"|", "!"} else "&"
        self.pos += len(sign)
        pipelines[first:] = [each._replace(background=sign) for each in pipelines[first:]]

    def pipeline(self) -> Pipeline | None:
        """`{ ! | time | coproc } command { ( | or |& ) command }`, and the connector after it."""
        start = self.pos
        prefixes = self.prefixes() if self.char() in {"!", "t", "c"} else frozenset()
        command = self.command()
        if command is None and prefixes:
            command = Segment(SegmentKind.SIMPLE, Span(self.token_end, self.token_end))
        if command is None:
            return None
        segments, operators = [command], []
        while operator := self.bar():
            self.separators()
            command = self.command()
            if command is None:
                self.note(segments[-1].span.end, self.pos, f"no command after `{operator}`")
                break
            segments.append(command)
            operators.append(operator)
        return Pipeline(
            Span(start, segments[-1].span.end),
            tuple(segments),
            tuple(operators),
            "!" in prefixes,
            "coproc" in prefixes,
            "time" in prefixes,
            self.connector(),
        )

    def prefixes(self) -> frozenset[str]:
        """Pass `!`, `time [-p]` and `coproc [NAME]` before a pipeline."""
        found = set()
        while prefix := PIPELINE_PREFIX.match(self.text, self.pos, self.end):
            word = prefix.group()
            if self.dialect is Dialect.SH and word != "!":
                break
            found.add(word)
            self.pos = self.token_end = prefix.end()
            self.blanks()
            option = TIME_OPTION if word == "time" else COPROC_NAME if word == "coproc" else None
            if option and not self.zsh and (extra := option.match(self.text, self.pos, self.end)):
                self.pos = extra.end()
                self.blanks()
        return frozenset(found)

    def bar(self) -> str:
        """Pass `|` or `|&`; `""` where none is."""
        if self.char() in {" ", "\t", "\\", "#"}:
            self.blanks()
        if self.char() != "|" or self.char(1) == "|":
            return ""
        operator = "|&" if self.char(1) == "&" else "|"
        self.pos += len(operator)
        return operator

    def connector(self) -> Connector:
        """Pass `&&` or `||` and the line ends after it."""
        sign = self.text[self.pos : min(self.pos + 2, self.end)]
        if sign not in {"&&", "||"}:
            return Connector.NONE
        self.pos += 2
        self.separators()
        return Connector(sign)

    def command(self) -> Segment | None:
        """`{ redirection } ( compound | function | simple ) { redirection }`."""
        easy = EASY_WORD.match(self.text, self.pos, self.end)
        if easy is None:
            return self.awkward_command()
        start, word = self.pos, easy.group()
        if word in self.reserved:
            return self.compound(start, word, [])
        if "=" in word or "[" in word:
            return self.simple(start, len(self.substitutions), [], [])
        self.pos = self.token_end = easy.end()
        return self.simple(start, len(self.substitutions), [Span(start, self.pos)], [])

    def awkward_command(self) -> Segment | None:
        """A command whose first word is no plain one."""
        start, mark = self.pos, len(self.substitutions)
        redirections = self.leading_redirections()
        word = self.opening_token()
        if word == "()":
            self.pos += 2
            return self.function(start, mark, [])
        if word in self.reserved and not (redirections and self.reserved[word] is None):
            return self.compound(start, word, redirections)
        return self.simple(start, mark, [], redirections)

    def opening_token(self) -> str:
        """The token here that may open or close a compound command, `""` where it is another."""
        char = self.char()
        if char == "(":
            pair = char + self.char(1)
            return pair if pair in self.reserved or (pair == "()" and self.zsh) else "("
        if char == "{":
            return "{" if self.zsh or self.at_word("{") else ""
        if char == "}":
            return "}" if self.at_group_end() or (not self.zsh and self.at_word("}")) else ""
        word = RESERVED_WORD.match(self.text, self.pos, self.end)
        if word is None or (self.zsh and self.text.startswith("(", word.end(), self.end)):
            return ""
        return word.group() if self.boundary.match(self.text, word.end(), self.end) else ""

    def nocorrect(self, opening: int) -> Segment:
        """Zsh's `nocorrect command`: the word is no part of the command."""
        self.blanks()
        command = self.command() or Segment(SegmentKind.SIMPLE, Span(opening, self.token_end))
        return command._replace(span=Span(opening, command.span.end))

    def leading_redirections(self) -> list[Redirection]:
        """The redirections before a command."""
        found = []
        while redirection := self.redirection():
            found.append(redirection)
            self.token_end = self.pos
            self.blanks()
        return found

    def compound(self, start: int, opener: str, redirections: list[Redirection]) -> Segment | None:
        """The compound command that `opener` begins; None where it is a closing word."""
        production = self.reserved[opener]
        if production is None:
            return None
        mark, opening = len(self.substitutions), self.pos
        self.pos = self.token_end = opening + len(opener)
        found = self.within_depth(production, opening)
        if isinstance(found, Segment):
            return found
        kind, words, bodies = found
        end = self.token_end
        redirections += self.redirections_after()
        return Segment(
            kind,
            Span(start, max(end, self.token_end)),
            "(" if kind is SegmentKind.SUBSHELL else opener,
            tuple(words),
            (),
            tuple(redirections),
            tuple(bodies),
            self.substitutions_since(mark),
        )

    def within_depth(self, production: Production, opening: int) -> Compound | Segment:
        """Run a production one level deeper; nothing beyond the depth cap."""
        if self.depth >= MAX_DEPTH:
            self.too_deep()
            return SegmentKind.SIMPLE, (), ()
        self.depth += 1
        found = production(self, opening)
        self.depth -= 1
        return found


_POSIX: Mapping[str, Production | None] = {
    "(": Parser.subshell,
    "{": Parser.group,
    "if": Parser.if_command,
    "while": Parser.while_command,
    "until": Parser.until_command,
    "for": Parser.for_command,
    "case": Parser.case_command,
    **dict.fromkeys(CLOSING_WORDS),
}
_BASH: Mapping[str, Production | None] = {
    **_POSIX,
    "((": Parser.arithmetic_command,
    "[[": Parser.test,
    "select": Parser.select_command,
    "function": Parser.function_command,
}
RESERVED: Mapping[Dialect, Mapping[str, Production | None]] = {
    Dialect.SH: _POSIX,
    Dialect.BASH: _BASH,
    Dialect.ZSH: {
        **_BASH,
        "foreach": Parser.foreach_command,
        "repeat": Parser.repeat_command,
        "nocorrect": Parser.nocorrect,
        "end": None,
    },
}

"""The words of a command text, with what each character of a word came from.

`lex(text)` gives the simple commands in the order they end, those inside
`$(…)`, backticks and `<(…)` among them (`nesting` > 0), quotes taken off. It
never raises, whatever the text, and reads every character once: its time grows
with the length of the text alone. It is made for judging words (redaction,
templates, hashes); exact pipelines and compound commands are the parser's.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from zsh_ls.model.span import Span

MAX_NESTING = 40
EXPANSION = "\ufffc"  # stands in a word's text for what the shell would put there

_PLAIN = re.compile(r"[^\s'\"\\$`;|&<>()]+")
_PLAIN_IN_DOUBLE = re.compile(r"[^\"\\$`]+")
_BLANK = re.compile(r"(?:[^\S\n]|\\\n)+")
_OPERATOR = re.compile(r"&&|\|\||\|&|;;&|;;|;&|;\||&!|&\||[;|&]")
_REDIRECTION = re.compile(
    r"(?:\d+|\{\w+\})?(?:<<<|<<-?|<>|<&|<(?!\()|>>|>&|>\||>(?!\())[|!]?|&>>?[|!]?"
)
_VARIABLE = re.compile(r"\$[+=~^#]*(?:[A-Za-z_]\w*|\d+|[?!#$*@-])")
_BRACKETS = re.compile(r"[\\'\"(){}]")
_ANSI_QUOTED = re.compile(r"(?:[^'\\]|\\.)*", re.DOTALL)
_CLOSERS = {"(": ")", "{": "}"}


class Run(NamedTuple):
    """Characters of a word and their source; one `context` is one stretch of the same quoting."""

    at: int
    length: int
    start: int
    end: int
    context: int


class Word(NamedTuple):
    """A word without its quotes; not `literal` where the shell expands something in it."""

    text: str
    literal: bool
    span: Span
    runs: tuple[Run, ...]

    def sources(self, start: int, end: int) -> list[Span]:
        """Where `text[start:end]` stands in the source, one span for each stretch of quoting."""
        found: dict[int, Span] = {}
        for run in self.runs:
            low, high = max(start, run.at), min(end, run.at + run.length)
            if low < high:
                piece = _source(run, low - run.at, high - run.at)
                before = found.get(run.context, piece)
                found[run.context] = Span(before.start, piece.end)
        return list(found.values())


def _source(run: Run, low: int, high: int) -> Span:
    if run.end - run.start != run.length:  # an escape: two characters stand for one
        return Span(run.start, run.end)
    return Span(run.start + low, run.start + high)


class Command(NamedTuple):
    """A simple command: its words, what ended it, and how deep in substitutions and groups it stands."""

    words: tuple[Word, ...]
    operator: str
    nesting: int
    group: int
    inputs: tuple[Word, ...]
    heredocs: tuple[Span, ...]


class Lexed(NamedTuple):
    """The commands, and the spans of quote contents (outermost), operators and comments in order."""

    commands: tuple[Command, ...]
    quoted: tuple[Span, ...]
    operators: tuple[Span, ...]
    comments: tuple[Span, ...]


def lex(text: str) -> Lexed:
    """The simple commands of `text`."""
    scanner = _Scanner(text)
    while scanner.at < len(text):
        scanner.read_commands(closer="")
    scanner.read_heredocs()
    return Lexed(
        tuple(draft.frozen() for draft in scanner.commands),
        tuple(scanner.quoted),
        tuple(scanner.operators),
        tuple(scanner.comments),
    )


class _WordDraft:
    """A word being read."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.chunks: list[str] = []
        self.runs: list[Run] = []
        self.length = 0
        self.context = 0
        self.literal = True

    def take(self, chunk: str, start: int, end: int) -> None:
        """Add `chunk`, which stands at `start:end` of the source."""
        if chunk:
            self.chunks.append(chunk)
            self.runs.append(Run(self.length, len(chunk), start, end, self.context))
            self.length += len(chunk)

    def expand(self) -> None:
        """Add something only the shell knows."""
        self.chunks.append(EXPANSION)
        self.length += 1
        self.context += 1
        self.literal = False

    def frozen(self, end: int) -> Word:
        return Word("".join(self.chunks), self.literal, Span(self.start, end), tuple(self.runs))


class _CommandDraft:
    """A simple command being read."""

    def __init__(self, nesting: int, group: int) -> None:
        self.words: list[Word] = []
        self.inputs: list[Word] = []
        self.heredocs: list[Span] = []
        self.operator = ""
        self.nesting = nesting
        self.group = group

    def frozen(self) -> Command:
        return Command(
            tuple(self.words),
            self.operator,
            self.nesting,
            self.group,
            tuple(self.inputs),
            tuple(self.heredocs),
        )


class _Heredoc(NamedTuple):
    delimiter: str
    command: _CommandDraft


class _Scanner:
    """Reads `text` from `at` on; every method leaves `at` behind what it has read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.nesting = 0
        self.backticks = 0
        self.quotes = 0
        self.commands: list[_CommandDraft] = []
        self.quoted: list[Span] = []
        self.operators: list[Span] = []
        self.comments: list[Span] = []
        self.waiting: list[_Heredoc] = []

    def peek(self, length: int = 1) -> str:
        return self.text[self.at : self.at + length]

    # Commands

    def read_commands(self, closer: str) -> None:
        """Commands up to `closer`, which is read too (`""`: to the end, or past a stray bracket)."""
        group = 0
        draft = _CommandDraft(self.nesting, group)
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == "`" and self.backticks:
                self.at += closer == "`"
                break
            if char == "(" and not draft.words:
                self.open_group()
                group += 1
                draft.group = group
            elif char == ")":
                self.finish(draft, ")")
                if closer == ")" and not group:
                    return
                group = max(group - 1, 0)
                draft = _CommandDraft(self.nesting, group)
            elif operator := self.read_operator():
                self.close(draft, operator)
                draft = _CommandDraft(self.nesting, group)
            else:
                self.read_part(draft)
        self.close(draft, "")

    def open_group(self) -> None:
        if self.peek(2) == "((":
            self.skip_brackets()
        else:
            self.operators.append(Span(self.at, self.at + 1))
            self.at += 1

    def finish(self, draft: _CommandDraft, operator: str) -> None:
        self.operators.append(Span(self.at, self.at + 1))
        self.at += 1
        self.close(draft, operator)

    def close(self, draft: _CommandDraft, operator: str) -> None:
        draft.operator = operator
        if draft.words or draft.inputs or operator not in ("", "\n", ";"):
            self.commands.append(draft)
        if operator == "\n":
            self.read_heredocs()

    def read_operator(self) -> str:
        """The control operator that begins here, `""` where none does."""
        if self.text[self.at] == "\n":
            self.at += 1
            return "\n"
        if self.peek(2) == "&>" or not (found := _OPERATOR.match(self.text, self.at)):
            return ""
        self.operators.append(Span(*found.span()))
        self.at = found.end()
        return found[0]

    def read_part(self, draft: _CommandDraft) -> None:
        """White space, a comment, a redirection, or a word."""
        if found := _BLANK.match(self.text, self.at):
            self.at = found.end()
        elif self.text[self.at] == "#":
            self.read_comment()
        elif found := _REDIRECTION.match(self.text, self.at):
            self.at = found.end()
            self.read_redirected(draft, found[0])
        else:
            draft.words.append(self.read_word())

    def read_comment(self) -> None:
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        self.comments.append(Span(self.at, end))
        self.at = end

    def read_redirected(self, draft: _CommandDraft, operator: str) -> None:
        if found := _BLANK.match(self.text, self.at):
            self.at = found.end()
        if self.at >= len(self.text) or self.text[self.at] in "\n;|&)":
            if operator.endswith("&"):
                self.at += self.peek() == "-"
            return
        target = self.read_word()
        if "<<<" in operator:
            draft.inputs.append(target)
        elif "<<" in operator:
            self.waiting.append(_Heredoc(target.text, draft))

    def read_heredocs(self) -> None:
        """The bodies of the heredocs that wait for this line's end."""
        for heredoc in self.waiting:
            line = re.compile(rf"^\t*{re.escape(heredoc.delimiter)}$", re.MULTILINE)
            found = line.search(self.text, self.at)
            body_end, end = found.span() if found else (len(self.text), len(self.text))
            heredoc.command.heredocs.append(Span(self.at, max(self.at, body_end)))
            self.at = min(end + 1, len(self.text)) if found else end
        self.waiting.clear()

    # Words

    def read_word(self) -> Word:
        draft, start = _WordDraft(self.at), self.at
        while self.at < len(self.text) and self.read_piece(draft):
            pass
        if self.at == start:  # a character that begins no word here, such as a stray backtick
            self.at += 1
            draft.take(self.text[start], start, self.at)
        return draft.frozen(self.at)

    def read_piece(self, draft: _WordDraft) -> bool:
        """One piece of a word; False where the word ends."""
        if found := _PLAIN.match(self.text, self.at):
            draft.take(found[0], *found.span())
            self.at = found.end()
            return True
        char = self.text[self.at]
        if char == "'":
            self.read_single_quoted(draft)
        elif char == '"':
            self.read_double_quoted(draft)
        elif char == "\\":
            self.read_escape(draft)
        elif char in "$`":
            return self.read_expansion(draft)
        elif char == "(" or (char in "<>" and self.peek(2)[1:] == "("):
            self.read_bracket(draft, char)
        else:
            return False
        return True

    def read_single_quoted(self, draft: _WordDraft) -> None:
        start = self.at + 1
        end = self.text.find("'", start)
        end = len(self.text) if end < 0 else end
        self.take_quoted(draft, start, end)

    def take_quoted(self, draft: _WordDraft, start: int, end: int) -> None:
        draft.context += 1
        draft.take(self.text[start:end], start, end)
        draft.context += 1
        self.note_quoted(start, end)
        self.at = min(end + 1, len(self.text))

    def note_quoted(self, start: int, end: int) -> None:
        if not self.quotes:
            self.quoted.append(Span(start, end))

    def read_double_quoted(self, draft: _WordDraft) -> None:
        self.at += 1
        start = self.at
        self.quotes += 1
        draft.context += 1
        while self.at < len(self.text) and self.text[self.at] != '"':
            if not self.read_inside_double(draft):
                break
        draft.context += 1
        self.quotes -= 1
        self.note_quoted(start, self.at)
        self.at += self.peek() == '"'

    def read_inside_double(self, draft: _WordDraft) -> bool:
        if found := _PLAIN_IN_DOUBLE.match(self.text, self.at):
            draft.take(found[0], *found.span())
            self.at = found.end()
        elif self.text[self.at] == "\\":
            self.read_escape(draft, among='"\\$`\n')
        else:
            return self.read_expansion(draft)
        return True

    def read_escape(self, draft: _WordDraft, among: str | None = None) -> None:
        """A backslash and what follows; in double quotes it is kept unless it quotes one of `among`."""
        start, escaped = self.at, self.peek(2)[1:]
        self.at = min(self.at + 2, len(self.text))
        if among is not None and escaped not in among:
            draft.take("\\" + escaped, start, self.at)
        elif escaped != "\n":
            draft.take(escaped, start, self.at)

    def read_expansion(self, draft: _WordDraft) -> bool:
        """What begins with `$` or a backtick; False where a backtick ends the substitution around."""
        if self.text[self.at] == "`":
            if self.backticks:
                return False
            self.read_backticks(draft)
        elif self.peek(2) == "$(" and self.peek(3) != "$((":
            self.at += 1
            self.read_substitution(draft)
        elif self.peek(2) in ("$(", "${"):
            self.at += 1
            self.skip_brackets()
            draft.expand()
        elif self.peek(2) == "$'" and not self.quotes:
            self.read_ansi_quoted(draft)
        else:
            self.read_variable(draft)
        return True

    def read_variable(self, draft: _WordDraft) -> None:
        if found := _VARIABLE.match(self.text, self.at):
            self.at = found.end()
            draft.expand()
        else:
            draft.take("$", self.at, self.at + 1)
            self.at += 1

    def read_ansi_quoted(self, draft: _WordDraft) -> None:
        start = self.at + 2
        found = _ANSI_QUOTED.match(self.text, start)
        self.take_quoted(draft, start, found.end() if found else start)

    def read_bracket(self, draft: _WordDraft, char: str) -> None:
        if char in "<>":
            self.at += 1
            self.read_substitution(draft)
        elif self.peek(2) == "()":
            self.at += 2
            draft.expand()
        else:
            self.skip_brackets()
            draft.expand()

    def read_substitution(self, draft: _WordDraft) -> None:
        """The commands of `(…)`, at the bracket; too deep, the text is passed over."""
        if self.nesting >= MAX_NESTING:
            self.at = len(self.text)
        else:
            self.at += 1
            self.read_nested(")")
        draft.expand()

    def read_backticks(self, draft: _WordDraft) -> None:
        self.at += 1
        self.backticks += 1
        self.read_nested("`")
        self.backticks -= 1
        draft.expand()

    def read_nested(self, closer: str) -> None:
        quotes, waiting = self.quotes, self.waiting
        self.waiting = []
        self.nesting += 1
        self.read_commands(closer)
        self.nesting -= 1
        self.quotes = quotes
        self.waiting = waiting + self.waiting

    def skip_brackets(self) -> None:
        """Past the bracket that closes the one here, quotes and nested ones minded."""
        depth, opener = 0, self.text[self.at]
        closer = _CLOSERS[opener]
        while found := _BRACKETS.search(self.text, self.at):
            char = found[0]
            self.at = found.end()
            if char == "\\":
                self.at += 1
            elif char in "'\"":
                self.skip_quoted(char)
            elif char == opener:
                depth += 1
            elif char == closer:
                depth -= 1
                if not depth:
                    return
        self.at = len(self.text)

    def skip_quoted(self, quote: str) -> None:
        end = self.text.find(quote, self.at)
        if end >= 0:
            self.at = end + 1

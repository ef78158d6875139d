"""Compound commands: groups, conditions, loops and `case` (zshmisc(1), COMPLEX COMMANDS).

A production is the function that parses one of them. It is called when the
opening word, such as `if`, has been passed; `opening` is the offset of that
word. It returns the parts of the command, which the parser puts together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from zsh_ls.model.span import Span
from zsh_ls.model.syntax import Body, BodyForm, Dialect, Role, Segment, SegmentKind
from zsh_ls.shell.syntax._regex import compiled

from .arguments import read_array
from .functions import function_command
from .grammar import Grammar, braced_body, short_body
from .lexer import Lexer

# The kind, words and bodies of a compound command.
Compound = tuple[SegmentKind, Sequence[Span], Sequence[Body]]
# A function definition and `nocorrect` return the whole command instead.
Production = Callable[[Grammar, int], Compound | Segment]

PATTERN_OPERATORS = frozenset({"=", "==", "!=", "=~"})
ALWAYS = compiled(r"always(?=[ \t\n]|\\\n)")
ARM_END = compiled(r";;&|;;|;&|;\|")
IDENTIFIER = compiled(r"(?:[^\W\d]\w*+|\d++)(?=[ \t\n;|&()<>]|\\\n|\Z)")
CLOSING_WORDS = frozenset({"then", "elif", "else", "fi", "do", "done", "esac", "}"})


def subshell(parser: Grammar, opening: int) -> Compound:
    """`( list )`."""
    lexer = parser.lexer
    pipelines = parser.command_list(")")
    lexer.close(")", opening, "(")
    return SegmentKind.SUBSHELL, (), [Body(Role.BODY, BodyForm.BRACES, pipelines)]


def group(parser: Grammar, opening: int) -> Compound:
    """`{ list }`, and in zsh `{ list } always { list }`."""
    lexer = parser.lexer
    lexer.pos = opening
    body = braced_body(parser)
    closed = lexer.pos
    lexer.blanks()
    if not (lexer.zsh and ALWAYS.match(lexer.text, lexer.pos, lexer.end)):
        return SegmentKind.GROUP, (), [body]
    lexer.take("always")
    lexer.separators()
    if lexer.char() != "{":
        lexer.note(closed, lexer.pos, "`always` without `{`")
        return SegmentKind.TRY, (), [body]
    return SegmentKind.TRY, (), [body, braced_body(parser, Role.ALWAYS)]


def arithmetic_command(parser: Grammar, opening: int) -> Compound:
    """`(( expression ))`; where that is no arithmetic, a subshell in a subshell."""
    lexer = parser.lexer
    if not lexer.arithmetic(opening):
        lexer.pos = opening + 1
        return subshell(parser, opening)
    lexer.token_end = lexer.pos
    return SegmentKind.ARITHMETIC, (), ()


def test(parser: Grammar, opening: int) -> Compound:
    """`[[ expression ]]`: words and operators up to `]]`."""
    lexer = parser.lexer
    if plain := lexer.plain.test.match(lexer.text, lexer.pos, lexer.end):
        lexer.pos = lexer.token_end = plain.end()
        return SegmentKind.CONDITION, (), ()
    word: Span | None = None
    lexer.blanks()
    while not lexer.take("]]"):
        if not (char := lexer.char()) or char == ";":
            lexer.note(opening, opening + 2, "`[[` without `]]`")
            break
        word = operand(lexer, char, word)
        test_blanks(lexer)
    return SegmentKind.CONDITION, (), ()


def test_blanks(lexer: Lexer) -> None:
    """Blanks and line ends within `[[`."""
    lexer.blanks()
    while lexer.char() == "\n":
        lexer.newline()
        lexer.blanks()


def operand(lexer: Lexer, char: str, before: Span | None) -> Span | None:
    """Pass a word or an operator's character of `[[`; `before` is the word just before."""
    if char == "\n":
        lexer.newline()
        return before
    follows_operator = before and lexer.text[slice(*before)] in PATTERN_OPERATORS
    if char != "(" or follows_operator:
        word = lexer.word(in_condition=True)
        if word:
            lexer.token_end = lexer.pos
            return word
    lexer.pos += 1
    return None


def if_command(parser: Grammar, opening: int) -> Compound:
    """`if list then list { elif list then list } [ else list ] fi`, and zsh's forms.

    Those are `if list { list } [ elif list { list } ] [ else { list } ]` and
    `if list sublist`.
    """
    bodies: list[Body] = []
    while branch(parser, opening, bodies):
        pass
    return SegmentKind.IF, (), bodies


def branch(parser: Grammar, opening: int, bodies: list[Body]) -> bool:
    """A condition and its body; True where `elif` came after."""
    lexer = parser.lexer
    condition = parser.command_list("then", "elif", "else", "fi", condition=True)
    bodies.append(Body(Role.CONDITION, BodyForm.KEYWORDS, condition))
    lexer.separators()
    if lexer.take("then"):
        body = parser.command_list("elif", "else", "fi")
        bodies.append(Body(Role.BODY, BodyForm.KEYWORDS, body))
        return after_then(parser, opening, bodies)
    if lexer.zsh and lexer.char() == "{":
        bodies.append(braced_body(parser))
        return after_brace(parser, opening, bodies)
    if not lexer.zsh:
        lexer.note(opening, opening + 2, "`if` without `then`")
        return after_then(parser, opening, bodies)
    bodies.append(short_body(parser))
    if lexer.take("else"):
        else_list(parser, opening, bodies)
    return False


def after_then(parser: Grammar, opening: int, bodies: list[Body]) -> bool:
    """What follows a list after `then`: `elif`, `else` or `fi`."""
    lexer = parser.lexer
    lexer.separators()
    if lexer.take("elif"):
        return True
    if lexer.take("else"):
        else_list(parser, opening, bodies)
    else:
        lexer.close("fi", opening, "if")
    return False


def after_brace(parser: Grammar, opening: int, bodies: list[Body]) -> bool:
    """What may follow `}` on its line: `elif` or `else`."""
    lexer = parser.lexer
    lexer.blanks()
    if lexer.take("elif"):
        return True
    if not lexer.take("else"):
        return False
    lexer.separators()
    if lexer.char() == "{":
        bodies.append(braced_body(parser))
    else:
        else_list(parser, opening, bodies)
    return False


def else_list(parser: Grammar, opening: int, bodies: list[Body]) -> None:
    """`list fi`."""
    lexer = parser.lexer
    bodies.append(Body(Role.BODY, BodyForm.KEYWORDS, parser.command_list("fi")))
    lexer.close("fi", opening, "if")


def while_command(parser: Grammar, opening: int) -> Compound:
    """`while list do list done`."""
    return SegmentKind.WHILE, (), conditional_loop(parser, opening, "while")


def until_command(parser: Grammar, opening: int) -> Compound:
    """`until list do list done`."""
    return SegmentKind.UNTIL, (), conditional_loop(parser, opening, "until")


def conditional_loop(parser: Grammar, opening: int, keyword: str) -> list[Body]:
    """`list body`."""
    condition = parser.command_list("do", "done", condition=True)
    body = loop_body(parser, opening, keyword)
    return [Body(Role.CONDITION, BodyForm.KEYWORDS, condition), body]


def repeat_command(parser: Grammar, opening: int) -> Compound:
    """`repeat word body`."""
    lexer = parser.lexer
    lexer.blanks()
    count = lexer.word()
    lexer.token_end = lexer.pos
    body = loop_body(parser, opening, "repeat")
    return SegmentKind.REPEAT, (count,) if count else (), [body]


def loop_body(parser: Grammar, opening: int, keyword: str) -> Body:
    """`do list done`, `{ list }`, csh's `list end` of foreach, or zsh's one sublist."""
    lexer = parser.lexer
    lexer.separators()
    if lexer.take("do"):
        pipelines = parser.command_list("done")
        lexer.close("done", opening, keyword)
        return Body(Role.BODY, BodyForm.KEYWORDS, pipelines)
    if lexer.char() == "{":
        return braced_body(parser)
    if keyword == "foreach":
        pipelines = parser.command_list("end")
        lexer.close("end", opening, keyword)
        return Body(Role.BODY, BodyForm.KEYWORDS, pipelines)
    if lexer.zsh:
        return short_body(parser)
    lexer.note(opening, opening + len(keyword), f"`{keyword}` without `do`")
    return Body(Role.BODY, BodyForm.SHORT, ())


def for_command(parser: Grammar, opening: int) -> Compound:
    """`for name … [ in word … ] body`, `for name … ( word … ) body`, `for (( … )) body`."""
    lexer = parser.lexer
    lexer.blanks()
    if lexer.at("((") and lexer.arithmetic(lexer.pos):
        lexer.token_end = lexer.pos
        return SegmentKind.FOR, (), [loop_body(parser, opening, "for")]
    return for_names(parser, opening, "for", SegmentKind.FOR)


def foreach_command(parser: Grammar, opening: int) -> Compound:
    """`foreach name … ( word … ) list end`."""
    return for_names(parser, opening, "foreach", SegmentKind.FOR)


def select_command(parser: Grammar, opening: int) -> Compound:
    """`select name [ in word … ] body`."""
    return for_names(parser, opening, "select", SegmentKind.SELECT)


def for_names(parser: Grammar, opening: int, keyword: str, kind: SegmentKind) -> Compound:
    """The names, words and body of a loop over words."""
    lexer = parser.lexer
    names = loop_names(lexer)
    if not names:
        lexer.note(opening, lexer.pos, f"`{keyword}` without a name")
    loop_words(lexer)
    return kind, names, [loop_body(parser, opening, keyword)]


def loop_names(lexer: Lexer) -> list[Span]:
    """The variables of a loop: identifiers up to `in`, `do` or anything else."""
    names: list[Span] = []
    lexer.blanks()
    while name := IDENTIFIER.match(lexer.text, lexer.pos, lexer.end):
        if name.group() in {"in", "do"} and names:
            break
        names.append(Span._make(name.span()))
        lexer.pos = lexer.token_end = name.end()
        lexer.blanks()
    return names


def loop_words(lexer: Lexer) -> None:
    """`in word …` on this line or a later one, or zsh's `( word … )` on this one."""
    if lexer.zsh and lexer.char() == "(" and lexer.char(1) != ")":
        read_array(lexer)
        return
    lexer.separators()
    if lexer.take("in"):
        lexer.blanks()
        while lexer.word():
            lexer.blanks()


def case_command(parser: Grammar, opening: int) -> Compound:
    """`case word in [ [(] pattern [ | pattern ] … ) list ;; ] … esac`; in zsh `{…}` too."""
    lexer = parser.lexer
    lexer.blanks()
    subject = lexer.word()
    lexer.token_end = lexer.pos
    lexer.separators()
    braces = lexer.zsh and lexer.char() == "{"
    if not braces and not lexer.take("in"):
        lexer.note(opening, lexer.pos, "`case` without `in`")
        return SegmentKind.CASE, (subject,) if subject else (), ()
    lexer.pos += braces
    closer = "}" if braces else "esac"
    bodies: list[Body] = []
    while arm(parser, closer, bodies):
        pass
    lexer.close(closer, opening, "case")
    return SegmentKind.CASE, (subject,) if subject else (), bodies


def arm(parser: Grammar, closer: str, bodies: list[Body]) -> bool:
    """`pattern ) list ;;`; False at the end of the command."""
    lexer = parser.lexer
    lexer.separators()
    start = lexer.pos
    if not lexer.char() or lexer.at_word(closer):
        return False
    if not case_pattern(lexer):
        return skip_bad_pattern(parser, start)
    lexer.token_end = lexer.pos
    pipelines = parser.command_list(";;", ";&", ";|", ";;&", closer)
    bodies.append(Body(Role.BODY, BodyForm.KEYWORDS, pipelines))
    lexer.separators()
    if ending := ARM_END.match(lexer.text, lexer.pos, lexer.end):
        lexer.pos = lexer.token_end = ending.end()
    return lexer.pos > start


def skip_bad_pattern(parser: Grammar, start: int) -> bool:
    """Skip a line that is no pattern; False where it belongs to something around."""
    lexer = parser.lexer
    lexer.guesses.append(Span(start, lexer.pos))
    lexer.pos = start
    if parser.is_awaited():
        return False
    lexer.pos = max(lexer.line_end(start), start + 1)
    lexer.note(start, lexer.pos, "expected a pattern and `)`")
    return True


def case_pattern(lexer: Lexer) -> bool:
    """Pass `pattern [ | pattern ] … )`, with or without `(` before.

    zsh reads `(a|b)` as one word, and takes it for the whole where neither
    `)` nor `|` follows.
    """
    if not lexer.zsh and lexer.char() == "(":
        lexer.pos += 1
        lexer.blanks()
    start = lexer.pos
    word = lexer.word()
    only = word is not None
    lexer.blanks()
    while lexer.char() == "|":
        only = False
        lexer.pos += 1
        lexer.blanks()
        lexer.word()
        lexer.blanks()
    if lexer.char() == ")":
        lexer.pos += 1
        return True
    return only and lexer.text[start] == "(" and word is not None


def nocorrect(parser: Grammar, opening: int) -> Segment:
    """Zsh's `nocorrect command`: the word is no part of the command."""
    lexer = parser.lexer
    lexer.blanks()
    command = parser.command() or Segment(SegmentKind.SIMPLE, Span(opening, lexer.token_end))
    return command._replace(span=Span(opening, command.span.end))


# The production of each reserved word of a dialect; None for words that only close.
_POSIX: Mapping[str, Production | None] = {
    "(": subshell,
    "{": group,
    "if": if_command,
    "while": while_command,
    "until": until_command,
    "for": for_command,
    "case": case_command,
    **dict.fromkeys(CLOSING_WORDS),
}
_BASH: Mapping[str, Production | None] = {
    **_POSIX,
    "((": arithmetic_command,
    "[[": test,
    "select": select_command,
    "function": function_command,
}
RESERVED: Mapping[Dialect, Mapping[str, Production | None]] = {
    Dialect.SH: _POSIX,
    Dialect.BASH: _BASH,
    Dialect.ZSH: {
        **_BASH,
        "foreach": foreach_command,
        "repeat": repeat_command,
        "nocorrect": nocorrect,
        "end": None,
    },
}
CLOSING = {
    dialect: frozenset(word for word, production in words.items() if production is None)
    for dialect, words in RESERVED.items()
}
# First words that make a command more than a simple one, in any dialect.
NOT_PLAIN = frozenset({"!", "time", "coproc"}).union(*RESERVED.values())

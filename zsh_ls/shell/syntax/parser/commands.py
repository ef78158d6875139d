"""Commands: simple ones, functions, groups, conditions, loops and `case` (zshmisc(1)).

A production is a function that parses one construct of the grammar; it takes the
parser, which it calls for the lists within. Those of compound commands are called when
the opening word, such as `if`, has been passed; `opening` is the offset of that
word. They return the parts of the command, which the parser puts together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import (
    Body,
    BodyForm,
    Dialect,
    Pipeline,
    Redirection,
    Role,
    Segment,
    SegmentKind,
)
from zsh_ls.shell.syntax._regex import compiled

from .arguments import leading_assignments, read_arguments, read_array, read_redirections
from .conditions import JOINS, SIGNS, misplaced
from .fast_path import segment_of
from .lexer import MAX_DEPTH, Lexer


class Grammar(Protocol):
    """The methods of the parser that productions call: lists hold commands, and commands lists."""

    @property
    def lexer(self) -> Lexer:
        """The lexer, at the parser's position in the text."""

    def command_list(self, *closers: str, condition: bool = False) -> tuple[Pipeline, ...]:
        """A list up to one of `closers`, which is left to be read."""

    def sublist(self, pipelines: list[Pipeline]) -> bool:
        """Add the pipelines of one sublist; False, and nothing passed, where none begins here."""

    def command(self) -> Segment | None:
        """One command; None, and nothing passed, where none begins here."""

    def is_awaited(self) -> bool:
        """Whether some construct around waits for the token here, or the text ends."""


def braced_body(parser: Grammar, role: Role = Role.BODY) -> Body:
    """`{ list }`."""
    lexer = parser.lexer
    opening = lexer.pos
    lexer.pos += 1
    pipelines = parser.command_list("}")
    lexer.close("}", opening, "{")
    return Body(role, BodyForm.BRACES, pipelines)


def short_body(parser: Grammar) -> Body:
    """A body of zsh without any closing word: one sublist, perhaps none."""
    pipelines: list[Pipeline] = []
    parser.sublist(pipelines)
    return Body(Role.BODY, BodyForm.SHORT, tuple(pipelines))


def simple(
    parser: Grammar, start: int, mark: int, words: list[Span], redirections: list[Redirection]
) -> Segment | None:
    """`{ assignment | redirection } { word | redirection }`, or a function `name … () body`.

    `words` and `redirections` are those read since `start`. None where
    nothing is there at all.
    """
    lexer = parser.lexer
    assignments = [] if words else leading_assignments(lexer, redirections)
    # Right after an assignment or redirection zsh still knows its reserved words: `if x=1 then`.
    is_bare = lexer.zsh and not words and bool(assignments or redirections)
    at_end = is_bare and at_reserved(lexer, after_assignment=bool(assignments))
    end = lexer.token_end if at_end else read_arguments(lexer, words, redirections)
    if words and lexer.char() == "(" and pass_parentheses(lexer):
        return function(parser, start, mark, words)
    if not (words or assignments or redirections):
        return None
    lexer.token_end = end
    command_word = lexer.written(words[0]) if words else ""
    before = (tuple(words), tuple(assignments), tuple(redirections))
    inside = ((), lexer.substitutions_since(mark))
    return segment_of((SegmentKind.SIMPLE, span_of((start, end)), command_word, *before, *inside))


def at_reserved(lexer: Lexer, *, after_assignment: bool) -> bool:
    """Whether a word or sign is here at which zsh ends a command that has no words yet."""
    lexer.blanks()
    if lexer.char() in {"{", "("}:
        return after_assignment
    word = RESERVED_AFTER_ASSIGNMENT.match(lexer.text, lexer.pos, lexer.end)
    return word is not None and lexer.at_word(word.group())


EMPTY_PARENTHESES = compiled(r"\([ \t]*+\)")


def function_command(parser: Grammar, opening: int) -> Segment:
    """`function [-T] { word } [ () ] body`, with the keyword passed already."""
    lexer = parser.lexer
    mark = len(lexer.substitutions)
    names: list[Span] = []
    lexer.blanks()
    while not lexer.at_word("{") and (word := lexer.word()):
        if names or lexer.text[slice(*word)] not in {"-T", "--"}:
            names.append(word)
        lexer.blanks()
    pass_parentheses(lexer)
    return function(parser, opening, mark, names, takes_sublist=lexer.zsh)


def pass_parentheses(lexer: Lexer) -> bool:
    """Pass the `()` that makes a function of the words before it; False where it is missing."""
    match = EMPTY_PARENTHESES.match(lexer.text, lexer.pos, lexer.end)
    if match:
        lexer.pos = match.end()
    return match is not None


def function(
    parser: Grammar, start: int, mark: int, names: list[Span], *, takes_sublist: bool = False
) -> Segment:
    """The function that began at `start`; its body comes next.

    Without a name it runs at once, with the words that follow the body.
    """
    lexer = parser.lexer
    anonymous = not names
    lexer.token_end = lexer.pos
    lexer.separators()
    body = Body(Role.BODY, BodyForm.SHORT, ())
    if lexer.depth >= MAX_DEPTH:
        lexer.too_deep()
    else:
        lexer.depth += 1
        body = function_body(parser, takes_sublist)
        lexer.depth -= 1
    redirections: list[Redirection] = []
    if anonymous:
        lexer.token_end = read_arguments(lexer, names, redirections)
    else:
        redirections = read_redirections(lexer)
    segment = Segment(
        SegmentKind.FUNCTION,
        Span(start, lexer.token_end),
        "()" if anonymous else "",
        tuple(names),
        redirections=tuple(redirections),
        bodies=(body,),
        substitutions=lexer.substitutions_since(mark),
    )
    lexer.functions.append(segment)
    return segment


def function_body(parser: Grammar, takes_sublist: bool) -> Body:
    """`{ list }`, or one command; after zsh's `function` a sublist."""
    lexer = parser.lexer
    if lexer.char() == "{" and (lexer.zsh or lexer.at_word("{")):
        return braced_body(parser)
    if takes_sublist:
        return short_body(parser)
    command = parser.command()
    if command is None:
        lexer.note(lexer.pos, lexer.pos, "function without a body")
        return Body(Role.BODY, BodyForm.SHORT, ())
    return Body(Role.BODY, BodyForm.SHORT, (Pipeline(command.span, (command,)),))


# The kind, words and bodies of a compound command.
Compound = tuple[SegmentKind, Sequence[Span], Sequence[Body]]
# A function definition and `nocorrect` return the whole command instead.
Production = Callable[[Grammar, int], Compound | Segment]

PATTERN_OPERATORS = frozenset({"=", "==", "!=", "=~"})
ALWAYS = compiled(r"always(?=[ \t\n]|\\\n)")
ARM_END = compiled(r";;&|;;|;&|;\|")
IDENTIFIER = compiled(r"(?:[^\W\d]\w*+|\d++)(?=[ \t\n;|&()<>]|\\\n|\Z)")
RESERVED_AFTER_ASSIGNMENT = compiled(
    r"\[\[|!|(?:then|elif|else|fi|do|done|esac|end|if|while|until|for|case|select|function|foreach|"
    r"repeat|time|coproc)(?!\w)"
)
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
        tokens = lexer.plain.test_token.findall(lexer.text, lexer.pos, plain.end() - 2)
        check_condition(lexer, tokens, opening)
        lexer.pos = lexer.token_end = plain.end()
        return SegmentKind.CONDITION, (), ()
    before: Span | None = None
    tokens = []
    end = -1
    lexer.blanks()
    while not lexer.take("]]"):
        if not (char := lexer.char()) or char == ";":
            lexer.note(opening, opening + 2, "`[[` without `]]`")
            return SegmentKind.CONDITION, (), ()
        if char == "\n":
            lexer.newline()
            lexer.blanks()
            continue
        # `(` groups, but for the one that begins a pattern: `[[ $x == (a|b) ]]`, in zsh any third word.
        begins_pattern = before and (
            lexer.text[slice(*before)] in PATTERN_OPERATORS
            or (
                lexer.zsh
                and len(tokens) > 1
                and SIGNS.isdisjoint(tokens[-2:])
                and SIGNS.issuperset(tokens[-3:-2])
            )
        )
        start = lexer.pos
        before = lexer.word(in_condition=True) if char != "(" or begins_pattern else None
        if before:
            lexer.token_end = lexer.pos
        else:
            lexer.pos += 2 if lexer.at("&&") or lexer.at("||") else 1
        add_token(lexer, tokens, start, joined=start == end)
        end = lexer.pos
        lexer.blanks()
    check_condition(lexer, tokens, opening)
    return SegmentKind.CONDITION, (), ()


def add_token(lexer: Lexer, tokens: list[str], start: int, *, joined: bool) -> None:
    """Add the token from `start` to the position; `joined` where no blank is before it.

    In bash a regular expression holds signs (`[[ $x =~ ^a|b$ ]]`); its beginning stands for it.
    """
    token = lexer.text[start : lexer.pos]
    in_regex = not lexer.zsh and "=~" in tokens[-2:] and token not in JOINS | {")"}
    if not in_regex or tokens[-1] == "=~":
        # A sign at the beginning of an expression is as good as an escaped one.
        tokens.append(f"\\{token}" if in_regex and token in SIGNS else token)
    elif not joined:
        tokens.append(token)


def check_condition(lexer: Lexer, tokens: Sequence[str], opening: int) -> None:
    """Note what is wrong with the order of the tokens of the `[[` at `opening`."""
    tokens = [joined for token in tokens if (joined := token.replace("\\\n", ""))]
    at = misplaced(tokens, lexer.dialect)
    if at is not None:
        said = (
            f"unexpected `{tokens[at]}` in `[[`"
            if at < len(tokens)
            else "the condition ends too early"
        )
        lexer.note(opening, opening + 2, said)


def if_command(parser: Grammar, opening: int) -> Compound:
    """`if list then list { elif list then list } [ else list ] fi`, and zsh's forms.

    Those are `if list { list } [ elif list { list } ] [ else { list } ]` and
    `if list sublist`.
    """
    lexer = parser.lexer
    bodies: list[Body] = []
    while True:
        condition = parser.command_list("then", "elif", "else", "fi", condition=True)
        bodies.append(Body(Role.CONDITION, BodyForm.KEYWORDS, condition))
        lexer.separators()
        is_braced = False
        if lexer.take("then"):
            body = parser.command_list("elif", "else", "fi")
            bodies.append(Body(Role.BODY, BodyForm.KEYWORDS, body))
        elif lexer.zsh and lexer.char() == "{":
            is_braced = True
            bodies.append(braced_body(parser))
        elif lexer.zsh:
            bodies.append(short_body(parser))
            if lexer.take("else"):
                else_list(parser, opening, bodies)
            break
        else:
            lexer.note(opening, opening + 2, "`if` without `then`")
        # After a list in braces `elif` and `else` count on the line of its `}` alone.
        if is_braced:
            lexer.blanks()
        else:
            lexer.separators()
        if lexer.take("elif"):
            continue
        if lexer.take("else"):
            if is_braced:
                lexer.separators()
            if is_braced and lexer.char() == "{":
                bodies.append(braced_body(parser))
            else:
                else_list(parser, opening, bodies)
        elif not is_braced:
            lexer.close("fi", opening, "if")
        break
    return SegmentKind.IF, (), bodies


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
    names: list[Span] = []
    lexer.blanks()
    while name := IDENTIFIER.match(lexer.text, lexer.pos, lexer.end):
        if name.group() in {"in", "do"} and names:
            break
        names.append(Span._make(name.span()))
        lexer.pos = lexer.token_end = name.end()
        lexer.blanks()
    if not names:
        lexer.note(opening, lexer.pos, f"`{keyword}` without a name")
    # `in word …` on this line or a later one, or zsh's `( word … )` on this one.
    if lexer.zsh and lexer.char() == "(" and lexer.char(1) != ")":
        read_array(lexer)
    else:
        lexer.separators()
        if lexer.take("in"):
            lexer.blanks()
            while lexer.word():
                lexer.blanks()
    return kind, names, [loop_body(parser, opening, keyword)]


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
    # In zsh either word ends it right after a `;;`.
    if ended := case_end(lexer, closer):
        closer = ended
    lexer.close(closer, opening, "case")
    return SegmentKind.CASE, (subject,) if subject else (), bodies


def case_end(lexer: Lexer, closer: str) -> str:
    """The word here that ends a `case` where an arm may begin; `""` where there is none."""
    words = (closer, "esac", "}") if lexer.zsh else (closer,)
    return next((word for word in words if lexer.at_word(word)), "")


def arm(parser: Grammar, closer: str, bodies: list[Body]) -> bool:
    """`pattern ) list ;;`; False at the end of the command."""
    lexer = parser.lexer
    lexer.separators()
    start = lexer.pos
    if not lexer.char() or case_end(lexer, closer):
        return False
    if not case_pattern(lexer):
        # A line that is no pattern is skipped, unless it closes something around.
        lexer.guesses.append(Span(start, lexer.pos))
        lexer.pos = start
        if parser.is_awaited():
            return False
        lexer.pos = max(lexer.line_end(start), start + 1)
        lexer.note(start, lexer.pos, "expected a pattern and `)`")
        return True
    lexer.token_end = lexer.pos
    pipelines = parser.command_list(";;", ";&", ";|", ";;&", closer)
    bodies.append(Body(Role.BODY, BodyForm.KEYWORDS, pipelines))
    lexer.separators()
    if ending := ARM_END.match(lexer.text, lexer.pos, lexer.end):
        lexer.pos = lexer.token_end = ending.end()
    return lexer.pos > start


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

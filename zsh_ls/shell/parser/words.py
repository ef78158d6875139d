"""Words, lists of words and assignments (zshmisc(1), SIMPLE COMMANDS; zshparam(1), ARRAY PARAMETERS)."""

from __future__ import annotations

from zsh_ls.model.span import Span, span_of
from zsh_ls.model.syntax import Assignment, SubstitutionKind

from .patterns import ASSIGNMENT, ASSIGNS, INERT_IN_SUBSCRIPT, NUMBER_RANGE
from .quoting import Quoting

WORD_ENDS = frozenset(" \t\n;&|<>")
EXTENDED_GLOB = frozenset("?*+@!")


class Words(Quoting):
    """Passes words, which stay opaque but for the code in them."""

    def word(self, *, is_value: bool = False, in_condition: bool = False) -> Span | None:
        """Pass one word; None, and nothing passed, where none begins here."""
        easy = self.plain.word.match(self.text, self.pos, self.end)
        if easy:
            self.pos = easy.end()
            return span_of(easy.span())
        start = self.pos
        if self.zsh and self.at("=("):
            self.substitution(SubstitutionKind.FILE)
        stray_brace = self.rest_of_word(start, in_condition)
        if stray_brace and not is_value and self.pos - start > 1:
            self.pos -= 1
        return Span(start, self.pos) if self.pos > start else None

    def rest_of_word(self, start: int, in_condition: bool) -> bool:
        """Pass the parts of a word that began at `start`.

        True where it ends with a `}` that closes nothing within: zsh takes that
        to end a group, as in `{ls}`.
        """
        parentheses = braces = 0
        stray_brace = -1
        while char := self.char_after(self.pieces):
            if char == "{":
                braces += 1
            elif char == "}" and braces:
                braces -= 1
            elif char == "}":
                stray_brace = self.pos
            elif char == "(" and self.opens_pattern(start, in_condition):
                parentheses += 1
            elif char == ")" and parentheses:
                parentheses -= 1
            elif self.passed(char, parentheses):
                continue
            else:
                break
            self.pos += 1
        return self.zsh and stray_brace == self.pos - 1

    def opens_pattern(self, start: int, in_condition: bool) -> bool:
        """Whether the `(` here belongs to the word: a pattern in zsh and `[[`, an extended glob.

        zsh's `()` never does: it makes what stands before it a function.
        """
        if self.zsh:
            return self.char(1) != ")"
        return in_condition or (self.pos > start and self.text[self.pos - 1] in EXTENDED_GLOB)

    def passed(self, char: str, parentheses: int) -> bool:
        """Pass the part of a word that `char` begins; False, and nothing passed, where the word ends.

        Parentheses protect blanks and `|`; brackets protect nothing.
        """
        if char in "<>":
            return self.angle(protected=parentheses > 0 and not self.zsh)
        if char in WORD_ENDS:
            if not parentheses or (self.zsh and char in ";&"):
                return False
            self.pos += 1
            return True
        if char in "()":
            return False
        self.quoted_part(char)
        return True

    def angle(self, *, protected: bool) -> bool:
        """Pass `<(…)`, `>(…)`, zsh's `<1-9>`, or what is `protected`; False at a redirection."""
        if self.char(1) == "(":
            self.substitution(SubstitutionKind(self.char() + "("))
            return True
        numbers = NUMBER_RANGE.match(self.text, self.pos, self.end) if self.zsh else None
        if numbers:
            self.pos = numbers.end()
        elif protected:
            self.pos += 1
        return protected or numbers is not None

    def words_on_line(self) -> list[Span]:
        """Words up to the end of a command."""
        words = []
        self.blanks()
        while word := self.word():
            words.append(word)
            self.blanks()
        return words

    def array(self) -> None:
        """`( word … )`, over any number of lines."""
        opening = self.pos
        self.pos += 1
        self.elements()
        while self.word():
            self.elements()
        self.close(")", opening, "(")

    def elements(self) -> None:
        """Pass what may stand before an element that holds code: others, line ends, comments."""
        if not self.pending:
            self.skip(self.plain.elements)
        self.separators()

    def assignment(self) -> Assignment | None:
        """`name=value`, `name+=value`, `name[subscript]=value`, `name=(array)`."""
        match = ASSIGNMENT.match(self.text, self.pos, self.end)
        if match is None:
            return None
        start = self.pos
        self.pos = match.start(2) if match[2] else match.start(3)
        if match[2] and not self.subscript(start):
            return None
        appends = self.char() == "+"
        self.pos += 1 + appends
        return self.assigned(start, match[1], appends)

    def assigned(self, start: int, name: str, appends: bool) -> Assignment:
        """The assignment that began at `start`, whose value begins here."""
        value_start = self.pos
        is_array = self.char() == "("
        if is_array:
            self.array()
        else:
            self.word(is_value=True)
        value = Span(value_start, self.pos)
        return Assignment(Span(start, self.pos), name, value, is_array, appends)

    def subscript(self, start: int) -> bool:
        """Pass `[…]` before a `=` or `+=`; where none is, go back to `start`."""
        mark = self.mark()._replace(pos=start)
        if self.fuel > 0 and self.until_bracket() and ASSIGNS.match(self.text, self.pos, self.end):
            return True
        self.rewind(mark)
        return False

    def until_bracket(self) -> bool:
        """Pass a balanced `[…]`; False where it does not end before the word (bash: the line) does."""
        brackets = parentheses = 0
        while True:
            self.skip(INERT_IN_SUBSCRIPT)
            char = self.char()
            if not char or char in "\n;" or (char in " \t|&<>" and self.zsh and not parentheses):
                return False
            brackets += (char == "[") - (char == "]")
            parentheses += (char == "(") - (char == ")")
            self.quoted_part(char)
            if not brackets:
                return True

"""Renders pages in mdoc(7), the macros of BSD: most pages of macOS, and those of ssh and tmux."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from zsh_ls.lazy import re

from .layout import Sheet
from .roff import RoffLine, arguments, plain

_CLOSING = re.compile(r"[.,:;)\]?!]+")
_OPENING = re.compile(r"[(\[]")
# The brackets or quotes that an enclosing macro puts around its arguments.
_AROUND: Mapping[str, tuple[str, str]] = {
    "Op": ("[", "]"),
    "Bq": ("[", "]"),
    "Pq": ("(", ")"),
    "Aq": ("<", ">"),
    "Brq": ("{", "}"),
    "Dq": ("“", "”"),
    "Qq": ('"', '"'),
    "Sq": ("‘", "’"),
    "Ql": ("‘", "’"),
}
_OPENS: Mapping[str, str] = {
    "Oo": "[",
    "Bo": "[",
    "Po": "(",
    "Ao": "<",
    "Bro": "{",
    "Do": "“",
    "So": "‘",
    "Qo": '"',
}
_CLOSES: Mapping[str, str] = {
    "Oc": "]",
    "Bc": "]",
    "Pc": ")",
    "Ac": ">",
    "Brc": "}",
    "Dc": "”",
    "Sc": "’",
    "Qc": '"',
}
# Macros that only change the font of their arguments.
_WORDS = frozenset(
    {
        *("Ar", "Cm", "Ic", "Pa", "Ev", "Va", "Li", "Em", "Sy", "Fa", "Fn", "Ft", "Vt", "Dv"),
        *("Er", "Sx", "Lk", "Mt", "Ad", "An", "Tn", "Cd", "No", "St", "Bx", "Ox", "Nx", "Fx"),
        *("Ux", "At", "Bsx", "In", "Ms", "Sm"),
    }
)
# What ends the words that `Fl` makes flags of: any other macro.
_FLAG_ENDS = (
    {"Fl", "Ns", "Ap", "Pf", "Nm", "Nd", "Xr"} | _WORDS | {*_AROUND} | {*_OPENS} | {*_CLOSES}
)
_SILENT = frozenset({"Dd", "Dt", "Os", "Bk", "Ek", "Sm", "Xo", "Xc", "Rs", "Re"})


def rendered_mdoc(lines: Iterable[RoffLine]) -> str:
    """The page's text."""
    page = _MdocPage()
    for line in lines:
        page.line(line)
    return page.sheet.text()


class _MdocPage:
    def __init__(self) -> None:
        self.sheet = Sheet()
        self.name = ""
        self.lists: list[str] = []
        self.extended: list[str] | None = None
        self.is_spaced = True

    def line(self, line: RoffLine) -> None:
        """Render one line of the source."""
        given = arguments(line.text)
        if self.extended is not None:
            self.extend([line.macro, *given] if line.macro else plain(line.text).split())
            return
        match line.macro:
            case "":
                text = plain(line.text)
                if text.strip() or self.sheet.keeps_lines:
                    self.sheet.add(text)
                else:
                    self.sheet.paragraph()
            case "Sh" | "Ss":
                self.lists = []
                self.sheet.heading(" ".join(given), 0 if line.macro == "Sh" else 3)
            case "Pp" | "Lp" | "sp":
                self.sheet.paragraph()
            case "br":
                self.sheet.end_line()
            case "Bl" | "El" | "Bd" | "Ed":
                self.display(line.macro, given)
            case "It":
                self.item(given)
            case "Dl" | "D1":
                self.sheet.end_line()
                self.sheet.add("    " + self.set(given))
                self.sheet.end_line()
            case macro if macro in _SILENT:
                pass
            case macro:
                self.inline([macro, *given])

    def display(self, macro: str, given: list[str]) -> None:
        """Begin or end a list or a display."""
        self.sheet.end_line()
        if macro == "Bl":
            if self.lists:
                self.sheet.push()
            self.lists.append(given[0] if given else "")
        elif macro == "El" and self.lists:
            self.lists.pop()
            if self.lists:
                self.sheet.pop()
            self.sheet.indent = self.sheet.base + (7 if self.lists else 0)
        elif macro in ("Bd", "Ed"):
            self.sheet.keeps_lines = macro == "Bd" and bool({"-literal", "-unfilled"} & set(given))

    def item(self, given: list[str]) -> None:
        """Begin an item of a list; in tagged lists it has a head, which `Xo` extends over several lines."""
        if given[-1:] == ["Xo"]:
            self.extended = given[:-1]
            return
        self.sheet.paragraph()
        kind = self.lists[-1] if self.lists else ""
        if given and kind in ("-tag", "-hang", "-ohang", "-inset", "-diag", ""):
            self.sheet.tag(self.set(given))
        elif kind == "-column":
            self.sheet.add(
                "  ".join(self.set(cell.split()) for cell in " ".join(given).split(" Ta "))
            )
        else:
            self.sheet.indent = self.sheet.base + 4
            self.sheet.add("•")

    def extend(self, words: list[str]) -> None:
        """Add to an item's head, up to `Xc`."""
        assert self.extended is not None
        if words[:1] == ["Sm"]:
            self.is_spaced = words[1:] != ["off"]
        elif words[:1] == ["Xc"]:
            head, self.extended = self.extended, None
            self.is_spaced = True
            self.item(head)
        elif self.is_spaced:
            self.extended += words
        else:
            self.extended += [each for word in words for each in (word, "Ns")]

    def inline(self, words: list[str]) -> None:
        """Add a line of macros to a paragraph."""
        if words[0] in ("Ns", "Pf") or words[0] in _CLOSES:
            self.sheet.join()
        self.sheet.add(self.set(words))
        if words[0] in _OPENS or words[-1] == "Ns":
            self.sheet.join()

    def set(self, words: list[str]) -> str:
        """Words and macros as text: `Fl a Ar file` is `-a file`."""
        setting = _Setting(words, self.name)
        text = setting.text()
        self.name = setting.name
        return text


class _Setting:
    """Renders one line of macros and words; `name` is the page's program."""

    def __init__(self, words: list[str], name: str) -> None:
        self.words = words
        self.name = name
        self.at = 0
        self.parts: list[str] = []
        self.joins = True
        self.closers: list[str] = []
        self.special: Mapping[str, Callable[[], None]] = {
            "Fl": self.flags,
            "Nm": self.named,
            "Nd": lambda: self.add("-"),
            "Xr": self.reference,
            "Ns": self.join,
            "Ap": lambda: self.joined("'"),
            "Pf": lambda: self.joined(self.next_word()),
        }

    def text(self) -> str:
        """The whole line as text."""
        while self.at < len(self.words):
            self.word(self.next_word())
        for closer in reversed(self.closers):
            self.close(closer)
        return "".join(self.parts)

    def word(self, word: str) -> None:
        if word in self.special:
            self.special[word]()
        elif word in _AROUND:
            opener, closer = _AROUND[word]
            self.add(opener)
            self.join()
            self.closers.append(closer)
        elif word in _OPENS:
            self.add(_OPENS[word])
            self.join()
        elif word in _CLOSES:
            self.joined(_CLOSES[word])
            self.joins = False
        elif word not in _WORDS and word not in _SILENT:
            self.add(word)

    def next_word(self) -> str:
        self.at += 1
        return self.words[self.at - 1] if self.at <= len(self.words) else ""

    def flags(self) -> None:
        """`Fl a b`: add each word as a flag, or a single dash without words."""
        begins = self.at
        while self.at < len(self.words):
            if self.words[self.at] in _FLAG_ENDS or _CLOSING.fullmatch(self.words[self.at]):
                break
            word = self.next_word()
            self.add(word if word == "|" else f"-{word}")
        if self.at == begins:
            self.add("-")
            self.joins = self.words[self.at : self.at + 1] in (["Ns"], ["Fl"])

    def named(self) -> None:
        """`Nm`: add the program's name, which the macro's first use defines."""
        if self.at >= len(self.words):
            self.add(self.name)
        else:
            self.name = self.name or self.words[self.at]

    def reference(self) -> None:
        """`Xr name section`."""
        name, section = self.next_word(), self.next_word()
        self.add(f"{name}({section})" if section else name)

    def add(self, word: str) -> None:
        """Add a word; punctuation follows without a blank."""
        if not self.joins and not _CLOSING.fullmatch(word):
            self.parts.append(" ")
        self.parts.append(word)
        self.joins = bool(_OPENING.fullmatch(word))

    def join(self) -> None:
        """Append the next word without a blank."""
        self.joins = True

    def joined(self, word: str) -> None:
        """Add a word without blanks around it."""
        self.join()
        self.add(word)
        self.join()

    def close(self, closer: str) -> None:
        """Add a closing bracket or quote, before punctuation that ends the line."""
        if self.parts and _CLOSING.fullmatch(self.parts[-1]):
            self.parts.insert(-1, closer)
        else:
            self.parts.append(closer)

"""Extracts the options of a rendered manual page: their forms, arguments and first sentences.

An option begins with a head: a line that starts with a dash where a paragraph can
start. Consecutive heads are forms of one option. Expects unjustified output of groff
or mandoc; other text gives no options, and nothing raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple

_OVERSTRIKE = re.compile(r".\x08")
_ESCAPE = re.compile(r"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9]|.)")
_DASHES = str.maketrans({"−": "-", "‐": "-", "‑": "-", "–": "-", "\u00a0": " ", "\u00ad": ""})
_OTHER_SECTIONS = re.compile(
    r"NAME|SYNOPSIS|EXAMPLES?|SEE ALSO|AUTHORS?|COPYRIGHT|HISTORY|BUGS|REPORTING BUGS"
)
_BRACKETED = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\}")
_GAP = re.compile(r"\s{2,}|\t")
_BEGINS_OPTION = re.compile(r"-{1,2}(?:[^\s-]|[,|]|$)")
# A description after a single blank, in a column where the page has descriptions.
_DESCRIPTION = re.compile(r"(?:[A-Z(]|[a-z]+[\w(),'-]* \S+ \S+).*")
_FLAG = re.compile(r"-{0,2}(?:\[no-?\]|\(no-?\))?(?:[\w@%$!+*^:.-]*[\w?@%$!+*^]|#)|--?(?=$|[\s,|])")
# `-<number>, -n <number>`: what has no name of its own cannot be asked about.
_NAMELESS = re.compile(r"-<[\w-]+>\s*[,|]\s*(?=-)")
_OPTIONAL_NO = re.compile(r"(--?)[\[(](no-?)[\])](.+)")
_NEXT_FORM = re.compile(r"(?:\s*[,|;/]\s*|\s+or\s+|\s+and\s+|\s+)(?=--?[\w?#@\[(])")
_PROSE = re.compile(
    r"\s(?:is|are|was|were|can|will|may|must|should|does|do|has|have|implies|means|causes|takes|option|options"
    r"|to|with|when|if|for|then|this|that|which|in|on|of|as|also|not|mode|flag|flags|the|used|using|instead)(?=[\s,.]|$)|\.$"
)
_EXAMPLE = re.compile(r"['\"\\]|\.\.\. |://")
_SENTENCE_END = re.compile(
    r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)(?<!cf)(?<!\s)[.:;](?=\s+[A-Z“\"'(`-]|\s*$)|\.(?=\s\s)"
)
MAX_SENTENCE = 200
_SENTENCES = re.compile(r"(?<=[a-z)'’]\.)\s+(?=[A-Z])")
# What a sentence speaks of stands at its beginning: "If the option -r or -R is given".
_SPOKEN_OF = re.compile(
    r"(?:The|If|With|Supplying|When|An)\b.{0,24}?(?<![\w\[|-])-[A-Za-z](?![\w-])"
)
_MENTIONED = re.compile(r"(?<![\w\[|-])-[A-Za-z](?![\w-])")
_NEAR = 40
_UNDASHED = re.compile(r"([A-Za-z])(?: {2,}(\S.*))?")
# A line of a rendered page is not longer, and no option is written in more ways; reading either takes
# the square of its length, so a page that was made to hurt is not read there.
MAX_HEAD = 2_000
MAX_FORMS = 200
# The longest page, of gcc, has 2,700; whoever asks about one option looks through all of them.
MAX_OPTIONS = 10_000


class OptionForm(NamedTuple):
    """One way to write an option: `--regexp` and its argument as the page has it, `=PATTERNS`."""

    flag: str
    argument: str = ""


class OptionEntry(NamedTuple):
    """An option: its forms in the page's order, and the first sentence of what it does."""

    forms: tuple[OptionForm, ...]
    description: str = ""

    @property
    def heading(self) -> str:
        """`-e PATTERNS, --regexp=PATTERNS`."""
        return ", ".join(form.flag + form.argument for form in self.forms)


class _Line(NamedTuple):
    indent: int
    text: str


def parse_options(page: str) -> tuple[OptionEntry, ...]:
    """The options of a rendered page, in its order; of duplicates the first with a description."""
    entries: dict[tuple[OptionForm, ...], OptionEntry] = {}
    for entry in islice(_OptionPage(_lines(page)).entries(), MAX_OPTIONS):
        known = entries.get(entry.forms)
        if known is None or not known.description:
            entries[entry.forms] = entry
    return tuple(entries.values())


def undashed_options(page: str) -> tuple[OptionEntry, ...]:
    """The single letters without a dash that a page describes, as those of ps and ar do; each once."""
    lines = _lines(page)
    found: dict[str, OptionEntry] = {}
    for at, line in enumerate(lines, 1):
        head = _UNDASHED.fullmatch(line.text)
        words = _first_sentence(head[2] or "", lines, at, line.indent) if head else ""
        if head and words and line.indent > 0:
            found.setdefault(head[1], OptionEntry((OptionForm(head[1]),), words))
    return tuple(found.values())


def mentioned_options(prose: str) -> tuple[OptionEntry, ...]:
    """The single letters that sentences tell of: `With the -U flag, alias expansion is suppressed`."""
    told: dict[str, str] = {}
    for sentence in _SENTENCES.split(" ".join(prose.split())):
        if not _SPOKEN_OF.match(sentence):
            continue
        for flag in _MENTIONED.findall(sentence, 0, _NEAR):
            told.setdefault(flag, _bounded(sentence.rstrip(".:")))
    return tuple(OptionEntry((OptionForm(flag),), words) for flag, words in told.items())


def plain_text(page: str) -> str:
    """The page without overstrikes and escape sequences, and with ASCII dashes."""
    without = _ESCAPE.sub("", _OVERSTRIKE.sub("", page))
    return without.translate(_DASHES)


def _lines(page: str) -> list[_Line]:
    """The lines of the sections that describe options; blank lines have indent -1."""
    lines: list[_Line] = []
    is_skipped = False
    for raw in plain_text(page).splitlines():
        text = raw.expandtabs(8).rstrip()
        indent = len(text) - len(text.lstrip()) if text else -1
        if indent == 0:
            is_skipped = bool(_OTHER_SECTIONS.fullmatch(text))
        if not is_skipped:
            lines.append(_Line(indent, text.lstrip()))
    return lines


class _OptionPage:
    """The lines of a page, and the columns in which it has descriptions."""

    def __init__(self, lines: Sequence[_Line]) -> None:
        self.lines = lines
        self.columns = frozenset(self.description_columns())

    def description_columns(self) -> Iterator[int]:
        """The columns of text beside or below lines that begin with a dash."""
        for line, below in pairwise(self.lines):
            if line.text.startswith("-") and line.indent > 0:
                if gap := _GAP.search(line.text):
                    yield line.indent + gap.end()
                if below.indent > line.indent:
                    yield below.indent

    def entries(self) -> Iterator[OptionEntry]:
        """The options in the order of the page."""
        at = 0
        while at < len(self.lines):
            forms, inline = self.head(at)
            if not forms:
                at += 1
                continue
            indent, at = self.lines[at].indent, at + 1
            while not inline and at < len(self.lines) and self.lines[at].indent == indent:
                more, inline = self.forms(self.lines[at])
                if not more or len(forms) > MAX_FORMS:
                    break
                forms, at = tuple(dict.fromkeys(forms + more)), at + 1
            entry = OptionEntry(forms, _first_sentence(inline, self.lines, at, indent))
            if entry.description or not _EXAMPLE.search(entry.heading):
                yield entry
            # The description's first line is no head itself, even where it begins with a dash.
            at += not inline and at < len(self.lines) and self.lines[at].indent > indent

    def head(self, at: int) -> tuple[tuple[OptionForm, ...], str]:
        """The forms and the inline description of a line; empty if no option begins there."""
        line = self.lines[at]
        if line.indent < 1 or not line.text.startswith("-"):
            return (), ""
        before = self.lines[at - 1] if at else _Line(-1, "")
        goes_on = before.indent == line.indent and not before.text.startswith("-")
        goes_on = goes_on and not before.text.endswith(":")
        return ((), "") if goes_on else self.forms(line)

    def forms(self, line: _Line) -> tuple[tuple[OptionForm, ...], str]:
        """The forms of a head line and the text after them; empty if the line is prose."""
        if len(line.text) > MAX_HEAD or not _BEGINS_OPTION.match(line.text):
            return (), ""
        head, inline = self.divided(line)
        head = _NAMELESS.sub("", head)
        forms: list[OptionForm] = []
        while head:
            found, head = _form(head)
            if found is None:
                break
            forms += found
        for form in forms:
            # More than a word after a flag may be a sentence that begins with it.
            argument = form.argument
            if len(argument.split()) > 1 and _PROSE.search(_BRACKETED.sub("", argument)):
                return (), ""
        if not forms:
            return (), ""
        return tuple(dict.fromkeys(forms)), inline

    def divided(self, line: _Line) -> tuple[str, str]:
        """A line split into head and description, at two blanks or at a column of descriptions."""
        text, at = line.text, 0
        while gap := _GAP.search(text, at):
            behind = text[gap.end() :]
            if not behind.startswith("-") or behind.startswith("- "):
                return text[: gap.start()].rstrip(","), behind
            at = gap.end()
        for column in sorted(self.columns):
            behind = text[max(column - line.indent, 2) :]
            if text[: -len(behind) or None].endswith(" ") and _DESCRIPTION.fullmatch(behind):
                return text[: -len(behind)].strip(), behind
        return text, ""


def _form(head: str) -> tuple[list[OptionForm] | None, str]:
    """The first form of `head` (two for `--[no-]x`), and the rest of it."""
    flag = _FLAG.match(head)
    if flag is None or not flag[0].startswith("-"):
        return None, ""
    end = _form_end(head, flag.end())
    argument = head[flag.end() : end.start()] if end else head[flag.end() :]
    rest = head[end.end() :] if end else ""
    argument = argument.rstrip(" ,;|:") if argument.strip() else ""
    optional = _OPTIONAL_NO.fullmatch(flag[0])
    if optional is None:
        return [OptionForm(flag[0], argument)], rest
    dash, no, name = optional.groups()
    return [OptionForm(dash + name, argument), OptionForm(dash + no + name, argument)], rest


def _form_end(head: str, at: int) -> re.Match[str] | None:
    """The separator after the form whose flag ends at `at`; separators in brackets do not count."""
    for found in _NEXT_FORM.finditer(head, at):
        between = head[at : found.start()]
        if between.count("[") <= between.count("]") and between.count("<") <= between.count(">"):
            return found
    return None


def _first_sentence(inline: str, lines: Sequence[_Line], at: int, indent: int) -> str:
    """The first sentence of the text beside or below a head, `""` without text."""
    words = [inline] if inline else []
    if not inline and at + 1 < len(lines) and lines[at].indent < 0 < lines[at + 1].indent:
        at += lines[at + 1].indent > indent
    for line in lines[at : at + 6]:
        if line.indent <= indent:
            break
        words.append(line.text)
    text = " ".join(" ".join(words).split())
    end = _SENTENCE_END.search(text)
    return _bounded(text[: end.start()] if end else text)


def _bounded(sentence: str) -> str:
    return sentence if len(sentence) <= MAX_SENTENCE else sentence[: MAX_SENTENCE - 1] + "…"

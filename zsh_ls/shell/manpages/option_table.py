"""Options of a manual page: one flag's entry for hovers (MAN-4), and tables of them as text (MAN-1)."""

from __future__ import annotations

from collections.abc import Sequence

from zsh_ls.lazy import re

from .options import OptionEntry, OptionForm, parse_options

_INDENT = "  "
_GAP = "  "
_WIDEST_HEADING = 34
_MIN_SIMILARITY = 0.6
_MENTIONS_OPTION = re.compile(
    r"option|flag|switch|argument|predicate|parameter|primary|operator", re.IGNORECASE
)
_NAMED = re.compile(r"(?<![\w-])--?[A-Za-z0-9][\w-]*")
_LETTER = re.compile(
    r"(?:--\s*|option:?\s*|switch:?\s*)[`'‘\"]?([A-Za-z0-9?#])[`'’\"]?\s*(?:$|in\b|\()",
    re.MULTILINE,
)
_BARE = re.compile(r"(?:option|flag|switch|argument):?\s+[`'‘\"]([A-Za-z0-9][\w-]+)[`'’\"]")


def find_options(
    entries: Sequence[OptionEntry], word: str, *, undashed: bool = False
) -> tuple[OptionEntry, ...]:
    """The options that a word of a command means.

    One for `--color=auto`, `-name`, `-n5`, and for an unambiguous prefix of a long
    option; one for each letter of a cluster `-la`, with `undashed` of `xzf` too; none for a
    word that is no option.
    """
    if undashed and word.isalpha():
        each = (_named(entries, letter) or _named(entries, f"-{letter}") for letter in word)
        return tuple(dict.fromkeys(entry for entry in each if entry is not None))
    if not word.startswith("-") or len(word) < 2:
        return ()
    flag = word.partition("=")[0]
    exact = _named(entries, flag)
    if exact is not None:
        return (exact,)
    if flag.startswith("--"):
        # An unambiguous prefix, as in getopt_long(3).
        begun = [it for it in entries if any(form.flag.startswith(flag) for form in it.forms)]
        return (begun[0],) if len(begun) == 1 else ()
    found: list[OptionEntry] = []
    for letter in word[1:]:
        entry = _named(entries, f"-{letter}")
        if entry is None:
            break
        found.append(entry)
        # The letters behind one that takes an argument are that argument.
        if any(form.flag == f"-{letter}" and form.argument for form in entry.forms):
            break
    return tuple(dict.fromkeys(found))


def complete(
    entries: Sequence[OptionEntry], prefix: str
) -> tuple[tuple[OptionForm, OptionEntry], ...]:
    """The forms that begin with `prefix`, in the page's order, each once."""
    found: dict[str, tuple[OptionForm, OptionEntry]] = {}
    for entry in entries:
        for form in entry.forms:
            if form.flag.startswith(prefix):
                found.setdefault(form.flag, (form, entry))
    return tuple(found.values())


def _named(entries: Sequence[OptionEntry], flag: str) -> OptionEntry | None:
    for entry in entries:
        if any(form.flag == flag for form in entry.forms):
            return entry
    return None


def options_table(page: str) -> str:
    """The options of a rendered manual page as a table, `""` if it has none."""
    return table_of(parse_options(page))


def table_of(entries: Sequence[OptionEntry]) -> str:
    """One line for each option: `  -e PATTERNS, --regexp=PATTERNS  Use PATTERNS as the patterns`."""
    # A heading wider than most stands out into the descriptions instead of moving them all.
    widths = (len(entry.heading) for entry in entries)
    width = max((wide for wide in widths if wide <= _WIDEST_HEADING), default=0)
    rows = []
    for entry in entries:
        heading = " ".join(entry.heading.split())
        described = heading.ljust(width) + _GAP + entry.description
        rows.append(_INDENT + (described if entry.description else heading))
    return "\n".join(rows)


def nearest(table: str, error_text: str) -> str:
    """`table` with the options first that are similar to the flags that `error_text` names."""
    flags = named_flags(error_text)
    rows = table.splitlines()
    similarity = [
        max(
            (_similarity(flag, form.flag) for flag in flags for form in row_forms(row)), default=0.0
        )
        for row in rows
    ]
    order = sorted(
        range(len(rows)),
        key=lambda at: -similarity[at] if similarity[at] >= _MIN_SIMILARITY else 0.0,
    )
    return "\n".join(rows[at] for at in order)


def named_flags(error_text: str) -> tuple[str, ...]:
    """The flags in error messages: `unrecognized option '--colour'`, `invalid option -- 'z'`."""
    flags: list[str] = []
    for line in error_text[-20_000:].splitlines():
        if len(line) > 500 or not _MENTIONS_OPTION.search(line):
            continue
        flags += _NAMED.findall(line)
        flags += [f"-{letter}" for letter in _LETTER.findall(line)]
        flags += [f"--{name}" for name in _BARE.findall(line)]
    return tuple(dict.fromkeys(flags))


def _similarity(named: str, known: str) -> float:
    """Similarity of two flags, 1.0 if equal; a single letter is similar only to its other case."""
    from difflib import SequenceMatcher  # noqa: PLC0415

    if named == known:
        return 1.0
    if len(named) == 2 or len(known) == 2:
        return 0.9 if named.lower() == known.lower() else 0.0
    typed, full = named.lstrip("-"), known.lstrip("-")
    if full.startswith(typed):
        return 0.95
    # A misspelt prefix: `--basik` for `--basic-regexp`.
    beginning = 0.9 * SequenceMatcher(None, typed, full[: len(typed)]).ratio()
    return max(SequenceMatcher(None, typed, full).ratio(), beginning)


def row_forms(row: str) -> tuple[OptionForm, ...]:
    """The forms of a table's row."""
    heading = row.strip().partition(_GAP)[0]
    entries = parse_options(f"OPTIONS\n{_INDENT}{heading}")
    return entries[0].forms if entries else ()

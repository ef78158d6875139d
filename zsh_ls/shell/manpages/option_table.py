"""Options of a manual page: one flag's entry for hovers (MAN-4), and tables of them as text (MAN-1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from .options import OptionEntry, OptionForm, parse_options


def find_options(entries: Sequence[OptionEntry], word: str) -> tuple[OptionEntry, ...]:
    """The options a word of a command stands for.

    One for `--color=auto`, `-name`, `-n5` and for a long option cut short where
    only one begins so; one for each letter of a cluster `-la`; none for no flag.
    """
    if not word.startswith("-") or len(word) < 2:
        return ()
    flag = word.partition("=")[0]
    exact = _named(entries, flag)
    if exact is not None:
        return (exact,)
    return _cut_short(entries, flag) if flag.startswith("--") else _letters(entries, word)


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


def _cut_short(entries: Sequence[OptionEntry], flag: str) -> tuple[OptionEntry, ...]:
    """getopt_long(3): a long option may be cut short as long as it stays the only one."""
    found = [entry for entry in entries if any(form.flag.startswith(flag) for form in entry.forms)]
    return (found[0],) if len(found) == 1 else ()


def _letters(entries: Sequence[OptionEntry], word: str) -> tuple[OptionEntry, ...]:
    """The options of a cluster; what follows a letter with an argument is that argument."""
    found: list[OptionEntry] = []
    for letter in word[1:]:
        entry = _named(entries, f"-{letter}")
        if entry is None:
            break
        found.append(entry)
        if any(form.flag == f"-{letter}" and form.argument for form in entry.forms):
            break
    return tuple(dict.fromkeys(found))


_INDENT = "  "
_GAP = "  "
_WIDEST_HEADING = 34
_ALIKE = 0.6
_TELLS = re.compile(
    r"option|flag|switch|argument|predicate|parameter|primary|operator", re.IGNORECASE
)
_NAMED = re.compile(r"(?<![\w-])--?[A-Za-z0-9][\w-]*")
_LETTER = re.compile(
    r"(?:--\s*|option:?\s*|switch:?\s*)[`'‘\"]?([A-Za-z0-9?#])[`'’\"]?\s*(?:$|in\b|\()",
    re.MULTILINE,
)
_BARE = re.compile(r"(?:option|flag|switch|argument):?\s+[`'‘\"]([A-Za-z0-9][\w-]+)[`'’\"]")


def options_table(page: str) -> str:
    """The options of a rendered manual page as a table, `""` where it has none."""
    return table_of(parse_options(page))


def table_of(entries: Sequence[OptionEntry]) -> str:
    """One line for each option: `  -e PATTERNS, --regexp=PATTERNS  Use PATTERNS as the patterns`."""
    width = max((len(entry.heading) for entry in entries if _fits(entry)), default=0)
    return "\n".join(_row(entry, width) for entry in entries)


def _fits(entry: OptionEntry) -> bool:
    return len(entry.heading) <= _WIDEST_HEADING


def _row(entry: OptionEntry, width: int) -> str:
    heading = " ".join(entry.heading.split())
    padded = heading.ljust(width) if entry.description else heading
    return f"{_INDENT}{padded}{_GAP if entry.description else ''}{entry.description}"


def nearest(table: str, error_text: str) -> str:
    """`table` with the options most like the flags `error_text` names first; as it is if it names none."""
    flags = named_flags(error_text)
    rows = table.splitlines()
    likeness = [max((_likeness(flag, row) for flag in flags), default=0.0) for row in rows]
    order = sorted(
        range(len(rows)), key=lambda at: -likeness[at] if likeness[at] >= _ALIKE else 0.0
    )
    return "\n".join(rows[at] for at in order)


def named_flags(error_text: str) -> tuple[str, ...]:
    """The flags a failure complains of: `unrecognized option '--colour'`, `invalid option -- 'z'`."""
    flags: list[str] = []
    for line in error_text[-20_000:].splitlines():
        if len(line) > 500 or not _TELLS.search(line):
            continue
        flags += _NAMED.findall(line)
        flags += [f"-{letter}" for letter in _LETTER.findall(line)]
        flags += [f"--{name}" for name in _BARE.findall(line)]
    return tuple(dict.fromkeys(flags))


def _likeness(flag: str, row: str) -> float:
    return max((_alike(flag, form.flag) for form in row_forms(row)), default=0.0)


def _alike(named: str, known: str) -> float:
    """How alike two flags are, 1.0 for the same one; single letters are alike in either case only."""
    if named == known:
        return 1.0
    if len(named) == 2 or len(known) == 2:
        return 0.9 if named.lower() == known.lower() else 0.0
    said, meant = named.lstrip("-"), known.lstrip("-")
    if meant.startswith(said):
        return 0.95
    # `--basik` is short for `--basic-regexp`, with a slip.
    beginning = 0.9 * SequenceMatcher(None, said, meant[: len(said)]).ratio()
    return max(SequenceMatcher(None, said, meant).ratio(), beginning)


def row_forms(row: str) -> tuple[OptionForm, ...]:
    """The forms of a table's row."""
    heading = row.strip().partition(_GAP)[0]
    entries = parse_options(f"OPTIONS\n{_INDENT}{heading}")
    return entries[0].forms if entries else ()

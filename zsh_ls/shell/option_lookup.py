"""Finding a flag's entry among the options of a page, for hovers and completion (MAN-4)."""

from __future__ import annotations

from collections.abc import Sequence

from .manpage import OptionEntry, OptionForm


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

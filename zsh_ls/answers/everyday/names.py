"""A bare name: what happened to the command that it names, or what an exit status means."""

from __future__ import annotations

from zsh_ls.answers.family import Facts, Reply
from zsh_ls.answers.loose import Intent, LooseMatch
from zsh_ls.answers.software import SOFTWARE
from zsh_ls.answers.spelling import ENGLISH
from zsh_ls.answers.subjects import place_in, remembered, tokens
from zsh_ls.answers.words import stem
from zsh_ls.lazy import attrs
from zsh_ls.shell.status.program_exits import program_meaning

from .failures import exit_meaning
from .machine import is_installed
from .meant import KEPT, Everyday, meant_by
from .runs import fate, what_ran

# A bare name is no longer than that: `npm run build`.
MOST_NAMES = 3


def by_name(match: LooseMatch, facts: Facts) -> Reply:
    """What a bare name asks: the last run of the command that has exactly these words, or what it means."""
    words = match.left
    if match.cues:
        return None
    if len(words) == 2 and words[1].isdecimal():
        if program_meaning(words[0].lower(), int(words[1])) is None:
            return None
        return exit_meaning(attrs.evolve(match, cues=frozenset({"exit", "meaning"})), facts)
    if not 0 < len(words) <= MOST_NAMES or not any(map(_is_a_name, words)):
        return None
    known = {token for run in remembered(facts) for token in tokens(run.command)}
    if all(stem(word) in known for word in words):
        meant = meant_by(match, facts)
        place = meant is not None and meant.command is None
        return what_ran(match, facts) if place and match.window else fate(match, facts)
    if match.window is not None:
        return what_ran(match, facts) if not place_in(words, facts, remembered(facts))[0] else None
    return (
        is_installed(attrs.evolve(match, cues=frozenset({"installed"})), facts)
        if any(words[0].lower() in one.called for one in SOFTWARE)
        else None
    )


def _is_a_name(word: str) -> bool:
    """Whether a word is rather a name than English."""
    return word.isascii() and word.lower() not in ENGLISH


QUESTIONS: tuple[Everyday, ...] = (
    Everyday(
        "by-name",
        KEPT,
        ("npm run build",),
        (Intent((), frozenset({"stop"}), "needed"),),
        by_name,
    ),
)

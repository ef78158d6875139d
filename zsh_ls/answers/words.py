"""Splits a question into words, expands contractions, and stems them so that forms of a word are equal.

Vocabulary goes through the same `stem`, so a stem need be no word: it need
only be the same for `fail`, `fails`, `failed` and `failing`.
"""

from __future__ import annotations

from zsh_ls.lazy import re
from zsh_ls.lazy.typing import NamedTuple

MAX_QUESTION = 300


class QuestionWord(NamedTuple):
    """A word as written, its stem, and its stem as a noun; quoted words are names without stems."""

    text: str
    stem: str
    noun: str


_QUOTED = re.compile(r"`([^`]+)`|\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)")
_SPLIT = re.compile(r"[^\s,;?!()\[\]{}\"`]+")
_CURLY = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "\u2013": "-", "\u2014": " "})

_CONTRACTIONS = {
    "what's": "what is", "whats": "what is", "what're": "what are", "who's": "who is",
    "which's": "which is", "how's": "how is", "hows": "how is", "where's": "where is",
    "when's": "when is", "why's": "why is", "that's": "that is", "there's": "there is",
    "it's": "it is", "i'm": "i am", "im": "i am", "i've": "i have", "ive": "i have",
    "i'd": "i would", "i'll": "i will", "we've": "we have", "we're": "we are",
    "you've": "you have", "let's": "let us", "isn't": "is not", "aren't": "are not",
    "wasn't": "was not", "don't": "do not", "doesn't": "does not", "didn't": "did not",
    "wouldn't": "would not", "couldn't": "could not", "shouldn't": "should not", "weren't": "were not",
    "dont": "do not", "can't": "can not", "cannot": "can not", "won't": "will not",
    "hasn't": "has not", "haven't": "have not", "gimme": "give me", "pls": "please",
}  # fmt: skip

_IRREGULAR = {
    "ran": "run", "took": "take", "taken": "take", "broke": "break", "broken": "break",
    "went": "go", "gone": "go", "goes": "go", "is": "be", "are": "be", "was": "be", "were": "be",
    "am": "be", "been": "be", "being": "be", "does": "do", "did": "do", "done": "do",
    "has": "have", "had": "have", "got": "get", "gotten": "get", "ate": "eat", "eaten": "eat",
    "said": "say", "told": "tell", "shown": "show", "began": "begin", "begun": "begin",
    "died": "die", "dies": "die", "dying": "die", "ips": "ip", "gpus": "gpu", "cpus": "cpu",
    "nodejs": "node", "node.js": "node",
    "spent": "spend", "came": "come", "became": "become", "wrote": "write", "written": "write",
    "kept": "keep", "made": "make",
}  # fmt: skip
_VOWEL = re.compile(r"[aeiouy]")
_DOUBLED = re.compile(r"([bdfgkmnprtv])\1$")


def words_of(question: str) -> list[QuestionWord]:
    """The words in the first MAX_QUESTION characters of a question."""
    text, at = question.translate(_CURLY)[:MAX_QUESTION], 0
    words: list[QuestionWord] = []
    for quoted in _QUOTED.finditer(text):
        words += _plain_words(text[at : quoted.start()])
        words.append(QuestionWord(" ".join(next(filter(None, quoted.groups())).split()), "", ""))
        at = quoted.end()
    return words + _plain_words(text[at:])


def _plain_words(text: str) -> list[QuestionWord]:
    words = []
    for raw in _SPLIT.findall(text):
        word = raw.rstrip(".:'") or raw
        parts = _CONTRACTIONS.get(word.lower(), word).split()
        words += [QuestionWord(part, stem(part), noun_stem(part)) for part in parts]
    return words


def stem(word: str) -> str:
    """A crude stem of a word, applied to both the vocabulary and questions."""
    base = noun_stem(word)
    if not base.isalpha():
        return base
    for ending in ("ing", "ed"):
        rest = base.removesuffix(ending)
        if rest != base and len(rest) > 2 and _VOWEL.search(rest):
            base = _DOUBLED.sub(r"\1", rest)
            break
    return base[:-1] if base.endswith("e") and len(base) > 3 else base


def noun_stem(word: str) -> str:
    """A crude stem of a noun."""
    lower = word.lower().removesuffix("'s")
    lower = _IRREGULAR.get(lower, lower)
    if not lower.isalpha():
        return lower
    if lower.endswith("ies") and len(lower) > 4:
        return lower[:-3] + "y"
    if lower.endswith(("sses", "xes", "ches", "shes")):
        return lower[:-2]
    if lower.endswith("s") and not lower.endswith(("ss", "us", "is")) and len(lower) > 3:
        return lower[:-1]
    return lower

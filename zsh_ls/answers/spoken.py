"""Words as they are spoken: letters (`n p m`), numbers (`fifty one seventy three`), words cut in two."""

from __future__ import annotations

from collections.abc import Callable

from zsh_ls.lazy import re

_ONES = dict(
    zip(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ],
        range(1, 20),
        strict=True,
    )
)
_TENS = dict(
    zip(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"],
        range(20, 100, 10),
        strict=True,
    )
)

_NUMBER_WORD = "|".join([*_ONES, *_TENS, "hundred", "thousand"])
_NUMBER = re.compile(rf"\b(?:{_NUMBER_WORD})(?:[ -](?:and )?(?:{_NUMBER_WORD}))+\b", re.IGNORECASE)
_LETTERS = re.compile(
    r"(?<![\w'])(?!a (?:[a-z]{2}|\d))[a-z](?: [a-z]){1,5}(?![\w'])", re.IGNORECASE
)
# Names as a dictation program hears them, and marks that are said.
_HEARD_TABLE = """\
pie thon=python | pie ton=python | pie test=pytest | trace back=traceback | cube control=kubectl
kube control=kubectl | kube cuddle=kubectl | engine x=nginx | post gres=postgres | my sequel=mysql
sequel lite=sqlite | git hub=github | end to end=e2e | end-to-end=e2e | e to e=e2e | docker file=dockerfile
make file=makefile | read me file=readme | version of get=version of git | get pull=git pull
get push=git push | get status=git status | get commit=git commit | get clone=git clone"""
_HEARD: dict[str, str] = {
    heard.strip(): name.strip()
    for pair in _HEARD_TABLE.replace("\n", " | ").split("|")
    for heard, name in [pair.split("=")]
}
_HEARD_WORDS = re.compile(
    rf"\b(?:{'|'.join(sorted(map(re.escape, _HEARD), key=len, reverse=True))})\b", re.IGNORECASE
)
# `slash data` is a path, `on slash` the root.
_SLASH = re.compile(r"\bslash (?=\w)|\bslash(?=\W*$)", re.IGNORECASE)
# What was said before it is taken back: `port 3 hundred, I mean 3000`.
_TAKEN_BACK = re.compile(
    r"\b\d+,? (?:i mean|no wait|wait no|sorry|make that|no) (?=\d)", re.IGNORECASE
)
_BEGINS_ANEW = re.compile(
    r"^.*\b(?:no wait|wait no|scratch that|let me rephrase(?: that)?)\b,? "
    r"(?=(?:why|what|which|who|when|how|where|is|are|did|do|does|has|have|was|were|show)\b)",
    re.IGNORECASE,
)
_DOT = re.compile(r" dot (?=\w)", re.IGNORECASE)


def written(text: str) -> str:
    """The text with numbers of several words as digits, and spelt letters as one word."""
    text = _BEGINS_ANEW.sub("", _HEARD_WORDS.sub(lambda found: _HEARD[found[0].lower()], text))
    text = _SLASH.sub("/", _DOT.sub(".", text))
    text = _LETTERS.sub(lambda found: _spelt(found[0]), text)
    return _TAKEN_BACK.sub("", _NUMBER.sub(lambda found: _digits(found[0]), text))


def _spelt(letters: str) -> str:
    """`n p m` is a word; the `i` of `i s s h` is the person."""
    first, *rest = letters.split()
    if first.lower() == "i" and len(rest) > 1:
        return f"{first} {''.join(rest)}"
    return "".join([first, *rest])


def _digits(words: str) -> str:
    """`one hundred twenty seven` is 127; of two pairs (`eighty eighty`) each has its own digits."""
    parts = [word for word in re.split(r"[ -]", words.lower()) if word != "and"]
    if "hundred" in parts or "thousand" in parts:
        total = part = 0
        for word in parts:
            if word == "thousand":
                total, part = total + (part or 1) * 1000, 0
            elif word == "hundred":
                part = (part or 1) * 100
            else:
                part += _ONES.get(word, 0) + _TENS.get(word, 0)
        return str(total + part)
    said = ""
    at = 0
    while at < len(parts):
        value = _TENS.get(parts[at])
        if value is not None and at + 1 < len(parts) and _ONES.get(parts[at + 1], 10) < 10:
            said, at = f"{said}{value + _ONES[parts[at + 1]]}", at + 2
        else:
            said, at = f"{said}{_ONES.get(parts[at], 0) if value is None else value}", at + 1
    return said


def joined(text: str, is_name: Callable[[str], bool]) -> str:
    """The text with two words as one where only that is a name: `terra form`."""
    words = text.split()
    at = 0
    while at + 1 < len(words):
        both = words[at] + words[at + 1]
        if both.isalpha() and is_name(both.lower()) and not is_name(words[at].lower()):
            words[at : at + 2] = [both]
        at += 1
    return " ".join(words)

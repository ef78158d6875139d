"""What the words of a command as written in a script say: its options, operands, and what it builds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

SHORT_OPTIONS = re.compile(r"-[A-Za-z0-9]+")
GLOB = re.compile(r"(?<![\\$])[*?]|(?<![\\$\w])\[[^]\s]+\]")
QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"|\\.|\$\{[^}]*\}|\$\([^)]*\)", re.DOTALL)


def has_flag(words: Sequence[str], letter: str, *long: str) -> bool:
    """Whether words have an option: as a letter, in a cluster (`-rq`), or by a long name."""
    return any(
        word in long or (SHORT_OPTIONS.fullmatch(word) is not None and letter in word[1:])
        for word in words[1:]
    )


def operands(words: Sequence[str]) -> list[str]:
    """The words after the command that are no options."""
    return [word for word in words[1:] if not word.startswith("-")]


def unquoted(word: str) -> str:
    """A word without the quotes around it: `"$x"` is `$x`."""
    quote = word[:1]
    return word[1:-1] if quote in {"'", '"'} and word.endswith(quote) and len(word) > 1 else word


def has_glob(word: str) -> bool:
    """Whether the word contains an unquoted glob pattern."""
    return GLOB.search(QUOTED.sub("", word)) is not None


def is_relative(word: str) -> bool:
    """Whether a word is certainly a relative path."""
    return re.match(r"[\w.*?]", unquoted(word)) is not None and ":" not in word


ANYTHING = re.compile(r"")
# Program → pattern of its first operand; ANYTHING for programs that always build or test.
BUILDERS: Mapping[str, re.Pattern[str]] = {
    "make": ANYTHING,
    "gmake": ANYTHING,
    "ninja": ANYTHING,
    "ctest": ANYTHING,
    "pytest": ANYTHING,
    "tox": ANYTHING,
    "nox": ANYTHING,
    "phpunit": ANYTHING,
    "rspec": ANYTHING,
    "jest": ANYTHING,
    "vitest": ANYTHING,
    "mocha": ANYTHING,
    "bats": ANYTHING,
    "xcodebuild": ANYTHING,
    "cargo": re.compile(r"(build|test|check|clippy|install|publish|bench|nextest)\Z"),
    "go": re.compile(r"(build|test|vet|install|generate)\Z"),
    "npm": re.compile(r"(test|t|run|run-script|ci|install|i|publish|pack)\Z"),
    "yarn": re.compile(r"(test|run|build|install|publish)\Z"),
    "pnpm": re.compile(r"(test|run|build|install|publish)\Z"),
    "mvn": ANYTHING,
    "gradle": ANYTHING,
    "gradlew": ANYTHING,
    "meson": re.compile(r"(compile|test|install)\Z"),
    "docker": re.compile(r"build\Z"),
    "bazel": re.compile(r"(build|test|run)\Z"),
    "dotnet": re.compile(r"(build|test|publish)\Z"),
}
# A project's own script: `./run-tests.sh`, `scripts/build`.
OWN_SCRIPT = re.compile(r"(?:.*/)(?:[^/]*[-_.])?(?:tests?|build|check)(?:[-_.][^/]*)?\Z")
CMAKE = ("--build", "--install")
# With these options nothing is built or tested.
QUERIES = re.compile(
    r"-n|-t|-p|-pn|-np|-q|--dry-run|--just-print|--version|-V|--help|-h|-list.*|--collect-only|-qp"
)


def builds_or_tests(command: str, words: Sequence[str]) -> bool:
    """Whether `words`, which run `command`, build or test something."""
    if any(QUERIES.fullmatch(word) for word in words):
        return False
    if words and OWN_SCRIPT.match(words[0]):
        return True
    if command == "cmake":
        return any(word in CMAKE for word in words)
    if command in {"python", "python3"}:
        return any(pair in {("-m", "pytest"), ("-m", "unittest")} for pair in pairwise(words))
    wanted = BUILDERS.get(command)
    if wanted is None:
        return False
    return wanted is ANYTHING or any(wanted.match(word) for word in operands(words)[:1])

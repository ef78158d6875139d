"""Which remembered commands, and which projects, words of a question may name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from zsh_ls.lazy import attrs, re
from zsh_ls.model.recall import RunEntry, RunQuery
from zsh_ls.shell.words.ours import begins_with_ours

from .family import Facts
from .spelling import near
from .words import stem

MOST_RUNS = 3000
# What people call what a command's text calls otherwise.
_ALSO: dict[str, frozenset[str]] = {
    stem(word): frozenset(map(stem, also.split()))
    for word, also in {
        "image": "docker podman",
        "container": "docker podman",
        "postgres": "pg psql",
        "postgresql": "pg psql",
        "database": "pg mysqldump psql mysql sqlite3 db",
        "db": "pg mysqldump psql mysql sqlite3",
        "dump": "dump mysqldump",
        "end": "e2e",
        "linter": "lint eslint ruff",
        "golang": "go",
        "get": "git",
        "dependency": "ci install",
        "dependencies": "ci install",
        "deployment": "deploy",
        "compile": "build",
        "compilation": "build",
        "server": "dev serve server start",
        "makefile": "make",
        "kubernetes": "kubectl",
        "k8s": "kubectl",
        "unit": "test",
        "script": "python bash sh node ruby perl",
        "specs": "test",
        "connection": "ssh",
        "jest": "test",
        "vitest": "test",
        "mocha": "test",
        "unittest": "test",
    }.items()
}
_CALLED = frozenset(_ALSO)
# Words of two letters that are no swapped ones.
ENGLISH_PAIRS = frozenset(re.findall("..", "amanasatbebydogoheifinisitmemynoofonorsotoupuswe"))
# Said of a command of any name.
_IDLE_WORDS = "script suite check job step task tool image host server thing connection"
IDLE = frozenset(map(stem, _IDLE_WORDS.split()))
# `the e2e tests`: the command's name says already that they are tests.
_TEST = stem("test")
_TESTS = frozenset(map(stem, ("e2e", "spec", "pytest", "jest", "vitest", "tox", "rspec", "ctest")))
_LAUNCHERS = frozenset(
    {"npm", "run", "yarn", "pnpm", "npx", "uv", "sudo", "bundl", "exec", "make", "just", "cargo"}
)


@attrs.frozen
class Named:
    """A command that words may name, and the project it last ran in."""

    command: str
    project: str


@lru_cache(maxsize=4096)
def tokens(command: str) -> frozenset[str]:
    """The stems of the words in a command's text, and of their parts."""
    words = re.findall(r"[\w.]+", command)
    parts = [part for word in words for part in re.split(r"[\W_]+", word) if part]
    camel = [
        part for word in parts for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", word)
    ]
    return frozenset(map(stem, [*words, *parts, *camel]))


def remembered(facts: Facts) -> Sequence[RunEntry]:
    """The newest runs of everywhere, without those of zsh-ls itself."""
    runs = facts.recall.runs(RunQuery(origins=facts.origins), limit=MOST_RUNS)
    return [run for run in runs if run.is_kept and not begins_with_ours(run.command)]


def place_in(
    words: Sequence[str], facts: Facts, runs: Sequence[RunEntry]
) -> tuple[list[str], str | None]:
    """The words without the name of a project, and that project."""
    projects = {
        run.project.rstrip("/").rpartition("/")[2].lower(): run.project
        for run in runs
        if run.project
    }
    for at, word in enumerate(words):
        if word.lower() in projects:
            return [*words[:at], *words[at + 1 :]], projects[word.lower()]
    return list(words), None


def named(
    words: Sequence[str], runs: Sequence[RunEntry], here: str | None, *, near_too: bool = False
) -> list[Named]:
    """The commands that all of the words fit, those of `here` and with the fewest other words first.

    Where some have the words as they are, those that words are only near to count with `near_too` alone.
    """
    asked = [stem(word) for word in words]
    if not asked:
        return []
    found: dict[Named, tuple[bool, float]] = {}
    exact: set[Named] = set()
    for run in runs:
        candidate = Named(run.command, run.project)
        if candidate in found:
            continue
        fit, slips = _fit(asked, words, run.command)
        if fit:
            found[candidate] = (run.project == here, fit)
            exact.update(() if slips else (candidate,))
    kept = [] if near_too else [it for it in found if it in exact]
    return sorted(kept or found, key=lambda it: (-found[it][0], -found[it][1]))


def said_in(text: str, words: Sequence[str], runs: Sequence[RunEntry]) -> str:
    """The longest command of several words that stands in a text as it was typed, and has all of `words`.

    Its words may be such as mean something else in questions: `did make check ever pass`.
    """
    said = f" {' '.join(text.lower().split())} "
    commands = {run.command for run in runs if " " in run.command}
    fitting = (
        it
        for it in commands
        if f" {it.lower()} " in said and {word.lower() for word in words} <= {*it.lower().split()}
    )
    return max(fitting, key=len, default="")


def _fit(asked: Sequence[str], words: Sequence[str], command: str) -> tuple[float, int]:
    """How much of a command's text the words explain, 0 where one of them does not fit; how many are near."""
    known = tokens(command)
    hit: set[str] = set()
    fitting = 0
    slips = 0
    for one, word in zip(asked, words, strict=True):
        matches = set(_matches(one, word, known))
        if matches:
            hit |= matches
            fitting += 1
            slips += one not in matches
        elif one not in IDLE and not (one == _TEST and known & _TESTS):
            return 0.0, 0
    if not fitting:
        return 0.0, 0
    telling = [token for token in known if token not in _LAUNCHERS and len(token) > 1]
    return (0.01 + len(hit - _LAUNCHERS) / max(1, len(telling))) / (1 + slips), slips


def _matches(one: str, word: str, known: frozenset[str]) -> Iterator[str]:
    if one == "go" and word.lower() not in ("go", "golang"):
        return
    if one in known:
        yield one
        return
    if stem(word.replace("-", "").replace(" ", "")) in known:
        yield stem(word.replace("-", "").replace(" ", ""))
        return
    also = _ALSO.get(one, _ALSO.get(near(one, _CALLED), frozenset())) & known
    if also:
        yield from also
        return
    parts = [stem(part) for part in re.split(r"[\W_]+", word) if part]
    meant = [part if part in known else near(part, known) for part in parts]
    if len(parts) > 1 and all(meant):
        yield from meant
        return
    found = near(word, known)
    if not found and len(word) == 2 and word.isalpha() and word.lower() not in ENGLISH_PAIRS:
        found = word[::-1].lower() if word[::-1].lower() in known else ""
    if found:
        yield found

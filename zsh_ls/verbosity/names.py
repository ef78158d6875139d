"""Guesses what targets, script entries and script files do from their names.

A name is read by its words (`test:unit`, `run_tests.sh`, `testDebugUnitTest`):
`contest` and `latest` have none that says test.
"""

from __future__ import annotations

import re

from .rules import rules

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def kind_of_target(name: str) -> str | None:
    """The operation of a target called `name`, None if the name does not tell."""
    kinds = rules().name_words
    if name.lower() in kinds["test"]:  # `e2e` is one word
        return "test"
    words = _words(name)
    linting = words[:1] and words[0] in kinds["lint"]
    if not words or (not linting and words[-1] in kinds["none"]):  # `test-deps` runs no test
        return None
    if "".join(words[:2]) in kinds["lint"] or not kinds["lint"].isdisjoint(words):
        return "lint"
    known = next((kind for word in words if (kind := _kind_of_word(word))), None)
    return None if known == "none" else known


def kind_of_script(path: str) -> str:
    """The operation of a script file, by its name and its folder's."""
    folder, _, file = path.rpartition("/")
    *stems, ending = file.split(".") if "." in file[1:] else (file, "")
    words = _words(stems[0])
    kinds, tests = rules().name_words, rules().script_words
    if not kinds["none"].isdisjoint(words):
        return "command"
    edges = {*words[:1], *words[-1:], *(stem.lower() for stem in stems[1:])}
    if edges & tests["test"]:
        return "test"
    among_tests = not tests["folders"].isdisjoint(folder.lower().split("/"))
    if among_tests and (tests["runners_in_folders"].issuperset(words) or ending == "t"):
        return "test"
    if edges & kinds["lint"]:
        return "lint"
    return "build" if words[:1] in (["build"], ["compile"]) else "command"


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name)]


def _kind_of_word(word: str) -> str | None:
    kinds = rules().name_words
    return next((k for k in ("build", "test", "dev_server", "none") if word in kinds[k]), None)

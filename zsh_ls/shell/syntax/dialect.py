"""Detects the shell dialect of a text, first from the text itself, then from its name and language id.

The order is that of certainty: the interpreter line, the completion system's
tags, a modeline or a shellcheck directive, the name, and the editor's language
id last where it names a family (`shellscript`, `sh`) and before the name where
it names a shell. An editor that knows no zsh calls `.zshrc` bash (Helix), so that
id does not outweigh a name that says zsh. Where only a name or an id says `sh`, text that uses what only
zsh has is taken for zsh (`oh-my-zsh.sh`), and text that uses what a POSIX shell
has not (`[[`, `((`, arrays) for bash.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from zsh_ls.model.syntax import Dialect

from .parser import parse
from .shebang import interpreter_of

SHELLS: Mapping[str, Dialect] = {
    "zsh": Dialect.ZSH,
    "rzsh": Dialect.ZSH,
    "bash": Dialect.BASH,
    "rbash": Dialect.BASH,
    "sh": Dialect.SH,
    "ash": Dialect.SH,
    "dash": Dialect.SH,
    "ksh": Dialect.SH,
    "mksh": Dialect.SH,
    "busybox": Dialect.SH,
}
LANGUAGE_IDS: Mapping[str, Dialect] = {
    "zsh": Dialect.ZSH,
    "bash": Dialect.BASH,
    "sh": Dialect.SH,
    "shell": Dialect.SH,
}
FAMILY_IDS = frozenset({"sh", "shell", "shellscript"})
SUFFIXES: Mapping[str, Dialect] = {
    ".zsh": Dialect.ZSH,
    ".zsh-theme": Dialect.ZSH,
    ".zunit": Dialect.ZSH,
    ".bash": Dialect.BASH,
    ".bats": Dialect.BASH,
    ".ebuild": Dialect.BASH,
    ".sh": Dialect.SH,
    ".dash": Dialect.SH,
    ".ksh": Dialect.SH,
}
NAMES: Mapping[str, Dialect] = {
    **dict.fromkeys(["zshrc", "zshenv", "zprofile", "zlogin", "zlogout"], Dialect.ZSH),
    **dict.fromkeys(["bashrc", "bash_profile", "bash_login"], Dialect.BASH),
    **dict.fromkeys(["bash_logout", "bash_aliases", "bash.bashrc"], Dialect.BASH),
    **dict.fromkeys(["PKGBUILD", "envrc"], Dialect.BASH),
    **dict.fromkeys(["profile", "xinitrc", "xprofile", "shrc"], Dialect.SH),
}
MODELINE_LINES = 5

_SHEBANG = re.compile(r"#![ \t]*(\S+)((?:[ \t]+\S+)*)")
_COMPLETION_TAG = re.compile(r"#(?:compdef|autoload)\b")
_MODELINE = re.compile(
    r"#.*?(?:\bvi(?:m)?:.*?\b(?:ft|filetype|syntax)=|-\*-[ \t]*(?:.*?\bmode:[ \t]*)?|shellcheck\b.*?\bshell=)"
    r"([\w-]+)"
)
# Syntax that POSIX shells lack, at the beginning of a command or right after a name.
_BASHISM = re.compile(
    r"^[ \t]*(?:(?:if|elif|while|until|!)[ \t]+)?(?:\[\[[ \t]|\(\([^()]|function[ \t]+[\w-]+|\w+\+?=\()",
    re.MULTILINE,
)
# Syntax of zsh alone; scripts that check which shell runs them may have it for one of several shells.
_ZSHISM = re.compile(
    r"\$\{\(|\$\+\w|^[ \t]*(?:zstyle|zmodload|autoload[ \t]+-|emulate[ \t])", re.MULTILINE
)
_CHECKS_SHELL = re.compile(r"(?:BASH|KSH|ZSH)_VERSION\b")
_EMACS_SHELL = re.compile(r"#.*-\*-.*\bsh-shell:[ \t]*(\w+)")


def dialect_of(text: str, language_id: str | None = None, name: str | None = None) -> Dialect:
    """The dialect of `text`; `name` is its file name or path. zsh is the default."""
    candidates = (
        shebang_dialect(text),
        Dialect.ZSH if _COMPLETION_TAG.match(text) else None,
        _modeline_dialect(text),
        _specific_id(language_id, name),
    )
    found_dialect = next((found for found in candidates if found), None)
    return found_dialect or _by_name(
        text, name_dialect(name) or LANGUAGE_IDS.get(language_id or "")
    )


def is_preprocessed(text: str, name: str | None = None) -> bool:
    """Whether another program preprocesses the text for its shell (`@test "name" {` of bats).

    A shell's syntax errors for such a text would be wrong.
    """
    interpreter = interpreter_of(text)
    return (name or "").endswith(".bats") or bool(interpreter and interpreter.name == "bats")


def _by_name(text: str, named: Dialect | None) -> Dialect:
    """The dialect by name; for `sh`, the text decides whether it is zsh or bash."""
    if named is not Dialect.SH:
        return named or Dialect.ZSH
    if _ZSHISM.search(text) and not (_CHECKS_SHELL.search(text) and _is_bash(text)):
        return Dialect.ZSH
    return Dialect.BASH if _BASHISM.search(text) else Dialect.SH


def shebang_dialect(text: str) -> Dialect | None:
    """The dialect of the shell that an interpreter line names; None if it names none."""
    match = _SHEBANG.match(text)
    if match is None:
        return None
    words = [match[1], *match[2].split()]
    if PurePosixPath(words[0]).name == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return SHELLS.get(PurePosixPath(words[0]).name) if words else None


def _modeline_dialect(text: str) -> Dialect | None:
    """The dialect in a modeline of vim or Emacs, or a directive of shellcheck."""
    for line in _outer_lines(text):
        match = _EMACS_SHELL.match(line) or _MODELINE.match(line)
        # Emacs has one mode, sh, for all shells.
        if match and match[1] in SHELLS and not (match[1] == "sh" and "-*-" in line):
            return SHELLS[match[1]]
    return None


def _outer_lines(text: str) -> list[str]:
    """The first and last lines, without splitting the whole text."""
    head = text[:2000].split("\n", MODELINE_LINES)[:MODELINE_LINES]
    tail = text[-1000:].rsplit("\n", MODELINE_LINES + 1)[1:]
    return [line.strip() for line in (*head, *tail)]


def _is_bash(text: str) -> bool:
    """Whether `text` is valid bash."""
    return not any(problem.fatal for problem in parse(text, Dialect.BASH).problems)


def _specific_id(language_id: str | None, name: str | None) -> Dialect | None:
    if language_id in FAMILY_IDS:
        return None
    found_dialect = LANGUAGE_IDS.get(language_id or "")
    return (
        None
        if found_dialect is Dialect.BASH and name_dialect(name) is Dialect.ZSH
        else found_dialect
    )


def name_dialect(name: str | None) -> Dialect | None:
    """The dialect by a file's name or suffix; None if they are unknown."""
    path = PurePosixPath(name or "")
    by_name = NAMES.get(path.name.removeprefix("."))
    return by_name or SUFFIXES.get(path.suffix)

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

import posixpath
from collections.abc import Mapping

from zsh_ls.lazy import attrs, re
from zsh_ls.model.dialect import Dialect

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
BATS_TEST = re.compile(r"^[ \t]*@test[ \t]+[\"'$][^\n]*\{[ \t]*$", re.MULTILINE)
NAMES: Mapping[str, Dialect] = {
    **dict.fromkeys(["zshrc", "zshenv", "zprofile", "zlogin", "zlogout"], Dialect.ZSH),
    **dict.fromkeys(["bashrc", "bash_profile", "bash_login"], Dialect.BASH),
    **dict.fromkeys(["bash_logout", "bash_aliases", "bash.bashrc"], Dialect.BASH),
    **dict.fromkeys(["PKGBUILD", "envrc"], Dialect.BASH),
    **dict.fromkeys(["profile", "xinitrc", "xprofile", "shrc"], Dialect.SH),
}
MODELINE_LINES = 5

_SHEBANG = re.compile(r"#![ \t]*(\S+)[ \t]*([^\r\n]*)")
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


@attrs.frozen
class Interpreter:
    """The base name of the program, and its own options (`-f`, `-eu`)."""

    name: str
    options: tuple[str, ...] = ()


def interpreter_of(text: str) -> Interpreter | None:
    """The interpreter in the first line of `text`, also after `env`; None if there is none."""
    found = _SHEBANG.match(text)
    if found is None:
        return None
    words = [found[1], *found[2].split()]
    if posixpath.basename(words[0]) == "env":
        words = words[1:]
        while words and (words[0].startswith("-") or "=" in words[0]):
            words = words[1:]
    if not words:
        return None
    options = tuple(word for word in words[1:] if word.startswith(("-", "+")))
    return Interpreter(posixpath.basename(words[0]), options)


def dialect_of(text: str, language_id: str | None = None, name: str | None = None) -> Dialect:
    """The dialect of `text`; `name` is its file name or path. zsh is the default."""
    by_name, by_id = name_dialect(name), LANGUAGE_IDS.get(language_id or "")
    if written := shebang_dialect(text):
        return written
    if _COMPLETION_TAG.match(text):
        return Dialect.ZSH
    if written := _modeline_dialect(text):
        return written
    outweighed = by_id is Dialect.BASH and by_name is Dialect.ZSH
    if by_id is not None and language_id not in FAMILY_IDS and not outweighed:
        return by_id
    named = by_name or by_id or Dialect.ZSH
    if named is not Dialect.SH:
        return named
    if _ZSHISM.search(text):
        # A script that asks which shell runs it has zsh's syntax for one of several; if it is valid
        # bash all the same, it is not zsh's alone.
        # Whoever asks for names and interpreter lines alone needs no parser.
        from .parser import parse  # noqa: PLC0415

        is_for_several = _CHECKS_SHELL.search(text) is not None
        problems = parse(text, Dialect.BASH).problems if is_for_several else ()
        if not is_for_several or any(problem.fatal for problem in problems):
            return Dialect.ZSH
    return Dialect.BASH if _BASHISM.search(text) else Dialect.SH


def is_preprocessed(text: str, name: str | None = None) -> bool:
    """Whether another program preprocesses the text for its shell (`@test "name" {` of bats).

    A shell's syntax errors for such a text would be wrong.
    """
    interpreter = interpreter_of(text)
    named = (name or "").endswith(".bats") or bool(interpreter and interpreter.name == "bats")
    return named or ("@test" in text and BATS_TEST.search(text) is not None)


def shebang_dialect(text: str) -> Dialect | None:
    """The dialect of the shell that an interpreter line names; None if it names none."""
    interpreter = interpreter_of(text)
    return SHELLS.get(interpreter.name) if interpreter else None


def _modeline_dialect(text: str) -> Dialect | None:
    """The dialect in a modeline of vim or Emacs, or a directive of shellcheck."""
    # The first and last lines, without splitting the whole text.
    head = text[:2000].split("\n", MODELINE_LINES)[:MODELINE_LINES]
    tail = text[-1000:].rsplit("\n", MODELINE_LINES + 1)[1:]
    for line in map(str.strip, (*head, *tail)):
        match = _EMACS_SHELL.match(line) or _MODELINE.match(line)
        # Emacs has one mode, sh, for all shells.
        if match and match[1] in SHELLS and not (match[1] == "sh" and "-*-" in line):
            return SHELLS[match[1]]
    return None


def name_dialect(name: str | None) -> Dialect | None:
    """The dialect by a file's name or suffix; None if they are unknown."""
    last = posixpath.basename(name or "")
    by_name = NAMES.get(last.removeprefix("."))
    return by_name or SUFFIXES.get(posixpath.splitext(last)[1])

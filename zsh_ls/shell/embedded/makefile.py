"""Recipes of Makefiles: each line is read by a shell of its own, after make has expanded it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from zsh_ls.lazy import re

from .block import MASK, Block, BlockBuilder
from .shells import HostShell, shell_of_words

_ASSIGNED = re.compile(
    r"[ ]*(?:override[ ]+|export[ ]+)*(SHELL|\.SHELLFLAGS|\.RECIPEPREFIX)[ \t]*[:?+]{0,3}=[ \t]*([^#\n]*)"
)
_RULE = re.compile(r"[^\s#=:][^=#\n]*?:{1,2}(?![:=])|[^\s#=:]+[ \t]*&:(?!=)")
_VARIABLE = re.compile(
    r"[ ]*(?:override|export|unexport|private|define|endef|include|-include|sinclude)?"
    r"[ \t]*[^\s:=#]+[ \t]*(?::{1,3}|[?+!])?="
)
_DEFINE = re.compile(r"[ ]*(?:override[ ]+|export[ ]+)*define\b")
_ENDEF = re.compile(r"[ ]*endef\b")
_CONDITIONAL = re.compile(r"[ ]*(?:ifeq|ifneq|ifdef|ifndef|else|endif)\b")
_FLAGS = re.compile(r"[ \t]*[@+-][@+ \t-]*")
_CLOSES = {"(": ")", "{": "}"}
DEEPEST = 20


def blocks_of(text: str) -> Iterator[Block]:
    """The recipes of a Makefile, a block for each line that make gives to a shell."""
    lines = [found.span() for found in re.finditer(r"[^\n]+\n?|\n", text)]
    shell = _shell_of(text)
    prefix = _prefix_of(text)
    in_one_shell = re.search(r"^\.ONESHELL[ \t]*:", text, re.MULTILINE) is not None
    is_recipe, is_defined = False, False
    waiting: list[tuple[int, int]] = []
    at = 0
    while at < len(lines):
        start = lines[at][0]
        last = _last_line(text, lines, at)
        end = _end(text, lines[last])
        line = text[start:end]
        is_own = is_recipe and not is_defined and line.startswith(prefix)
        if is_own and in_one_shell:
            waiting.append((at, last))
        elif is_own:
            yield from _block(text, lines, [(at, last)], len(prefix), shell)
        elif _is_between(line):
            pass
        else:
            yield from _block(text, lines, waiting, len(prefix), shell)
            waiting = []
            if _DEFINE.match(line):
                is_defined = True
            elif is_defined:
                is_defined = not _ENDEF.match(line)
            else:
                is_recipe = _is_rule(line)
                if is_recipe and (behind := _behind_semicolon(line)) is not None:
                    builder = BlockBuilder(text, shell.prefix if shell else "")
                    _expand(builder, text, start + behind, end, end)
                    builder.put("\n", end, end)
                    block = builder.block(shell.language) if shell else None
                    if block is not None:
                        yield block
        at = last + 1
    yield from _block(text, lines, waiting, len(prefix), shell)


def rule_at(text: str, offset: int) -> tuple[str, int] | None:
    """The target whose rule or recipe a place is in, and where its line begins; None elsewhere.

    None also for a rule that is no target to ask for: a pattern, a name that make fills in, `.PHONY`.
    """
    lines = [found.span() for found in re.finditer(r"[^\n]+\n?|\n", text)]
    prefix, is_defined, at = _prefix_of(text), False, 0
    rule: tuple[str, int] | None = None
    while at < len(lines) and lines[at][0] <= offset:
        start = lines[at][0]
        at = _last_line(text, lines, at)
        line = text[start : _end(text, lines[at])]
        at += 1
        is_here = at == len(lines) or offset < lines[at][0]
        if not is_defined and line.startswith(prefix):
            if is_here:
                return rule
        elif _is_between(line):
            if is_here:
                return None
        else:
            is_defined = bool(_DEFINE.match(line)) or (is_defined and not _ENDEF.match(line))
            rule = None if is_defined or not _is_rule(line) else _target_of(line, start)
            if is_here:
                return rule
    return None


def _target_of(line: str, start: int) -> tuple[str, int] | None:
    name = next(iter(line.split(":", 1)[0].split()), "")
    is_asked_for = name and not name.startswith(".") and not set(name) & set("%$()")
    return (name, start) if is_asked_for else None


def _is_between(line: str) -> bool:
    """Whether a line may stand between those of one recipe."""
    return not line.strip() or line.lstrip(" ").startswith("#") or bool(_CONDITIONAL.match(line))


def _is_rule(line: str) -> bool:
    found = _RULE.match(line)
    return found is not None and not (_VARIABLE.match(line) and ":" not in line.partition("=")[0])


def _behind_semicolon(line: str) -> int | None:
    """Where a recipe on the line of its target begins."""
    depth = 0
    for at, char in enumerate(line):
        depth += (char in "({") - (char in ")}")
        if char == "#":
            return None
        if char == ";" and depth <= 0:
            return at + 1
    return None


def _end(text: str, line: tuple[int, int]) -> int:
    return line[0] + len(text[slice(*line)].rstrip("\r\n"))


def _last_line(text: str, lines: list[tuple[int, int]], at: int) -> int:
    """The last of the lines that backslashes join."""
    while at + 1 < len(lines):
        content = text[slice(*lines[at])].rstrip("\r\n")
        if (len(content) - len(content.rstrip("\\"))) % 2 == 0:
            break
        at += 1
    return at


def _block(
    text: str,
    lines: list[tuple[int, int]],
    recipe: list[tuple[int, int]],
    prefix: int,
    shell: HostShell | None,
) -> Iterator[Block]:
    if shell is None or not recipe:
        return
    # make itself looks at what each line gives: it goes on behind none that fails.
    builder = BlockBuilder(text, shell.prefix)
    for first, last in recipe:
        whole_end, expanded = _end(text, lines[last]), 0
        for number in range(first, last + 1):
            start, end = lines[number][0], _end(text, lines[number])
            if number == first:
                flags = _FLAGS.match(text, start + prefix, end)
                start = flags.end() if flags else start + prefix
            elif text.startswith("\t", start):
                start += 1
            if expanded > start:  # goes on from the line before
                builder.mask(start, min(expanded, end))
                start = min(expanded, end)
            expanded = max(expanded, _expand(builder, text, start, end, whole_end))
            if expanded <= end:
                builder.end_line(end)
    block = builder.block(shell.language)
    # A line that make fills in altogether is no text of a shell.
    if block is not None and block.code.strip(f"{MASK} \t\n"):
        yield block


def _expand(builder: BlockBuilder, text: str, start: int, end: int, whole_end: int) -> int:
    """Take what make gives to the shell: `$$` is a dollar sign, what it expands is not known.

    Gives where the last of it ends, which may be on a later one of the lines up to `whole_end`.
    """
    at = start
    while (sign := text.find("$", at, end)) >= 0:
        builder.copy(at, sign)
        following = text[sign + 1 : sign + 2]
        if following == "$":
            builder.put("$", sign, sign + 2)
            at = sign + 2
        elif following in _CLOSES:
            at = _closed(text, sign + 1, whole_end)
            builder.mask(sign, min(at, end))
        else:
            at = min(sign + 2, end)
            builder.mask(sign, at)
    builder.copy(at, end)
    return at


def _closed(text: str, start: int, end: int) -> int:
    """Behind the bracket that closes the one at `start`; the end of its line where none does."""
    opening, closing, depth = text[start], _CLOSES[text[start]], 0
    for at in range(start, end):
        depth += (text[at] == opening) - (text[at] == closing)
        if depth == 0:
            return at + 1
    line_end = text.find("\n", start, end)
    return end if line_end < 0 else line_end


def _prefix_of(text: str) -> str:
    found = [it[2].strip() for it in _ASSIGNED.finditer(text) if it[1] == ".RECIPEPREFIX"]
    return found[-1][:1] if found and found[-1] else "\t"


def _shell_of(text: str) -> HostShell | None:
    """The shell of the last assignment; None where it is none of ours."""
    named = {
        found[1]: found[2].strip()
        for found in _ASSIGNED.finditer(text)
        if text.rfind("\n", 0, found.start()) + 1 == found.start()
    }
    shell = named.get("SHELL", "/bin/sh")
    program = PurePosixPath(shell.split()[0]).name if shell.split() else "sh"
    if "$" in program:
        program = "bash" if "bash" in shell else "sh"
    return shell_of_words([program, *named.get(".SHELLFLAGS", "-c").split()])

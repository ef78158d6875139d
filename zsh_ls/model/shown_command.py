"""A command as lists, titles and questions show it: on one line, in few characters, by its names.

What a person knows a run by is the name of its script, which stands at the end of a path. So folders are
left out before anything else is: the editors' plugins do the same (`tests/data/shown_commands`). Of a
command over several lines the first is shown: all of them behind each other would be another one. Of one
that begins with what gave it its names (SESS-3) what the person ran is shown.
"""

from __future__ import annotations

from zsh_ls.lazy import re

ELLIPSIS = "…"
STOP_AT_FAILURE = "case $? in (0) ;; (*) exit ;; esac"
"""A line between two commands that ends the shell with the first one's status where it failed."""
_HEAD_OF_THREE = 2  # of what is kept of a text, so many thirds are its beginning


def shown_command(command: str, longest: int, *, folder: str = "", home: str = "") -> str:
    """`command` in at most `longest` characters; what lies in `folder` or `home` as seen from there."""
    text = first_line(command)
    for prefix, instead in ((folder, ""), (home, "~/")):
        if prefix.rstrip("/"):
            beginning = rf"""(?<!\S)(["']?){re.escape(prefix.rstrip("/"))}/"""
            text = re.sub(beginning, rf"\g<1>{instead}", text)
    words = text.split(" ")
    while len(text) > longest:
        names = [_name(word) for word in words]
        saved = [len(word) - len(name) for word, name in zip(words, names, strict=True)]
        if max(saved) <= 0:
            return _without_middle(text, longest)
        at = saved.index(max(saved))
        words[at] = names[at]
        text = " ".join(words)
    return text


def first_line(command: str) -> str:
    """The first line of `command` that is no comment, continued ones joined, and `…` where more follows.

    Of one before which others ran to give it its names, with `…` for these.
    """
    first, _, command = command.rpartition(f"\n{STOP_AT_FAILURE}\n")
    joined = command.replace("\\\n", " ")
    lines = [line for it in joined.split("\n") if (line := " ".join(it.split()))]
    told = next((at for at, it in enumerate(lines) if not it.startswith("#")), 0)
    before, after = [ELLIPSIS] * bool(first), [ELLIPSIS] * (len(lines) > told + 1)
    return " ".join(before + lines[told : told + 1] + after)


def _name(word: str) -> str:
    """A path without its folders; any other word as it is."""
    found = re.fullmatch(r"""(["']?).*/([^/]+/?)""", word)
    return f"{found[1]}{ELLIPSIS}/{found[2]}" if found and "://" not in word else word


def _without_middle(text: str, longest: int) -> str:
    head = -(-(longest - 1) * _HEAD_OF_THREE // 3)
    return f"{text[:head]}{ELLIPSIS}{text[len(text) - (longest - 1 - head) :]}"

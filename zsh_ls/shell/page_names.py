"""Which manual pages may describe a command: the sub-command's own first (MAN-3)."""

from __future__ import annotations

from .last_command import last_simple
from .reading import Command, Word, read
from .simple_template import program_name
from .template_words import sub_commands
from .wrappers import base_name, look_through


def page_names(command: str) -> tuple[str, ...]:
    """Names of pages for the command that gives the exit of `command`, best first.

    `git push origin x` gives `git-push`, `git`; wrappers are looked through.
    They are names to try: a command without a page has none of them.
    """
    reading = read(command)
    last = last_simple(reading.script.pipelines)
    words = own_words(reading.commands[last.span]) if last else []
    if not words or not words[0].literal:
        return ()
    typed, program = base_name(words[0].text), program_name(words[0])
    names = [program, *sub_commands(program, words[1:])]
    pages = ["-".join(names[:length]) for length in range(len(names), 1, -1)]
    return tuple(dict.fromkeys([*pages, typed, program]))


def own_words(command: Command) -> list[Word]:
    """The words of a command behind assignments and wrappers."""
    return list(command.words[look_through([word.text for word in command.words]) :])

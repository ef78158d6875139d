"""Print what the parser sees in a script: its pipelines, and where it stumbled.

    zsh-ls parse build.zsh           one line a pipeline, with its context
    zsh-ls parse build.zsh --json    all of it, offsets in characters
    print 'a | b' | zsh-ls parse -   from standard input

Pipelines come in the order of the text, those inside compound commands,
functions, substitutions and here-documents too. `start` and `end` count
characters from 0, `end` not included; a byte that is no UTF-8 counts as one.
`line` is the pipeline's first, from 1. `word` is the first word of a segment as
written, the opening word of a compound command, null where there is neither.
`connector` is `&&`, `||` or empty. `context` says who checks the status, what
the pipeline runs in, and whether errexit and pipefail are off, on or maybe.
The exit status is 0 with errors in the script too, 2 where it cannot be read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from zsh_ls.system.bounded_files import SCRIPT_BYTES, NotRead, read_named, read_standard_input

if TYPE_CHECKING:
    import argparse

    from zsh_ls.model.context import PlacedPipeline
    from zsh_ls.model.syntax import Script
    from zsh_ls.shell.syntax.lines import LineIndex

UNREADABLE = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls parse` takes."""
    parser.add_argument("file", metavar="FILE", help="a script, or - for standard input")
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Parse one file and print what was found."""
    try:
        if arguments.file == "-":
            data = read_standard_input(SCRIPT_BYTES)
        else:
            data = read_named(arguments.file, SCRIPT_BYTES)
    except NotRead as error:
        print(f"zsh-ls parse: {error}", file=sys.stderr)
        return UNREADABLE
    parsed = _ParsedScript(data.decode("utf-8", "surrogateescape"), arguments.file)
    print(parsed.json() if arguments.json else "\n".join(parsed.lines()))
    return 0


def _clean(text: str) -> str:
    """`text` as it may be written anywhere: bytes that are no UTF-8 become U+FFFD."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _shown(text: str) -> str:
    """`text` on one line, control characters as pictures: a script cannot drive the terminal."""
    pictures = {code: chr(0x2400 + code) for code in range(32)} | {127: "\u2421"}
    return (
        _clean(text)
        .replace("\n", "⏎")
        .translate(pictures | dict.fromkeys(range(128, 160), "\ufffd"))
    )


class _ParsedScript:
    """A script's pipelines in order, with their contexts."""

    def __init__(self, text: str, name: str) -> None:
        from zsh_ls.shell.status.context import contexts
        from zsh_ls.shell.syntax.dialect import dialect_of
        from zsh_ls.shell.syntax.lines import LineIndex
        from zsh_ls.shell.syntax.parser import parse

        self.script: Script = parse(text, dialect_of(text, name=name))
        self.index: LineIndex = LineIndex(text)
        sourced = name != "-" and not text.startswith("#!")
        self.placed: list[PlacedPipeline] = contexts(self.script, sourced=sourced)

    def json(self) -> str:
        """All of it as one JSON object."""
        import json

        found = {
            "pipelines": [self._pipeline(each) for each in self.placed],
            "errors": [
                {**self._range(*problem.span), "message": _clean(problem.message)}
                for problem in self.script.problems
                if problem.fatal
            ],
        }
        return json.dumps(found, ensure_ascii=False)

    def _range(self, start: int, end: int) -> dict[str, int]:
        return {"start": start, "end": end, "line": self.index.line_of(start) + 1}

    def _pipeline(self, placed: PlacedPipeline) -> dict[str, Any]:
        pipeline = placed.pipeline
        segments = [
            {**segment.span._asdict(), "word": _clean(segment.command_word) or None}
            for segment in pipeline.segments
        ]
        return {
            **self._range(*pipeline.span),
            "segments": segments,
            "connector": pipeline.connector.value,
            "negated": pipeline.negated,
            "context": placed.context._asdict(),
        }

    def lines(self) -> Iterator[str]:
        """One line a pipeline, then one an error."""
        width = len(str(self.index.line_count))
        for placed in self.placed:
            start, end = placed.pipeline.span
            text = _shown(self.script.text[start:end])
            remarks = " ".join(  # what is not ordinary about the context
                f"{name}={'yes' if value is True else value}"
                for name, value in placed.context._asdict().items()
                if value and value not in {"none", "off"}
            )
            brackets = f"    [{remarks}]" if remarks else ""
            yield f"{self.index.line_of(start) + 1:>{width}}  {text}{brackets}"
        for problem in self.script.problems:
            line = self.index.line_of(problem.span.start) + 1
            yield f"{line:>{width}}  error: {_shown(problem.message)}"

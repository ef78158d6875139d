"""Check whether a text is an answer by the rules of form: says each fault with its line, exits 1.

The text is FILE, or standard input without one.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

FAULTY, UNREADABLE = 1, 2
LONGEST_BYTES = 4 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls answer` takes."""
    parser.add_argument("--check", action="store_true", required=True, help="check the text")
    parser.add_argument("file", nargs="?", metavar="FILE", help="the text; standard input without")
    parser.add_argument("--kind", choices=KINDS, help="its kind, whose rules are checked too")
    parser.add_argument("--json", action="store_true", help="as JSON")


KINDS = ("deterministic", "template", "recipe", "llm", "fallback", "error")


def run(arguments: argparse.Namespace) -> int:
    """Print each fault."""
    import json

    from zsh_ls.answers.form import validate
    from zsh_ls.system.bounded_files import NotRead, read_bytes

    name = arguments.file or "standard input"
    try:
        if arguments.file:
            raw = read_bytes(arguments.file, LONGEST_BYTES)
        else:
            raw = sys.stdin.buffer.read(LONGEST_BYTES)
    except (NotRead, OSError) as fault:
        print(f"zsh-ls answer: {arguments.file}: {fault}", file=sys.stderr)
        return UNREADABLE
    text = raw.decode("utf-8", "replace").removesuffix("\n")
    found = validate(text, arguments.kind)
    if arguments.json:
        faults = [{"line": it.line, "rule": it.rule, "message": it.message} for it in found]
        print(json.dumps({"valid": not found, "faults": faults}, ensure_ascii=False))
    else:
        for it in found:
            print(f"{name}:{it.line}: {it.message} ({it.rule})")
        if not found:
            print(f"{name}: an answer by the rules of form")
    return FAULTY if found else 0

"""Answer a question about what ran, this machine, or what to install.

Without a question, lists those that are known; every other is answered with
what is missing. Proposed commands are shown, never run.
"""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls ask` takes."""
    parser.add_argument("question", nargs="*", metavar="QUESTION", help="the question's words")
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the answer."""
    from zsh_ls.cli.answering import print_answer, print_known_questions
    from zsh_ls.cli.session import with_sidecar

    question = " ".join(arguments.question)
    if not question.strip():
        return print_known_questions(as_json=arguments.json)
    return with_sidecar(lambda sidecar: print_answer(sidecar.ask(question), as_json=arguments.json))

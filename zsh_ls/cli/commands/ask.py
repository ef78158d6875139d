"""Answer a question about what ran, this machine, or what to install.

Without a question it asks for one after the other on a terminal: the arrows
bring back what was asked before, `help` lists the questions that are known,
Ctrl-C clears the line, Ctrl-D, `exit` and `quit` end. A question that begins
with a space is not kept. Without a terminal, or with --json, lists the
questions that are known. What is not known is answered with what is missing.
Proposed commands are shown, never run.
"""

from __future__ import annotations

import sys
from functools import partial

from zsh_ls.cli.plain_arguments import REMAINDER

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from zsh_ls.sidecar import Sidecar


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what `zsh-ls ask` takes."""
    parser.usage = "zsh-ls ask [-h] [--json] [QUESTION ...]"
    # A flag among its words is asked about: `what does -p do`.
    parser.add_argument(
        "question", nargs=REMAINDER, metavar="QUESTION", help="the question's words"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the answer."""
    words = list(arguments.question)
    if words[-1:] == ["--json"]:
        arguments.json = bool(words.pop())
    question = " ".join(words)
    if question.strip():
        return _answer(question, as_json=arguments.json)
    if arguments.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        from zsh_ls.cli.answering import print_known_questions

        return print_known_questions(as_json=arguments.json)
    from zsh_ls.cli.asking import hold_dialogue

    # Each question opens memory anew: what other terminals ran in between belongs to its answer.
    return hold_dialogue(partial(_answer, as_json=False))


def _answer(question: str, *, as_json: bool) -> int:
    from zsh_ls.lazy import loading

    loading.load_little()
    from zsh_ls.cli.answering import print_answer
    from zsh_ls.cli.session import with_sidecar

    async def answered(sidecar: Sidecar) -> int:
        from zsh_ls.cli.servers import may_have_detached, may_have_server

        if not may_have_server() and not may_have_detached():
            return await print_answer(sidecar.ask(question), as_json=as_json)
        # What runs are the tasks of the workspace's server, and detached ones.
        from zsh_ls.sidecar.remote.running import running_here

        answer = sidecar.ask_knowing(question, await running_here(sidecar))
        return await print_answer(answer, as_json=as_json)

    return with_sidecar(answered)

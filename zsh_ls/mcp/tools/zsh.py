"""`zsh`: run a command."""

from __future__ import annotations

import secrets

from zsh_ls.mcp.tool import ToolAnswer, ToolCall, reporting_progress
from zsh_ls.model.requests import RunRequest
from zsh_ls.model.results import TaskResult
from zsh_ls.model.words import Origin
from zsh_ls.sidecar.params import OfRequest, request_from, takes_fields_of

NAME = "zsh"
TITLE = "Run a command"
DESCRIPTION = (
    "Run a shell command. Answers when it ends, or after yield_after seconds with what there is; "
    "then zsh_poll goes on. Exits are the shell's own, pipestatus tells every pipe segment. "
    "Output is cut only where it is long and went well; test failure output is never truncated, "
    "and zsh_output has all of it. Standard input is empty: use interactive or pty for prompts."
)
READ_ONLY, DESTRUCTIVE = False, True
RESULT = TaskResult


@takes_fields_of(RunRequest)
class Arguments:
    """A command and how to run it.

    command: the text for the shell, unchanged; of any length
    timeout: seconds until it is ended (120; at most 600, also for 0)
    yield_after: seconds until the answer comes in any case; raise it rather than poll
    pty: give it a real terminal (prompts, colours, passwords)
    interactive: keep a pipe open as its input for zsh_send
    stdin: text to feed, then end of file
    cwd: an absolute path; else the workspace
    env: name to text, or to null to unset
    shell: zsh, bash, sh or an absolute path
    session: begin with what the last run of this session left (variables, functions, options, folder)
    description: what it is for, in a few words
    """

    command: OfRequest
    timeout: OfRequest
    yield_after: OfRequest
    pty: OfRequest
    interactive: OfRequest
    stdin: OfRequest
    cwd: OfRequest
    env: OfRequest
    shell: OfRequest
    session: OfRequest
    description: OfRequest


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Run it; cancelling ends the waiting, not the task."""
    tag = f"mcp-{secrets.token_hex(8)}"
    request = request_from(
        arguments, RunRequest, origin=Origin.AGENT, progress=call.report is not None, tag=tag
    )
    with reporting_progress(call, lambda progress: progress.tag == tag):
        result = await call.sidecar.run(request)
    return ToolAnswer(result.formatted, result, result.annotations)

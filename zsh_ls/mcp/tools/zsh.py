"""`zsh`: run a command."""

from __future__ import annotations

import secrets

import attrs

from zsh_ls.mcp.task_answer import task_answer
from zsh_ls.mcp.tool import ToolAnswer, ToolCall, absolute, reporting_progress
from zsh_ls.model.requests import PollRequest, RunRequest, Until
from zsh_ls.model.results import TaskResult
from zsh_ls.model.words import Origin, Status
from zsh_ls.sidecar.params import OfRequest, request_from, takes_fields_of
from zsh_ls.sidecar.runs.matching import checked_wait

NAME = "zsh"
TITLE = "Run a command"
DESCRIPTION = (
    "Run a shell command. Answers when it ends, or after yield_after seconds with what there is; "
    "then zsh_poll goes on. Exits are the shell's own, pipestatus tells every pipe segment. "
    "Output is cut only where it is long and went well; test failure output is never truncated, "
    "and zsh_output has all of it. Standard input is empty: use interactive or pty for prompts. "
    'A server in one call: detached=true, until="match", pattern="listening|error", listen=60.'
)
READ_ONLY, DESTRUCTIVE = False, True
RESULT = TaskResult


@takes_fields_of(RunRequest)
class Arguments:
    """A command and how to run it.

    command: the text for the shell, unchanged; of any length
    timeout: seconds until it is ended (120; at most 600, also for 0)
    yield_after: seconds until it answers though the command runs on; raise it rather than poll
    pty: give it a real terminal (prompts, colours, passwords)
    interactive: keep a pipe open as its input for zsh_send
    stdin: text to feed, then end of file
    cwd: the folder; else the workspace
    env: name to text, or to null to unset
    shell: zsh, bash, sh or an absolute path
    session: begin with what the last run of this session left (variables, functions, options, folder)
    detached: outlive this agent, without a time limit: for servers, watchers, long downloads
    description: what it is for, in a few words
    until: wait once for this, at most listen seconds, then answer
    pattern: with until=match: a regular expression for a line (RE2)
    listen: seconds that until waits, 0 to 300 (2)
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
    detached: OfRequest
    description: OfRequest
    until: Until | None = None
    pattern: str | None = None
    listen: float | None = None


async def answer(call: ToolCall, arguments: Arguments) -> ToolAnswer:
    """Run it; cancelling ends the waiting, not the task."""
    tag = f"mcp-{secrets.token_hex(8)}"
    request = request_from(
        arguments, RunRequest, origin=Origin.AGENT, progress=call.report is not None, tag=tag
    )
    if request.cwd is not None:
        request = attrs.evolve(request, cwd=absolute(request.cwd))
    if call.shell is not None and request.shell is None and request.session is None:
        # A server that was joined has its own setting.
        request = attrs.evolve(request, shell=call.shell)
    poll = _wait_after(arguments)
    if poll is not None:
        checked_wait(poll)
        request = attrs.evolve(request, yield_after=0.0)
    with reporting_progress(call, lambda progress: progress.tag == tag):
        result = await call.sidecar.run(request)
        if poll is not None and (result.status is Status.RUNNING or poll.until == "match"):
            # Without what the first answer brought, the view of a run that has ended is that of all of it.
            brought = result.new_bytes > 0
            poll = attrs.evolve(poll, task_id=result.task_id, full_output=brought)
            result = await call.sidecar.poll(poll)
        result = call.waiting.page(task_answer(result, poll))
    return ToolAnswer(result.formatted, result, result.annotations)


def _wait_after(arguments: Arguments) -> PollRequest | None:
    """The one poll that a run with `until`, `pattern` or `listen` stands for besides."""
    given = (arguments.until, arguments.pattern, arguments.listen)
    if all(it is None for it in given):
        return None
    until = arguments.until or ("output" if arguments.pattern is None else "match")
    listen = 2.0 if arguments.listen is None else arguments.listen
    return PollRequest("", listen=listen, until=until, pattern=arguments.pattern)

"""An editor that declares nothing: diagnostics are pushed, everything of ours is a command or a message."""

from __future__ import annotations

from typing import Any

from tests.server.rpc import position, range_of

from .transcript import Transcript
from .wire import Editor, editor
from .world import PATIENCE_S, World


def record(world: World) -> Transcript:
    """A short day, without any capability; then one in a workspace that is not trusted."""
    transcript = Transcript(world)
    with editor(world, transcript) as ours:
        ours.hello("an editor that declares nothing", {})
        _pushed(ours)
        _lens(ours)
        _commands(ours)
        ours.goodbye()
    with editor(world, transcript) as ours:
        ours.hello("not trusted", {}, initializationOptions={"trusted": False})
        ours.run("nothing is run", "echo hello")
        ours.show("deploy.zsh")
        document = {"textDocument": {"uri": world.uri("deploy.zsh")}}
        ours.step("nothing to run", "textDocument/codeLens", document)
        place = {**document, "position": position(16, 3)}
        ours.step("reading is allowed", "textDocument/hover", place)
        ours.step("not trusted", "zsh/health")
        ours.goodbye()
    with editor(world, transcript) as ours:
        ours.hello(
            "settings that are wrong", {}, initializationOptions={"timeout": "soon", "nose": 1}
        )
        ours.run("as ever", "echo hello")
        ours.goodbye()
    return transcript


def _diagnostics(ours: Editor, title: str, name: str, such_that: Any) -> None:
    """Write down the first diagnostics that satisfy `such_that`; earlier ones are passed over."""
    uri = ours.world.uri(name)
    wanted = lambda it: it["uri"] == uri and such_that(it["diagnostics"])  # noqa: E731
    ours.heard_of(title, "textDocument/publishDiagnostics", wanted)
    ours.received = [
        it for it in ours.received if it.get("method") != "textDocument/publishDiagnostics"
    ]


def _pushed(ours: Editor) -> None:
    ours.show("posix.sh")
    _diagnostics(ours, "a script", "posix.sh", lambda them: len(them) == 1)
    ours.show("broken.zsh")
    syntax = lambda them: any(it["severity"] == 1 for it in them)  # noqa: E731
    _diagnostics(ours, "a syntax error", "broken.zsh", syntax)
    ours.show("deploy.zsh")
    _diagnostics(ours, "a zsh script", "deploy.zsh", lambda them: len(them) == 2)
    place = {"uri": ours.world.uri("deploy.zsh"), "range": range_of((24, 0), (24, 19))}
    ours.run("a line of a document", "ls /nowhere | wc -l", document=place)
    _diagnostics(ours, "it stands on its line", "deploy.zsh", lambda them: len(them) == 3)
    ours.notify("textDocument/didClose", {"textDocument": {"uri": ours.world.uri("broken.zsh")}})
    _diagnostics(ours, "closed", "broken.zsh", lambda them: not them)


def _lens(ours: Editor) -> None:
    ours.show("traced.zsh")
    document = {"textDocument": {"uri": ours.world.uri("traced.zsh")}}
    lenses = ours.step("of a script", "textDocument/codeLens", document)
    command = lenses[0]["command"]
    chosen = {"command": command["command"], "arguments": command["arguments"]}
    ours.step("a lens is chosen", "workspace/executeCommand", chosen)
    ours.until(lambda it: it.get("method") == "window/showMessage", PATIENCE_S)


def _commands(ours: Editor) -> None:
    for command, argument in (
        ("zsh.run", {"command": "echo by command"}),
        ("zsh.ask", {"query": "what failed last"}),
        ("zsh.explain", {"command": "frob --force host"}),
        ("zsh.tasks", {}),
        ("zsh.none", {}),
    ):
        chosen = {"command": command, "arguments": [argument]}
        ours.step(f"{command} by command", "workspace/executeCommand", chosen)

"""An editor's day on the wire: every zsh/* request, every LSP feature the server announces."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.server.rpc import Message, Peer, position, range_of

from .plain_text import Change, durations, numbers
from .transcript import Transcript, _unchanged
from .world import PATIENCE_S, PROGRAM, World

RICH = {
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {
        "configuration": True,
        "applyEdit": True,
        "workspaceEdit": {"documentChanges": True},
        "codeLens": {"refreshSupport": True},
        "inlayHint": {"refreshSupport": True},
        "diagnostics": {"refreshSupport": True},
        "semanticTokens": {"refreshSupport": True},
        "symbol": {"dynamicRegistration": False},
    },
    "textDocument": {
        "diagnostic": {"relatedDocumentSupport": False},
        "publishDiagnostics": {"codeDescriptionSupport": True, "versionSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "completion": {
            "completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}
        },
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {
            "codeActionLiteralSupport": {
                "codeActionKind": {"valueSet": ["", "quickfix", "source"]}
            },
            "isPreferredSupport": True,
            "dataSupport": True,
        },
        "rename": {"prepareSupport": True},
        "foldingRange": {"lineFoldingOnly": False},
        "semanticTokens": {"requests": {"full": True, "range": True}, "formats": ["relative"]},
    },
    "experimental": {"zshLs": {"version": 1, "answer": True}},
}
# What an editor says and shows in passing; the rest it sends is answered step by step.
IN_PASSING = {"window/showMessage", "window/logMessage", "window/showMessageRequest"}
OF_A_PIECE = {"from_line", "to_line", "new_bytes"}
# Which request a capability of `initialize` stands for.
FEATURES = {
    "inlayHintProvider": ["textDocument/inlayHint"],
    "hoverProvider": ["textDocument/hover"],
    "definitionProvider": ["textDocument/definition"],
    "declarationProvider": ["textDocument/declaration"],
    "typeDefinitionProvider": ["textDocument/typeDefinition"],
    "implementationProvider": ["textDocument/implementation"],
    "referencesProvider": ["textDocument/references"],
    "callHierarchyProvider": [
        "textDocument/prepareCallHierarchy",
        "callHierarchy/incomingCalls",
        "callHierarchy/outgoingCalls",
    ],
    "documentHighlightProvider": ["textDocument/documentHighlight"],
    "documentSymbolProvider": ["textDocument/documentSymbol"],
    "workspaceSymbolProvider": ["workspace/symbol"],
    "foldingRangeProvider": ["textDocument/foldingRange"],
    "selectionRangeProvider": ["textDocument/selectionRange"],
    "renameProvider": ["textDocument/rename", "textDocument/prepareRename"],
    "semanticTokensProvider": [
        "textDocument/semanticTokens/full",
        "textDocument/semanticTokens/full/delta",
        "textDocument/semanticTokens/range",
    ],
    "codeActionProvider": ["textDocument/codeAction"],
    "completionProvider": ["textDocument/completion", "completionItem/resolve"],
    "codeLensProvider": ["textDocument/codeLens"],
    "diagnosticProvider": ["textDocument/diagnostic", "workspace/diagnostic"],
    "executeCommandProvider": ["workspace/executeCommand"],
    "documentFormattingProvider": ["textDocument/formatting"],
    "documentRangeFormattingProvider": ["textDocument/rangeFormatting"],
    "documentLinkProvider": ["textDocument/documentLink"],
    "signatureHelpProvider": ["textDocument/signatureHelp"],
}
NO_REQUESTS = {"positionEncoding", "textDocumentSync", "workspace", "experimental"}


class Editor(Peer):
    """A client that answers what the server asks, and writes down what it asked itself."""

    def __init__(self, world: World, transcript: Transcript) -> None:
        self.world = world
        self.transcript = transcript
        self.capabilities: Message = {}
        self.in_passing: list[str] = []
        self.model_says = "Nothing."
        variables = [f"{name}={value}" for name, value in world.env.items()]
        super().__init__(["env", "-i", "-C", str(world.work), *variables, *PROGRAM, "serve"])

    def read(self, patience_s: float) -> Message | None:
        """Also answers the server's requests, as an editor would while it waits."""
        message = super().read(patience_s)
        if message is not None and "method" in message:
            if message["method"] in IN_PASSING:
                shown = self.transcript.constant.text(message["params"]["message"])
                self.in_passing.append(f"{message['method']}: {shown}")
            if "id" in message:
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": self._answer(message)})
        return message

    def _answer(self, message: Message) -> object:
        if message["method"] == "workspace/configuration":
            return [None for _ in message["params"]["items"]]
        if message["method"] == "zsh/answer":
            return {"text": self.model_says}
        return None

    def hello(self, title: str, capabilities: Message, **more: object) -> None:
        """Initialize, and write down what the server can."""
        root = self.world.work.as_uri()
        folders = [{"uri": root, "name": "work"}]
        asked = {"rootUri": root, "workspaceFolders": folders, "capabilities": capabilities, **more}
        seen = self.call("initialize", {"processId": os.getpid(), **asked})
        self.capabilities = seen["capabilities"]
        self.transcript.step(f"initialize: {title}", asked, seen)
        self.notify("initialized", {})

    def step(
        self, title: str, method: str, params: object = None, change: Change = _unchanged
    ) -> Any:
        """Ask, write down the answer; gives the result, or the error of a refusal."""
        answer = self.answer_to(self.ask(method, params), PATIENCE_S)
        seen = answer["result"] if "result" in answer else {"error": answer["error"]}
        self.transcript.step(f"{method}: {title}", params, seen, change, covers=method)
        return seen

    def run(self, title: str, command: str, **more: object) -> Any:
        """`zsh/run`, waiting for the end unless told otherwise."""
        return self.step(title, "zsh/run", {"command": command, "yield_after": 300, **more})

    def heard_of(self, title: str, method: str, such_that: Any) -> Any:
        """Wait for a notification and write it down."""
        seen = self.news(method, such_that, PATIENCE_S)
        self.transcript.step(f"{method}: {title}", None, seen, covers=method)
        return seen

    def story_of(self, task_id: str, title: str) -> None:
        """All progress of a task until its end: pieces joined, heartbeats left out.

        How the pieces were cut, what the last one brought and how often silence was told depends on the
        machine.
        """
        output, last = "", None
        while last is None or last["status"] == "running":
            last = self.news("zsh/progress", lambda it: it["task_id"] == task_id, PATIENCE_S)
            output += last["output"]
        told = {name: it for name, it in last.items() if name not in OF_A_PIECE}
        judged = [line for line in last["formatted"].splitlines() if line.startswith("[")]
        told |= {"output": output, "formatted": "\n".join(judged)}
        self.transcript.step(f"zsh/progress: {title}", None, told)

    def show(self, name: str, version: int = 1) -> str:
        """Open a file of the workspace; gives its URI."""
        self.open(self.world.uri(name), self.world.text(name), version)
        return self.world.uri(name)

    def goodbye(self) -> None:
        """Shut down, and write down the notifications that came meanwhile, in any order."""
        self.answer_to(self.ask("shutdown"), PATIENCE_S)
        self.notify("exit")
        status = self.process.wait(PATIENCE_S)
        seen = {"exit": status, "in passing": sorted(set(self.in_passing))}
        self.transcript.step("shutdown: and what was said in passing", None, seen)


@contextmanager
def editor(world: World, transcript: Transcript) -> Iterator[Editor]:
    """An editor with its server; both are gone at the end."""
    found = Editor(world, transcript)
    try:
        yield found
    finally:
        found.end()


def record(world: World) -> Transcript:
    """The whole day."""
    transcript = Transcript(world)
    with editor(world, transcript) as ours:
        ours.hello("an editor that can everything", RICH)
        _running(ours)
        _waiting(ours)
        _typing(ours)
        _ending(ours)
        _memory(ours)
        _outputs(ours)
        _documents(ours)
        _names(ours)
        _scripts(ours)
        _questions(ours)
        _refusals(ours)
        ours.step("in the evening", "zsh/health")
        _everything_was_asked(ours)
        ours.goodbye()
    return transcript


def _running(ours: Editor) -> None:
    ours.step("in the morning", "zsh/health")
    ours.step("nothing is remembered", "zsh/stats", {})
    ours.step("nothing ran yet", "zsh/tasks", {"all": True})
    ours.run("a line", "echo hello")
    ours.run("the same again", "echo hello")
    ours.run("nothing printed", "true")
    ours.run("a failure", "ls /nowhere")
    ours.run("a normal exit", "echo test | grep nope")
    ours.run("a masked failure", "ls /nowhere | wc -l")
    ours.run("pipefail", "setopt pipefail; ls /nowhere | wc -l")
    ours.run("bash", "false | true | (exit 3)", shell="bash")
    ours.run("sh", "false | true", shell="sh")
    ours.run("not there", "gti status")
    ours.run("not allowed", "./notes.txt")
    ours.run("a signal", "kill -SEGV $$", shell="bash")
    ours.run("standard input", "wc -c", stdin="12345")
    ours.run("empty standard input", "cat")
    ours.run("a folder and a variable", "print $GREETING ${PWD:t}", cwd="/", env={"GREETING": "hi"})
    ours.run(
        "a terminal", "stty size; test -t 0 -a -t 1 && echo terminal", pty=True, cols=100, rows=30
    )
    ours.run("a secret", "echo --password=hunter2secret >/dev/null")
    ours.run("colours and rewritten lines", r"printf '\033[31mred\033[0m\n10%%\r100%%\n'")
    ours.run("as an agent", "ls /nowhere | wc -l", origin="agent", description="count nothing")
    ours.run("a host that is gone", "ssh gone uptime")
    ours.run("a host, a remote failure", "ssh alpha false")
    ours.run("a host", "ssh alpha uptime")
    ours.run("in a session", "place=here; cd /usr", session="day")
    ours.run("in the same session", "print $place $PWD", session="day")
    ours.step("what a session holds", "zsh/session", {"action": "show", "session": "day"})
    ours.step("begun anew", "zsh/session", {"action": "reset", "session": "day"})
    as_command = {"command": "zsh.run", "arguments": [{"command": "echo by command"}]}
    ours.step("every request is a command", "workspace/executeCommand", as_command)


def _gated(ours: Editor, title: str, name: str, **more: object) -> str:
    """Start something that takes its time: it prints nothing until its gate is open. Gives its id."""
    command = more.pop("command", ours.world.gate(name, f"through {name}"))
    result = ours.run(title, str(command), yield_after=0, **more)
    task_id: str = result["task_id"]
    return task_id


def _waiting(ours: Editor) -> None:
    gate, poll = ours.world.gate, {"listen": 0}
    for seconds in (40, 45, 47, 47, 180):
        result = ours.call("zsh/run", {"command": gate("slow", "slow"), "yield_after": 0})
        ours.world.pass_time(seconds)
        ours.world.open_gate("slow")
        ours.call("zsh/poll", {"task_id": result["task_id"], "until": "end", "listen": 300})
    slow = _gated(ours, "it usually takes its time", "slow", command=gate("slow", "slow"))
    for passed, title in ((1, "a moment later"), (20, "still nothing"), (20, "soon"), (60, "late")):
        ours.world.pass_time(passed)
        ours.step(title, "zsh/poll", {"task_id": slow, **poll})
    for _ in range(6):
        ours.call("zsh/poll", {"task_id": slow, **poll})
    ours.world.pass_time(100)
    # POLL-7: nothing is done about it; the task goes on to its end.
    ours.step("hung", "zsh/poll", {"task_id": slow, **poll})
    ours.step("while it runs", "zsh/tasks", {})
    ours.heard_of(
        "a heartbeat", "zsh/progress", lambda it: it["task_id"] == slow and it["new_bytes"] == 0
    )
    ours.world.open_gate("slow")
    ours.step("its end", "zsh/poll", {"task_id": slow, "until": "end", "listen": 300})
    ours.story_of(slow, "of the slow one")
    ours.step("again, in full", "zsh/poll", {"task_id": slow, "full_output": True, **poll})

    new = _gated(
        ours,
        "in pieces",
        "pieces",
        command="; ".join(gate("pieces", f"piece {number}") for number in (1, 2, 3)),
    )
    ours.world.pass_time(40)
    ours.step("nothing known", "zsh/poll", {"task_id": new, **poll})
    for number in (1, 2):
        ours.world.pass_time(1)
        ours.world.open_gate("pieces")
        ours.step(f"piece {number}", "zsh/poll", {"task_id": new, "listen": 300})
    ours.world.open_gate("pieces")
    ours.step("the last piece", "zsh/poll", {"task_id": new, "until": "end", "listen": 300})
    ours.story_of(new, "of the pieces")


def _typing(ours: Editor) -> None:
    gate = ours.world.gate("ask")
    asking = f"{gate}; read -r name; echo hello $name; {gate}; read -r more; echo $more"
    piped = ours.run("standard input stays open", asking, interactive=True, yield_after=0)[
        "task_id"
    ]
    ours.world.open_gate("ask")
    waits = lambda it: it["task_id"] == piped and it.get("poll_meta", {}).get("waiting_for_input")  # noqa: E731
    ours.news("zsh/progress", waits, PATIENCE_S)
    ours.step("it waits for input", "zsh/poll", {"task_id": piped, "listen": 0})
    ours.step("a line", "zsh/send", {"task_id": piped, "input": "world"})
    ours.step("its answer", "zsh/poll", {"task_id": piped, "listen": 300})
    ours.world.open_gate("ask")
    ours.step(
        "the end of input",
        "zsh/send",
        {"task_id": piped, "input": "", "newline": False, "eof": True},
    )
    ours.step("its end", "zsh/poll", {"task_id": piped, "until": "end", "listen": 300})
    ours.step("nobody reads any more", "zsh/send", {"task_id": piped, "input": "x"})
    size = f"{ours.world.gate('size')}; stty size"
    terminal = ours.run("a terminal to resize", size, pty=True, yield_after=0)["task_id"]
    ours.step("wider", "zsh/resize", {"task_id": terminal, "cols": 132, "rows": 40})
    ours.world.open_gate("size")
    ours.step("the new size", "zsh/poll", {"task_id": terminal, "until": "end", "listen": 300})
    ours.step("of one that ended", "zsh/resize", {"task_id": terminal, "cols": 80, "rows": 24})


def _ending(ours: Editor) -> None:
    new = _gated(ours, "to be killed", "never")
    ours.world.pass_time(12)
    # KILL-1: it is remembered as killed after these 12 s (`what was killed`, below).
    ours.step("not enough history", "zsh/kill", {"task_id": new})
    ours.step("of what was killed", "zsh/poll", {"task_id": new, "listen": 0})
    ours.story_of(new, "of the killed one")
    ours.step("twice", "zsh/kill", {"task_id": new})
    usual = ours.world.gate("slow", "slow")
    for title, seconds in (("early", 3), ("in time", 45), ("late", 200)):
        task = ours.call("zsh/run", {"command": usual, "yield_after": 0})["task_id"]
        ours.world.pass_time(seconds)
        ours.step(title, "zsh/kill", {"task_id": task})
    hung = ours.world.gate("never", "hung")
    for title in ("a time limit", "the second time", "the third time"):
        ours.run(title, hung, timeout=0.2)
    ours.run("its circuit is open", hung)
    ours.step("what is held back", "zsh/circuit", {})
    ours.world.pass_time(301)
    ours.run("one trial", hung, timeout=0.2)
    ours.step("let through again", "zsh/circuit", {"action": "reset", "command": hung})
    ours.step("by their own clients", "zsh/tasks", {})


def _memory(ours: Editor) -> None:
    for title in ("no failure yet", "a success", "solid"):
        ours.run(title, "git status")
    ours.run("similar", "git push origin one")
    ours.run("similar to another", "git push origin two")
    for title in ("usage", "usage again"):
        ours.run(title, "frob --wrong host")
    _manual_was_read(ours.world)
    ours.run("options are offered", "frob --wrong host")
    ours.run("a success ends the row", "frob --force host")
    ours.step("of one command", "zsh/stats", {"command": "git push origin three"})
    ours.step("of a host", "zsh/stats", {"command": "ssh gone uptime"})
    ours.step("of what never ran", "zsh/stats", {"command": "zip -r a.zip ."})
    ours.step("in all", "zsh/stats", {})
    ours.step("the lines that were run", "zsh/history", {"query": "push", "limit": 3})
    told = {"command": "make", "exit": 2, "cwd": "/", "duration_s": 1.5}
    ours.step("a terminal that is gone", "zsh/terminalRun", {**told, "process": 2**30})
    ours.step("where it ran is not said", "zsh/terminalRun", {**told, "cwd": "src"})


def _manual_was_read(world: World) -> None:
    """The page is read in the background; ALAN-3 names the table where it is kept."""
    deadline = time.monotonic() + PATIENCE_S
    database = next((world.folder / "home").rglob("alan.db"))
    while True:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as memory:
            if memory.execute("SELECT count(*) FROM manopt_cache").fetchone()[0]:
                return
        assert time.monotonic() < deadline, "the manual was not read"
        time.sleep(0.05)


def _outputs(ours: Editor) -> None:
    ours.run("a test run", "pytest")
    (ours.world.work / "broken").touch()
    failed = ours.run("a failed test run", "pytest")
    ours.run("behind a filter", "pytest | tail -3")
    ours.run("again, the same failure", "pytest")
    (ours.world.work / "broken").unlink()
    ours.run("a build", "make all")
    ours.run("a failed build", "make broken")
    ours.run("a log", "git log")
    ours.run("a log of some", "git log -n 60")
    ours.run("a long output", "seq 1 400")
    ours.run("a medium output", "seq 1 60")
    ours.run("everything, please", "seq 1 400", verbosity="debug")
    ours.run("a long file", "cat long.txt")
    ours.run("a long failure", "seq 1 200; ls /nowhere; exit 4")
    ours.run("for an agent, kept in the workspace", "seq 1 500", origin="agent")
    task_id = failed["task_id"]
    ours.step("some lines", "zsh/output", {"task_id": task_id, "from_line": 70, "to_line": 74})
    ours.step("raw", "zsh/output", {"task_id": task_id, "from_line": 1, "to_line": 1, "raw": True})
    ours.step("of the last one", "zsh/output", {"from_line": 499})
    ours.world.gate("dev")
    server = ours.run("a development server", "npm run dev", yield_after=0)
    ours.world.open_gate("dev")
    ours.step("is up", "zsh/poll", {"task_id": server["task_id"], "listen": 300})
    ours.step("done with", "zsh/kill", {"task_id": server["task_id"]})


def _settled(ours: Editor, uri: str, such_that: Any) -> None:
    """Wait until a pull of diagnostics has what the shell's own compiler says too."""
    deadline = time.monotonic() + PATIENCE_S
    while not such_that(
        ours.call("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
    ):
        assert time.monotonic() < deadline, "no such diagnostics"
        time.sleep(0.05)


def _documents(ours: Editor) -> None:
    deploy, broken = ours.show("deploy.zsh"), ours.show("broken.zsh")
    of_deploy, whole = {"textDocument": {"uri": deploy}}, range_of((0, 0), (99, 0))
    ours.step("a script", "textDocument/diagnostic", of_deploy)
    _settled(ours, broken, lambda items: any(it["severity"] == 1 for it in items))
    ours.step("a syntax error", "textDocument/diagnostic", {"textDocument": {"uri": broken}})
    for title, command, line in (
        ("a line of a document", "ls /nowhere | wc -l", 24),
        ("a normal exit of a document", "grep nothing notes.txt", 28),
    ):
        place = {"uri": deploy, "range": range_of((line, 0), (line, len(command)))}
        ours.run(title, command, document=place)
    ours.step("what they left on their lines", "textDocument/diagnostic", of_deploy)
    ours.step("lines that ran", "textDocument/codeLens", of_deploy)
    ours.step("with their history", "textDocument/inlayHint", {**of_deploy, "range": whole})
    for line, title in ((9, "a masked status"), (15, "an unchecked cd"), (24, "a pipeline")):
        found = {
            **of_deploy,
            "range": range_of((line, 3), (line, 3)),
            "context": {"diagnostics": []},
        }
        ours.step(title, "textDocument/codeAction", found)
    only = {"diagnostics": [], "only": ["source.fixAll"]}
    fixes = {**of_deploy, "range": whole, "context": only}
    ours.step("all that can be fixed", "textDocument/codeAction", fixes)
    for (line, character), title in (
        ((16, 3), "a program"),
        ((16, 11), "a flag"),
        ((28, 2), "a known exit"),
        ((5, 3), "a variable"),
        ((26, 3), "nothing known"),
        ((24, 1), "a pipeline"),
    ):
        ours.step(title, "textDocument/hover", {**of_deploy, "position": position(line, character)})
    ours.change(deploy, 2, {"range": range_of((29, 0), (29, 0)), "text": "frob --\n$rel\nann\n"})
    _completion(ours, "flags", deploy, (29, 7), "--")
    _completion(ours, "variables", deploy, (30, 4), "rel")
    _completion(ours, "commands", deploy, (31, 3), "ann")
    item = {"label": "frob", "data": {"command": "frob"}}
    ours.step("a program", "completionItem/resolve", item)
    ours.step("of all", "workspace/diagnostic", {"previousResultIds": []})
    ours.change(deploy, 3, {"range": range_of((24, 0), (24, 2)), "text": "cat"})
    ours.step("its line was changed", "textDocument/diagnostic", of_deploy)
    ours.notify("textDocument/didClose", {"textDocument": {"uri": broken}})


def _completion(ours: Editor, title: str, uri: str, place: tuple[int, int], typed: str) -> None:
    """The completions at the end of a line that begin with what was typed; the whole list is long."""
    params = {"textDocument": {"uri": uri}, "position": position(*place)}
    found = ours.call("textDocument/completion", params)
    found["items"] = [it for it in found["items"] if it["label"].startswith(typed)]
    ours.transcript.step(f"textDocument/completion: {title}", params, found)


def _names(ours: Editor) -> None:
    uri = ours.show("posix.sh")
    ours.show("build.bash"), ours.show("lib.zsh")
    document = {"textDocument": {"uri": uri}}
    deploy = {"textDocument": {"uri": ours.world.uri("deploy.zsh")}}
    for method, title, params in (
        ("definition", "of a function", {**document, "position": position(3, 2)}),
        ("definition", "in another file", {**deploy, "position": position(21, 22)}),
        (
            "references",
            "of a variable",
            {**document, "position": position(1, 1), "context": {"includeDeclaration": True}},
        ),
        ("documentHighlight", "of a variable", {**document, "position": position(1, 1)}),
        ("documentSymbol", "outline", document),
        ("documentSymbol", "outline of zsh", deploy),
        ("foldingRange", "of zsh", deploy),
        ("documentLink", "of zsh", deploy),
        ("selectionRange", "growing", {**document, "positions": [position(2, 20)]}),
        ("prepareRename", "a variable", {**document, "position": position(1, 1)}),
        ("prepareRename", "nothing to rename", {**document, "position": position(4, 1)}),
        ("rename", "a variable", {**document, "position": position(1, 1), "newName": "planet"}),
        (
            "rename",
            "to what is no name",
            {**document, "position": position(1, 1), "newName": "a b"},
        ),
        ("semanticTokens/range", "of a part", {**deploy, "range": range_of((10, 0), (20, 0))}),
    ):
        ours.step(title, f"textDocument/{method}", params)
    tokens = ours.step("of a script", "textDocument/semanticTokens/full", document)
    known = {**document, "previousResultId": tokens["resultId"]}
    ours.step("nothing has changed", "textDocument/semanticTokens/full/delta", known)
    function = {**document, "position": position(3, 2)}
    found = ours.step("of a function", "textDocument/prepareCallHierarchy", function)
    ours.step("of a function", "callHierarchy/incomingCalls", {"item": found[0]})
    ours.step("of a function", "callHierarchy/outgoingCalls", {"item": found[0]})
    ours.step("in the workspace", "workspace/symbol", {"query": "gre"})
    for name in ("build.bash", "posix.sh"):
        ours.step(
            f"of {name}", "textDocument/diagnostic", {"textDocument": {"uri": ours.world.uri(name)}}
        )


def _scripts(ours: Editor) -> None:
    uri = ours.show("traced.zsh")
    asked = {"textDocument": {"uri": uri}, "args": ["one"], "yield_after": 300}
    ours.step("traced", "zsh/runScript", asked)
    whole = {"textDocument": {"uri": uri}, "range": range_of((0, 0), (99, 0))}
    ours.step("of a traced script", "textDocument/inlayHint", whole, durations)
    ours.step("of a traced script", "textDocument/diagnostic", {"textDocument": {"uri": uri}})
    ours.step(
        "of a traced script", "textDocument/codeLens", {"textDocument": {"uri": uri}}, durations
    )
    ours.world.pass_time(1)  # the kept output of a run is found by its end
    ours.step("as it is", "zsh/runScript", {**asked, "trace": False})
    sh = {"textDocument": {"uri": ours.world.uri("posix.sh")}, "yield_after": 300}
    ours.step("no trace of sh", "zsh/runScript", sh)
    ours.step("not open", "zsh/runScript", {"textDocument": {"uri": ours.world.uri("none.zsh")}})


def _questions(ours: Editor) -> None:
    for query in (
        "what failed last",
        "what is running",
        "how long does git status take",
        "how often does pytest fail",
        "which host is flaky",
        "what was killed",
        "show full output",
        "check swap",
        "install docker",
        "will it rain tomorrow",
    ):
        ours.step(query, "zsh/ask", {"query": query})
    ours.model_says = "[SUMMARY]\nTea first.\n\n[DETAILS]\nThen coffee."
    ours.step("why the last run failed", "zsh/why", {})
    ours.step("why a task that nobody knows failed", "zsh/why", {"task_id": "00000000"})
    ours.step("the editor's model answers", "zsh/ask", {"query": "tea or coffee"})
    ours.model_says = "# Tea\n\n> first"
    ours.step("the model breaks the form", "zsh/ask", {"query": "tea or cocoa"})
    ours.step("of the machine", "zsh/ask", {"query": "how much memory is free"}, numbers)
    ours.step("a command", "zsh/explain", {"command": "frob --level 3 host | grep x"})
    ours.step("a program without a page", "zsh/explain", {"command": "sed -n 1p"})
    deploy = {"uri": ours.world.uri("deploy.zsh")}
    ours.step("a place", "zsh/explain", {"textDocument": deploy, "position": position(16, 3)})
    ours.step("what becomes of failures", "zsh/failures", {"textDocument": deploy})
    ours.step("what to ask before it runs", "zsh/script", {"textDocument": deploy})
    ours.step("the page of a rule", "zsh/rule", {"name": "unchecked-cd"})
    ours.step("a rule that nobody knows", "zsh/rule", {"name": "none"})
    ours.step("what it would do", "zsh/rehearse", {"textDocument": deploy})
    ours.step("no such line", "zsh/rehearse", {"textDocument": deploy, "fail": 999})
    ours.step("a start, how often?", "zsh/startup", {"runs": 0})


def _refusals(ours: Editor) -> None:
    for title, params in (
        ("no command", {}),
        ("an empty command", {"command": " "}),
        ("no such field", {"command": "true", "colour": True}),
        ("no such shell", {"command": "true", "shell": "/bin/none"}),
        ("no such folder", {"command": "true", "cwd": "/nowhere"}),
        ("two kinds of input", {"command": "true", "pty": True, "interactive": True}),
        ("a wrong type", {"command": "true", "timeout": "long"}),
        ("a negative limit", {"command": "true", "timeout": -1}),
    ):
        ours.step(title, "zsh/run", params)
    ours.step("no such task", "zsh/poll", {"task_id": "00000000"})
    ours.step("out of range", "zsh/poll", {"task_id": "00000000", "listen": 301})
    ours.step("no such task", "zsh/output", {"task_id": "00000000"})
    ours.step("nothing to explain", "zsh/explain", {})
    ours.step("unknown", "zsh/none", {})


def _everything_was_asked(ours: Editor) -> None:
    """What the server announces is what this day has asked for, or the day is not complete."""
    announced = set(ours.capabilities["experimental"]["zshLs"]["methods"])
    for capability, value in ours.capabilities.items():
        if capability not in NO_REQUESTS and value:
            announced |= set(FEATURES[capability])
    forgotten = announced - ours.transcript.covered
    assert not forgotten, f"the day asks nothing of {sorted(forgotten)}"

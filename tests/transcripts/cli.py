"""A day at the command line: every `zsh-ls COMMAND`, as processes."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from collections.abc import Mapping

from .plain_text import Change, durations, numbers, readable
from .transcript import Transcript, _unchanged
from .world import PATIENCE_S, PROGRAM, World

# Servers: the other parts speak to them.
ELSEWHERE = {"zsh-ls mcp", "zsh-ls serve"}


class CommandLine:
    """Runs `zsh-ls` in the workspace and writes down what it printed."""

    def __init__(self, world: World, transcript: Transcript) -> None:
        self.world = world
        self.transcript = transcript

    def start(self, *arguments: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        """Start it, and leave it running."""
        return subprocess.Popen(
            [*PROGRAM, *arguments],
            cwd=self.world.work,
            env={**self.world.env, **(env or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def step(
        self,
        title: str,
        *arguments: str,
        typed: str = "",
        env: Mapping[str, str] | None = None,
        change: Change = _unchanged,
    ) -> str:
        """Run it to its end; gives its standard output."""
        return self.end(title, self.start(*arguments, env=env), arguments, typed, change)

    def end(
        self,
        title: str,
        process: subprocess.Popen[str],
        arguments: tuple[str, ...],
        typed: str = "",
        change: Change = _unchanged,
    ) -> str:
        """Wait for the end of one that was started, and write it down."""
        try:
            output, errors = process.communicate(typed, PATIENCE_S)
        finally:
            process.kill()
        self.world.pass_time(1)  # what ran last is asked for by time
        asked = json.dumps(arguments, ensure_ascii=False)
        if typed:
            asked += f" < {json.dumps(typed[:200], ensure_ascii=False)}"
        document = _json(output)
        if document is not None:
            output = readable(self.transcript.constant.value(document))
        seen = f"exit {process.returncode}\n{_stream('out', output)}{_stream('err', errors)}"
        covers = arguments[0] if arguments else "zsh-ls"
        name = f"zsh-ls {covers}".strip() if arguments else covers
        self.transcript.step(f"{name}: {title}", asked, seen, change, covers=name)
        return output

    def at_a_terminal(self, title: str, *arguments: str) -> None:
        """Run it on a terminal, and write down what the terminal got."""
        ours, theirs = pty.openpty()
        env = {name: it for name, it in self.world.env.items() if name not in ("COLUMNS", "LINES")}
        process = subprocess.Popen(
            [*PROGRAM, *arguments],
            cwd=self.world.work,
            env=env,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        output = b""
        try:
            while piece := _read(ours):
                output += piece
            status = process.wait(PATIENCE_S)
        finally:
            process.kill()
            os.close(ours)
        self.world.pass_time(1)
        shown = output.decode().replace("\r\n", "\n").replace("\x1b", "␛")
        name = f"zsh-ls {arguments[0]}"
        asked = json.dumps(arguments, ensure_ascii=False) + " on a terminal"
        seen = f"exit {status}\n{_stream('terminal', shown)}"
        self.transcript.step(f"{name}: {title}", asked, seen, covers=name)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # Linux says so at the end of a terminal
        return b""


def _stream(name: str, text: str) -> str:
    return "".join(f"{name}| {line}".rstrip() + "\n" for line in text.splitlines())


def _json(text: str) -> object | None:
    """What a program printed, if it is one JSON document."""
    try:
        return json.loads(text) if text.startswith("{") else None
    except ValueError:
        return None


def _rows(text: str) -> str:
    """Blanks and rules of tables: their width is that of what varies."""
    return re.sub(r"[─━]+", "─", re.sub(r" {2,}", "  ", text))


def _machine(text: str) -> str:
    """The text of `doctor` without its Python, system and number of variables, which vary."""
    return numbers(_rows(re.sub(r"(python +).*", r"\1<python>", text)))


def record(world: World) -> Transcript:
    """The whole day."""
    transcript = Transcript(world)
    ours = CommandLine(world, transcript)
    _help(ours)
    _running(ours)
    _memory(ours)
    _scripts(ours)
    _answers(ours)
    _outputs(ours)
    _imports(ours)
    _evening(ours)
    return transcript


def _help(ours: CommandLine) -> None:
    listed = ours.step("help", "--help")
    ours.step("nothing asked", change=_rows)
    for command in re.findall(r"^    (\w[\w-]*)", listed, re.MULTILINE):
        ours.step("help", command, "--help")
    ours.step("no such command", "fly")
    ours.step("its version", "--version", change=numbers)


def _running(ours: CommandLine) -> None:
    for title, line in (
        ("a line", "echo hello"),
        ("the same again", "echo hello"),
        ("nothing printed", "true"),
        ("a failure", "ls /nowhere; exit 4"),
        ("a masked failure", "ls /nowhere | wc -l"),
        ("a normal exit", "grep nothing notes.txt"),
        ("not there", "gti status"),
        ("a signal", "kill -TERM $$"),
        ("a long output", "seq 1 300"),
        ("a failed test run", "touch broken; pytest; x=$?; rm broken; exit $x"),
        ("a secret", "echo --password=hunter2secret >/dev/null"),
    ):
        ours.step(title, "run", line)
    ours.step("bash", "run", "--shell", "bash", "false | true")
    ours.step("standard input", "run", "wc -c", typed="12345")
    ours.step("as JSON", "run", "--json", "ls /nowhere | wc -l")
    ours.step("in a folder", "run", "--cwd", "/", "print $PWD")
    ours.step("no such folder", "run", "--cwd", "/nowhere", "true")
    ours.step("no such shell", "run", "--shell", "/bin/none", "true")
    ours.step("an empty line", "run", " ")
    ours.step("a time limit", "run", "--timeout", "0.2", ours.world.gate("never", "no"))
    ours.step("a terminal of its own", "run", "--pty", "test -t 1 && echo terminal")
    ours.step("no colour where none is wanted", "run", "ls /nowhere", env={"NO_COLOR": "1"})
    ours.at_a_terminal("colours on a terminal", "run", "ls /nowhere | wc -l")
    ours.step("no server to share", "run", "--shared", "echo alone")
    ours.step("in a session", "run", "--session", "day", "place=here; cd /usr")
    ours.step("in the same session", "run", "--session", "day", "print $place $PWD")
    ours.step("all of them", "session", "list")
    ours.step("what one holds", "session", "show", "day")
    ours.step("begun anew", "session", "reset", "day")
    ours.step("no such session", "session", "show", "night")


def _memory(ours: CommandLine) -> None:
    ours.step("in all", "stats", change=_rows)
    ours.step("in all, as JSON", "stats", "--json")
    ours.step("of a command", "stats", "echo hello", change=_rows)
    ours.step("of a command, as JSON", "stats", "--json", "echo hello")
    ours.step("of what never ran", "stats", "zip -r a.zip .", change=_rows)
    ours.step("nothing is held back", "circuit")
    for _ in range(2):
        ours.step("a time limit again", "run", "--timeout", "0.2", ours.world.gate("never", "no"))
    ours.step("held back", "circuit", change=_rows)
    ours.step("held back, as JSON", "circuit", "--json")
    ours.step("refused", "run", ours.world.gate("never", "no"))
    ours.step("let through again", "circuit", "reset")


def _scripts(ours: CommandLine) -> None:
    ours.step("a script", "check", "deploy.zsh")
    ours.step("the folder", "check", ".")
    for form in ("json", "sarif", "github"):
        ours.step(f"as {form}", "check", "--format", form, "deploy.zsh", "broken.zsh")
    ours.step("one rule", "check", "--rule", "unchecked-cd", "posix.sh", "deploy.zsh")
    ours.step("standard input", "check", "-", typed="cd /x\nrm -rf ./y\n")
    ours.step("what becomes of failures", "failures", "deploy.zsh")
    ours.step("the same as JSON", "failures", "--json", "posix.sh")
    ours.step("a cause of a slow start", "startup", "--cause", "eval-init")
    ours.step("lines that are none", "startup", "--without", "deploy.zsh")
    ours.step("clean", "check", "lib.zsh")
    ours.step("not there", "check", "none.zsh")
    ours.step("no such rule", "check", "--rule", "none", "lib.zsh")
    ours.step("all", "rules", change=_rows)
    ours.step("one", "rules", "masked-pipe-failure")
    ours.step("no such rule", "rules", "none")
    ours.step("a script", "parse", "posix.sh", change=durations)
    ours.step("as JSON", "parse", "--json", "broken.zsh")
    ours.step("not there", "parse", "none.zsh")
    # Of an hour no line takes a share worth telling, whatever the machine does meanwhile.
    for gate in ("begin", "end"):
        ours.world.gate(gate)
    running = ours.start("trace", "gated.zsh")
    ours.world.open_gate("begin")
    ours.world.pass_time(3600)
    ours.world.open_gate("end")
    ours.end("a zsh script", running, ("trace", "gated.zsh"), change=_traced)
    ours.step("as JSON", "trace", "--json", "traced.zsh", "one")
    ours.step("no trace of sh", "trace", "posix.sh", change=_traced)
    ours.step("not there", "trace", "none.zsh")


def _traced(text: str) -> str:
    """How long each line took, and the blanks that go with it."""
    return _rows(durations(text))


def _answers(ours: CommandLine) -> None:
    for question in (
        "what failed last",
        "how often does echo hello fail",
        "install docker",
        "will it rain tomorrow",
    ):
        ours.step(question, "ask", *question.split())
    ours.step("show the output", "ask", "show full output")
    ours.step("of the machine", "ask", "how much memory is free", change=numbers)
    ours.step("as JSON", "ask", "--json", "what was killed")
    ours.step("a command", "explain", "frob --level 3 host | grep x")
    ours.step("as JSON", "explain", "--json", "frob --force host")


def _outputs(ours: CommandLine) -> None:
    ours.step("a long one", "run", "seq 1 300")
    ours.step("some lines", "output", "--lines", "299:")
    ours.step("raw", "output", "--raw", "--lines", "1:2")
    ours.step("no such task", "output", "00000000")
    recorded = {
        "command": "pytest",
        "exit": 1,
        "stdout": "E   reason\n1 failed in 0.1s\n",
        "stderr": "",
    }
    ours.step("one execution", "fit", typed=json.dumps(recorded))
    lines = (
        json.dumps(recorded)
        + "\nnot JSON\n"
        + json.dumps({**recorded, "command": "make", "exit": 0})
        + "\n"
    )
    ours.step("a line each", "fit", "--jsonl", typed=lines)
    log = "".join(f"line {number}\n" for number in range(1, 201))
    ours.step("as a filter", "fit", "--command", "make", "--exit", "0", typed=log)


def _imports(ours: CommandLine) -> None:
    history = ours.world.folder / "history"
    history.write_text(": 1772000000:3;make all\n: 1772000100:0;ls -la\n")
    ours.step("a history", "import", "zsh-history", str(history))
    ours.step("nothing twice", "import", "--json", "zsh-history", str(history))
    ours.step("not there", "import", "zsh-history", "/nowhere/history")
    # In JSON times are absolute: how long ago the import's lines were run changes daily.
    ours.step("what was run", "history", "--json", "make", "all")
    ours.step("why it failed", "why")
    for shell in ("zsh", "bash", "fish"):
        ours.step(shell, "init", shell)
    ours.step("no such shell", "init", "tcsh")
    ours.step("no completions for it", "completion", "tcsh")
    ours.step("nothing to end", "kill", "00000000")
    ours.step("no such script", "rehearse", "/nowhere/deploy.sh")
    good = "[SUMMARY]\nIt is there.\n"
    ours.step("an answer by its form", "answer", "--check", typed=good)
    ours.step("one that is none", "answer", "--check", typed="It is there.\n")
    ours.step("not joined", "team", "status")
    ours.step("not joined, as JSON", "team", "status", "--json")
    ours.step("nothing to share with", "team", "sync")
    ours.step("what it would change", "hook", "install", "claude", "--project", "--dry-run")
    ours.step("no agent named", "hook", "install")
    told = {"command": "make | tail -3"}, {"stdout": "make: *** [all] Error 2", "stderr": ""}
    event = {"hook_event_name": "PostToolUse", "tool_name": "Bash", "cwd": str(ours.world.work)}
    event = {**event, "tool_input": told[0], "tool_response": told[1]}
    ours.step("an event of an agent", "hook", "claude", typed=json.dumps(event))


def _evening(ours: CommandLine) -> None:
    ours.step("no server", "tasks")
    ours.step("as JSON", "tasks", "--json")
    ours.step("a command", "forget", "echo hello")
    ours.step("a span of time", "forget", "--since", "2026-02-01T00:00")
    ours.step("everything", "forget", "--all")
    ours.step("nothing named", "forget")
    ours.step("what is set", "config")
    ours.step("what is set, as JSON", "config", "--json")
    ours.step("what is here", "doctor", change=_machine)
    ours.step("what is here, as JSON", "doctor", "--json")
    _everything_was_run(ours)


def _everything_was_run(ours: CommandLine) -> None:
    """Every command that the help lists was run in earnest, not only asked for its help."""
    steps = re.findall(r"^==== \d+ (zsh-ls \S+): (?!help$)", ours.transcript.text(), re.MULTILINE)
    listed = {name for name in ours.transcript.covered if re.fullmatch(r"zsh-ls \w[\w-]*", name)}
    forgotten = listed - set(steps) - ELSEWHERE
    assert not forgotten, f"the day runs nothing of {sorted(forgotten)}"

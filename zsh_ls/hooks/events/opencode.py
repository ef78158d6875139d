"""opencode: it loads modules in place of hooks, so that its hook is one which asks `zsh-ls hook opencode`."""

from __future__ import annotations

from zsh_ls.hooks.told_run import ToldCommand, ToldRun, exit_of, object_of, seconds_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

TOOL = "bash"
# Its model reads the output alone: a command that fails without a word looks as if it had gone well.
SHOWS_EXITS = False
_NOTHING = "(no output)"
_PLUGIN = """\
// Made by `zsh-ls hook install opencode`; `zsh-ls hook uninstall opencode` removes it.
// It adds to a command's output what zsh-ls has to say of it, and never makes a command fail.
import { spawn } from "node:child_process";

const LONGEST_WAIT_MS = 5000;
const began = new Map();

const ask = (event, ...options) =>
  new Promise((resolve) => {
    let words = "";
    const child = spawn("zsh-ls", ["hook", "opencode", ...options], { stdio: ["pipe", "pipe", "ignore"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), LONGEST_WAIT_MS);
    const end = () => {
      clearTimeout(timer);
      resolve(words);
    };
    child.on("error", end);
    child.on("close", end);
    child.stdout.on("data", (piece) => (words += piece));
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(event));
  });

export const ZshLs = async ({ %CLIENT%directory }) => ({
  "tool.execute.before": async (input%OUTPUT%) => {
    if (input.tool !== "bash") return;
%REWRITE%    began.set(input.callID, Date.now());
  },
  "tool.execute.after": async (input, output) => {
    if (input.tool !== "bash") return;
    const started = began.get(input.callID);
    began.delete(input.callID);
    try {
      const event = { event: "tool.execute.after", tool: input.tool, sessionID: input.sessionID };
      const args = input.args ?? {};
      const duration_ms = started === undefined ? null : Date.now() - started;
      const { output: text, metadata } = output;
      const answer = await ask({ ...event, args, directory, output: text, metadata, duration_ms });
      const context = answer && JSON.parse(answer).context;
      if (context) output.output += `\\n\\n${context}`;
    } catch {
      // The command's own output is all there is to show.
    }
  },
});
"""
# The client asks opencode itself: its configuration is merged from many files, variables and defaults.
_REWRITE = """\
    try {
      const { data } = await client.config.get();
      const agents = Object.values(data.agent ?? {});
      const permissions = [data, ...agents].map((it) => it?.permission).filter(Boolean);
      const event = { event: "tool.execute.before", tool: input.tool, args: output.args };
      const answer = await ask({ ...event, directory, permissions }, "--rewrite");
      const command = answer && JSON.parse(answer).command;
      if (command) output.args.command = command;
    } catch {
      // The command runs as it is.
    }
"""


def plugin(*, rewrite: bool) -> str:
    """The module that opencode loads."""
    parts = {
        "%CLIENT%": "client, " if rewrite else "",
        "%OUTPUT%": ", output" if rewrite else "",
        "%REWRITE%": _REWRITE if rewrite else "",
    }
    text = _PLUGIN
    for name, part in parts.items():
        text = text.replace(name, part)
    return text


def read(event: Mapping[str, Any]) -> ToldRun | None:
    """The run that the plugin tells of; None for one of another tool."""
    if event.get("event") != "tool.execute.after" or event.get("tool") != TOOL:
        return None
    given, metadata = object_of(event, "args"), object_of(event, "metadata")
    command = text_of(given, "command")
    if not command:
        return None
    return ToldRun(
        command,
        text_of(given, "workdir") or text_of(event, "directory"),
        text_of(event, "output").removeprefix(_NOTHING),
        exit_of(metadata.get("exit")),
        duration_s=seconds_of(event, "duration_ms"),
        session=text_of(event, "sessionID"),
    )


def answer(_: Mapping[str, Any], words: str) -> dict[str, object]:
    """The answer from which the plugin adds `words` to the output."""
    return {"context": words}


def asked(event: Mapping[str, Any]) -> ToldCommand | None:
    """The command that the plugin is about to let run; None for another tool."""
    if event.get("event") != "tool.execute.before" or event.get("tool") != TOOL:
        return None
    given = object_of(event, "args")
    folder = text_of(given, "workdir") or text_of(event, "directory")
    return ToldCommand(text_of(given, "command"), folder, permissions=event.get("permissions"))


def replaced(_: Mapping[str, Any], command: str) -> dict[str, object]:
    """The answer from which the plugin takes the command."""
    return {"command": command}

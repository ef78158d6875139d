/**
 * Tells the server what ran in the editor's own terminals, for memory to learn from (PROMPT-3).
 *
 * VS Code's shell integration of zsh and fish tells a line as it was typed. That of bash takes it from
 * the shell's history, where a leading space is lost: its lines are learnt from, but their text, which
 * may have been meant to be kept nowhere, is not kept. The hook of `zsh-ls init bash` knows.
 */

import * as vscode from "vscode";
import { messageOf, type Server } from "./server";

const SPACED = /^\s/;

interface Beginning {
  atMs: number;
  cwd: vscode.Uri | undefined;
}

export function learnFromTerminals(
  server: Server,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const begun = new WeakMap<vscode.TerminalShellExecution, Beginning>();
  const tell = async (event: vscode.TerminalShellExecutionEndEvent): Promise<void> => {
    const { execution, exitCode: exit, terminal } = event;
    const began = begun.get(execution);
    const command = lineOf(execution.commandLine, terminal.state.shell);
    if (exit === undefined || began?.cwd?.scheme !== "file" || command === undefined) {
      return;
    }
    const duration_s = (Date.now() - began.atMs) / 1000;
    const started_at = began.atMs / 1000;
    const process = await terminal.processId;
    if (process === undefined) {
      return;
    }
    const run = { command, exit, cwd: began.cwd.fsPath, duration_s, started_at, process };
    await server.request("zsh/terminalRun", run);
  };
  return vscode.Disposable.from(
    vscode.window.onDidStartTerminalShellExecution(({ execution }) => {
      begun.set(execution, { atMs: Date.now(), cwd: execution.cwd });
    }),
    vscode.window.onDidEndTerminalShellExecution((event) => {
      if (vscode.workspace.isTrusted) {
        // A server that does not run, or is older than this request, learns nothing.
        tell(event).catch((problem: unknown) => {
          log.debug(`A terminal's command was not remembered: ${messageOf(problem)}`);
        });
      }
    }),
  );
}

/** The line as it was typed; it begins with a space where that cannot be told. */
function lineOf(
  { value, confidence, isTrusted }: vscode.TerminalShellExecutionCommandLine,
  shell: string | undefined,
): string | undefined {
  const { High } = vscode.TerminalShellExecutionCommandLineConfidence;
  if (confidence !== High || value.trim() === "") {
    return undefined;
  }
  switch (shell) {
    case "zsh":
      return isTrusted ? value : undefined;
    case "fish": // whose script sends no proof that it was the shell that spoke
      return value;
    case "bash":
      return SPACED.test(value) ? value : ` ${value}`;
    default:
      return undefined;
  }
}

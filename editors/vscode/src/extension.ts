/** Puts the parts together; each of them does one thing. */

import * as vscode from "vscode";
import { places } from "./places";
import { OF_STARTING } from "./settings";
import { Server } from "./server";
import { mayRun } from "./trust";
import type { RunParams, TaskResult } from "./protocol";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("zsh-ls", { log: true });
  const trace = vscode.window.createOutputChannel("zsh-ls trace");
  const started = new Server(() => places(context.extensionPath), { server: log, trace }, {});
  server = started;
  context.subscriptions.push(
    log,
    trace,
    started,
    vscode.workspace.onDidGrantWorkspaceTrust(() => trusted(started)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (OF_STARTING.some((name) => change.affectsConfiguration(name))) {
        void started.restart();
      }
    }),
    vscode.commands.registerCommand("zsh-ls.restart", () => started.restart()),
    vscode.commands.registerCommand("zsh-ls.showLogs", () => {
      log.show();
    }),
    vscode.commands.registerCommand("zsh-ls.runLine", () => runLine(started)),
  );
  void started.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

async function trusted(server: Server): Promise<void> {
  await server.settingsChanged();
  await server.start();
}

async function runLine(server: Server): Promise<TaskResult | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !mayRun()) {
    return undefined;
  }
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    editor.document.uri,
    editor.selection,
    "zsh-ls.run",
  );
  const params = actions[0]?.command?.arguments?.[0] as RunParams | undefined;
  return params && server.request("zsh/run", params);
}

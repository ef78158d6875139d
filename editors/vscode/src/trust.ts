/** Whether anything may be run here. Every door asks this before it does. */

import * as vscode from "vscode";

export const NOT_TRUSTED = "This workspace is not trusted: zsh-ls runs nothing in it.";
const MANAGE = "Manage Workspace Trust";

/** Whether the workspace is trusted; where not, the person is told and offered to change that. */
export function mayRun(): boolean {
  if (!vscode.workspace.isTrusted) {
    void tell();
  }
  return vscode.workspace.isTrusted;
}

/** Folders nothing may be started from: those of a workspace that is not trusted. */
export function untrustedFolders(): string[] {
  const folders = vscode.workspace.isTrusted ? [] : (vscode.workspace.workspaceFolders ?? []);
  return folders.map((folder) => folder.uri.fsPath);
}

async function tell(): Promise<void> {
  if ((await vscode.window.showWarningMessage(NOT_TRUSTED, MANAGE)) === MANAGE) {
    await vscode.commands.executeCommand("workbench.trust.manage");
  }
}

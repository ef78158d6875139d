/** Whether anything may be run in this window. Whatever runs something asks this first. */

import * as vscode from "vscode";
import { t } from "./l10n";

export const NOT_TRUSTED = "This workspace is not trusted: zsh-ls runs nothing in it.";

/** Whether the workspace is trusted; if it is not, a warning offers to change that. */
export function mayRun(): boolean {
  if (!vscode.workspace.isTrusted) {
    void tell();
  }
  return vscode.workspace.isTrusted;
}

/** Folders that no program may be started from: those of an untrusted workspace. */
export function untrustedFolders(): string[] {
  const folders = vscode.workspace.isTrusted ? [] : (vscode.workspace.workspaceFolders ?? []);
  return folders.map((folder) => folder.uri.fsPath);
}

async function tell(): Promise<void> {
  const manage = t("Manage Workspace Trust");
  if ((await vscode.window.showWarningMessage(t(NOT_TRUSTED), manage)) === manage) {
    await vscode.commands.executeCommand("workbench.trust.manage");
  }
}

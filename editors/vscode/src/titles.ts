/** Commands as this window shows them: their paths as seen from its folders, and from the home. */

import { homedir } from "node:os";
import * as vscode from "vscode";
import { title } from "./wording";

export function titleHere(command: string, longest?: number): string {
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  return title(command, longest, { folders, home: homedir() });
}

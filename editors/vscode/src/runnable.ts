/** What to run at a position: the server knows where commands begin and end. */

import * as vscode from "vscode";
import type { RunParams } from "./protocol";
import { wholeLine } from "./wholeLine";

const RUN_KIND = "zsh-ls.run";

/** The command at a position, or the selected one, as the server's code action runs it. */
export async function runnableAt(
  { document }: vscode.TextEditor,
  range: vscode.Range,
): Promise<RunParams | undefined> {
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    document.uri,
    range,
    RUN_KIND,
  );
  return actions[0]?.command?.arguments?.[0] as RunParams | undefined;
}

/** The cursor's line if it consists of whole commands, else the command at the cursor. */
export async function lineAround(editor: vscode.TextEditor): Promise<RunParams | undefined> {
  const at = editor.selection.active;
  const line = editor.document.lineAt(at);
  const start = new vscode.Position(at.line, line.firstNonWhitespaceCharacterIndex);
  const [here, first, last] = await Promise.all(
    [at, start, line.range.end].map((place) => runnableAt(editor, rangeOf(place))),
  );
  return wholeLine(at.line, line.text, first, last) ?? here;
}

/** The outermost statement around the cursor: the last range before the whole text. */
export async function blockAround(editor: vscode.TextEditor): Promise<RunParams | undefined> {
  const at = editor.selection.active;
  const chains = await vscode.commands.executeCommand<vscode.SelectionRange[]>(
    "vscode.executeSelectionRangeProvider",
    editor.document.uri,
    [at],
  );
  let around = chains[0];
  while (around?.parent?.parent) {
    around = around.parent;
  }
  return runnableAt(editor, around?.parent ? around.range : rangeOf(at));
}

function rangeOf(place: vscode.Position): vscode.Range {
  return new vscode.Range(place, place);
}

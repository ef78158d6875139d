/** What to run or to measure at a position: the server knows where commands begin and end. */

import * as vscode from "vscode";
import { commands as ofServer, type RunParams, type StartupParams } from "./protocol";
import { LANGUAGE } from "./client";
import { t } from "./l10n";
import { wholeLine } from "./wholeLine";

const RUN_KIND = "zsh-ls.run";
const STARTUP_KIND = "zsh-ls.startup";
const NO_SCRIPT = "Open a shell script first, and put the cursor on a line of it.";
const MOST_LENSES = 10;

/** The active editor, else a visible script; a message if there is none. */
export function scriptEditor(): vscode.TextEditor | undefined {
  const seen = vscode.window.visibleTextEditors.find(
    ({ document }) => document.languageId === LANGUAGE,
  );
  const editor = vscode.window.activeTextEditor ?? seen;
  if (!editor) {
    void vscode.window.showInformationMessage(t(NO_SCRIPT));
  }
  return editor;
}

/** The command at a position, or the selected one, as the server's code action runs it. */
export async function runnableAt(
  editor: vscode.TextEditor,
  range: vscode.Range,
): Promise<RunParams | undefined> {
  return (await offeredAt(editor, range, RUN_KIND)) as RunParams | undefined;
}

/** The start of a shell without the lines of the selection, as the server's code action measures it. */
export async function withoutAt(editor: vscode.TextEditor): Promise<StartupParams | undefined> {
  return (await offeredAt(editor, editor.selection, STARTUP_KIND)) as StartupParams | undefined;
}

/** The start that reads a document, as the server's lens measures it. */
export async function startOf({ uri }: vscode.TextDocument): Promise<StartupParams | undefined> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    uri,
    MOST_LENSES,
  );
  const lens = lenses.find(({ command }) => command?.command === ofServer.startup);
  return lens?.command?.arguments?.[0] as StartupParams | undefined;
}

/** What the server's first code action of a kind is asked with. */
async function offeredAt(
  { document }: vscode.TextEditor,
  range: vscode.Range,
  kind: string,
): Promise<unknown> {
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    document.uri,
    range,
    kind,
  );
  return actions[0]?.command?.arguments?.[0] as unknown;
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

/** Where the time goes when a shell starts: the server measures, the person picks a line to look at. */

import * as fs from "node:fs/promises";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { t } from "./l10n";
import type { StartupParams } from "./protocol";
import { scriptEditor, startOf, withoutAt } from "./runnable";
import type { Server } from "./server";
import {
  busyText,
  causeItems,
  dearestText,
  endedText,
  errorText,
  savingText,
  slowerText,
  startupItems,
  withTexts,
  type StartupItem,
} from "./startup";
import { folder } from "./wording";

/** The start that reads the file before the person, else that of the person's own shell. */
export async function measuredStartHere(server: Server): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  await measuredStart(server, (document && (await startOf(document))) ?? {});
}

/** What the start would take without the line of the cursor, or those that are selected. */
export async function measuredWithout(server: Server): Promise<void> {
  const editor = scriptEditor();
  const params = editor && (await withoutAt(editor));
  if (params !== undefined) {
    await measuredStart(server, params);
  } else if (editor) {
    void vscode.window.showInformationMessage(
      editor.document.isDirty
        ? t("Save the file first: a start reads what is on the disk.")
        : t("No command of a start-up file stands here."),
    );
  }
}

/** The server shows its progress, and hints on the lines of the start-up files when it is done. */
export async function measuredStart(server: Server, params: StartupParams): Promise<void> {
  const { shell, first_prompt_ms, lines, causes, without, stuck, left, since, errors, busy } =
    await server.request("zsh/startup", params);
  const home = homedir();
  if (stuck) {
    const line = stuck.line === null ? "" : `:${stuck.line + 1}`;
    const where = `${folder(stuck.file, home)}${line}: ${stuck.command}`;
    const title = t("{0} came to no prompt: {1}", shell, where);
    const more = errorText(errors, home) + endedText(left);
    void dearestLines(title, more, startupItems(lines, home), vscode.window.showWarningMessage);
  } else if (first_prompt_ms) {
    const median = Math.round(first_prompt_ms.median);
    const title = t("{0}: first prompt after {1} ms", shell, median);
    // Not waited for: the command has done its work, whether or not anybody answers.
    const wrong = errorText(errors, home);
    const named = without.length > 0 ? savingText(without, home) : dearestText(lines, median);
    const saved = named + busyText(busy);
    const more = saved + wrong + slowerText(since, home) + endedText(left);
    const items = [...causeItems(causes, home), ...startupItems(lines, home, since)];
    void dearestLines(title, more, items, vscode.window.showInformationMessage);
  }
}

/** The message, which leads to a list of the lines. */
async function dearestLines(
  title: string,
  more: string,
  items: StartupItem[],
  tell: (message: string, button: string) => Thenable<string | undefined>,
): Promise<void> {
  const show = t("Show Lines");
  if ((await tell(title + more, show)) !== show) {
    return;
  }
  const rows = withTexts(items, await linesOf(new Set(items.map(({ file }) => file))));
  const chosen = await vscode.window.showQuickPick(rows, { title, matchOnDescription: true });
  if (chosen !== undefined) {
    const selection = new vscode.Range(chosen.line, 0, chosen.line, 0);
    const { document } = await vscode.window.showTextDocument(vscode.Uri.file(chosen.file), {
      selection,
    });
    if (document.languageId === "plaintext") {
      // A function that zsh autoloads has no extension.
      await vscode.languages.setTextDocumentLanguage(document, "shellscript");
    }
  }
}

/** The lines of these files, of those that can be read. */
async function linesOf(files: ReadonlySet<string>): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const file of files) {
    const text = await fs.readFile(file, "utf8").catch(() => "");
    found.set(file, text.split("\n"));
  }
  return found;
}

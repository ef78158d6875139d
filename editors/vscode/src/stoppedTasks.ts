/**
 * Reports what stops running tasks. A restart of the server can be declined. VS Code lets no extension
 * prevent a window from closing: that is reported at the next start, with VS Code's own setting to be asked.
 */

import * as fs from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import type { KeptEnd, TaskBook } from "./taskBook";
import { titleHere } from "./titles";
import { t } from "./l10n";
import { verdict } from "./wording";

const ENDS = "task-ends.json";
const MOST_KEPT = 200;

/** Whether the server may be restarted: asks the user if tasks are running. */
export async function mayRestart(book: TaskBook): Promise<boolean> {
  const commands = book.endingWithServer.map((record) => titleHere(record.command));
  if (commands.length === 0) {
    return true;
  }
  const question = t("Restart the zsh-ls server? What runs is stopped with it.");
  const about = { modal: true, detail: commands.join("\n") };
  return (await vscode.window.showWarningMessage(question, about, t("Restart"))) === t("Restart");
}

/** Reports the tasks that ended with the last window, and keeps in `folder` what the next one is to know. */
export function noteEnds(book: TaskBook, folder: vscode.Uri): vscode.Disposable {
  // A file: VS Code writes its own storage with a delay, so a window that closes at once would lose it.
  const file = path.join(folder.fsPath, ENDS);
  const before = endsIn(file);
  book.restoreEnds(before);
  const stopped = Object.values(before).filter((end) => end === "stopped").length;
  if (stopped > 0) {
    void tellOfStopped(stopped);
  }
  // No command: it may hold a secret.
  let noted = "";
  const note = (): void => {
    const ends = JSON.stringify({ ...told(before), ...endsOf(book) });
    if (ends !== noted) {
      noted = ends;
      write(file, ends);
    }
  };
  note();
  return new vscode.Disposable(book.onChange(note));
}

/** The ends that are kept on: of tasks that were reported as stopped, that they are gone. */
function told(ends: Record<string, KeptEnd>): Record<string, KeptEnd> {
  const latest = Object.entries(ends).slice(-MOST_KEPT);
  return Object.fromEntries(latest.map(([id, end]) => [id, end === "stopped" ? "gone" : end]));
}

function endsOf(book: TaskBook): Record<string, KeptEnd> {
  return Object.fromEntries([
    ...book.ended
      .filter((it) => it.isOfThisServer)
      .map((it): [string, KeptEnd] => [it.id, verdict(it)]),
    ...book.endingWithServer.map((it): [string, KeptEnd] => [it.id, "stopped"]),
  ]);
}

function endsIn(file: string): Record<string, KeptEnd> {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, KeptEnd>;
  } catch {
    return {}; // nothing was noted yet, or not to its end
  }
}

function write(file: string, text: string): void {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  } catch {
    // A full disk costs the reminder, not the run.
  }
}

async function tellOfStopped(count: number): Promise<void> {
  const text =
    count === 1
      ? t("1 task of zsh-ls was stopped when this window was closed or reloaded.")
      : t("{0} tasks of zsh-ls were stopped when this window was closed or reloaded.", count);
  const [section, name] = settingThatAsks();
  const settings = vscode.workspace.getConfiguration(section);
  const offers = settings.get(name) === "always" ? [] : [t("Ask Next Time")];
  if ((await vscode.window.showWarningMessage(text, ...offers)) === t("Ask Next Time")) {
    await settings.update(name, "always", vscode.ConfigurationTarget.Global);
  }
}

/** VS Code's own setting asks while a terminal is open; in a browser it has to be `always`. */
function settingThatAsks(): [section: string, name: string] {
  return vscode.env.uiKind === vscode.UIKind.Web
    ? ["window", "confirmBeforeClose"]
    : ["terminal.integrated", "confirmOnExit"];
}

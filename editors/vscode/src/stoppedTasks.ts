/** A restart of the server stops what runs: that is said first, and may be declined. */

import * as vscode from "vscode";
import type { TaskBook } from "./taskBook";
import { title } from "./wording";

const RESTART = "Restart";

/** Whether the server may be restarted: at once where nothing runs, else where the person says so. */
export async function mayRestart(book: TaskBook): Promise<boolean> {
  const commands = book.running.map((record) => title(record.command));
  if (commands.length === 0) {
    return true;
  }
  const question = "Restart the zsh-ls server? What runs is stopped with it.";
  const about = { modal: true, detail: commands.join("\n") };
  return (await vscode.window.showWarningMessage(question, about, RESTART)) === RESTART;
}

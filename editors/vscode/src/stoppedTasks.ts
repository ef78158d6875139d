/**
 * What stops running tasks is said. A restart of the server may be declined. VS Code lets no extension
 * object to the end of a window: that is told at the next start, with VS Code's own way to be asked.
 */

import * as vscode from "vscode";
import type { TaskBook } from "./taskBook";
import { title } from "./wording";

const RESTART = "Restart";
const ASK = "Ask Next Time";
const RUNNING = "runningTasks";

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

/** Tells what the last end of this window stopped, and notes how many tasks run from now on. */
export function noteRunning(book: TaskBook, state: vscode.Memento): vscode.Disposable {
  let noted = state.get<number>(RUNNING, 0);
  if (noted > 0) {
    void tellOfStopped(noted);
  }
  // Their number alone: a command may hold what is to be kept nowhere.
  const note = (): void => {
    const running = book.running.length;
    if (running !== noted) {
      noted = running;
      void state.update(RUNNING, running);
    }
  };
  note();
  return new vscode.Disposable(book.onChange(note));
}

async function tellOfStopped(count: number): Promise<void> {
  const tasks = count === 1 ? "1 task of zsh-ls was" : `${String(count)} tasks of zsh-ls were`;
  const text = `${tasks} stopped when this window was closed or reloaded.`;
  const [section, name] = settingThatAsks();
  const settings = vscode.workspace.getConfiguration(section);
  const offers = settings.get(name) === "always" ? [] : [ASK];
  if ((await vscode.window.showWarningMessage(text, ...offers)) === ASK) {
    await settings.update(name, "always", vscode.ConfigurationTarget.Global);
  }
}

/** VS Code's own: it asks while any terminal is open; in a browser, which never asks so, always. */
function settingThatAsks(): [section: string, name: string] {
  return vscode.env.uiKind === vscode.UIKind.Web
    ? ["window", "confirmBeforeClose"]
    : ["terminal.integrated", "confirmOnExit"];
}

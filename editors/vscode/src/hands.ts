/** What the person does in the editors: a task that asks takes the keyboard from nobody who uses it. */

import * as vscode from "vscode";

export class Hands implements vscode.Disposable {
  private acts = 0;

  // What commands and extensions select has no kind.
  private readonly listening = vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
    if (kind !== undefined) {
      this.acts++;
    }
  });

  /** A question whether nothing was typed or pointed at since now. */
  fromNowOn(): () => boolean {
    const before = this.acts;
    return () => this.acts === before;
  }

  dispose(): void {
    this.listening.dispose();
  }
}

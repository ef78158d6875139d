/** Moves the hints behind the lines to one column, so that results can be read down the page. */

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { dotsBetween, gapsBefore } from "./gaps";

const gap = vscode.window.createTextEditorDecorationType({});

/** Hints pass through here; what is drawn before each is a gap and nothing else. */
export const withGaps: Pick<Middleware, "provideInlayHints"> = {
  provideInlayHints: async (document, range, token, next) => {
    const hints = (await next(document, range, token)) ?? [];
    // How a run went and what its command usually takes would be read as one: `3.0s~3s`.
    const dots = dotsBetween(
      hints.map(({ position: { line, character } }) => `${line}:${character}`),
    );
    hints.forEach((hint, at) => {
      if (typeof hint.label === "string") {
        hint.label = `${dots[at] ?? ""}${hint.label}`;
      }
    });
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document === document) {
        show(editor, range, hints);
      }
    }
    return hints;
  },
};

function show(editor: vscode.TextEditor, range: vscode.Range, hints: vscode.InlayHint[]): void {
  const { document } = editor;
  const lines = [...new Set(hints.map((hint) => hint.position.line))]
    .filter((line) => line < document.lineCount && range.contains(new vscode.Position(line, 0)))
    .map((line) => ({ line, text: document.lineAt(line).text }));
  const tabSize = typeof editor.options.tabSize === "number" ? editor.options.tabSize : 4;
  const gaps = gapsBefore(
    lines.map(({ text }) => text),
    tabSize,
  );
  editor.setDecorations(
    gap,
    lines.map(({ line }, at) => ({
      range: document.lineAt(line).range.with({ start: lastOf(document.lineAt(line).range) }),
      renderOptions: { after: { contentText: "", margin: `0 0 0 ${gaps[at] ?? 0}ch` } },
    })),
  );
}

/** The place before the last character of a line. */
function lastOf({ end }: vscode.Range): vscode.Position {
  return end.translate(0, end.character > 0 ? -1 : 0);
}

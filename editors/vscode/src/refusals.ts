/** Why a script is not formatted is said: the client only logs it. */

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { messageOf } from "./server";

// An editor that formats whatever it saves hears the same thing once.
const told = new Map<string, string>();

export const withRefusals: Middleware = {
  provideDocumentFormattingEdits: (document, options, token, next) =>
    telling(document, () => next(document, options, token)),
  provideDocumentRangeFormattingEdits: (document, range, options, token, next) =>
    telling(document, () => next(document, range, options, token)),
};

async function telling<T>(
  document: vscode.TextDocument,
  ask: () => vscode.ProviderResult<T>,
): Promise<T | null | undefined> {
  const uri = document.uri.toString();
  try {
    const edits = await ask();
    told.delete(uri);
    return edits;
  } catch (problem) {
    const message = messageOf(problem);
    if (told.get(uri) !== message) {
      told.set(uri, message);
      void vscode.window.showWarningMessage(message);
    }
    return undefined;
  }
}

/** The code of a finding leads to its rule's page, which VS Code's own preview renders: it needs no network. */

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

const SCHEME = "zsh-ls";
/** What package.json has opened by the preview. */
const ENDING = ".rule.md";

type OfDiagnostics = Pick<
  Middleware,
  "handleDiagnostics" | "provideDiagnostics" | "provideWorkspaceDiagnostics"
>;

/** What diagnostics pass through on their way to the editor. */
export const withPages: OfDiagnostics = {
  handleDiagnostics: (uri, diagnostics, next) => {
    next(uri, diagnostics.map(linked));
  },
  provideDiagnostics: async (document, previousResultId, token, next) => {
    const report = await next(document, previousResultId, token);
    return report && "items" in report ? { ...report, items: report.items.map(linked) } : report;
  },
  provideWorkspaceDiagnostics: (resultIds, token, reporter, next) =>
    next(resultIds, token, (chunk) => {
      const items = chunk?.items.map((it) =>
        "items" in it ? { ...it, items: it.items.map(linked) } : it,
      );
      reporter(chunk && items ? { ...chunk, items } : chunk);
    }),
};

/** The rule that a document of ours is the page of. */
export function ruleOf({ path }: vscode.Uri): string | undefined {
  return path.endsWith(ENDING) ? path.slice(1, -ENDING.length) : undefined;
}

function linked(found: vscode.Diagnostic): vscode.Diagnostic {
  if (typeof found.code === "object") {
    const { value } = found.code;
    const target = vscode.Uri.from({ scheme: SCHEME, path: `/${value}${ENDING}` });
    found.code = { value, target };
  }
  return found;
}

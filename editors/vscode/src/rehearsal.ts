/** Rehearsals: the server shows progress and hints on the lines, this the sum and a list. */

import * as vscode from "vscode";
import type { RehearsalResult, RehearseParams } from "./protocol";
import { rehearsalItems, rehearsalSummary } from "./rehearsalItems";
import type { Server } from "./server";
import { t } from "./l10n";

/** Rehearse; the sum is a message, and its button lists the lines to look at. */
export async function shownRehearsal(
  server: Server,
  params: RehearseParams,
): Promise<RehearsalResult> {
  const found = await server.request("zsh/rehearse", params);
  const uri = vscode.Uri.parse(params.textDocument.uri);
  void listed(uri, found); // the message may stay for long
  return found;
}

async function listed(uri: vscode.Uri, found: RehearsalResult): Promise<void> {
  const summary = rehearsalSummary(found);
  const items = rehearsalItems(found);
  const buttons = items.length === 0 ? [] : [t("Show Lines")];
  if ((await vscode.window.showInformationMessage(summary, ...buttons)) !== t("Show Lines")) {
    return;
  }
  const how = { title: summary, matchOnDescription: true, matchOnDetail: true };
  const chosen = await vscode.window.showQuickPick(items, how);
  if (chosen !== undefined) {
    const selection = new vscode.Range(chosen.line, 0, chosen.line, 0);
    const place = chosen.file === undefined ? uri : vscode.Uri.file(chosen.file);
    await vscode.window.showTextDocument(place, { selection });
  }
}

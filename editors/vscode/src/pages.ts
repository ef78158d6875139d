/** Read-only documents: the whole output of a task, the page of a rule. */

import * as vscode from "vscode";
import { t } from "./l10n";
import type { OutputPage } from "./protocol";
import { ruleOf } from "./rulePages";
import type { Server } from "./server";
import { titleHere } from "./titles";

const SCHEME = "zsh-ls";
const OUTPUT = "output";
// The editor shows no larger files.
const LONGEST_CHARS = 48 * 1024 * 1024;

export class Pages implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();

  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {}

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    );
  }

  /** Opens the whole kept output of a task, by default of the last one that ended. */
  async showOutput(taskId: string | undefined): Promise<void> {
    const first = await this.server.request("zsh/output", { task_id: taskId ?? null, to_line: 1 });
    const name = `${titleHere(first.command, 40).replaceAll("/", "∕")} (${first.task_id}).log`;
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: `/${name}`,
      query: OUTPUT,
      fragment: first.task_id,
    });
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const rule = ruleOf(uri);
    return rule === undefined
      ? this.wholeOutput(uri.fragment)
      : (await this.server.request("zsh/rule", { name: rule })).markdown;
  }

  private async wholeOutput(taskId: string): Promise<string> {
    const texts: string[] = [];
    let chars = 0;
    for (let line: number | null = 1; line !== null;) {
      const page: OutputPage = await this.server.request("zsh/output", {
        task_id: taskId,
        from_line: line,
      });
      texts.push(page.output);
      chars += page.output.length;
      line = page.more && page.to_line !== null ? page.to_line + 1 : null;
      if (line !== null && chars > LONGEST_CHARS) {
        const left = page.total_lines - line + 1;
        texts.push(`… ${t("{0} more lines:", left)} zsh-ls output ${taskId} --raw\n`);
        line = null;
      }
    }
    return texts.join("");
  }
}

/** Read-only documents: the whole output of a task, and answers with their commands to run. */

import * as vscode from "vscode";
import type { Answer, OutputPage, ProposedCommand, RunParams } from "./protocol";
import type { Server } from "./server";
import { title } from "./wording";

const SCHEME = "zsh-ls";
const OUTPUT = "output";
const ANSWER = "zsh-ls-answer"; // long lines of it are wrapped: it is prose
const KEPT_ANSWERS = 50;
// The editor shows no larger files.
const LONGEST_CHARS = 48 * 1024 * 1024;

export class Pages implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly answers = new Map<string, Answer>();
  private count = 0;

  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {}

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.languages.registerCodeLensProvider({ scheme: SCHEME }, this),
    );
  }

  /** Opens the whole kept output of a task, by default of the last one that ended. */
  async showOutput(taskId: string | undefined): Promise<void> {
    const first = await this.server.request("zsh/output", { task_id: taskId ?? null, to_line: 1 });
    const name = `${title(first.command, 40).replaceAll("/", "∕")} (${first.task_id}).log`;
    const uri = vscode.Uri.from({
      scheme: SCHEME,
      path: `/${name}`,
      query: OUTPUT,
      fragment: first.task_id,
    });
    this.changed.fire(uri);
    await show(uri, vscode.ViewColumn.Active);
  }

  /** Opens an answer beside the script, with its commands to run. */
  async showAnswer(question: string, answer: Answer): Promise<void> {
    const name = title(question, 40).replaceAll("/", "∕") || "answer";
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.txt`, query: `${++this.count}` });
    this.answers.set(uri.query, answer);
    for (const old of [...this.answers.keys()].slice(0, -KEPT_ANSWERS)) {
      this.answers.delete(old);
    }
    await show(uri, vscode.ViewColumn.Beside, ANSWER);
  }

  provideTextDocumentContent(uri: vscode.Uri): Promise<string> | string {
    return uri.query === OUTPUT
      ? this.wholeOutput(uri.fragment)
      : (this.answers.get(uri.query)?.text ?? "This answer is not kept any more.");
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const commands = this.answers.get(document.uri.query)?.commands ?? [];
    return commands.flatMap((proposed) => lensesOf(proposed, document));
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
        texts.push(`… ${page.total_lines - line + 1} more lines: zsh-ls output ${taskId} --raw\n`);
        line = null;
      }
    }
    return texts.join("");
  }
}

function lensesOf(proposed: ProposedCommand, document: vscode.TextDocument): vscode.CodeLens[] {
  const first = proposed.command.split("\n", 1)[0] ?? "";
  const at = document.getText().indexOf(first);
  if (first === "" || at < 0) {
    return [];
  }
  const params: RunParams = { command: proposed.command };
  const title = proposed.privilege === "root" ? "▷ run as root" : "▷ run";
  const command = { title, command: "zsh.run", arguments: [params] };
  const place = document.positionAt(at);
  return [new vscode.CodeLens(new vscode.Range(place, place), command)];
}

async function show(
  uri: vscode.Uri,
  viewColumn: vscode.ViewColumn,
  language?: string,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (language !== undefined) {
    await vscode.languages.setTextDocumentLanguage(document, language);
  }
  await vscode.window.showTextDocument(document, { viewColumn, preview: true });
}

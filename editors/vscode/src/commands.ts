/** The commands of the palette, the keys, the menus and the lenses. */

import * as vscode from "vscode";
import type { ExecuteCommandMiddleware } from "vscode-languageclient/node";
import { LANGUAGE, SCHEMES } from "./client";
import { failureItems } from "./failures";
import type { AnswerPanel } from "./answerPanel";
import type { Pages } from "./pages";
import type { Questions } from "./scriptQuestions";
import {
  commands as ofServer,
  type Answer,
  type AskParams,
  type ExplainParams,
  type FailuresParams,
  type RehearseParams,
  type RehearsalResult,
  type RunParams,
  type RunScriptParams,
  type StartupParams,
  type TaskResult,
  type WhyParams,
} from "./protocol";
import { blockAround, lineAround, runnableAt, scriptEditor } from "./runnable";
import type { Runner } from "./runner";
import { measuredStart, measuredStartHere, measuredWithout } from "./measuredStart";
import { messageOf, wasCancelled, type Server } from "./server";
import { shownRehearsal } from "./rehearsal";
import { mayRestart } from "./stoppedTasks";
import type { TaskBook, TaskRecord } from "./taskBook";
import { mayRun } from "./trust";
import { description, title } from "./wording";
import { t } from "./l10n";

const STARTING = "zsh-ls: the server is starting; then it runs";
const NOTHING_TO_RUN = "There is no command here to run.";
const NOTHING_LEFT = "No line of this document has left anything yet.";
const BEGINS_ANEW = "zsh-ls: the session of this document begins anew";
const NO_TASK = "No task has ended yet.";
const CLEARED = "zsh-ls.cleared";
const NOTHING_RUNS = "No task is running.";

/** The task argument of a command: an item of the task list, an id, or nothing. */
type TaskArgument = { id?: string } | string | undefined;

export class Commands {
  constructor(
    private readonly server: Server,
    private readonly book: TaskBook,
    private readonly runner: Runner,
    private readonly pages: Pages,
    private readonly panel: AnswerPanel,
    private readonly questions: Questions,
    private readonly log: vscode.LogOutputChannel,
    private readonly memento: vscode.Memento,
  ) {
    book.restoreCleared(memento.get<string[]>(CLEARED, []));
  }

  register(): vscode.Disposable {
    const table: Record<string, (argument?: TaskArgument, input?: string) => unknown> = {
      runLine: () => this.runFound(lineAround),
      runSelection: () => this.runFound((editor) => runnableAt(editor, editor.selection)),
      runDetached: () => this.runFound(selectedOrLine, true),
      runBlock: () => this.runFound(blockAround),
      runScript: () => this.runScript(false),
      traceScript: () => this.runScript(true),
      stop: (task) => this.stop(task),
      sendInput: (task, input) => this.sendInput(task, input),
      showOutput: (task) => this.pages.showOutput(idOf(task)),
      showTask: (task) => this.showTask(task),
      rerun: (task) => this.rerun(task),
      copyCommand: (task) => this.copyCommand(task),
      goToLine: (task) => this.goToLine(task),
      clearTasks: () => this.memento.update(CLEARED, this.book.clear()),
      ask: (query) => this.ask(query),
      explain: () => this.explainHere(),
      failures: () => this.failuresHere(),
      rehearse: () => this.rehearseHere(false),
      rehearseFailure: () => this.rehearseHere(true),
      startup: () => (mayRun() ? measuredStartHere(this.server) : undefined),
      startupWithout: () => (mayRun() ? measuredWithout(this.server) : undefined),
      showSession: () => this.session("show"),
      resetSession: () => this.session("reset"),
      restart: () => this.restart(),
      showLogs: () => {
        this.log.show();
      },
    };
    const registered = Object.entries(table).map(([name, does]) =>
      vscode.commands.registerCommand(`zsh-ls.${name}`, (task?: TaskArgument, input?: string) =>
        showingErrors(() => does(task, input)),
      ),
    );
    return vscode.Disposable.from(...registered);
  }

  /** Commands of the server's lenses and code actions, carried out here so that the result is shown. */
  readonly executeCommand: NonNullable<ExecuteCommandMiddleware["executeCommand"]> = (
    command,
    args: unknown[],
    next,
  ) => {
    const [params] = args;
    if (typeof params !== "object" || params === null) {
      return next(command, args) as unknown; // the server says what is missing
    }
    switch (command) {
      case ofServer.run:
        return this.runner.run(params as RunParams);
      case ofServer.runScript:
        return this.runner.runScript(params as RunScriptParams);
      case ofServer.explain:
        return showingErrors(() => this.explain(params as ExplainParams));
      case ofServer.why:
        return showingErrors(() => this.why(params as WhyParams));
      case ofServer.failures:
        return showingErrors(() => this.failures(params as FailuresParams));
      case ofServer.startup:
        return showingErrors(() => measuredStart(this.server, params as StartupParams));
      case ofServer.rehearse:
        return showingErrors(() => this.rehearse(params as RehearseParams));
      case ofServer.ask:
        return showingErrors(() => this.ask((params as AskParams).query));
      default:
        return next(command, args) as unknown;
    }
  };

  private async runFound(
    find: (editor: vscode.TextEditor) => Promise<RunParams | undefined>,
    detached = false,
  ): Promise<TaskResult | undefined> {
    const editor = mayRun() ? scriptEditor() : undefined;
    if (!editor || !(await this.liesHere(editor.document))) {
      return undefined;
    }
    this.sayStarting();
    await this.server.ready(); // else its problem is shown: "nothing found" would be untrue
    const params = await find(editor);
    if (params === undefined) {
      vscode.window.setStatusBarMessage(t(NOTHING_TO_RUN), 3_000);
      return undefined;
    }
    return this.runner.run(detached ? { ...params, detached } : params);
  }

  private async runScript(trace: boolean): Promise<TaskResult | undefined> {
    const document = mayRun() ? scriptEditor()?.document : undefined;
    if (!document || !(await this.liesHere(document))) {
      return undefined;
    }
    this.sayStarting();
    return this.runner.runScript({ textDocument: { uri: document.uri.toString() }, trace });
  }

  /** While the server starts: that what was asked for has been heard. */
  private sayStarting(): void {
    if (this.server.state.kind === "starting") {
      const over = this.server.ready().catch(() => undefined);
      vscode.window.setStatusBarMessage(t(STARTING), over);
    }
  }

  /** Whether a document is on this machine. The server refuses any other and says where it is. */
  private async liesHere({ uri }: vscode.TextDocument): Promise<boolean> {
    if (SCHEMES.includes(uri.scheme)) {
      return true;
    }
    await this.server.request("zsh/runScript", { textDocument: { uri: uri.toString() } });
    return false;
  }

  /** What the script would do; with `fails` what happens then if the line of the cursor does. */
  private async rehearseHere(fails: boolean): Promise<RehearsalResult | undefined> {
    const editor = mayRun() ? scriptEditor() : undefined;
    if (!editor) {
      return undefined;
    }
    const textDocument = { uri: editor.document.uri.toString() };
    const fail = fails ? editor.selection.active.line : undefined;
    return this.rehearse({ textDocument, ...(fail === undefined ? {} : { fail }) });
  }

  /** A rehearsal has the arguments that a run would have. */
  private async rehearse(params: RehearseParams): Promise<RehearsalResult | undefined> {
    const { uri } = params.textDocument;
    const asked = await this.questions.asked(uri);
    const args = asked && (await this.questions.argumentsOf(uri, asked));
    return asked && args === undefined
      ? undefined
      : shownRehearsal(this.server, { ...params, ...(args && { args }) });
  }

  private async stop(argument: TaskArgument): Promise<void> {
    const id = await this.runningTask(argument, t("Stop which task?"));
    if (id !== undefined) {
      const killed = await this.server.request("zsh/kill", { task_id: id });
      vscode.window.setStatusBarMessage(`zsh-ls: ${killed.message}`, 5_000);
    }
  }

  private async sendInput(argument: TaskArgument, given?: string): Promise<void> {
    const id = await this.runningTask(argument, t("Send input to which task?"));
    if (id === undefined || !mayRun()) {
      return;
    }
    const prompt = t("Enter follows.");
    const input = given ?? (await vscode.window.showInputBox({ title: t("Send Input"), prompt }));
    if (input !== undefined) {
      await this.server.request("zsh/send", { task_id: id, input });
    }
  }

  private async restart(): Promise<void> {
    if (await mayRestart(this.book)) {
      await this.server.restart();
    }
  }

  private async showTask(argument: TaskArgument): Promise<void> {
    const id = await this.runningTask(argument, t("Show which task?"));
    if (id !== undefined) {
      this.runner.show(id);
    }
  }

  /** The task of the list that is meant, else the one that ended last. */
  private recordOf(argument: TaskArgument): TaskRecord | undefined {
    const id = idOf(argument);
    const record = id === undefined ? this.book.ended[0] : this.book.get(id);
    if (!record) {
      void vscode.window.showInformationMessage(t(NO_TASK));
    }
    return record;
  }

  private async rerun(argument: TaskArgument): Promise<TaskResult | undefined> {
    const record = this.recordOf(argument);
    return record && mayRun() ? this.runner.again(record) : undefined;
  }

  private async copyCommand(argument: TaskArgument): Promise<void> {
    const record = this.recordOf(argument);
    if (record) {
      await vscode.env.clipboard.writeText(record.command);
    }
  }

  private async goToLine(argument: TaskArgument): Promise<void> {
    const record = this.recordOf(argument);
    const place = record && this.runner.placeOf(record.id);
    if (place) {
      const { start } = place.range;
      const at = new vscode.Range(start.line, start.character, start.line, start.character);
      await vscode.window.showTextDocument(vscode.Uri.parse(place.uri), { selection: at });
    }
  }

  private async ask(given: TaskArgument): Promise<Answer | undefined> {
    const asked = typeof given === "string" ? given : await askedFor();
    return asked
      ? this.shown(asked, await this.server.request("zsh/ask", { query: asked }))
      : undefined;
  }

  private async explainHere(): Promise<Answer | undefined> {
    const editor = scriptEditor();
    if (!editor) {
      return undefined;
    }
    const { line, character } = editor.selection.active;
    const textDocument = { uri: editor.document.uri.toString() };
    return this.explain({ textDocument, position: { line, character } });
  }

  private async explain(params: ExplainParams): Promise<Answer | undefined> {
    const answer = await this.server.request("zsh/explain", params);
    return this.shown(params.command ?? "explanation", answer);
  }

  private async why(params: WhyParams): Promise<Answer | undefined> {
    return this.shown("why it failed", await this.server.request("zsh/why", params));
  }

  private async failuresHere(): Promise<void> {
    const uri = scriptEditor()?.document.uri.toString();
    if (uri !== undefined) {
      await this.failures({ textDocument: { uri } });
    }
  }

  /** The commands of a script whose failure nobody notices; the one that is chosen is shown. */
  private async failures(params: FailuresParams): Promise<void> {
    const { commands, counts } = await this.server.request("zsh/failures", params);
    const title = t("{0} of {1} can fail unnoticed", counts.unnoticed, commands.length);
    const items = failureItems(commands);
    if (items.length === 0) {
      void vscode.window.showInformationMessage(title);
      return;
    }
    const how = { title, matchOnDescription: true, matchOnDetail: true };
    const chosen = await vscode.window.showQuickPick(items, how);
    if (chosen !== undefined) {
      const { start, end } = chosen.range;
      const selection = new vscode.Range(start.line, start.character, end.line, end.character);
      await vscode.window.showTextDocument(vscode.Uri.parse(params.textDocument.uri), {
        selection,
      });
    }
  }

  /** What the lines of the document that were run have left so far; or it begins anew. */
  private async session(action: "show" | "reset"): Promise<void> {
    const session = scriptEditor()?.document.uri.toString();
    if (session === undefined) {
      return;
    }
    const { sessions } = await this.server.request("zsh/session", {});
    if (!sessions.some((one) => one.session === session)) {
      void vscode.window.showInformationMessage(t(NOTHING_LEFT));
      return;
    }
    const { held } = await this.server.request("zsh/session", { action, session });
    if (action === "reset") {
      vscode.window.setStatusBarMessage(t(BEGINS_ANEW), 5_000);
      return;
    }
    const lines = (held ?? []).map(({ name, kind, value }) =>
      kind === "function" ? value : `${name}=${value}  # ${kind}`,
    );
    const content = `${lines.join("\n")}\n`;
    const document = await vscode.workspace.openTextDocument({ content, language: LANGUAGE });
    await vscode.window.showTextDocument(document, { preview: true });
  }

  private async shown(question: string, answer: Answer): Promise<Answer> {
    await this.panel.show(question, answer);
    return answer;
  }

  /** The task to act on; if several run, the user chooses. */
  private async runningTask(argument: TaskArgument, question: string): Promise<string | undefined> {
    const given = idOf(argument);
    const running = this.book.running;
    if (given === undefined && running.length === 0) {
      vscode.window.setStatusBarMessage(t(NOTHING_RUNS), 3_000);
    }
    if (given !== undefined || running.length < 2) {
      return given ?? running[0]?.id;
    }
    const items = running.toReversed().map((record) => itemOf(record));
    return (await vscode.window.showQuickPick(items, { title: question }))?.id;
  }
}

/** The result of `does`; an error is shown with its own message, but not that the person cancelled it. */
async function showingErrors<T>(does: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await does();
  } catch (problem) {
    if (!wasCancelled(problem)) {
      void vscode.window.showWarningMessage(messageOf(problem));
    }
    return undefined;
  }
}

function idOf(argument: TaskArgument): string | undefined {
  return typeof argument === "string" ? argument : argument?.id;
}

function itemOf(record: TaskRecord): vscode.QuickPickItem & { id: string } {
  const { id } = record;
  return { id, label: title(record.command), description: description(record, Date.now()) };
}

async function askedFor(): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: t("Ask zsh-ls"),
    placeHolder: "what failed last · how long does make take · which host is flaky",
  });
}

function selectedOrLine(editor: vscode.TextEditor): Promise<RunParams | undefined> {
  return editor.selection.isEmpty ? lineAround(editor) : runnableAt(editor, editor.selection);
}

/** Runs commands and scripts, in trusted workspaces only, with their output in a terminal. */

import * as vscode from "vscode";
import type { FoundPlaces } from "./foundPlaces";
import type { Hands } from "./hands";
import type { RunParams, RunScriptParams, TaskResult } from "./protocol";
import type { Questions } from "./scriptQuestions";
import type { Server } from "./server";
import { quoted } from "./shellTests";
import { answerTo, offeredRange } from "./sessionQuestion";
import { usesTerminal } from "./settings";
import type { TaskBook, TaskRecord } from "./taskBook";
import { TaskTerminal, type Bond, type Started } from "./taskTerminal";
import { NOT_TRUSTED, mayRun } from "./trust";
import { titleHere } from "./titles";
import { NOT_KEPT, shownCommand } from "./wording";
import { t } from "./l10n";

// A task that ends sooner is answered with its end; the output of any other is shown live.
const YIELD_AFTER_S = 0.3;
const LISTEN_S = 300;
const COMMAND_NOT_KEPT = "The text of that command is not kept: it began with a space.";
const DEFAULT_SIZE = { columns: 80, rows: 24 };

type Start = (size: vscode.TerminalDimensions) => Promise<TaskResult>;
type Over = (result: TaskResult | undefined) => void;

/** What was asked for, to ask for it once more. */
type Asked = { run: RunParams } | { script: RunScriptParams };

const MOST_ASKED = 200;
const ignore: Over = () => undefined;

export class Runner {
  private readonly shown = new Map<vscode.Terminal, TaskTerminal>();
  private readonly asked = new Map<string, Asked>();

  constructor(
    private readonly server: Server,
    private readonly book: TaskBook,
    private readonly found: FoundPlaces,
    private readonly questions: Questions,
    private readonly hands: Hands,
  ) {}

  /** Runs a command in a terminal of its own; the result when it has ended. */
  async run(asked: RunParams): Promise<TaskResult | undefined> {
    const params = mayRun() ? await this.questions.ofLine(asked) : undefined;
    if (params === undefined) {
      return undefined;
    }
    // A detached run goes on when its terminal is closed.
    const stopsTask = params.detached !== true;
    const start = (size: vscode.TerminalDimensions): Promise<TaskResult> =>
      this.startCommand(params, size);
    return this.inTerminal(shownCommand(params.command), start, stopsTask);
  }

  /** Runs, or traces, an open script in a terminal of its own; the result when it has ended. */
  async runScript(asked: RunScriptParams): Promise<TaskResult | undefined> {
    const params = mayRun() ? await this.questions.ofScript(asked) : undefined;
    if (params === undefined) {
      return undefined;
    }
    const command = called(vscode.Uri.parse(params.textDocument.uri), params.args);
    const result = await this.inTerminal(command, (size) => this.startScript(params, size));
    if (result?.traced === false && result.message !== undefined) {
      void vscode.window.showWarningMessage(`zsh-ls: ${result.message}`);
    }
    return result;
  }

  /** A terminal for one of VS Code's tasks, which closes it. */
  terminalOfCommand(params: RunParams): vscode.Pseudoterminal {
    const bond = { command: shownCommand(params.command), stopsTask: true, endsWithTask: true };
    return this.terminal(bond, (size) => this.startCommand(params, size));
  }

  terminalOfScript(
    uri: vscode.Uri,
    more: Omit<RunScriptParams, "textDocument">,
  ): vscode.Pseudoterminal {
    const bond = { command: called(uri, more.args), stopsTask: true, endsWithTask: true };
    return this.terminal(bond, async (size) => {
      await vscode.workspace.openTextDocument(uri); // the server runs what is open
      return this.startScript({ ...more, textDocument: { uri: uri.toString() } }, size);
    });
  }

  /** Runs once more what a task ran; of a task from elsewhere its command, where that ran. */
  async again(record: TaskRecord): Promise<TaskResult | undefined> {
    const asked = this.asked.get(record.id);
    if (asked) {
      return "run" in asked ? this.run(asked.run) : this.runScript(asked.script);
    }
    if (shownCommand(record.command) !== record.command || record.command === NOT_KEPT) {
      void vscode.window.showInformationMessage(t(COMMAND_NOT_KEPT));
      return undefined;
    }
    const cwd = record.cwd === undefined ? {} : { cwd: record.cwd };
    return this.run({ command: record.command, ...cwd });
  }

  /** Where a task's command stands in a document, if this window ran it from one. */
  placeOf(id: string): RunParams["document"] {
    const asked = this.asked.get(id);
    return asked && "run" in asked ? asked.run.document : undefined;
  }

  /** Shows a task that was started elsewhere, or earlier. */
  show(id: string): void {
    const record = this.book.get(id);
    if (record) {
      const bond = { command: record.command, stopsTask: false, endsWithTask: false };
      const found = { id, isPty: record.isPty };
      this.open(new TaskTerminal(this.server, this.book, bond, () => Promise.resolve(found)), bond);
    }
  }

  private inTerminal(
    command: string,
    start: Start,
    stopsTask = true,
  ): Promise<TaskResult | undefined> {
    const bond = { command, stopsTask, endsWithTask: false };
    return new Promise((resolve) => {
      this.open(this.terminal(bond, start, resolve), bond);
    });
  }

  /** `over` is called once: with the result, or without one if the terminal shows why there is none. */
  private terminal(bond: Bond, start: Start, over: Over = ignore): TaskTerminal {
    return new TaskTerminal(this.server, this.book, bond, async (size): Promise<Started> => {
      try {
        const first = await start(size ?? DEFAULT_SIZE);
        this.end(first).then(over, () => {
          over(undefined);
        });
        return { id: first.task_id, isPty: first.is_pty, cwd: first.cwd };
      } catch (problem) {
        over(undefined);
        throw problem;
      }
    });
  }

  /** Opens a terminal, and closes those whose tasks have ended. */
  private open(pty: TaskTerminal, bond: Bond): void {
    for (const [terminal, { isOver }] of this.shown) {
      if (isOver || terminal.exitStatus) {
        this.shown.delete(terminal);
        terminal.dispose();
      }
    }
    const options = {
      name: titleHere(bond.command, 30),
      pty,
      iconPath: new vscode.ThemeIcon("play"),
    };
    const terminal = vscode.window.createTerminal(options);
    this.shown.set(terminal, pty);
    const isAtRest = this.hands.fromNowOn();
    pty.onQuestion = () => {
      // The next keys of somebody who has gone on working are not meant for the task.
      if (isAtRest() && vscode.window.activeTerminal === terminal) {
        terminal.show(false);
      } else {
        void tellOfQuestion(terminal, bond.command);
      }
    };
    terminal.show(true);
  }

  private async startCommand(
    params: RunParams,
    size: vscode.TerminalDimensions,
  ): Promise<TaskResult> {
    refuseUntrusted();
    // A person pressed a key for each of these runs: the same once more is no retry.
    const asked = { ...typedInto(params, size), rerun: true };
    try {
      return this.noted(await this.server.request("zsh/run", asked), { run: params });
    } catch (problem) {
      const missing = await answerTo(problem, params.document?.uri);
      if (missing === undefined) {
        throw problem;
      }
      const range = missing === "first" ? offeredRange(problem) : undefined;
      const whole = range ? await this.questions.ofLine(params, range) : params;
      if (whole === undefined) {
        throw problem;
      }
      const { args } = whole;
      const again = { ...asked, missing, ...(args ? { args } : {}) };
      return this.noted(await this.server.request("zsh/run", again), { run: whole });
    }
  }

  private async startScript(
    params: RunScriptParams,
    size: vscode.TerminalDimensions,
  ): Promise<TaskResult> {
    refuseUntrusted();
    const result = await this.server.request("zsh/runScript", typedInto(params, size));
    return this.noted(result, { script: params });
  }

  /** The result of a task when it has ended; the task book has it as well. */
  private async end(result: TaskResult): Promise<TaskResult> {
    let last = result;
    while (last.status === "running") {
      const poll = { task_id: last.task_id, until: "end" as const, listen: LISTEN_S };
      last = this.noted(await this.server.request("zsh/poll", poll));
    }
    return last;
  }

  private noted(result: TaskResult, asked?: Asked): TaskResult {
    if (asked) {
      this.asked.set(result.task_id, asked);
      for (const old of [...this.asked.keys()].slice(0, -MOST_ASKED)) {
        this.asked.delete(old);
      }
    }
    this.book.answered(result, asked && "run" in asked ? asked.run.detached : undefined);
    this.found.heard(result);
    return result;
  }
}

/** The parameters with a way to type: a terminal of that size, or an open pipe. */
function typedInto<Params extends RunParams | RunScriptParams>(
  params: Params,
  size: vscode.TerminalDimensions,
): Params {
  const pty = params.pty ?? usesTerminal();
  const terminal = { pty, interactive: !pty, cols: size.columns, rows: size.rows };
  return { ...params, ...terminal, yield_after: YIELD_AFTER_S };
}

/** A script with its arguments, as one would type it. */
function called(uri: vscode.Uri, args: string[] = []): string {
  return [vscode.workspace.asRelativePath(uri), ...args.map(quoted)].join(" ");
}

async function tellOfQuestion(terminal: vscode.Terminal, command: string): Promise<void> {
  const told = t("{0} waits for input.", titleHere(command));
  if ((await vscode.window.showInformationMessage(told, t("Show"))) !== undefined) {
    terminal.show(false);
  }
}

/** Throws in an untrusted workspace; the last check before a request, however a run was started. */
function refuseUntrusted(): void {
  if (!vscode.workspace.isTrusted) {
    throw new Error(t(NOT_TRUSTED));
  }
}

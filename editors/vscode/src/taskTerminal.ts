/** A task in a terminal: shows its output live, with colours, and sends it what is typed. */

import { homedir } from "node:os";
import * as vscode from "vscode";
import { LineInput } from "./lineInput";
import { LiveOutput } from "./liveOutput";
import { Pump } from "./pump";
import type { Progress } from "./protocol";
import { messageOf, type Server } from "./server";
import type { TaskBook, TaskRecord } from "./taskBook";
import { TerminalText } from "./terminalText";
import { folder, footer, hasFailed, remark, title } from "./wording";
import { t } from "./l10n";

/** A task that has been started. */
export interface Started {
  id: string;
  isPty: boolean;
  /** Where it runs, if it was started here. */
  cwd?: string;
}

/** How a terminal and its task depend on each other. */
export interface Bond {
  command: string;
  /** Whether closing the terminal stops the task: true for the terminal that started it. */
  stopsTask: boolean;
  /** Whether the terminal ends with the task, as for VS Code's tasks. */
  endsWithTask: boolean;
}

type Begin = (size: vscode.TerminalDimensions | undefined) => Promise<Started>;

export class TaskTerminal implements vscode.Pseudoterminal {
  private readonly wrote = new vscode.EventEmitter<string>();
  private readonly closed = new vscode.EventEmitter<number>();
  private readonly line = new LineInput();
  private task: Started | undefined;
  private size: vscode.TerminalDimensions | undefined;
  private over = false;
  private wasTypedInto = false;

  readonly onDidWrite = this.wrote.event;
  readonly onDidClose = this.closed.event;

  /** `begin` starts or finds the task when the terminal has opened. */
  constructor(
    private readonly server: Server,
    private readonly book: TaskBook,
    private readonly bond: Bond,
    private readonly begin: Begin,
  ) {}

  /** Called once, when the task waits to be typed into and the person has not answered anything yet. */
  onQuestion: () => void = () => undefined;

  /** Whether the task has ended, so that another one's terminal may replace this. */
  get isOver(): boolean {
    return this.over;
  }

  open(size: vscode.TerminalDimensions | undefined): void {
    this.size = size;
    this.wrote.fire(remark(`$ ${title(this.bond.command, 500)}`));
    void this.show();
  }

  /** Called when the user has closed it. */
  close(): void {
    if (!this.over && this.task && this.bond.stopsTask) {
      // It may have ended in the meantime.
      this.server.request("zsh/kill", { task_id: this.task.id }).catch(() => undefined);
    }
  }

  setDimensions(size: vscode.TerminalDimensions): void {
    this.size = size;
    this.resize();
  }

  handleInput(keys: string): void {
    this.wasTypedInto = true;
    if (this.over) {
      this.closed.fire(0);
    } else if (this.task) {
      void this.send(this.task, keys);
    }
  }

  /** Follows the task from its start to its end, and shows errors. */
  private async show(): Promise<void> {
    try {
      this.task = await this.begin(this.size);
      if (this.task.cwd !== undefined) {
        this.wrote.fire(remark(t("in {0}", folder(this.task.cwd, homedir()))));
      }
      this.resize();
      this.finish(await this.follow(this.task));
    } catch (problem) {
      this.wrote.fire(remark(messageOf(problem)));
      this.finish(undefined);
    }
  }

  private async follow(task: Started): Promise<TaskRecord> {
    const live = new LiveOutput(task.id, (params) => this.server.request("zsh/output", params));
    const text = new TerminalText(!task.isPty);
    const pump = new Pump(() => this.write(live, text));
    const heard = this.server.onProgress((news) => {
      if (news.task_id === task.id) {
        pump.again();
        this.heed(news);
      }
    });
    pump.again();
    const end = await this.book.whenEnded(task.id);
    heard.dispose();
    await pump.last().catch((problem: unknown) => {
      this.wrote.fire(remark(messageOf(problem)));
    });
    return end;
  }

  /** A question takes the focus, unless it has been answered already. */
  private heed(news: Progress): void {
    if (news.poll_meta?.waiting_for_input === true && !this.wasTypedInto) {
      this.wasTypedInto = true;
      this.onQuestion();
    }
  }

  private async write(live: LiveOutput, text: TerminalText): Promise<void> {
    for await (const { data, skipped } of live.news()) {
      this.wrote.fire(skipped ? remark(t("… {0} lines passed over …", skipped)) : text.text(data));
    }
  }

  private finish(record: TaskRecord | undefined): void {
    this.over = true;
    if (record) {
      this.wrote.fire(`\r\n${footer(record)}`);
    }
    if (this.bond.endsWithTask) {
      this.closed.fire(record ? exitOf(record) : 1);
    } else {
      this.wrote.fire(remark(t("Press any key to close.")));
    }
  }

  private async send(task: Started, keys: string): Promise<void> {
    try {
      if (task.isPty) {
        await this.server.request("zsh/send", { task_id: task.id, input: keys, newline: false });
      } else {
        await this.sendLines(task, keys);
      }
    } catch (problem) {
      this.wrote.fire(`\r\n${remark(messageOf(problem))}`);
    }
  }

  private async sendLines(task: Started, keys: string): Promise<void> {
    const { echo, lines, ends, stops } = this.line.typed(keys);
    this.wrote.fire(echo);
    for (const input of lines) {
      await this.server.request("zsh/send", { task_id: task.id, input });
    }
    if (stops) {
      await this.server.request("zsh/kill", { task_id: task.id });
    } else if (ends) {
      const end = { task_id: task.id, input: "", newline: false, eof: true };
      await this.server.request("zsh/send", end);
    }
  }

  private resize(): void {
    if (this.task?.isPty && this.size && !this.over) {
      const size = { cols: this.size.columns, rows: this.size.rows };
      // The task may have ended in the meantime.
      this.server.request("zsh/resize", { task_id: this.task.id, ...size }).catch(() => undefined);
    }
  }
}

/** The exit code of the terminal; not 0 if anything failed. */
function exitOf(record: TaskRecord): number {
  return hasFailed(record) ? Math.max(1, record.exit ?? 1) : 0;
}

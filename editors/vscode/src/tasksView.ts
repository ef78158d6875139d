/** The list of tasks of the user and of agents: running ones, then recent ones. */

import * as vscode from "vscode";
import type { Runner } from "./runner";
import type { Server } from "./server";
import { isRunning, type TaskBook, type TaskRecord, type Verdict } from "./taskBook";
import { titleHere } from "./titles";
import { description, verdict } from "./wording";
import { t } from "./l10n";

const VIEW = "zsh-ls.tasks";
const MOST_RECENT = 30;
/** What the workspace's other servers run is to show within a second. */
const REFRESH_MS = 1_000;
const TICK_MS = 1_000;

export class TasksView implements vscode.TreeDataProvider<TaskRecord> {
  private readonly changed = new vscode.EventEmitter<undefined>();

  private isJudging = false;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly server: Server,
    private readonly book: TaskBook,
    private readonly runner: Runner,
  ) {}

  register(): vscode.Disposable {
    const view = vscode.window.createTreeView(VIEW, { treeDataProvider: this });
    const stopListening = this.book.onChange(() => {
      this.changed.fire(undefined);
      badge(view, this.book.running.length);
    });
    return vscode.Disposable.from(
      view,
      this.changed,
      new vscode.Disposable(stopListening),
      whileVisible(view, REFRESH_MS, () => this.refresh()),
      whileVisible(view, TICK_MS, () => {
        this.tick();
      }),
    );
  }

  getChildren(record?: TaskRecord): TaskRecord[] {
    return record
      ? []
      : [...this.book.running.toReversed(), ...this.book.ended.slice(0, MOST_RECENT)];
  }

  getTreeItem(record: TaskRecord): vscode.TreeItem {
    const item = new vscode.TreeItem(titleHere(record.command));
    item.id = record.id;
    item.description = description(record, Date.now());
    item.iconPath = iconOf(record);
    const place = this.runner.placeOf(record.id) ? " placed" : "";
    item.contextValue = (isRunning(record) ? "running" : "ended") + place;
    item.tooltip = tooltipOf(record);
    item.command = { command: "zsh-ls.showTask", title: t("Show"), arguments: [record] };
    return item;
  }

  /** Short tasks and those of other servers send no progress, but the server's list has them. */
  async refresh(): Promise<void> {
    if (this.server.state.kind === "running") {
      const { tasks } = await this.server.request("zsh/tasks", { all: true });
      this.book.listed(tasks);
      await this.judge();
    }
  }

  /** Asks what the ends of other servers' tasks meant, each once: the list has their exits alone. */
  private async judge(): Promise<void> {
    if (this.isJudging) {
      return;
    }
    this.isJudging = true;
    try {
      for (const task_id of this.book.unjudged(MOST_RECENT)) {
        const poll = { task_id, listen: 0 };
        this.book.judged(
          task_id,
          await this.server.request("zsh/poll", poll).catch(() => undefined),
        );
      }
    } finally {
      this.isJudging = false;
    }
  }

  private tick(): void {
    if (this.book.running.length > 0) {
      this.changed.fire(undefined);
    }
  }
}

/** Calls `work` when the view is shown, and every `periodMs` while it is. */
function whileVisible(
  view: vscode.TreeView<TaskRecord>,
  periodMs: number,
  work: () => unknown,
): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const follow = (): void => {
    clearInterval(timer);
    if (view.visible) {
      timer = setInterval(work, periodMs);
      work();
    }
  };
  follow();
  return vscode.Disposable.from(
    view.onDidChangeVisibility(follow),
    new vscode.Disposable(() => {
      clearInterval(timer);
    }),
  );
}

function badge(view: vscode.TreeView<TaskRecord>, running: number): void {
  view.badge = running > 0 ? { value: running, tooltip: t("{0} running", running) } : undefined;
}

const ICONS: Record<Verdict, { icon: string; colour?: string }> = {
  passed: { icon: "pass", colour: "testing.iconPassed" },
  normal: { icon: "circle-outline" },
  masked: { icon: "warning", colour: "list.warningForeground" },
  failed: { icon: "error", colour: "testing.iconFailed" },
};

function iconOf(record: TaskRecord): vscode.ThemeIcon {
  if (isRunning(record)) {
    return new vscode.ThemeIcon(record.waitsForInput ? "question" : "sync~spin");
  }
  const { icon, colour } = ICONS[verdict(record)];
  return new vscode.ThemeIcon(
    icon,
    colour === undefined ? undefined : new vscode.ThemeColor(colour),
  );
}

function tooltipOf(record: TaskRecord): vscode.MarkdownString {
  const facts = [`${record.id} · ${record.origin}`, description(record, Date.now())];
  const said = Object.entries(record.insights).flatMap(([level, messages]) =>
    messages.map((message) => `${level}: ${message}`),
  );
  const text = new vscode.MarkdownString();
  text.appendCodeblock(record.command, "shellscript");
  text.appendText([...facts, ...said].join("\n\n"));
  return text;
}

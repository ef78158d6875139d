/**
 * All known tasks, whoever started them: from its list, its progress and its answers.
 * Pure; durations are in seconds, moments in milliseconds.
 */

import type {
  AlanEstimate,
  Origin,
  PollMeta,
  Progress,
  Status,
  TaskResult,
  TaskSummary,
} from "./protocol";
import { t } from "./l10n";

/** What an end means: a normal exit is none of success and failure, a hidden failure is no success. */
export type Verdict = "passed" | "normal" | "masked" | "failed";

/** What a window leaves to the next one of a task: its verdict, or that it ended with its server, reported or not. */
export type KeptEnd = Verdict | "stopped" | "gone";

/** A task as of the last message about it, at the moment `heardAt`. */
export interface TaskRecord {
  id: string;
  /** Numbers the tasks in the order in which they became known. */
  order: number;
  command: string;
  origin: Origin;
  status: Status;
  elapsed_s: number;
  heardAt: number;
  isPty: boolean;
  /** Whether it outlives its server and this window. */
  isDetached: boolean;
  /** Whether it is a task of this window's server: other servers' are only in its list. */
  isOfThisServer: boolean;
  waitsForInput: boolean;
  estimate: AlanEstimate | undefined;
  exit: number | undefined;
  pipestatus: readonly number[];
  insights: Record<string, string[]>;
  error: string | undefined;
  /** As an earlier window knew it: the server's list tells only the exit. */
  keptVerdict?: Verdict | undefined;
  /** False for another server's task, whose list tells only the exit, until it was asked about. */
  isJudged?: boolean;
  /** Where it ran, if that was told. */
  cwd?: string | undefined;
}

const MOST_ENDED = 100;
const MOST_CLEARED = 500;
export const SERVER_GONE = "The server ended, and the task with it.";

export class TaskBook {
  private readonly records = new Map<string, TaskRecord>();
  private readonly listeners = new Set<() => void>();
  private readonly waiting = new Map<string, ((record: TaskRecord) => void)[]>();

  private readonly cleared = new Set<string>();

  private keptEnds: Readonly<Record<string, KeptEnd>> = {};

  private heardOf = 0;

  constructor(private readonly now: () => number = Date.now) {}

  /** Calls `listener` after each change; dispose the result to stop that. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  get(id: string): TaskRecord | undefined {
    return this.records.get(id);
  }

  /** The running tasks, oldest first. */
  get running(): TaskRecord[] {
    return [...this.records.values()].filter(isRunning).sort((a, b) => a.order - b.order);
  }

  /** The running tasks that end with this window's server: not other servers', nor detached ones. */
  get endingWithServer(): TaskRecord[] {
    return this.running.filter((record) => record.isOfThisServer && !record.isDetached);
  }

  /** The ended tasks, latest first. */
  get ended(): TaskRecord[] {
    const ended = [...this.records.values()].filter(
      (record) => !isRunning(record) && !this.cleared.has(record.id),
    );
    return ended.sort((a, b) => b.order - a.order);
  }

  /** Lists the ended tasks no longer; gives the ids of all that are cleared, for `restoreCleared`. */
  clear(): string[] {
    this.ended.forEach(({ id }) => this.cleared.add(id));
    this.changed();
    return [...this.cleared].slice(-MOST_CLEARED);
  }

  /** Completed tasks of other servers, the latest first: nobody has told yet what their exits meant. */
  unjudged(most: number): string[] {
    return this.ended
      .slice(0, most)
      .filter((it) => it.isJudged === false && it.status === "completed")
      .map(({ id }) => id);
  }

  /** Takes what was asked about the end of another server's task; nothing where that was refused. */
  judged(id: string, result?: TaskResult): void {
    const record = this.records.get(id);
    if (record) {
      const { pipestatus = [], insights = {} } = result ?? {};
      this.put({ ...record, isJudged: true, ...(result ? { pipestatus, insights } : {}) });
      this.changed();
    }
  }

  /** What was cleared before the window was reloaded. */
  restoreCleared(ids: readonly string[]): void {
    ids.forEach((id) => this.cleared.add(id));
  }

  /** What the window that was open before knew of the ends of its tasks, by their ids. */
  restoreEnds(ends: Readonly<Record<string, KeptEnd>>): void {
    this.keptEnds = ends;
  }

  /** The entry of a task, once it has ended. */
  whenEnded(id: string): Promise<TaskRecord> {
    const record = this.records.get(id);
    if (record && !isRunning(record)) {
      return Promise.resolve(record);
    }
    return new Promise((resolve) => {
      this.waiting.set(id, [...(this.waiting.get(id) ?? []), resolve]);
    });
  }

  /** Takes over the server's whole list: tasks that are not in it are removed. */
  listed(tasks: readonly TaskSummary[]): void {
    const named = new Set(tasks.map((task) => task.task_id));
    for (const id of [...this.records.keys()].filter((id) => !named.has(id))) {
      if (!this.waiting.has(id)) {
        this.records.delete(id);
      }
    }
    // What ended before it was known stands after what is listed before it: the list is by start.
    let order = -tasks.length;
    for (const task of tasks) {
      const before = this.records.get(task.task_id);
      const record = ofSummary(task, before, this.now(), this.keptEnds[task.task_id]);
      order = before?.order ?? (record.status === "running" ? this.heardOf++ : order + 1e-6);
      this.put(record, order);
    }
    this.changed();
  }

  progressed(news: Progress): void {
    this.put(ofNews(news, this.records.get(news.task_id), this.now()));
    this.changed();
  }

  answered(result: TaskResult, isDetached?: boolean): void {
    const record = ofNews(result, this.records.get(result.task_id), this.now());
    const detached = isDetached ?? record.isDetached;
    this.put({
      ...record,
      isPty: result.is_pty,
      isDetached: detached,
      error: result.error,
      cwd: result.cwd,
    });
    this.changed();
  }

  /** Marks running tasks as ended: their server is gone, and they with it. */
  lost(): void {
    for (const record of this.endingWithServer) {
      this.put({ ...record, status: "error", error: t(SERVER_GONE), heardAt: this.now() });
    }
    this.changed();
  }

  private put(heard: Omit<TaskRecord, "order">, given?: number): void {
    const order = this.records.get(heard.id)?.order ?? given ?? this.heardOf++;
    const record = { ...heard, order };
    this.records.set(record.id, record);
    if (!isRunning(record)) {
      this.waiting.get(record.id)?.forEach((resolve) => {
        resolve(record);
      });
      this.waiting.delete(record.id);
    }
  }

  private changed(): void {
    for (const old of this.ended.slice(MOST_ENDED)) {
      this.records.delete(old.id);
    }
    for (const listener of this.listeners) {
      listener();
    }
  }
}

export function isRunning(record: TaskRecord): boolean {
  return record.status === "running";
}

/** Seconds since a task began, extrapolated from the last message about it. */
export function elapsedNow(record: TaskRecord, now: number): number {
  return record.elapsed_s + (isRunning(record) ? (now - record.heardAt) / 1000 : 0);
}

/** A task that has ended never runs again: an answer may arrive after the progress message of its end. */
function ofNews(
  news: Progress | TaskResult,
  before: TaskRecord | undefined,
  now: number,
): Omit<TaskRecord, "order"> {
  if (before && !isRunning(before) && news.status === "running") {
    return before;
  }
  const meta: PollMeta | undefined = news.poll_meta;
  return {
    id: news.task_id,
    command: news.command,
    origin: news.origin,
    status: news.status,
    elapsed_s: news.elapsed_seconds,
    heardAt: before && !isRunning(before) ? before.heardAt : now,
    isPty: before?.isPty ?? false,
    isDetached: before?.isDetached ?? false,
    isOfThisServer: true,
    waitsForInput: meta?.waiting_for_input ?? false,
    estimate: meta?.alan_estimate ?? before?.estimate,
    exit: news.exit,
    pipestatus: news.pipestatus ?? [],
    insights: news.insights ?? before?.insights ?? {},
    error: before?.error,
    ...(before?.cwd === undefined ? {} : { cwd: before.cwd }),
  };
}

function ofSummary(
  task: TaskSummary,
  before: TaskRecord | undefined,
  now: number,
  kept: KeptEnd | undefined,
): Omit<TaskRecord, "order"> {
  if (before && (!isRunning(before) || task.status === "running")) {
    return { ...before, isPty: task.is_pty, isDetached: task.detached ?? false };
  }
  const isGone = (kept === "stopped" || kept === "gone") && task.status !== "completed";
  return {
    id: task.task_id,
    command: task.command,
    origin: task.origin,
    status: isGone ? "error" : task.status,
    elapsed_s: task.elapsed_seconds,
    heardAt: now,
    isPty: task.is_pty,
    isDetached: task.detached ?? false,
    isOfThisServer: before?.isOfThisServer ?? false,
    waitsForInput: false,
    estimate: before?.estimate,
    exit: task.exit,
    pipestatus: before?.pipestatus ?? [],
    insights: before?.insights ?? {},
    error: isGone ? t(SERVER_GONE) : undefined,
    keptVerdict: kept === "stopped" || kept === "gone" ? undefined : kept,
    isJudged: before?.isOfThisServer === true || kept !== undefined,
  };
}

/** Short descriptions of tasks. Pure. */

import { elapsedNow, isRunning, SERVER_GONE, type TaskRecord, type Verdict } from "./taskBook";
import { t } from "./l10n";

const LONGEST_TITLE = 60;
export const NOT_KEPT = "(not kept)";

const ESC = "\u001b[";
const TINTS = { red: `${ESC}31m`, green: `${ESC}32m`, yellow: `${ESC}33m`, dim: `${ESC}2m` };
const PLAIN = `${ESC}0m`;

/** A command as the server shows it, before it has done so: one that begins with a space is not kept. */
export function shownCommand(command: string): string {
  return command.startsWith(" ") ? NOT_KEPT : command;
}

/**
 * A command on one line, shortened if it is long: by the folders of its paths first, so that a script's
 * name stays, then in its middle. What lies below a folder of the workspace, or the home, is as seen from
 * there. The server's words are shortened alike (`tests/data/shown_commands`).
 */
export function title(
  command: string,
  longest = LONGEST_TITLE,
  { folders = [], home = "" }: Seen = {},
): string {
  let text = firstLine(command);
  for (const folder of folders) {
    text = seenFrom(text, folder, "");
  }
  text = seenFrom(text, home, "~/");
  const words = text.split(" ");
  while (Array.from(text).length > longest) {
    const names = words.map((word) => withoutFolders(word) ?? word);
    const saved = names.map(
      (name, at) => Array.from(words[at] ?? "").length - Array.from(name).length,
    );
    const most = Math.max(...saved);
    if (most <= 0) {
      return withoutMiddle(Array.from(text), longest);
    }
    const at = saved.indexOf(most);
    words[at] = names[at] ?? "";
    text = words.join(" ");
  }
  return text;
}

/** What the server puts between what gives a line its names and the line, which alone is shown. */
const STOP_AT_FAILURE = "\ncase $? in (0) ;; (*) exit ;; esac\n";

/**
 * The first line of a command that is no comment, continued ones joined, and `…` where more follows: all
 * behind each other would be another command, or none.
 */
function firstLine(command: string): string {
  const parts = command.split(STOP_AT_FAILURE);
  const lines = (parts.at(-1) ?? "")
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.split(/\s+/).filter(Boolean).join(" "))
    .filter(Boolean);
  const told = Math.max(
    lines.findIndex((line) => !line.startsWith("#")),
    0,
  );
  const before = parts.length > 1 ? ["…"] : [];
  const after = lines.length > told + 1 ? ["…"] : [];
  return [...before, ...lines.slice(told, told + 1), ...after].join(" ");
}

/** The folders from which a person sees the paths of a command. */
export interface Seen {
  folders?: readonly string[];
  home?: string;
}

function seenFrom(text: string, folder: string, instead: string): string {
  const bare = folder.replace(/\/+$/, "");
  if (bare === "") {
    return text;
  }
  const path = bare.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return text.replace(
    new RegExp(`(?<!\\S)(["']?)${path}/`, "g"),
    (_, quote: string) => quote + instead,
  );
}

/** A path without its folders. */
function withoutFolders(word: string): string | undefined {
  const [, quote, name] = /^(["']?).*\/([^/]+\/?)$/.exec(word) ?? [];
  return name === undefined || word.includes("://") ? undefined : `${quote ?? ""}…/${name}`;
}

function withoutMiddle(signs: readonly string[], longest: number): string {
  const head = Math.ceil(((longest - 1) * 2) / 3);
  const tail = signs.slice(signs.length - (longest - 1 - head));
  return [...signs.slice(0, head), "…", ...tail].join("");
}

/** `0.3s`, `47s`, `3m 20s`, `2h 5m`. */
export function duration(seconds: number): string {
  if (seconds < 9.95) {
    return `${seconds.toFixed(1)}s`;
  }
  const whole = Math.round(seconds);
  if (whole < 60) {
    return `${whole}s`;
  }
  return whole < 3600
    ? `${Math.floor(whole / 60)}m ${whole % 60}s`
    : `${Math.floor(whole / 3600)}h ${Math.floor((whole % 3600) / 60)}m`;
}

/** How a task ended: `exit 1`, `timeout`, `killed`, `ended with its server`. */
function ending(record: TaskRecord): string {
  if (record.error === t(SERVER_GONE)) {
    return t("ended with its server");
  }
  if (record.status === "completed") {
    return `exit ${record.exit ?? 0}`;
  }
  switch (record.status) {
    case "killed":
      return t("killed");
    case "timeout":
      return t("timeout");
    default:
      return t("error");
  }
}

export function hasFailed(record: TaskRecord): boolean {
  return record.status !== "completed" || (record.exit ?? 0) !== 0;
}

export function verdict(record: TaskRecord): Verdict {
  if (record.keptVerdict !== undefined) {
    return record.keptVerdict;
  }
  const warnings = record.insights.warning ?? [];
  if (hasFailed(record)) {
    const isNormal = (record.insights.info ?? []).some((said) =>
      / exit \d+ = .*\(normal\)$/.test(said),
    );
    return record.status === "completed" && isNormal && warnings.length === 0 ? "normal" : "failed";
  }
  return warnings.some((said) => said.includes("(masked by downstream)")) ? "masked" : "passed";
}

const TINT_OF: Record<Verdict, string> = {
  passed: TINTS.green,
  normal: TINTS.dim,
  masked: TINTS.yellow,
  failed: TINTS.red,
};

/** The description of a task in the list: `12s of ~47s · 25% · agent`, `exit 1 · 0.3s`. */
export function description(record: TaskRecord, now: number): string {
  const whose = record.origin === "editor" || record.origin === "lens" ? "" : record.origin;
  const parts = isRunning(record) ? progress(record, now) : [ending(record), elapsed(record, now)];
  const outlives = record.isDetached ? t("detached") : "";
  return [...parts, outlives, whose].filter(Boolean).join(" · ");
}

function progress(record: TaskRecord, now: number): string[] {
  const { estimate } = record;
  const waits = record.waitsForInput ? t("waits for input") : "";
  if (!estimate) {
    return [elapsed(record, now), waits];
  }
  const percent = Math.round(estimate.completion_probability * 100);
  const usual = duration(estimate.median_duration_s);
  return [`${elapsed(record, now)} of ~${usual}`, `${percent}%`, waits];
}

function elapsed(record: TaskRecord, now: number): string {
  return duration(elapsedNow(record, now));
}

/** The lines below a task's output: how it ended, and what that means. */
export function footer(record: TaskRecord): string {
  const tint = TINT_OF[verdict(record)];
  const pipe = record.pipestatus.length > 1 ? [`pipestatus ${record.pipestatus.join(" ")}`] : [];
  const facts = [duration(record.elapsed_s), ...pipe].join(" · ");
  const lines = [`${tint}${ending(record)}${PLAIN} ${TINTS.dim}· ${facts}${PLAIN}`];
  if (record.error) {
    lines.push(`${TINTS.red}${record.error}${PLAIN}`);
  }
  for (const [level, messages] of Object.entries(record.insights)) {
    const shade = level === "warning" ? TINTS.yellow : TINTS.dim;
    lines.push(...messages.map((message) => `${shade}${level}: ${message}${PLAIN}`));
  }
  return lines.map((line) => line.replace(/\r?\n/g, "\r\n")).join("\r\n") + "\r\n";
}

/** A folder as a person writes it: that of their home as `~`. */
export function folder(path: string, home: string): string {
  const isBelow = home !== "" && (path === home || path.startsWith(`${home}/`));
  return isBelow ? `~${path.slice(home.length)}` : path;
}

/** A remark of the extension between the task's own lines. */
export function remark(text: string): string {
  return `${TINTS.dim}${text}${PLAIN}\r\n`;
}

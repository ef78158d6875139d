/** What a rehearsal found, as a sentence and as items of a list. Pure. */

import type { RehearsalResult, RehearsedCommand, RehearsedLine, RehearsedWrite } from "./protocol";
import { title } from "./wording";
import { t } from "./l10n";

/** The exit of a program that is not there. */
const NOT_FOUND = 127;

export interface RehearsalItem {
  label: string;
  description: string;
  detail: string;
  /** Zero-based. */
  line: number;
  file: string | undefined;
}

/** How many commands would run, what is marked, and how the script ended. */
export function rehearsalSummary({ lines, exit, stopped }: RehearsalResult): string {
  const commands = lines.flatMap((line) => line.commands);
  const would = commands.filter(({ kind }) => kind === "stub").length;
  const marks = new Set(lines.flatMap((line) => line.marks));
  const parts = [
    t("{0} of {1} commands would run outside of the copy", would, commands.length),
    ...[...marks],
    stopped ? t("stopped on line {0}: {1}", stopped.line + 1, stopped.reason) : `exit ${exit}`,
  ];
  return parts.join(" · ");
}

/** An item for each line to look at: it is marked, writes, fails as asked or relies on what is not known. */
export function rehearsalItems({ lines, fates }: RehearsalResult): RehearsalItem[] {
  const ofLines = lines.filter(isListed).map((line) => ({
    label: title(line.commands.map(said).join("; ") || (line.writes.map(written)[0] ?? "")),
    description: [`line ${line.line + 1}`, ...line.marks].join(" · "),
    detail: [...line.writes.map(written), ...line.commands.flatMap(unknown)].join(" · "),
    line: line.line,
    file: line.file,
  }));
  const ofFates = (fates ?? []).map(({ line, command, proven, exit, ran, skipped }) => ({
    label: t("if it fails: {0}", title(command)),
    description: `line ${line + 1} · ${proven}${exit === null ? "" : ` · exit ${exit}`}`,
    detail: [numbered("only then", ran), numbered("no more", skipped)].filter(Boolean).join(" · "),
    line,
    file: undefined,
  }));
  return [...ofFates, ...ofLines];
}

function isListed({ marks, writes, commands }: RehearsedLine): boolean {
  const matters = commands.some(({ kind, depends_on }) => kind !== "real" || depends_on);
  return marks.length > 0 || writes.length > 0 || matters;
}

function said({ kind, argv, exit }: RehearsedCommand): string {
  const verb = { real: "ran", stub: "would run", failed: "failed" }[kind];
  const missing = kind === "stub" && exit === NOT_FOUND ? " (not found here)" : "";
  return `${verb} ${argv.join(" ")}${missing}`;
}

function written({ path, action, count }: RehearsedWrite): string {
  const files = count === undefined ? "" : `: ${count} ${count === 1 ? "file" : "files"}`;
  return `would ${action === "remove" ? "remove" : "write"} ${path}${files}`;
}

function unknown({ depends_on }: RehearsedCommand): string[] {
  return (depends_on ?? []).map(({ name, command, line }) =>
    t("{0} is not known: '{1}' did not run (line {2})", name, command, line + 1),
  );
}

function numbered(what: string, lines: readonly number[]): string {
  return lines.length === 0 ? "" : `${what}: lines ${lines.map((it) => it + 1).join(", ")}`;
}

/** The lines of a measured start, as items of a list. Pure. */

import type { QuickPickItem } from "vscode";
import type {
  Busy,
  KnownCause,
  LeftRunning,
  Slower,
  StartProblem,
  StartupLine,
  WithoutLines,
} from "./protocol";
import { folder } from "./wording";
import { t } from "./l10n";

/** How many of the dearest lines are offered. */
const LISTED = 20;
/** The share of the time from which on the dearest line is named. */
const MUCH = 0.1;
/** How many characters of a line a row has room for. */
const LONGEST_TEXT = 60;
/** How many of a file's path, before its folders are left out. */
const LONGEST_PLACE = 40;

/** A line of a start-up file, from 0. */
export type StartupItem = QuickPickItem & { file: string; line: number };

/** What starts left running, which was ended; nothing where there is nothing. */
export function endedText(left: readonly LeftRunning[] = []): string {
  const commands = left.map(({ command }) => command).join(", ");
  return commands === "" ? "" : t(". Left running, and ended: {0}", commands);
}

/** What the start takes less without some lines: `. Without ~/.zshrc:41: 104 ms less (± 3)`, each. */
export function savingText(without: readonly WithoutLines[], home: string): string {
  return without.map((it) => `. ${saving(it, folder(it.range, home))}`).join("");
}

function saving({ saves_ms, spread_ms, certain, refused }: WithoutLines, lines: string): string {
  if (saves_ms === undefined) {
    return t("{0} was not left out: {1}", lines, refused ?? "");
  }
  const spread = (spread_ms ?? 0).toFixed(0);
  if (!certain) {
    return t("Without {0}: cannot be told from noise (± {1} ms)", lines, spread);
  }
  const ms = Math.abs(saves_ms).toFixed(0);
  return saves_ms >= 0
    ? t("Without {0}: {1} ms less (± {2})", lines, ms, spread)
    : t("Without {0}: {1} ms more (± {2})", lines, ms, spread);
}

/** That others kept the machine busy, which makes times and savings uncertain. */
export function busyText(busy: Busy | undefined): string {
  return busy
    ? t(". The machine is busy (load {0}), so times are uncertain", busy.load.toFixed(0))
    : "";
}

/** What the shell said was wrong: `. ~/.zshrc:6: parse error`, the first, and how many there are more. */
export function errorText(errors: readonly StartProblem[] = [], home: string): string {
  const [first] = errors;
  if (first === undefined) {
    return "";
  }
  const line = first.line === null ? "" : `:${first.line + 1}`;
  const more = errors.length > 1 ? ` (+${errors.length - 1})` : "";
  return `. ${folder(first.file, home)}${line}: ${first.message}${more}`;
}

/** What has become slower since an earlier start: `. Slower since 12 Nov: +82 ms, ~/.zshrc:41`, each. */
export function slowerText(since: readonly Slower[] = [], home: string): string {
  return since
    .map((slower) => {
      const line = slower.line === null ? "" : `:${slower.line + 1}`;
      return `. Slower ${sinceText(slower)}, ${folder(slower.file, home)}${line}`;
    })
    .join("");
}

function sinceText({ at, more_ms }: Slower): string {
  const day = new Date(at);
  const month = day.toLocaleString("en", { month: "short" });
  return `since ${day.getDate()} ${month}: +${Math.round(more_ms)} ms`;
}

/** A file as a row has room for it: of a plugin's its folder and its name. */
function short(file: string, home: string): string {
  const whole = folder(file, home);
  return whole.length > LONGEST_PLACE ? `…/${whole.split("/").slice(-2).join("/")}` : whole;
}

/** The known causes, by the codes that docs/startup.md has pages of. */
export function causeItems(causes: readonly KnownCause[], home: string): StartupItem[] {
  return causes.flatMap(({ code, file, line, ms }) =>
    line === null
      ? []
      : [
          {
            label: `${ms.toFixed(1)} ms · ${code}`,
            description: `${short(file, home)}:${line + 1}`,
            file,
            line,
          },
        ],
  );
}

/** A line's own time as its hint has it, without what tracing took where that is much. */
function ownMs({ own_ms, tracing_ms }: StartupLine): number {
  return own_ms - (tracing_ms ?? 0);
}

/** The line that takes most, which may be in a file that nobody has open; nothing where none takes much. */
export function dearestText(lines: readonly StartupLine[], medianMs: number): string {
  const [dearest] = startupItems(lines, "");
  const ms = Number.parseFloat(dearest?.label ?? "0");
  return dearest === undefined || ms < MUCH * medianMs
    ? ""
    : `. ${dearest.file.split("/").at(-1)}:${dearest.line + 1}: ${ms.toFixed(0)} ms`;
}

/** The dearest lines of a start, the dearest first; the shell's own time is on no line. */
export function startupItems(
  lines: readonly StartupLine[],
  home: string,
  since: readonly Slower[] = [],
): StartupItem[] {
  const slower = new Map(since.map((it) => [`${it.file}:${it.line}`, `slower ${sinceText(it)}`]));
  return lines
    .toSorted((one, other) => ownMs(other) - ownMs(one))
    .flatMap((it) => {
      const { file, line, programs } = it;
      return line === null
        ? []
        : [
            {
              label: [`${ownMs(it).toFixed(1)} ms`, ...programs].join(" · "),
              description: [`${short(file, home)}:${line + 1}`, slower.get(`${file}:${line}`)]
                .filter(Boolean)
                .join(" · "),
              file,
              line,
            },
          ];
    })
    .slice(0, LISTED);
}

/** The items with the text of their lines behind the places, as far as `linesOf` knows a file's. */
export function withTexts(
  items: readonly StartupItem[],
  linesOf: ReadonlyMap<string, readonly string[]>,
): StartupItem[] {
  return items.map((item) => {
    const text = linesOf.get(item.file)?.[item.line]?.trim().slice(0, LONGEST_TEXT) ?? "";
    return { ...item, description: [item.description, text].filter(Boolean).join("  ") };
  });
}

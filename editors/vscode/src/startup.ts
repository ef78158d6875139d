/** The lines of a measured start, as items of a list. Pure. */

import type { QuickPickItem } from "vscode";
import type { LeftRunning, StartupLine } from "./protocol";
import { folder } from "./wording";

/** How many of the dearest lines are offered. */
const LISTED = 20;

/** A line of a start-up file, from 0. */
export type StartupItem = QuickPickItem & { file: string; line: number };

/** What starts left running, which was ended; nothing where there is nothing. */
export function endedText(left: readonly LeftRunning[] = []): string {
  const commands = left.map(({ command }) => command).join(", ");
  return commands === "" ? "" : `. Left running, and ended: ${commands}`;
}

/** The dearest lines of a start, in their order; the shell's own time is on no line. */
export function startupItems(lines: readonly StartupLine[], home: string): StartupItem[] {
  return lines
    .flatMap(({ file, line, own_ms, programs }) =>
      line === null
        ? []
        : [
            {
              label: [`${own_ms.toFixed(1)} ms`, ...programs].join(" · "),
              description: `${folder(file, home)}:${line + 1}`,
              file,
              line,
            },
          ],
    )
    .slice(0, LISTED);
}

/** What becomes of a script when its commands fail, as items of a list. Pure. */

import type { CommandFate, FateKind } from "./protocol";
import { title } from "./wording";

/** The fates that nobody who looks at the exit would notice, or that the text does not tell. */
const LISTED: readonly FateKind[] = ["unnoticed", "stops-silently", "unknown"];

export interface FailureItem {
  label: string;
  description: string;
  detail: string;
  range: CommandFate["range"];
}

/** An item for each command to look at, in the order of the script. */
export function failureItems(commands: readonly CommandFate[]): FailureItem[] {
  return commands
    .filter(({ fate }) => LISTED.includes(fate))
    .map(({ command, fate, because, range }) => ({
      label: title(command),
      description: `line ${range.start.line + 1} · ${fate}`,
      detail: because,
      range,
    }));
}

/** Several commands on one line, run as one. Pure. */

import type { RunParams } from "./protocol";

/**
 * From the first command of line `number` to its last, where both are on that line alone; undefined
 * if the line is part of something longer. `text` is the line; columns are UTF-16.
 */
export function wholeLine(
  number: number,
  text: string,
  first: RunParams | undefined,
  last: RunParams | undefined,
): RunParams | undefined {
  const from = first?.document?.range;
  const to = last?.document?.range;
  if (!first?.document || !from || !to) {
    return undefined;
  }
  const lines = [from.start.line, from.end.line, to.start.line, to.end.line];
  if (lines.some((line) => line !== number) || from.start.character > to.start.character) {
    return undefined;
  }
  return {
    ...first,
    command: text.slice(from.start.character, to.end.character),
    document: { ...first.document, range: { start: from.start, end: to.end } },
  };
}

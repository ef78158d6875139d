/** How far the hints behind lines are moved, so that they begin in one column. Pure. */

// Behind longer lines a hint stands where the line ends; the others are not moved out of sight for them.
const MOST_COLUMNS = 80;
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

/** The gap before the hint of each line, in columns. */
export function gapsBefore(lines: readonly string[], tabSize: number): number[] {
  const widths = lines.map((line) => widthOf(line, tabSize));
  const column = Math.max(0, ...widths.filter((width) => width <= MOST_COLUMNS));
  return widths.map((width) => Math.max(0, column - width) + 1);
}

/** What stands before each hint, by the places of the hints: a dot where another one is at its place. */
export function dotsBetween(places: readonly string[]): string[] {
  return places.map((place, at) => (places.indexOf(place) < at ? "· " : ""));
}

function widthOf(line: string, tabSize: number): number {
  let width = 0;
  for (const sign of line) {
    if (sign === "\t") {
      width += tabSize - (width % tabSize);
    } else {
      width += WIDE.test(sign) || sign.length > 1 ? 2 : 1;
    }
  }
  return width;
}

/** Line editing for a task with a pipe instead of a terminal: echoes the line and sends it on Enter. */

const ESC = "\u001b";
const ENTER = "\r";
const INTERRUPT = "\u0003";
const END = "\u0004";
const RUB_OUT = "\u007f";
const ERASE = "\b \b";
// Arrows and function keys: there is no cursor to move here.
const SEQUENCES = new RegExp(`${ESC}(\\[[0-?]*[ -/]*[@-~]|O?.)?`, "gs");

/** The effect of keys: what to show and what to send. */
export interface Typed {
  echo: string;
  lines: string[];
  ends: boolean;
  stops: boolean;
}

export class LineInput {
  private line = "";

  /** Handles keys as a terminal sends them. Ctrl-D on an empty line ends the input, Ctrl-C stops the task. */
  typed(keys: string): Typed {
    const typed: Typed = { echo: "", lines: [], ends: false, stops: false };
    for (const key of keys.replace(SEQUENCES, "")) {
      this.take(key, typed);
    }
    return typed;
  }

  private take(key: string, typed: Typed): void {
    if (key === ENTER) {
      typed.lines.push(this.line);
      typed.echo += "\r\n";
      this.line = "";
    } else if (key === RUB_OUT) {
      typed.echo += this.line === "" ? "" : ERASE;
      this.line = Array.from(this.line).slice(0, -1).join("");
    } else if (key === INTERRUPT) {
      typed.stops = true;
      typed.echo += "^C\r\n";
      this.line = "";
    } else if (key === END) {
      typed.ends ||= this.line === "";
    } else if (key >= " " || key === "\t") {
      this.line += key;
      typed.echo += key;
    }
  }
}

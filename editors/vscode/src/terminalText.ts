/**
 * Filters a program's output for the editor's terminal: keeps colours and cursor movements,
 * removes strings that control the terminal itself (titles, clipboard, shell integration).
 */

const BEL = "\u0007";
const ESC = "\u001b";
const ST = "\u009c";
// After ESC, and as one character of C1: device control, start of string, OSC, privacy message, APC.
const OPENERS = new Set(["P", "X", "]", "^", "_"]);
const C1_OPENERS = new Set(["\u0090", "\u0098", "\u009d", "\u009e", "\u009f"]);

const SPECIAL = new RegExp(`[${ESC}\u0090-\u009f]`);

type Mode = "text" | "escape" | "string" | "string escape";

/** Filters pieces in order; a sequence may begin in one and end in another. */
export class TerminalText {
  private readonly decoder = new TextDecoder("utf-8");
  private mode: Mode = "text";

  /** With `bareNewlines` (output of a pipe) each newline gets the carriage return that a terminal adds. */
  constructor(private readonly bareNewlines: boolean) {}

  text(data: Uint8Array): string {
    const shown = this.harmless(this.decoder.decode(data, { stream: true }));
    return this.bareNewlines ? shown.replace(/\n/g, "\r\n") : shown;
  }

  private harmless(text: string): string {
    if (this.mode === "text" && !SPECIAL.test(text)) {
      return text;
    }
    let shown = "";
    for (const character of text) {
      shown += this.taken(character);
    }
    return shown;
  }

  /** Processes one character; returns what to show now. */
  private taken(character: string): string {
    switch (this.mode) {
      case "text":
        return this.inText(character);
      case "escape":
        this.mode = OPENERS.has(character) ? "string" : "text";
        return this.mode === "string" ? "" : ESC + character;
      case "string":
        this.mode = endOf(character);
        return "";
      case "string escape":
        // ESC \ ends it; so does any other escape, which begins a sequence of its own.
        this.mode = "text";
        return character === "\\" ? "" : this.afterBrokenString(character);
    }
  }

  private inText(character: string): string {
    if (character === ESC) {
      this.mode = "escape";
      return "";
    }
    if (C1_OPENERS.has(character)) {
      this.mode = "string";
      return "";
    }
    return character;
  }

  private afterBrokenString(character: string): string {
    this.mode = "escape";
    return this.taken(character);
  }
}

function endOf(character: string): Mode {
  if (character === ESC) {
    return "string escape";
  }
  return character === BEL || character === ST ? "text" : "string";
}

/**
 * The bytes of a task's output, as they come, by way of `zsh/output`: progress carries text that is
 * fit for reading, a terminal needs what the program wrote. Pure but for the asking.
 */

import type { OutputPage, OutputParams } from "./protocol";

const NEWLINE = 0x0a;
// A terminal keeps a thousand lines or so: of a flood only the end is worth fetching.
const KEPT_LINES = 2_000;

export type Ask = (params: OutputParams) => Promise<OutputPage>;

/** What is new: bytes, after `skipped` lines that were passed over. */
export interface Piece {
  data: Uint8Array;
  skipped: number;
}

/** Reads on from where it stopped: `seen` bytes of `line` are known. */
export class LiveOutput {
  private line = 1;
  private seen = 0;

  constructor(
    private readonly taskId: string,
    private readonly ask: Ask,
  ) {}

  /** All that has come since the last call. */
  async *news(): AsyncGenerator<Piece> {
    for (;;) {
      const page = await this.ask({ task_id: this.taskId, from_line: this.line, raw: true });
      const data = this.fresh(page);
      if (data.length > 0) {
        yield { data, skipped: 0 };
      }
      if (!page.more) {
        return;
      }
      const skipped = this.skipTo(page.total_lines - KEPT_LINES);
      if (skipped === 0 && data.length === 0) {
        return; // one line of megabytes: the whole of it can only be asked for as text
      }
      if (skipped > 0) {
        yield { data: new Uint8Array(), skipped };
      }
    }
  }

  private fresh(page: OutputPage): Uint8Array {
    const bytes = Buffer.from(page.output, "base64");
    if (page.gap) {
      this.line = (page.to_line ?? this.line) + 1;
      this.seen = 0;
      return bytes;
    }
    const fresh = bytes.subarray(this.seen);
    const newlines = bytes.reduce((count, byte) => count + (byte === NEWLINE ? 1 : 0), 0);
    this.line += newlines;
    this.seen = bytes.length - (bytes.lastIndexOf(NEWLINE) + 1);
    return fresh;
  }

  private skipTo(line: number): number {
    const skipped = Math.max(0, line - this.line);
    if (skipped > 0) {
      this.line = line;
      this.seen = 0;
    }
    return skipped;
  }
}

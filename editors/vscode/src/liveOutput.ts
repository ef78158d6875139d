/**
 * The bytes of a task's output as they arrive, fetched by `zsh/output`: progress carries readable text,
 * but a terminal needs exactly what the program wrote. Pure apart from the requests.
 */

import type { OutputPage, OutputParams } from "./protocol";

const NEWLINE = 0x0a;
// A terminal keeps about a thousand lines, so only the end of a huge output is worth fetching.
const KEPT_LINES = 2_000;

export type Ask = (params: OutputParams) => Promise<OutputPage>;

/** New bytes, preceded by `skipped` lines that were not fetched. */
export interface Piece {
  data: Uint8Array;
  skipped: number;
}

/** Continues where the last fetch stopped: `seen` bytes of `line` are known. */
export class LiveOutput {
  private line = 1;
  private seen = 0;

  constructor(
    private readonly taskId: string,
    private readonly ask: Ask,
  ) {}

  /** All output since the last call. */
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

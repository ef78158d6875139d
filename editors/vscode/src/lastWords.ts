/** How a server ended, and the last it wrote to its standard error. Pure. */

import { t } from "./l10n";

const MOST_CHARACTERS = 4_000;

export class LastWords {
  private said = "";
  private how: { code: number | null; signal: string | null } | undefined;

  /** Notes what it wrote. */
  heard(text: string): void {
    this.said = (this.said + text).slice(-MOST_CHARACTERS);
  }

  /** Notes its end. */
  ended(code: number | null, signal: string | null): void {
    this.how = { code, signal };
  }

  /** A sentence for people, for example `It ended with exit 1: No module named attrs`; undefined while it runs. */
  get sentence(): string | undefined {
    if (this.how === undefined) {
      return undefined;
    }
    const { code, signal } = this.how;
    if (signal !== null) {
      return t("It was ended by {0}.", signal);
    }
    const lines = this.said.split("\n").filter((line) => line.trim() !== "");
    const words = lines.at(-1);
    const exit = code ?? 0;
    return words
      ? t("It ended with exit {0}: {1}", exit, words)
      : t("It ended with exit {0}.", exit);
  }
}

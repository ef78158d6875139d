/** How often a server that falls is started again: a fault that repeats is told, not hidden. */

const MOST = 4;
const WITHIN_MS = 180_000;

export class Restarts {
  private fallen: number[] = [];

  /** Notes a fall at `now` (milliseconds) and gives whether to start again. */
  fell(now: number): boolean {
    this.fallen = [...this.fallen.filter((at) => now - at < WITHIN_MS), now];
    return this.fallen.length <= MOST;
  }

  /** The person asked for another start: what fell before does not count any more. */
  forget(): void {
    this.fallen = [];
  }
}

export const TOO_MANY_FALLS = `The server ended ${MOST + 1} times within three minutes.`;

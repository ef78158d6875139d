/** How often a server that has crashed is restarted: a crash that repeats is reported, not hidden. */

export const MOST_FALLS = 4;
const WITHIN_MS = 180_000;

export class Restarts {
  private fallen: number[] = [];

  /** Records a crash at `now` (milliseconds); returns whether to restart. */
  fell(now: number): boolean {
    this.fallen = [...this.fallen.filter((at) => now - at < WITHIN_MS), now];
    return this.fallen.length <= MOST_FALLS;
  }

  /** Forgets earlier crashes, after a restart that the user asked for. */
  forget(): void {
    this.fallen = [];
  }
}

export const TOO_MANY_FALLS = "The server ended {0} times within three minutes.";

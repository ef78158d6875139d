/** Work that is requested repeatedly and never runs twice at a time. Pure. */

export class Pump {
  private turning: Promise<void> | undefined;
  private isWanted = false;

  constructor(private readonly work: () => Promise<void>) {}

  /** Starts the work soon; if it is being done at the moment, it is done once more afterwards. */
  again(): void {
    this.isWanted = true;
    this.turning ??= this.turn().finally(() => {
      this.turning = undefined;
    });
    // An error of this one occurs in the last one as well, and is reported there.
    this.turning.catch(() => undefined);
  }

  /** Does the work for the last time, after any that is in progress. */
  async last(): Promise<void> {
    await this.turning?.catch(() => undefined);
    await this.work();
  }

  private async turn(): Promise<void> {
    while (this.isWanted) {
      this.isWanted = false;
      await this.work();
    }
  }
}

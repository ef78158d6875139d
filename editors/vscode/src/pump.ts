/** Work that is wanted again and again, and never twice at a time. Pure. */

export class Pump {
  private turning: Promise<void> | undefined;
  private isWanted = false;

  constructor(private readonly work: () => Promise<void>) {}

  /** Has the work done soon; asked for while it is being done, it is done once more. */
  again(): void {
    this.isWanted = true;
    this.turning ??= this.turn().finally(() => {
      this.turning = undefined;
    });
    // What goes wrong now goes wrong with the last one too, and is told then.
    this.turning.catch(() => undefined);
  }

  /** Has it done for the last time, after what is being done. */
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

/** Something whose stored checkpoint may be behind what it has passed. */
export interface Settled {
  readonly unsettled: boolean;
  settle(): Promise<void>;
}

/**
 * Stores a checkpoint that is behind, about once in an interval and never while a page is worked on: storing it for each
 * event that went by would cost every follower of the log a write.
 */
export class CheckpointSettler {
  private timer: NodeJS.Timeout | null = null;
  private isWaiting = false;
  private settledAt = 0;
  private settling: Promise<void> = Promise.resolve();

  constructor(
    private readonly target: Settled,
    private readonly milliseconds: number,
  ) {}

  /** A page is about to be worked on. */
  async working(): Promise<void> {
    this.isWaiting = false;
    await this.settling;
  }

  /** The page is done with. */
  async idle(): Promise<void> {
    this.isWaiting = true;
    if (!this.target.unsettled) return;
    const due = this.settledAt + this.milliseconds - performance.now();
    if (due <= 0) await this.settle();
    else this.timer ??= setTimeout(() => this.onTimer(), due).unref();
  }

  /** Stores the checkpoint once more. */
  async stop(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    await this.working();
    await this.settle();
  }

  private onTimer(): void {
    this.timer = null;
    // Otherwise the page that is worked on ends with `idle`.
    if (this.isWaiting) this.settling = this.settle();
  }

  private async settle(): Promise<void> {
    if (!this.target.unsettled) return;
    this.settledAt = performance.now();
    // A failure costs nothing: the checkpoint is stored with the next batch, or what lies behind it is passed again.
    await this.target.settle().catch(() => {});
  }
}

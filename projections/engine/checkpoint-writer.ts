/** A checkpoint that is not stored for every event: the stored position may be behind the actual one. */
export interface DeferredCheckpoint {
  readonly isBehind: boolean;
  storeCheckpoint(): Promise<void>;
}

/**
 * Stores a checkpoint after a delay, and never during work on a page: storing it for every irrelevant event would cost every follower of the
 * log a write.
 */
export class CheckpointWriter {
  private timer: NodeJS.Timeout | null = null;
  private isWaiting = false;
  private storedAt = 0;
  private storing: Promise<void> = Promise.resolve();

  /** @param maxDelay how long the stored position may be behind at present, in milliseconds */
  constructor(
    private readonly target: DeferredCheckpoint,
    private readonly maxDelay: () => number,
  ) {}

  /** To be called before work on a page. */
  async working(): Promise<void> {
    this.isWaiting = false;
    await this.storing;
  }

  /** To be called after work on a page. */
  async idle(): Promise<void> {
    this.isWaiting = true;
    if (!this.target.isBehind) return;
    const due = this.storedAt + this.maxDelay() - performance.now();
    this.clearTimer();
    if (due <= 0) await this.store();
    else this.timer = setTimeout(() => this.onTimer(), due).unref();
  }

  /** Stores the checkpoint a last time. */
  async stop(): Promise<void> {
    this.clearTimer();
    await this.working();
    await this.store();
  }

  private clearTimer(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  private onTimer(): void {
    this.timer = null;
    // Otherwise `idle` stores it after the page.
    if (this.isWaiting) this.storing = this.store();
  }

  private async store(): Promise<void> {
    if (!this.target.isBehind) return;
    this.storedAt = performance.now();
    // An error is harmless: the checkpoint is stored with the next batch, or the events after it are skipped again.
    await this.target.storeCheckpoint().catch(() => {});
  }
}

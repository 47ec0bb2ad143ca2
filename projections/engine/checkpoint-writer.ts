/** A checkpoint that is not stored for each event: what is stored may be behind what was passed. */
export interface DeferredCheckpoint {
  readonly isBehind: boolean;
  storeCheckpoint(): Promise<void>;
}

/**
 * Stores a checkpoint that is behind, about once in an interval and never while a page is worked on: storing it for each
 * event that went by would cost every follower of the log a write.
 */
export class CheckpointWriter {
  private timer: NodeJS.Timeout | null = null;
  private isWaiting = false;
  private storedAt = 0;
  private storing: Promise<void> = Promise.resolve();

  constructor(
    private readonly target: DeferredCheckpoint,
    private readonly milliseconds: number,
  ) {}

  /** A page is about to be worked on. */
  async working(): Promise<void> {
    this.isWaiting = false;
    await this.storing;
  }

  /** The page is done with. */
  async idle(): Promise<void> {
    this.isWaiting = true;
    if (!this.target.isBehind) return;
    const due = this.storedAt + this.milliseconds - performance.now();
    if (due <= 0) await this.store();
    else this.timer ??= setTimeout(() => this.onTimer(), due).unref();
  }

  /** Stores the checkpoint once more. */
  async stop(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    await this.working();
    await this.store();
  }

  private onTimer(): void {
    this.timer = null;
    // Otherwise the page that is worked on ends with `idle`.
    if (this.isWaiting) this.storing = this.store();
  }

  private async store(): Promise<void> {
    if (!this.target.isBehind) return;
    this.storedAt = performance.now();
    // A failure costs nothing: the checkpoint is stored with the next batch, or what lies behind it is passed again.
    await this.target.storeCheckpoint().catch(() => {});
  }
}

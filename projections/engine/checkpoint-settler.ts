import type { EventApplier } from './event-applier.js';

/**
 * Stores a checkpoint that only events of other models have moved, about once in an interval and never while a page is
 * worked on: each such event would otherwise cost every model a write.
 */
export class CheckpointSettler {
  private readonly interval: NodeJS.Timeout;
  private waiting = false;
  private settling: Promise<void> = Promise.resolve();

  constructor(
    private readonly applier: EventApplier,
    milliseconds: number,
  ) {
    this.interval = setInterval(() => this.settle(), milliseconds).unref();
  }

  /** A page is about to be worked on. */
  async working(): Promise<void> {
    this.waiting = false;
    await this.settling;
  }

  /** The page is done with. */
  idle(): void {
    this.waiting = true;
  }

  stop(): void {
    clearInterval(this.interval);
  }

  private settle(): void {
    if (!this.waiting || !this.applier.unsettled) return;
    // A failure costs nothing: the checkpoint goes with the next batch, which meets the same failure if it lasts.
    this.settling = this.applier.settle().catch(() => {});
  }
}

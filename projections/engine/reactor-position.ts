import { pause } from './pause.js';
import { PositionBarrier } from './position-barrier.js';

/** Sources of a {@link ReactorPosition}. */
interface ReactorPositionOptions {
  /** Whether this process runs the reactor. */
  readonly isLeading: () => boolean;
  /** Reads the stored checkpoint, whichever process wrote it; null: there is none. */
  readonly stored: () => Promise<number | null>;
}

/** Interval between two reads of the checkpoint, in milliseconds. */
export const POLL_MILLISECONDS = 15;

/**
 * How far a reactor is, as this process knows it: reported while this process runs it, otherwise read from its checkpoint as long as a
 * caller waits.
 */
export class ReactorPosition {
  private readonly barrier = new PositionBarrier();
  private isPolling = false;

  constructor(private readonly options: ReactorPositionOptions) {}

  /** Position of the last handled event; null: not known. */
  get known(): number | null {
    return this.barrier.position;
  }

  /** Advances the position; a lower one has no effect. */
  advance(position: number): void {
    this.barrier.advance(position);
  }

  /**
   * Waits until everything up to a position was handled.
   *
   * @returns false when the timeout expired
   */
  waitUntil(position: number, milliseconds: number): Promise<boolean> {
    const passed = this.barrier.waitFor(position, milliseconds);
    if (!this.options.isLeading()) void this.poll();
    return passed;
  }

  /** Ends all waits without success. */
  giveUp(): void {
    this.barrier.giveUp();
  }

  private async poll(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    const { isLeading, stored } = this.options;
    const forever = new AbortController().signal;
    while (this.barrier.awaited && !isLeading()) {
      // If the store cannot answer, the timeout of the waiting caller applies.
      const position = await stored().catch(() => null);
      if (position !== null) this.barrier.advance(position);
      await pause(POLL_MILLISECONDS, forever);
    }
    this.isPolling = false;
  }
}
